//===- CodeLines.cpp - Lines of sources that machine code is of -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/CodeLines.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFObject.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/StringSaver.h"
#include <map>
#include <tuple>

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

/// The types of relocations in it, read off compiled code.
constexpr uint32_t Word32 = 1, Word64 = 2;

/// The table with the addresses of functions, and their names by number.
struct PlacedTable {
  std::string Bytes;
  std::vector<std::string> Functions;
  StringRef Strings; ///< .debug_str
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
    const uint32_t Type = R.getType(false);
    const uint64_t At = R.r_offset;
    const size_t Bytes = Type == Word32 ? sizeof(uint32_t) : sizeof(uint64_t);
    if (At > T.Bytes.size() || T.Bytes.size() - At < Bytes)
      continue;
    uint64_t Offset = (*Symbol)->st_value;
    if constexpr (std::is_same_v<std::decay_t<decltype(R)>, ELF64LE::Rela>)
      Offset += uint64_t(R.r_addend);
    if (Type == Word32) { // of what is not linked yet: where its names begin
      llvm::support::endian::write32le(&T.Bytes[At], uint32_t(Offset));
      continue;
    }
    if (Type != Word64)
      continue;
    auto [It, IsNew] =
        Numbers.try_emplace(Name->str(), uint64_t(T.Functions.size()));
    if (IsNew)
      T.Functions.push_back(It->first);
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
    if (!Name || (*Name != ".debug_line" && *Name != ".debug_str")) {
      llvm::consumeError(Name.takeError());
      continue;
    }
    auto Content = F.getSectionContents(S);
    if (!Content)
      return Content.takeError();
    if (*Name == ".debug_str")
      T.Strings = llvm::toStringRef(*Content);
    else
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

const CodeLine *CodeLines::of(StringRef Function, uint64_t Address) const {
  auto Known = Functions.find(Function);
  if (Known == Functions.end())
    return nullptr;
  const std::vector<Row> &Rows = Known->second;
  auto Behind = llvm::upper_bound(
      Rows, Address, [](uint64_t A, const Row &R) { return A < R.Address; });
  return Behind == Rows.begin() ? nullptr : std::prev(Behind)->Line;
}

//===----------------------------------------------------------------------===//
// Calls that code was inlined at
//===----------------------------------------------------------------------===//

namespace {
/// What a row's code was inlined at.
struct InlinedCall {
  size_t Row = 0;    ///< the row that the call is of, from 1; 0: not inlined
  uint64_t Name = 0; ///< offset in .debug_str
};
} // namespace

/// Those of all rows of the table at \p Begin, which says it by an operation of
/// its own, that LLVM skips: it holds for the rows from there to the next one,
/// and counts rows from the first one of their sequence on.
/// Read off compiled code, and equal to what nvdisasm -gi shows. Empty if there
/// are none.
static std::vector<InlinedCall>
inlinedCalls(const llvm::DWARFDataExtractor &Data, uint64_t Begin,
             const llvm::DWARFDebugLine::Prologue &P) {
  constexpr uint8_t Inlined = 0x90;
  std::vector<InlinedCall> Calls;
  InlinedCall Now;
  size_t FirstOfSequence = 0;
  bool HasAny = false;
  const uint64_t Head = Begin + P.sizeofTotalLength();
  const uint64_t End = Head + P.TotalLength;
  llvm::DWARFDataExtractor::Cursor At(
      Head + sizeof(uint16_t) + P.sizeofPrologueLength() + P.PrologueLength);
  if (P.getVersion() >= 5) // sizes of addresses and selectors
    At.seek(At.tell() + 2);
  while (At && At.tell() < End) {
    const uint8_t Operation = Data.getU8(At);
    if (Operation >= P.OpcodeBase || Operation == llvm::dwarf::DW_LNS_copy) {
      Calls.push_back(Now);
    } else if (Operation == 0) {
      const uint64_t Length = Data.getULEB128(At);
      const uint64_t From = At.tell();
      if (!At || Length == 0)
        continue;
      const uint8_t Extended = Data.getU8(At);
      if (Extended == llvm::dwarf::DW_LNE_end_sequence) {
        Calls.push_back(Now);
        Now = InlinedCall();
        FirstOfSequence = Calls.size();
      } else if (Extended == Inlined) {
        const uint64_t Row = Data.getULEB128(At);
        Now.Row = Row != 0 && Row <= Calls.size() - FirstOfSequence
                      ? FirstOfSequence + Row
                      : 0;
        Now.Name = Data.getULEB128(At);
        HasAny = true;
      }
      if (At && Length <= End - From)
        At.seek(From + Length);
      else
        break;
    } else if (Operation == llvm::dwarf::DW_LNS_fixed_advance_pc) {
      Data.getU16(At);
    } else {
      for (unsigned N = P.StandardOpcodeLengths[Operation - 1]; N != 0; --N)
        Data.getULEB128(At);
    }
  }
  llvm::consumeError(At.takeError());
  if (!HasAny)
    Calls.clear();
  return Calls;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace ptxpredict::sass {

/// Makes lines of the tables' rows.
class LineTableReader {
public:
  LineTableReader(CodeLines &To, const PlacedTable &Table)
      : To(To), Table(Table), Texts(To.Memory) {}

  /// Adds the table of which \p Begin is the begin.
  void add(const llvm::DWARFDebugLine::LineTable &Read,
           const llvm::DWARFDataExtractor &Data, uint64_t Begin);
  void sort() {
    for (auto &F : To.Functions)
      llvm::stable_sort(F.second,
                        [](const CodeLines::Row &A, const CodeLines::Row &B) {
                          return A.Address < B.Address;
                        });
  }

private:
  /// How deep calls are followed.
  static constexpr unsigned MostInlined = 32;
  struct NestedLine {
    const CodeLine *Line = nullptr;
    unsigned Depth = 0;
  };

  const CodeLine *line(const CodeLine &Of);
  StringRef nameAt(uint64_t Offset) {
    return Texts.save(Table.Strings.substr(Offset).split('\0').first);
  }

  CodeLines &To;
  const PlacedTable &Table;
  llvm::UniqueStringSaver Texts;
  std::map<std::tuple<const char *, unsigned, const char *, const CodeLine *>,
           const CodeLine *>
      Known;
};

} // namespace ptxpredict::sass

const CodeLine *LineTableReader::line(const CodeLine &Of) {
  const CodeLine *&There =
      Known[{Of.File.data(), Of.Line, Of.Function.data(), Of.InlinedAt}];
  if (!There)
    There = new (To.Memory.Allocate<CodeLine>()) CodeLine(Of);
  return There;
}

void LineTableReader::add(const llvm::DWARFDebugLine::LineTable &Read,
                          const llvm::DWARFDataExtractor &Data,
                          uint64_t Begin) {
  const llvm::DWARFDebugLine::Prologue &P = Read.Prologue;
  std::vector<InlinedCall> Calls = inlinedCalls(Data, Begin, P);
  if (Calls.size() != Read.Rows.size())
    Calls.assign(Read.Rows.size(), InlinedCall());
  // Behind the lists of a head stands where the names of the table begin.
  uint64_t BaseAt = Begin + P.sizeofTotalLength() + sizeof(uint16_t) +
                    P.sizeofPrologueLength() + P.PrologueLength -
                    sizeof(uint32_t);
  const uint32_t Names = Data.getU32(&BaseAt);
  llvm::DenseMap<uint64_t, StringRef> Files;
  std::vector<NestedLine> Lines(Read.Rows.size());
  for (size_t N = 0; N != Read.Rows.size(); ++N) {
    const llvm::DWARFDebugLine::Row &R = Read.Rows[N];
    std::string Name;
    auto [File, IsNew] = Files.try_emplace(R.File);
    if (IsNew &&
        Read.getFileNameByIndex(
            R.File, /*CompDir=*/"",
            llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
            Name))
      File->second = Texts.save(Name);
    if (!R.EndSequence && !File->second.empty() && R.Line != 0) {
      CodeLine L{File->second, R.Line, {}, nullptr};
      const InlinedCall &C = Calls[N];
      if (C.Row != 0 && Lines[C.Row - 1].Line &&
          Lines[C.Row - 1].Depth < MostInlined) {
        L.Function = nameAt(Names + C.Name);
        L.InlinedAt = Lines[C.Row - 1].Line;
        Lines[N].Depth = Lines[C.Row - 1].Depth + 1;
      }
      Lines[N].Line = line(L);
    }
    const uint64_t Number = R.Address.Address >> FunctionShift;
    if (Number != 0 && Number <= Table.Functions.size())
      To.Functions[Table.Functions[Number - 1]].push_back(
          {R.Address.Address & ((uint64_t(1) << FunctionShift) - 1),
           Lines[N].Line});
  }
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
  LineTableReader Reader(Lines, *Table);
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
    Reader.add(Read, Data, Begin);
  }
  Reader.sort();
  if (Damage)
    return llvm::createStringError("section .debug_line: " +
                                   llvm::toString(std::move(Damage)));
  llvm::consumeError(std::move(Damage));
  return Lines;
}
