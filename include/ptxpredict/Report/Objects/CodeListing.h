//===- CodeListing.h - Machine code as text ---------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_OBJECTS_CODELISTING_H
#define PTXPREDICT_REPORT_OBJECTS_CODELISTING_H

#include "ptxpredict/Frontend/SASS/ObjectList.h"
#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict {

constexpr StringRef CodeSchemaName = "ptx-predict/code";
constexpr unsigned CodeSchemaVersion = 1;

/// What a listing shows.
struct ListingRequest {
  unsigned Architecture = 0; ///< 90; 0: the newest in the file
  StringRef Target;          ///< "sm_90a": no plain code for 90; empty: either
  /// Whether a function of that name is shown.
  llvm::function_ref<bool(StringRef Name)> Shows;
};

struct ListingAnswer {
  uint64_t Instructions = 0, Unknown = 0; ///< that were shown
  uint64_t Kept = 0; ///< of those that are known: with bits no field explains
  std::vector<std::string> Problems; ///< with their places
  /// Nothing was shown: why, and what there is. Else empty.
  std::string WhyNothing;
  /// Which parts were passed over, since they have older code alone; or empty.
  std::string Hidden;
};

/// What a file without machine code is, of which \p Entries were found, and
/// what to do.
std::string whatHasNoCode(StringRef File, ArrayRef<sass::CodeEntry> Entries);

/// A file, and where it came from.
struct ListedCode {
  StringRef Path, Bytes;
};

/// Prints the functions of \p File for one architecture, under the file, the
/// member of an archive and the target that they are of: of each instruction
/// its address, its control code and itself (docs/formats/MachineCode.md).
ListingAnswer printCodeListing(const ListedCode &File,
                               const ListingRequest &Request, raw_ostream &OS);

/// The same of \p Files as one JSON object, schema "ptx-predict/code"
/// (docs/schemas/code.schema.json). \p Messages makes of the answers what
/// stands at its end.
void printCodeJSON(
    ArrayRef<ListedCode> Files, const ListingRequest &Request,
    llvm::function_ref<std::vector<Diagnostic>(ArrayRef<ListingAnswer>)>
        Messages,
    raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_OBJECTS_CODELISTING_H
