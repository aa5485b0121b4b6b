//===- DebugSections.h - Debug sections of PTX as bytes ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_DEBUGSECTIONS_H
#define PTXPREDICT_LIB_FRONTEND_PTX_DEBUGSECTIONS_H

#include "ptxpredict/Frontend/PTX/AST.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace ptxpredict::ptx {

/// What an assembler makes of the lines of some debug sections. Sections of one
/// name follow each other. Labels of code and of other sections are 0.
class DebugSections {
public:
  /// Takes the sections of \p Tree with one of \p Names. Linear in their text.
  DebugSections(const AST &Tree, ArrayRef<StringRef> Names);

  /// Empty if there is no such section. Lives as long as this.
  StringRef bytes(StringRef Section) const;
  /// Where a label stands in its section, or 0 for a section.
  std::optional<uint64_t> place(StringRef Label) const;

private:
  void addLabels(const Section &S);
  void addBytes(const Section &S);
  uint64_t evaluate(StringRef Value) const;

  llvm::StringMap<std::string> Bytes;  ///< by section
  llvm::StringMap<uint64_t> SizeSoFar; ///< of sections, as labels are found
  llvm::StringMap<uint64_t> Labels;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_DEBUGSECTIONS_H
