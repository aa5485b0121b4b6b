//===- RegisterUse.cpp - Registers that machine instructions use ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OperationTable.h"
#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

void sass::printRegister(RegisterFile File, unsigned Number, raw_ostream &OS) {
  static constexpr StringRef Letters[] = {"R", "UR", "P", "UP", "B"};
  OS << Letters[unsigned(File)] << Number;
}

namespace {

constexpr unsigned True = 7, DestinationAt = 16, FirstResultAt = 81,
                   SecondResultAt = 84, FirstWithDescriptors = 80;

/// Finds what an instruction uses, operand by operand.
class UseFinder {
public:
  UseFinder(const MachineInstruction &I, const FactRow &Facts,
            unsigned Architecture)
      : I(I), Facts(Facts), Architecture(Architecture) {}

  SmallVector<RegisterUse, 8> run();

private:
  const MachineInstruction &I;
  const FactRow &Facts;
  unsigned Architecture;
  SmallVector<RegisterUse, 8> Reads, Writes;

  bool has(StringRef Word) const { return I.has(Word); }
  void add(RegisterFile File, unsigned First, unsigned Number, bool IsWritten) {
    const bool IsZero = File == RegisterFile::General
                            ? First == MachineOperand::RegisterZero
                        : File == RegisterFile::Uniform ? First == UniformZero
                        : File == RegisterFile::Convergence ? false
                                                            : First == True;
    if (!IsZero && Number != 0)
      (IsWritten ? Writes : Reads)
          .push_back({File, uint8_t(First), uint8_t(Number), IsWritten});
  }
  void addOperand(const MachineOperand &O, const OperandRow &Row);
  void addAddress(const MachineOperand &O, const OperandRow &Row);
  void addMatrix(const MachineOperand &O, const OperandRow &Row);
  unsigned widthOf(const MachineOperand &O, const OperandRow &Row,
                   bool IsWritten) const;
  unsigned sizeWidth() const;
  unsigned conversionWidth(bool IsWritten) const;
  unsigned matrixWidth(const OperandRow &Row, bool IsWritten) const;
  unsigned warpgroupWidth(const OperandRow &Row, bool IsWritten) const;
  unsigned tensorWidth() const;
  unsigned textureWidth(const MachineOperand &O, const OperandRow &Row) const;
  unsigned surfaceCoordinates() const;
  unsigned bulkWidth(const OperandRow &Row) const;
};

} // namespace

/// Of a value that a word says the size of: "64", "S64", "F32x4.FTZ.RN".
unsigned UseFinder::sizeWidth() const {
  for (StringRef Word : I.Modifiers) {
    const unsigned Width =
        llvm::StringSwitch<unsigned>(Word.split('.').first)
            .Cases({"64", "U64", "S64", "F64", "F32x2", "F16x4", "BF16x4"}, 2)
            .Cases({"128", "256", "F32x4", "F16x8", "BF16x8"}, 4)
            .Default(0);
    if (Width != 0)
      return Width;
  }
  return 1;
}

/// The first type is the result's, the last one the source's, where an
/// operation has both.
unsigned UseFinder::conversionWidth(bool IsWritten) const {
  SmallVector<unsigned, 2> Widths;
  for (StringRef Word : I.Modifiers)
    if (Word == "F64" || Word == "F32" || Word == "F16" || Word == "BF16" ||
        Word == "U64" || Word == "S64")
      Widths.push_back(Word.ends_with("64") ? 2 : 1);
  const StringRef Name = I.mnemonic();
  if (Name == "F2F")
    return Widths.size() < 2 ? 1 : IsWritten ? Widths[0] : Widths[1];
  if (Name == "FRND")
    return has("F64") ? 2 : 1;
  // Integers on one side, floats on the other.
  const bool IsInteger = (Name == "F2I") == IsWritten;
  return IsInteger ? (has("U64") || has("S64") ? 2 : 1) : has("F64") ? 2 : 1;
}

