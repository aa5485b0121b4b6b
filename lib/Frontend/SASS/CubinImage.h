//===- CubinImage.h - The bytes of a cubin, by what they are ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_CUBINIMAGE_H
#define PTXPREDICT_LIB_FRONTEND_SASS_CUBINIMAGE_H

#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace ptxpredict::sass {

/// What a place in code or data is to be filled in with when the cubin is
/// loaded.
struct CubinRelocation {
  uint64_t Offset = 0; ///< in its section
  unsigned Type = 0;   ///< of NVIDIA's, as the file has it
  StringRef Symbol;
  int64_t Addend = 0;
};

/// A variable, or a place in one of the sections below.
struct CubinSymbol {
  StringRef Name, Section;
  uint64_t Offset = 0, Bytes = 0;
};

/// A section with bytes, or without if it is zero at first.
struct CubinSection {
  StringRef Name, Content;
  uint64_t Bytes = 0, Align = 1;
  std::vector<CubinRelocation> Relocations; ///< by offset
  std::vector<CubinSymbol> Symbols;         ///< of data, by offset
  std::vector<CubinSymbol> Functions;       ///< and subroutines, in any order

  /// The relocation at \p Offset; null if there is none.
  const CubinRelocation *relocationAt(uint64_t Offset) const;
};

/// A cubin with its sections. Refers to its bytes.
class CubinImage {
public:
  static llvm::Expected<CubinImage> read(StringRef Bytes);

  const Cubin &cubin() const { return Head; }
  StringRef bytes() const { return Bytes; }
  /// Null if it has none of that name.
  const CubinSection *section(const Twine &Name) const;
  /// A bank of constants as \p Function sees it: its own, or that of all.
  const CubinSection *bank(unsigned Number, StringRef Function) const;
  StringRef codeOf(const CubinFunction &F) const {
    return Bytes.substr(F.Offset, F.CodeBytes);
  }
  /// The variable that \p Name is; null if it is none of this file.
  const CubinSymbol *symbol(StringRef Name) const;
  ArrayRef<CubinSection> sections() const { return Sections; }

private:
  Cubin Head;
  StringRef Bytes;
  std::vector<CubinSection> Sections;
  llvm::StringMap<size_t> ByName;
  llvm::StringMap<CubinSymbol> Symbols;
};

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_CUBINIMAGE_H
