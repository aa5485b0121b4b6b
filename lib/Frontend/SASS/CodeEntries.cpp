//===- CodeEntries.cpp - The GPU code that a file holds -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/CodeEntries.h"
#include "ArchiveMembers.h"
#include "CubinHead.h"
#include "FatBinary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using llvm::object::ELF64LE;
using llvm::object::ELF64LEFile;

bool sass::mayHoldCode(StringRef File) {
  return File.starts_with("\x7f"
                          "ELF") ||
         isFatBinary(File) || File.starts_with(ArchiveMagic) ||
         File.starts_with(ThinArchiveMagic) || File.starts_with("MZ");
}

/// All fat binaries of \p Bytes, which begin at multiples of eight.
static void readFatBinaries(StringRef Bytes, const Source &From,
                            CodeEntries &Result) {
  constexpr uint64_t Alignment = 8;
  for (uint64_t At = 0; At < Bytes.size();) {
    if (!isFatBinary(Bytes, At)) {
      At += Alignment;
      continue;
    }
    At = llvm::alignTo(readFatBinary(Bytes, At, From, Result), Alignment);
  }
}

/// What is in the file \p Bytes at \p From, which is no archive.
static void readFile(StringRef Bytes, Source From, CodeEntries &Result);

/// A cubin, or a host's object, program or library.
static void readELF(StringRef Bytes, Source From, CodeEntries &Result) {
  if (std::optional<CubinHead> Head = readCubinHead(Bytes)) {
    CodeEntry E;
    E.Kind = CodeKind::Machine;
    E.Architecture = Head->Architecture;
    E.Member = From.Member;
    E.Container = E.Offset = From.Offset;
    E.Stored = Bytes;
    E.Bytes = Bytes.size();
    Result.Entries.push_back(std::move(E));
    return;
  }
  auto Problem = [&](llvm::Error Why) {
    Result.Problems.push_back(
        located(From, From.Offset,
                "a damaged ELF file: " + llvm::toString(std::move(Why))));
  };
  llvm::Expected<ELF64LEFile> File = ELF64LEFile::create(Bytes);
  if (!File)
    return Problem(File.takeError());
  auto Sections = File->sections();
  if (!Sections)
    return Problem(Sections.takeError());
  for (const auto &S : *Sections) {
    llvm::Expected<StringRef> Name = File->getSectionName(S);
    if (!Name) {
      Problem(Name.takeError());
      continue;
    }
    if (*Name != ".nv_fatbin" && *Name != "__nv_relfatbin")
      continue;
    llvm::Expected<llvm::ArrayRef<uint8_t>> Content =
        File->getSectionContents(S);
    if (!Content) {
      Problem(Content.takeError());
      continue;
    }
    Source Of = From;
    Of.Section = Name->str();
    Of.Offset += uint64_t(S.sh_offset);
    readFatBinaries(llvm::toStringRef(*Content), Of, Result);
  }
}

static void readArchive(StringRef Bytes, CodeEntries &Result) {
  const std::string Why = forEachMember(
      Bytes, [&](StringRef Name, uint64_t Offset, StringRef Content) {
        readFile(Content, {Name.str(), "", Offset}, Result);
      });
  if (!Why.empty())
    Result.Problems.push_back("a damaged archive: " + Why);
}

static void readFile(StringRef Bytes, Source From, CodeEntries &Result) {
  if (Bytes.starts_with("\x7f"
                        "ELF"))
    readELF(Bytes, std::move(From), Result);
  else if (isFatBinary(Bytes) || Bytes.starts_with("MZ"))
    readFatBinaries(Bytes, From, Result);
  // Other members of archives are none of ours: symbol tables, text.
}

CodeEntries sass::findCode(StringRef File) {
  CodeEntries Result;
  if (File.starts_with(ThinArchiveMagic))
    Result.Problems.emplace_back(
        "a thin archive, whose members are other files: name these");
  else if (File.starts_with(ArchiveMagic))
    readArchive(File, Result);
  else
    readFile(File, {}, Result);
  return Result;
}
