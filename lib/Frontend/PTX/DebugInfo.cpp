//===- DebugInfo.cpp - Functions and types of debug information -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DebugInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DataExtractor.h"
#include <map>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Cursor = llvm::DataExtractor::Cursor;

/// Attributes that are read (DWARF 5, section 7.5.4, table 7.5).
enum Attribute : uint64_t {
  AttrName = 0x03,
  AttrByteSize = 0x0b,
  AttrBitSize = 0x0d,
  AttrUpperBound = 0x2f,
  AttrAbstractOrigin = 0x31,
  AttrArtificial = 0x34,
  AttrCount = 0x37,
  AttrMemberLocation = 0x38,
  AttrDeclaration = 0x3c,
  AttrEncoding = 0x3e,
  AttrExternal = 0x3f,
  AttrSpecification = 0x47,
  AttrType = 0x49,
  AttrDataBitOffset = 0x6b,
  AttrLinkageName = 0x6e,
  AttrMIPSLinkageName = 0x2007,
};

namespace {
struct AttributeForm {
  uint64_t Attribute, Form;
  int64_t Constant; ///< of DW_FORM_implicit_const
};

struct Abbreviation {
  uint64_t Tag = 0;
  bool HasChildren = false;
  std::vector<AttributeForm> Attributes;
};
using Abbreviations = std::map<uint64_t, Abbreviation>; ///< by code

/// What an attribute holds.
struct FormValue {
  uint64_t Number = 0;
  StringRef Text;
  StringRef Block;
  bool IsReference = false; ///< from the section's begin
};

/// Where a unit's entries lie.
struct UnitHeader {
  uint64_t Begin = 0, End = 0; ///< of the unit with its header
  uint64_t Abbreviations = 0;
  unsigned Version = 0, AddressBytes = 8;
};

class EntryReader {
public:
  EntryReader(const DebugSections &Sections, std::vector<DebugEntry> &Entries)
      : Info(Sections.bytes(".debug_info"), /*IsLittleEndian=*/true, 8),
        Abbrev(Sections.bytes(".debug_abbrev"), /*IsLittleEndian=*/true, 8),
        Strings(Sections.bytes(".debug_str")), Entries(Entries),
        Budget(8 * (Info.size() + Abbrev.size())) {}

  void read();

private:
  bool readHeader(Cursor &C, UnitHeader &U) const;
  const Abbreviations *abbreviations(uint64_t Offset);
  bool readAbbreviations(Cursor &C, Abbreviations &To);
  bool readUnit(Cursor &C, const UnitHeader &U, const Abbreviations &Known);
  bool readEntry(Cursor &C, const UnitHeader &U, const Abbreviation &A,
                 DebugEntry &E);
  bool readReference(Cursor &C, const UnitHeader &U, uint64_t Form,
                     FormValue &V);
  bool readValue(Cursor &C, const UnitHeader &U, uint64_t Form, FormValue &V);
  StringRef stringAt(uint64_t Offset) const;
  /// Entries without a byte of their own, or a table that many units share in
  /// part, would make the time more than linear.
  bool spend() {
    if (Budget == 0)
      return false;
    --Budget;
    return true;
  }

  llvm::DataExtractor Info, Abbrev;
  StringRef Strings;
  std::vector<DebugEntry> &Entries;
  uint64_t Budget; ///< attributes that may still be read
  std::map<uint64_t, Abbreviations> Tables; ///< by their place
};
} // namespace

//===----------------------------------------------------------------------===//
// Abbreviations
//===----------------------------------------------------------------------===//