/// M, N, K of "16816": all digits but the first ones are K; N is 8.
unsigned UseFinder::matrixWidth(const OperandRow &Row, bool IsWritten) const {
  constexpr unsigned N = 8, BitsOfRegister = 32, Lanes = 32;
  unsigned M = 0, K = 0, Bits = 0;
  for (StringRef Word : I.Modifiers) {
    if (M == 0 && Word.contains('x')) { // "16x8x4"
      StringRef Rest = Word;
      (void)Rest.consumeInteger(10, M);
      (void)Word.rsplit('x').second.getAsInteger(10, K);
      Bits = 64;
    } else if (M == 0 && Word.size() > 2 && llvm::all_of(Word, llvm::isDigit)) {
      const bool IsWide = Word.starts_with("16");
      M = IsWide ? 16 : 8;
      (void)Word.drop_front(IsWide ? 3 : 2).getAsInteger(10, K);
    }
  }
  const StringRef Name = I.mnemonic();
  if (Bits == 0)
    Bits = Name == "HMMA"                             ? (has("TF32") ? 32 : 16)
           : Name == "BMMA"                           ? 1
           : Name == "OMMA" || has("U4") || has("S4") ? 4
           : Name == "DMMA"                           ? 64
                                                      : 8;
  auto Registers = [&](unsigned Elements, unsigned Each) {
    return std::max(1U, Elements * Each / (BitsOfRegister * Lanes));
  };
  if (has("884") && Name == "HMMA") // by a step, of two quarters of a warp
    return 2;
  if (IsWritten || Row.Kind == OperandRow::Third || Row.Lowest == 64) {
    const unsigned Each = Bits == 64 ? 64 : has("F16") ? 16 : 32;
    return Registers(M * N, Each);
  }
  if (Row.Kind == OperandRow::First || Row.Kind == OperandRow::Rows ||
      Row.Lowest == 24)
    return Registers(M * K / (has("SP") ? 2 : 1), Bits);
  if (Row.Kind == OperandRow::Second || Row.Kind == OperandRow::Columns ||
      Row.Lowest == 32)
    return Registers(N * K, Bits);
  return I.mnemonic() == "OMMA" && has("SP") && Row.Lowest == 40
             ? 2
             : 1; // which are not zero, scales
}

/// "64x128x16": a lane has N / 2 results, half of that if they are halves.
unsigned UseFinder::warpgroupWidth(const OperandRow &Row,
                                   bool IsWritten) const {
  constexpr unsigned FirstMatrix = 4;
  if (!IsWritten && Row.Lowest != 64)
    return Row.Kind == OperandRow::First ? FirstMatrix : 1;
  for (StringRef Word : I.Modifiers)
    if (StringRef Rest = Word; Rest.consume_front("64x")) {
      unsigned N = 0;
      (void)Rest.consumeInteger(10, N);
      return N / (has("F16") ? 4 : 2);
    }
  return 1;
}

/// "16dp256bit.x8": so many registers for each time.
unsigned UseFinder::tensorWidth() const {
  unsigned Each = 1, Times = 1;
  for (StringRef Word : I.Modifiers) {
    if (Word == "16dp128bit")
      Each = 2;
    else if (Word == "16dp256bit")
      Each = 4;
    else if (Word.consume_front("x"))
      (void)Word.getAsInteger(10, Times);
  }
  return Each * Times;
}

/// Results are two registers and what is left, by the mask. What coordinates
/// there are follows from the shape: they lie together, but those of SCR are
/// divided among both sources with the level.
unsigned UseFinder::textureWidth(const MachineOperand &O,
                                 const OperandRow &Row) const {
  constexpr unsigned AllResults = 15, Two = 2, SamplersApart = 120;
  if (O.Kind == OperandKind::Uniform)
    return I.mnemonic() == "TLD" && Architecture >= SamplersApart ? 1 : Two;
  unsigned Mask = AllResults, Shape = 0;
  for (const MachineOperand &Other : I.Operands) {
    const OperandRow &Of = I.Operation->Operands[Other.Row];
    if (Other.Kind == OperandKind::TextureShape)
      Shape = Other.Number;
    else if (Of.Kind == OperandRow::Immediate && Of.Lowest == 72)
      Mask = unsigned(Other.Value);
  }
  const auto Results = unsigned(llvm::popcount(Mask));
  if (Row.Lowest == DestinationAt)
    return std::min(Results, Two);
  if (Row.Lowest == 64)
    return Results - std::min(Results, Two);
  if (I.mnemonic() == "TXQ")
    return 1;
  static constexpr unsigned Coordinates[] = {1, 2, 3, 3, 2, 3, 4, 4};
  const unsigned Number = Coordinates[Shape % std::size(Coordinates)];
  const bool IsFirst = Row.Lowest == 24;
  if (I.mnemonic() == "TXD") // two derivatives of each
    return IsFirst ? Number : Two * Number;
  const unsigned Level = has("LL") || has("LB") ? 1 : 0;
  if (!has("SCR"))
    return IsFirst ? Number : Level;
  const unsigned First = (Number + Level + 1) / Two;
  return IsFirst ? First : Number + Level - First;
}

