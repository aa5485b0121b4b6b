//===- CubinImage.cpp - The bytes of a cubin, by what they are ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CubinImage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using llvm::object::ELF64LE;
using llvm::object::ELF64LEFile;
namespace elf = llvm::ELF;

const CubinRelocation *CubinSection::relocationAt(uint64_t Offset) const {
  auto It = llvm::lower_bound(
      Relocations, Offset,
      [](const CubinRelocation &R, uint64_t At) { return R.Offset < At; });
  return It != Relocations.end() && It->Offset == Offset ? &*It : nullptr;
}

const CubinSection *CubinImage::section(const Twine &Name) const {
  auto It = ByName.find(Name.str());
  return It == ByName.end() ? nullptr : &Sections[It->second];
}

const CubinSection *CubinImage::bank(unsigned Number,
                                     StringRef Function) const {
  const std::string Name = ".nv.constant" + std::to_string(Number);
  if (const CubinSection *Own = section(Name + "." + Function))
    return Own;
  return section(Name);
}

const CubinSymbol *CubinImage::symbol(StringRef Name) const {
  auto It = Symbols.find(Name);
  return It == Symbols.end() ? nullptr : &It->second;
}

llvm::Expected<CubinImage> CubinImage::read(StringRef Bytes) {
  CubinImage Image;
  Image.Bytes = Bytes;
  llvm::Expected<Cubin> Head = readCubin(Bytes);
  if (!Head)
    return Head.takeError();
  Image.Head = std::move(*Head);
  llvm::Expected<ELF64LEFile> File = ELF64LEFile::create(Bytes);
  if (!File)
    return File.takeError();
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  // What is damaged is missing; readCubin has said so.
  auto Name = [&](const ELF64LE::Shdr &S) -> StringRef {
    llvm::Expected<StringRef> N = File->getSectionName(S);
    if (N)
      return *N;
    llvm::consumeError(N.takeError());
    return {};
  };
  for (const ELF64LE::Shdr &S : *Sections) {
    CubinSection &New = Image.Sections.emplace_back();
    New.Name = Name(S);
    New.Bytes = S.sh_size;
    New.Align = std::max<uint64_t>(1, S.sh_addralign);
    if (S.sh_type != elf::SHT_NOBITS) {
      auto Content = File->getSectionContents(S);
      if (Content)
        New.Content = llvm::toStringRef(*Content);
      else
        llvm::consumeError(Content.takeError());
      New.Bytes = New.Content.size();
    }
    Image.ByName.try_emplace(New.Name, Image.Sections.size() - 1);
  }
  std::vector<StringRef> SymbolNames;
  for (const ELF64LE::Shdr &S : *Sections) {
    if (S.sh_type != elf::SHT_SYMTAB)
      continue;
    auto Symbols = File->symbols(&S);
    auto Names = File->getStringTableForSymtab(S);
    if (!Symbols || !Names) {
      if (!Symbols)
        llvm::consumeError(Symbols.takeError());
      if (!Names)
        llvm::consumeError(Names.takeError());
      continue;
    }
    for (const ELF64LE::Sym &Symbol : *Symbols) {
      llvm::Expected<StringRef> N = Symbol.getName(*Names);
      StringRef Text = N ? *N : StringRef();
      if (!N)
        llvm::consumeError(N.takeError());
      SymbolNames.push_back(Text);
      if (Symbol.st_shndx >= Image.Sections.size() || Symbol.st_shndx == 0)
        continue;
      CubinSection &In = Image.Sections[Symbol.st_shndx];
      if (Symbol.getType() == elf::STT_SECTION)
        SymbolNames.back() = In.Name;
      CubinSymbol New{SymbolNames.back(), In.Name, Symbol.st_value,
                      Symbol.st_size};
      Image.Symbols.try_emplace(New.Name, New);
      if (Symbol.getType() == elf::STT_OBJECT)
        In.Symbols.push_back(New);
      else if (Symbol.getType() == elf::STT_FUNC)
        In.Functions.push_back(New);
    }
  }
  for (const ELF64LE::Shdr &S : *Sections) {
    if ((S.sh_type != elf::SHT_REL && S.sh_type != elf::SHT_RELA) ||
        S.sh_info >= Image.Sections.size())
      continue;
    CubinSection &In = Image.Sections[S.sh_info];
    auto Add = [&](uint64_t Offset, uint64_t Info, int64_t Addend) {
      const uint64_t Symbol = Info >> 32;
      if (Symbol < SymbolNames.size())
        In.Relocations.push_back(
            {Offset, unsigned(Info & 0xffffffff), SymbolNames[Symbol], Addend});
    };
    if (S.sh_type == elf::SHT_RELA) {
      if (auto Entries = File->relas(S))
        for (const ELF64LE::Rela &R : *Entries)
          Add(R.r_offset, R.r_info, R.r_addend);
      else
        llvm::consumeError(Entries.takeError());
    } else if (auto Entries = File->rels(S)) {
      for (const ELF64LE::Rel &R : *Entries)
        Add(R.r_offset, R.r_info, 0);
    } else {
      llvm::consumeError(Entries.takeError());
    }
  }
  for (CubinSection &S : Image.Sections) {
    llvm::stable_sort(S.Relocations, [](const auto &A, const auto &B) {
      return A.Offset < B.Offset;
    });
    llvm::stable_sort(S.Symbols, [](const auto &A, const auto &B) {
      return A.Offset < B.Offset;
    });
  }
  return Image;
}
