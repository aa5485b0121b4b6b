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
  unsigned Architecture = 0; ///< 90; 0: the newest in the file that is read
  /// Whether a function of that name is shown.
  llvm::function_ref<bool(StringRef Name)> Shows;
};

struct ListingAnswer {
  uint64_t Instructions = 0, Unknown = 0; ///< that were shown
  uint64_t Kept = 0; ///< of those that are known: with bits no field explains
  std::vector<std::string> Problems; ///< with their places
};

/// Prints the functions of \p File for one architecture: of each instruction
/// its address, its control code and itself (docs/formats/MachineCode.md).
ListingAnswer printCodeListing(StringRef File, const ListingRequest &Request,
                               raw_ostream &OS);

/// A file, and where it came from.
struct ListedCode {
  StringRef Path, Bytes;
};

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