/// Of a bulk copy's side: an address of global memory or a tensor's map, one of
/// shared memory, behind it the barrier that a copy to there arrives at and the
/// coordinates.
unsigned UseFinder::bulkWidth(const OperandRow &Row) const {
  constexpr unsigned Global = 2;
  const bool IsDestination = Row.Lowest == 32;
  unsigned Coordinates = 0;
  for (StringRef Word : I.Modifiers)
    if (Word.size() == 2 && Word[1] == 'D')
      Coordinates = unsigned(Word[0] - '0');
  const StringRef Name = I.mnemonic();
  if (Name == "UBLKCP" || Name == "UBLKRED")
    return IsDestination || has("S.G") ? Global : 1;
  if (Name == "UBLKPF")
    return Global;
  if (!Name.starts_with("UTMA"))
    return 1;
  if (!IsDestination)
    return Global;
  return Coordinates + (Name == "UTMALDG" ? 2 : Name == "UTMAPF" ? 0 : 1);
}

/// The coordinates of a surface.
unsigned UseFinder::surfaceCoordinates() const {
  for (StringRef Word : I.Modifiers)
    if (Word.size() >= 2 && llvm::isDigit(Word[0]) && Word[1] == 'D')
      return unsigned(Word[0] - '0') + (Word.ends_with("_ARRAY") ? 1 : 0);
  return 1;
}

unsigned UseFinder::widthOf(const MachineOperand &O, const OperandRow &Row,
                            bool IsWritten) const {
  switch (Facts.Width) {
  case WidthKind::Single:
    return 1;
  case WidthKind::Typed:
    return has("64") || has("U64") || has("S64") ? 2 : 1;
  case WidthKind::Wide:
    // The upper half of a sum of 64 bits needs both halves of what is added.
    return (has("WIDE") && IsWritten) ||
                   ((has("WIDE") || has("HI")) && Row.Kind == OperandRow::Third)
               ? 2
               : 1;
  case WidthKind::Doubles:
    return O.Part == MachineOperand::AsFloat ? 1 : 2;
  case WidthKind::Converted:
    return conversionWidth(IsWritten);
  case WidthKind::Clock:
    return has("32") ? 1 : 2;
  case WidthKind::Sized:
    return sizeWidth();
  case WidthKind::SizedSource:
    return IsWritten ? 1 : sizeWidth();
  case WidthKind::Address:
    return O.Kind == OperandKind::Register ? 2 : 1;
  case WidthKind::MatrixLoad:
    return (has("4") ? 4 : has("2") ? 2 : 1) * (has("MT1616") ? 2 : 1);
  case WidthKind::Matrix:
    return matrixWidth(Row, IsWritten);
  case WidthKind::Warpgroup:
    return warpgroupWidth(Row, IsWritten);
  case WidthKind::TensorLoad:
    return tensorWidth();
  case WidthKind::Texture:
    return textureWidth(O, Row);
  case WidthKind::Surface:
    return O.Kind == OperandKind::Uniform ? 1 : has("P") ? 4 : sizeWidth();
  case WidthKind::MatrixMove:
    return IsWritten && has("U4TO8.M832") ? 2 : 1;
  case WidthKind::TensorMask:
    // A mask of the lanes of both blocks' results, or of columns.
    return O.Kind != OperandKind::Uniform || Row.Lowest != 48 ? 1
           : has("WS")                                        ? 2
           : has("2CTA")                                      ? 8
                                                              : 4;
  case WidthKind::Mbarrier:
    return has("EXCH") || IsWritten ? 2 : 1;
  }
  llvm_unreachable("all are handled");
}

void UseFinder::addAddress(const MachineOperand &O, const OperandRow &Row) {
  const bool IsWide = O.Width == MachineOperand::Bits64 ||
                      (O.Width == MachineOperand::Plain && has("E") &&
                       !O.Descriptor && Row.Kind == OperandRow::Address);
  add(RegisterFile::General, O.Number,
      Facts.Width == WidthKind::Surface ? surfaceCoordinates()
      : IsWide                          ? 2
                                        : 1,
      false);
  if (O.Offset && Row.Kind == OperandRow::UniformAddress)
    return add(RegisterFile::Uniform, *O.Offset, bulkWidth(Row), false);
  if (O.Offset) {
    const bool IsBase = (Row.IsGlobal && !O.Descriptor) || Row.HasAlwaysBase;
    add(RegisterFile::Uniform, *O.Offset, IsBase ? 2 : 1, false);
  }
  if (O.Descriptor)
    add(RegisterFile::Uniform, *O.Descriptor, 2, false);
}

