//===- CodeLines.cpp - Lines of sources that machine code is of -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/CodeLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFObject.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include <map>

using namespace ptxpredict;
using namespace ptxpredict::sass;
using llvm::object::ELF64LE;
using llvm::object::ELF64LEFile;

namespace {

/// The reader of line tables asks for no other section.
class NoOtherSections : public llvm::DWARFObject {
public:
  bool isLittleEndian() const override { return true; }
  std::optional<llvm::RelocAddrEntry> find(const llvm::DWARFSection &,
                                           uint64_t) const override {
    return std::nullopt;
  }
};

/// Each function has addresses of its own: those that a relocation makes ones
/// of the function with number N get N + 1 above this bit.
constexpr unsigned FunctionShift = 40;

/// The table with the addresses of functions, and their names by number.
struct PlacedTable {
  std::string Bytes;
  std::vector<std::string> Functions;
};

} // namespace

template <typename Relocations>
static void place(PlacedTable &T, const Relocations &All, const ELF64LEFile &F,
                  const ELF64LE::Shdr &Symbols, StringRef Names) {
  std::map<std::string, uint64_t> Numbers;
  for (const auto &R : All) {
    auto Symbol = F.getEntry<ELF64LE::Sym>(Symbols, R.getSymbol(false));
    if (!Symbol) {
      llvm::consumeError(Symbol.takeError());
      continue;
    }
    auto Name = (*Symbol)->getName(Names);
    if (!Name) {
      llvm::consumeError(Name.takeError());
      continue;
    }
    const uint64_t At = R.r_offset;
    if (At > T.Bytes.size() || T.Bytes.size() - At < sizeof(uint64_t))
      continue;
    auto [It, IsNew] =
        Numbers.try_emplace(Name->str(), uint64_t(T.Functions.size()));
    if (IsNew)
      T.Functions.push_back(It->first);
    uint64_t Offset = (*Symbol)->st_value;
    if constexpr (std::is_same_v<std::decay_t<decltype(R)>, ELF64LE::Rela>)
      Offset += uint64_t(R.r_addend);
    llvm::support::endian::write64le(
        &T.Bytes[At], (It->second + 1) << FunctionShift | Offset);
  }
}

static llvm::Expected<PlacedTable> findTable(const ELF64LEFile &F) {
  PlacedTable T;
  auto Sections = F.sections();
  if (!Sections)
    return Sections.takeError();
  for (const ELF64LE::Shdr &S : *Sections) {
    auto Name = F.getSectionName(S);
    if (!Name || *Name != ".debug_line") {
      llvm::consumeError(Name.takeError());
      continue;
    }
    auto Content = F.getSectionContents(S);
    if (!Content)
      return Content.takeError();
    T.Bytes = llvm::toStringRef(*Content).str();
  }
  for (const ELF64LE::Shdr &S : *Sections) {
    auto Name = F.getSectionName(S);
    if (!Name || (*Name != ".rela.debug_line" && *Name != ".rel.debug_line")) {
      llvm::consumeError(Name.takeError());
      continue;
    }
    auto Symbols = F.getSection(S.sh_link);
    if (!Symbols)
      return Symbols.takeError();
    auto Names = F.getStringTableForSymtab(**Symbols);
    if (!Names)
      return Names.takeError();
    if (S.sh_type == llvm::ELF::SHT_RELA) {
      auto All = F.relas(S);
      if (!All)
        return All.takeError();
      place(T, *All, F, **Symbols, *Names);
    } else {
      auto All = F.rels(S);
      if (!All)
        return All.takeError();
      place(T, *All, F, **Symbols, *Names);
    }
  }
  return T;
}

std::optional<CodeLine> CodeLines::of(StringRef Function,
                                      uint64_t Address) const {
  auto Known = Functions.find(Function);
  if (Known == Functions.end())
    return std::nullopt;
  const std::vector<Row> &Rows = Known->second;
  auto Behind = llvm::upper_bound(
      Rows, Address, [](uint64_t A, const Row &R) { return A < R.Address; });
  if (Behind == Rows.begin())
    return std::nullopt;
  const Row &Last = *std::prev(Behind);
  if (Last.Line == 0)
    return std::nullopt;
  return CodeLine{Files[Last.File], Last.Line};
}

llvm::Expected<CodeLines> sass::readCodeLines(StringRef Cubin) {
  CodeLines Lines;
  auto File = ELF64LEFile::create(Cubin);
  if (!File)
    return File.takeError();
  auto Table = findTable(*File);
  if (!Table)
    return Table.takeError();
  if (Table->Bytes.empty())
    return Lines;
  constexpr uint8_t AddressBytes = 8;
  llvm::DWARFDataExtractor Data(Table->Bytes, /*IsLittleEndian=*/true,
                                AddressBytes);
  llvm::DWARFContext Context(std::make_unique<NoOtherSections>());
  std::map<std::string, unsigned> Numbers;
  llvm::Error Damage = llvm::Error::success();
  auto Note = [&](llvm::Error Why) {
    Damage = llvm::joinErrors(std::move(Damage), std::move(Why));
  };
  auto Ignore = [](llvm::Error Why) { llvm::consumeError(std::move(Why)); };
  for (uint64_t At = 0; At < Table->Bytes.size() && !Damage;) {
    llvm::DWARFDebugLine::LineTable Read;
    const uint64_t Begin = At;
    if (llvm::Error Why = Read.parse(Data, &At, Context, /*U=*/nullptr, Ignore))
      Note(std::move(Why));
    if (At <= Begin)
      break;
    for (const auto &R : Read.Rows) {
      const uint64_t Number = R.Address.Address >> FunctionShift;
      if (Number == 0 || Number > Table->Functions.size())
        continue; // of no function that is known
      std::string Name;
      const bool HasFile =
          !R.EndSequence &&
          Read.getFileNameByIndex(
              R.File, /*CompDir=*/"",
              llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
              Name);
      auto [It, IsNew] =
          Numbers.try_emplace(Name, unsigned(Lines.Files.size()));
      if (IsNew)
        Lines.Files.push_back(Name);
      Lines.Functions[Table->Functions[Number - 1]].push_back(
          {R.Address.Address & ((uint64_t(1) << FunctionShift) - 1), It->second,
           HasFile ? R.Line : 0});
    }
  }
  for (auto &F : Lines.Functions)
    llvm::stable_sort(F.second,
                      [](const CodeLines::Row &A, const CodeLines::Row &B) {
                        return A.Address < B.Address;
                      });
  if (Damage)
    return llvm::createStringError("section .debug_line: " +
                                   llvm::toString(std::move(Damage)));
  llvm::consumeError(std::move(Damage));
  return Lines;
}