/// Until a code of 0. False on what makes no sense.
bool EntryReader::readAbbreviations(Cursor &C, Abbreviations &To) {
  constexpr uint64_t ImplicitConst = 0x21;
  while (uint64_t Code = Abbrev.getULEB128(C)) {
    Abbreviation A;
    A.Tag = Abbrev.getULEB128(C);
    A.HasChildren = Abbrev.getU8(C) != 0;
    for (;;) {
      AttributeForm F = {};
      F.Attribute = Abbrev.getULEB128(C);
      F.Form = Abbrev.getULEB128(C);
      if (F.Form == ImplicitConst)
        F.Constant = Abbrev.getSLEB128(C);
      if (!C || !spend())
        return false;
      if (F.Attribute == 0 && F.Form == 0)
        break;
      A.Attributes.push_back(F);
    }
    To.try_emplace(Code, std::move(A));
  }
  return bool(C);
}

/// Null if they cannot be read.
const Abbreviations *EntryReader::abbreviations(uint64_t Offset) {
  if (Offset >= Abbrev.size()) // LLVM's reader starts within its text
    return nullptr;
  auto [It, IsNew] = Tables.try_emplace(Offset);
  if (IsNew) {
    Cursor C(Offset);
    bool Fits = readAbbreviations(C, It->second);
    consumeError(C.takeError());
    if (!Fits)
      It->second.clear();
  }
  return It->second.empty() ? nullptr : &It->second;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

StringRef EntryReader::stringAt(uint64_t Offset) const {
  return Strings.drop_front(std::min<uint64_t>(Offset, Strings.size()))
      .take_until([](char C) { return C == '\0'; });
}

/// Bytes of a form that is a number of fixed size; 0 for others.
static unsigned fixedBytes(uint64_t Form, const UnitHeader &U) {
  switch (Form) {
  case 0x01: // addr
    return U.AddressBytes;
  case 0x0b: // data1
  case 0x0c: // flag
  case 0x25: // strx1
  case 0x29: // addrx1
    return 1;
  case 0x05: // data2
  case 0x26: // strx2
  case 0x2a: // addrx2
    return 2;
  case 0x06: // data4
  case 0x17: // sec_offset
  case 0x1c: // ref_sup4
  case 0x1d: // strp_sup
  case 0x1f: // line_strp
  case 0x28: // strx4
  case 0x2c: // addrx4
    return 4;
  case 0x07: // data8
  case 0x20: // ref_sig8
  case 0x24: // ref_sup8
    return 8;
  default:
    return 0;
  }
}

/// References from the unit's begin. False for another form.
bool EntryReader::readReference(Cursor &C, const UnitHeader &U, uint64_t Form,
                                FormValue &V) {
  switch (Form) {
  case 0x11: // ref1
    V.Number = Info.getU8(C);
    break;
  case 0x12: // ref2
    V.Number = Info.getU16(C);
    break;
  case 0x13: // ref4
    V.Number = Info.getU32(C);
    break;
  case 0x14: // ref8
    V.Number = Info.getU64(C);
    break;
  case 0x15: // ref_udata
    V.Number = Info.getULEB128(C);
    break;
  default:
    return false;
  }
  // What wraps around leads nowhere.
  V.IsReference = V.Number < U.End;
  V.Number += U.Begin;
  return true;
}

/// By the forms of DWARF 5, section 7.5.6. False for one that is not known,
/// behind which nothing can be read.
bool EntryReader::readValue(Cursor &C, const UnitHeader &U, uint64_t Form,
                            FormValue &V) {
  auto Take = [&](uint64_t Bytes) { V.Block = Info.getBytes(C, Bytes); };
  if (unsigned Bytes = fixedBytes(Form, U)) {
    V.Number = Info.getUnsigned(C, Bytes);
    return bool(C);
  }
  if (readReference(C, U, Form, V))
    return bool(C);
  switch (Form) {
  case 0x27: // strx3
  case 0x2b: // addrx3
    Take(3);
    break;
  case 0x1e: // data16
    Take(16);
    break;
  case 0x0a: // block1
    Take(Info.getU8(C));
    break;
  case 0x03: // block2
    Take(Info.getU16(C));
    break;
  case 0x04: // block4
    Take(Info.getU32(C));
    break;
  case 0x09: // block
  case 0x18: // exprloc
    Take(Info.getULEB128(C));
    break;
  case 0x08: // string
    V.Text = Info.getCStrRef(C);
    break;
  case 0x0e: // strp
    V.Text = stringAt(Info.getU32(C));
    break;
  case 0x0d: // sdata
    V.Number = uint64_t(Info.getSLEB128(C));
    break;
  case 0x0f: // udata
  case 0x1a: // strx
  case 0x1b: // addrx
  case 0x22: // loclistx
  case 0x23: // rnglistx
    V.Number = Info.getULEB128(C);
    break;
  case 0x10: // ref_addr
    V.IsReference = true;
    V.Number = Info.getUnsigned(C, U.Version == 2 ? U.AddressBytes : 4);
    break;
  case 0x19: // flag_present
    V.Number = 1;
    break;
  default:
    return false;
  }
  return bool(C);
}

/// The number of `DW_OP_plus_uconst`, as DWARF 2 has the place of a member.
static uint64_t placeOf(const FormValue &V) {
  constexpr char PlusUConst = 0x23;
  if (V.Block.empty())
    return V.Number;
  if (V.Block.front() != PlusUConst)
    return ~uint64_t(0);
  llvm::DataExtractor Data(V.Block, /*IsLittleEndian=*/true, 8);
  Cursor C(1);
  uint64_t Place = Data.getULEB128(C);
  bool Fits = bool(C);
  consumeError(C.takeError());
  return Fits ? Place : ~uint64_t(0);
}

static void setAttribute(uint64_t Name, const FormValue &V, DebugEntry &E) {
  switch (Name) {
  case AttrName:
    E.Name = V.Text;
    break;
  case AttrLinkageName:
  case AttrMIPSLinkageName:
    E.LinkageName = V.Text;
    break;
  case AttrByteSize:
    E.Bytes = V.Number;
    break;
  case AttrEncoding:
    E.Encoding = uint8_t(std::min<uint64_t>(V.Number, 0xff));
    break;
  case AttrType:
    E.Type = V.IsReference ? V.Number : 0;
    break;
  case AttrAbstractOrigin:
  case AttrSpecification:
    E.Origin = V.IsReference ? V.Number : 0;
    break;
  case AttrMemberLocation:
    E.Place = placeOf(V);
    break;
  case AttrUpperBound:
    E.Count = V.Number + 1;
    E.HasCount = V.Block.empty();
    break;
  case AttrCount:
    E.Count = V.Number;
    E.HasCount = V.Block.empty();
    break;
  case AttrBitSize:
  case AttrDataBitOffset:
    E.IsLayout = false;
    break;
  case AttrArtificial:
  case AttrDeclaration:
    E.IsLayout &= V.Number == 0;
    break;
  case AttrExternal: // of a member: it is static
    E.IsLayout &= V.Number == 0 || E.Tag == DebugTag::Subprogram;
    break;
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static bool isKept(uint64_t Tag) {
  switch (DebugTag(uint8_t(Tag))) {
  case DebugTag::ArrayType:
  case DebugTag::ClassType:
  case DebugTag::EnumerationType:
  case DebugTag::FormalParameter:
  case DebugTag::Member:
  case DebugTag::PointerType:
  case DebugTag::ReferenceType:
  case DebugTag::StructureType:
  case DebugTag::Typedef:
  case DebugTag::UnionType:
  case DebugTag::Inheritance:
  case DebugTag::SubrangeType:
  case DebugTag::BaseType:
  case DebugTag::ConstType:
  case DebugTag::Subprogram:
  case DebugTag::VolatileType:
  case DebugTag::RestrictType:
  case DebugTag::RvalueReferenceType:
  case DebugTag::AtomicType:
    return Tag <= 0xff;
  case DebugTag::None:
    break;
  }
  return false;
}

bool EntryReader::readEntry(Cursor &C, const UnitHeader &U,
                            const Abbreviation &A, DebugEntry &E) {
  constexpr uint64_t Indirect = 0x16, ImplicitConst = 0x21;
  for (const AttributeForm &F : A.Attributes) {
    FormValue V;
    if (!spend())
      return false;
    if (F.Form == ImplicitConst)
      V.Number = uint64_t(F.Constant);
    else if (!readValue(C, U, F.Form == Indirect ? Info.getULEB128(C) : F.Form,
                        V))
      return false;
    setAttribute(F.Attribute, V, E);
  }
  return true;
}

bool EntryReader::readUnit(Cursor &C, const UnitHeader &U,
                           const Abbreviations &Known) {
  /// Entries that are open; NoParent for one that is not kept.
  std::vector<uint32_t> Open;
  auto Close = [&] {
    if (Open.back() != DebugEntry::NoParent)
      Entries[Open.back()].End = uint32_t(Entries.size());
    Open.pop_back();
  };
  bool Fits = true;
  while (C.tell() < U.End) {
    const uint64_t Offset = C.tell();
    uint64_t Code = Info.getULEB128(C);
    if (!(Fits = bool(C)))
      break;
    if (Code == 0) { // the end of what is within one
      if (!Open.empty())
        Close();
      continue;
    }
    auto It = Known.find(Code);
    DebugEntry E;
    if (It != Known.end())
      E.Tag = DebugTag(uint8_t(It->second.Tag));
    Fits = It != Known.end() && readEntry(C, U, It->second, E);
    if (!Fits)
      break;
    uint32_t Index = DebugEntry::NoParent;
    if (isKept(It->second.Tag)) {
      Index = uint32_t(Entries.size());
      E.Offset = Offset;
      E.Parent = Open.empty() ? DebugEntry::NoParent : Open.back();
      E.End = Index + 1;
      Entries.push_back(E);
    }
    if (It->second.HasChildren)
      Open.push_back(Index);
  }
  while (!Open.empty())
    Close();
  return Fits;
}

/// DWARF 5, section 7.5.1. False if there is no unit that can be read.
bool EntryReader::readHeader(Cursor &C, UnitHeader &U) const {
  constexpr unsigned CompileUnit = 1, PartialUnit = 3;
  U.Begin = C.tell();
  uint64_t Length = Info.getU32(C);
  U.End = C.tell() + Length;
  U.Version = Info.getU16(C);
  bool IsRead = U.Version >= 2 && U.Version <= 5;
  if (U.Version == 5) {
    uint8_t Kind = Info.getU8(C);
    IsRead &= Kind == CompileUnit || Kind == PartialUnit;
    U.AddressBytes = Info.getU8(C);
    U.Abbreviations = Info.getU32(C);
  } else {
    U.Abbreviations = Info.getU32(C);
    U.AddressBytes = Info.getU8(C);
  }
  // A length of 0xffffffff announces one of 64 bits, which PTX does not need.
  return C && IsRead && U.End <= Info.size() &&
         (U.AddressBytes == 4 || U.AddressBytes == 8);
}

void EntryReader::read() {
  Cursor C(0);
  while (C && C.tell() < Info.size()) {
    UnitHeader U;
    if (!readHeader(C, U))
      break;
    const Abbreviations *Known = abbreviations(U.Abbreviations);
    if (!Known || !readUnit(C, U, *Known))
      break;
    C.seek(U.End);
  }
  consumeError(C.takeError());
}

DebugInfo::DebugInfo(const AST &Tree)
    : Sections(Tree, {".debug_info", ".debug_abbrev", ".debug_str"}) {
  EntryReader(Sections, Entries).read();
}

std::optional<uint32_t> DebugInfo::at(uint64_t Offset) const {
  auto It = llvm::partition_point(
      Entries, [Offset](const DebugEntry &E) { return E.Offset < Offset; });
  if (It == Entries.end() || It->Offset != Offset)
    return std::nullopt;
  return uint32_t(It - Entries.begin());
}