void UseFinder::addMatrix(const MachineOperand &O, const OperandRow &Row) {
  if (O.Kind == OperandKind::InstructionDescriptor) {
    if (O.Number < UniformZero)
      add(RegisterFile::Uniform, O.Number + 1, 1, false);
    return;
  }
  if (O.Kind == OperandKind::TensorMemory) // the scales of both matrices
    return add(RegisterFile::Uniform, O.Number, Row.Lowest == 48 ? 2 : 1,
               false);
  // A descriptor has 64 bits; that of a warpgroup's product is of both.
  add(RegisterFile::Uniform, O.Number, Row.Holds == 0 ? 4 : 2, false);
}

void UseFinder::addOperand(const MachineOperand &O, const OperandRow &Row) {
  const bool IsDestination =
      Row.Kind == OperandRow::Register && Row.Lowest == DestinationAt;
  switch (O.Kind) {
  case OperandKind::Register:
  case OperandKind::Uniform: {
    // Textures and loads of 256 bits have two; a store has a source there.
    const bool IsSecondResult = Row.Kind == OperandRow::Register &&
                                Row.Lowest == 64 &&
                                (Facts.Class == SchedClass::Texture ||
                                 Facts.Class == SchedClass::Global);
    const bool IsWritten =
        (IsDestination && Facts.Class != SchedClass::Store) || IsSecondResult;
    unsigned Width = widthOf(O, Row, IsWritten);
    const MachineOperand &Last = I.Operands.back();
    if (IsWritten && I.Operation->Operands[Last.Row].Kind == OperandRow::Loaded)
      Width = unsigned(
          llvm::popcount(uint64_t(Last.Value) >> (IsSecondResult ? 4 : 0) &
                         0xf)); // they lie behind one another
    return add(O.Kind == OperandKind::Register ? RegisterFile::General
                                               : RegisterFile::Uniform,
               O.Number, Width, IsWritten);
  }
  case OperandKind::Predicate:
  case OperandKind::UniformPredicate: {
    const bool IsWritten =
        Row.Kind == OperandRow::Predicate &&
        (Row.Lowest == FirstResultAt || Row.Lowest == SecondResultAt);
    return add(O.Kind == OperandKind::Predicate
                   ? RegisterFile::Predicate
                   : RegisterFile::UniformPredicate,
               O.Number, 1, IsWritten);
  }
  case OperandKind::AllPredicates: { // of which the last operand chooses
    const auto Mask = uint64_t(I.Operands.back().Value);
    for (unsigned P = 0; P != True; ++P)
      if (Mask >> P & 1)
        add(O.Number != 0 ? RegisterFile::UniformPredicate
                          : RegisterFile::Predicate,
            P, 1, I.mnemonic() == "R2P");
    return;
  }
  case OperandKind::Barrier:
    return add(RegisterFile::Convergence, O.Number, 1,
               I.mnemonic() == "BSSY" ||
                   (I.mnemonic() == "BMOV" && &O == I.Operands.begin()));
  case OperandKind::Memory:
    return addAddress(O, Row);
  case OperandKind::Constant:
    if (O.Offset)
      add(O.IsUniformIndex ? RegisterFile::Uniform : RegisterFile::General,
          *O.Offset, 1, false);
    return;
  case OperandKind::CacheHint:
    return add(RegisterFile::Uniform, O.Number, 2, false);
  case OperandKind::MatrixDescriptor:
  case OperandKind::TensorMemory:
  case OperandKind::InstructionDescriptor:
    return addMatrix(O, Row);
  default:
    return;
  }
}

SmallVector<RegisterUse, 8> UseFinder::run() {
  add(I.GuardIsUniform ? RegisterFile::UniformPredicate
                       : RegisterFile::Predicate,
      I.Guard, 1, false);
  for (const MachineOperand &O : I.Operands)
    if (!O.IsHidden)
      addOperand(O, I.Operation->Operands[O.Row]);
  Reads.append(Writes);
  return std::move(Reads);
}

SmallVector<RegisterUse, 8> sass::registersOf(const MachineInstruction &I,
                                              unsigned Architecture) {
  const FactRow *Facts =
      I.Operation ? factRowOf(*I.Operation, Architecture) : nullptr;
  if (!Facts)
    return {};
  return UseFinder(I, *Facts, Architecture).run();
}
