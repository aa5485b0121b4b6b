//===- LiftBulk.cpp - Copies by the tensor memory accelerator -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Uniform registers say what is copied: on the side of shared memory its
// address, behind it that of the barrier for what comes in, and the
// coordinates; on the other one an address of 64 bits, of memory or of a
// tensor's map. One more register has 16 bits of a size or of offsets, and
// above them the mask of the blocks that get a copy.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
constexpr unsigned MaskAt = 16, MaskBits = 16;
constexpr unsigned UnitShift = 4; ///< sizes are in units of 16 bytes

/// Makes the operands of one copy.
class BulkCopy {
public:
  explicit BulkCopy(FunctionLift &F) : F(F), I(F.machine()) {
    for (const MachineOperand &O : I.Operands) {
      if (O.Kind == OperandKind::Uniform)
        More = &O;
      else if (O.Kind == OperandKind::CacheHint)
        Hint = &O;
    }
    for (StringRef W : I.Modifiers)
      if (W.size() == 2 && W[1] == 'D')
        Rank = unsigned(W[0] - '0');
  }

  bool lift(StringRef Name);

private:
  bool liftTensor(StringRef Name);
  bool liftPlain(StringRef Name);
  /// A uniform register of an operand that is an address.
  Operand uniform(const MachineOperand &At, unsigned Ahead = 0) {
    return F.registerOperand(machine::FirstUniform + *At.Offset + Ahead);
  }
  Operand shared(const MachineOperand &At, unsigned Ahead = 0) {
    return F.address(uniform(At, Ahead));
  }
  /// The pair of registers there.
  static MachineOperand pairOf(const MachineOperand &At) {
    MachineOperand U;
    U.Kind = OperandKind::Uniform;
    U.Number = *At.Offset;
    return U;
  }
  Operand wide(const MachineOperand &At) { return F.wide(pairOf(At)); }
  /// Bits of the register that has several things.
  Operand bits(unsigned Lowest, unsigned Width) {
    const Operand All = More ? F.raw(*More) : FunctionLift::number(0);
    if (FunctionLift::isNumber(All))
      return FunctionLift::number(All.Bits >> Lowest &
                                  ((uint64_t(1) << Width) - 1));
    return F.compute(
        "bfe.u32", Word,
        {All, FunctionLift::number(Lowest), FunctionLift::number(Width)});
  }
  Operand halfOf(const Operand &O) {
    if (FunctionLift::isNumber(O))
      return FunctionLift::number(O.Bits, ScalarType::B16);
    return F.compute("cvt.u16.u32", ScalarType::B16, {O});
  }
  Operand bytes() {
    const Operand Units = bits(0, MaskAt), By = FunctionLift::number(UnitShift);
    if (FunctionLift::isNumber(Units))
      return FunctionLift::number(Units.Bits << UnitShift);
    return F.compute("shl.b32", Word, {Units, By});
  }
  void addEnd(SmallVectorImpl<Operand> &All) {
    if (hasWord(I, "MULTICAST"))
      All.push_back(halfOf(bits(MaskAt, MaskBits)));
    if (Hint) {
      MachineOperand U;
      U.Kind = OperandKind::Uniform;
      U.Number = Hint->Number;
      All.push_back(F.wide(U));
    }
  }
  std::string endOfName() const {
    return std::string(hasWord(I, "MULTICAST") ? ".multicast::cluster" : "") +
           (hasWord(I, "2CTA") ? ".cta_group::2" : "") +
           (Hint ? ".L2::cache_hint" : "");
  }
  std::string reduction() const;

  FunctionLift &F;
  const MachineInstruction &I;
  const MachineOperand *More = nullptr, *Hint = nullptr;
  unsigned Rank = 0;
};
} // namespace

/// "add", "min" and so on; empty without one.
static std::string operationOf(const MachineInstruction &I) {
  for (StringRef W : {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR"})
    if (hasWord(I, W))
      return W.lower();
  return {};
}

/// "add.u32": what a reduction without a map does.
std::string BulkCopy::reduction() const {
  const std::string Operation = operationOf(I);
  if (Operation.empty())
    return {};
  auto Is = [&](StringRef Start) {
    return llvm::any_of(
        I.Modifiers, [&](StringRef W) { return W.split('.').first == Start; });
  };
  const bool IsSum = Operation == "add";
  for (StringRef Type : {"F16", "BF16"})
    if (Is(Type))
      return Operation + (IsSum ? ".noftz." : ".") + Type.lower();
  if (Is("F32") || Is("F64"))
    return Operation + (Is("F32") ? ".f32" : ".f64");
  const bool IsBits =
      Operation == "and" || Operation == "or" || Operation == "xor";
  const bool IsLong = Is("U64") || Is("S64") || Is("64");
  return Operation + "." +
         (IsBits                               ? "b"
          : (Is("S32") || Is("S64")) && !IsSum ? "s"
                                               : "u") +
         (IsLong ? "64" : "32");
}

bool BulkCopy::liftTensor(StringRef Name) {
  constexpr unsigned MaxRank = 5, GatheredCoordinates = 5;
  const bool Loads = Name == "UTMALDG", Gathers = hasWord(I, "GATHER4");
  const MachineOperand *Near = F.memory(0), *Far = F.memory(1);
  if (!Near || !Far || !Near->Offset || !Far->Offset || Rank == 0 ||
      Rank > MaxRank || *Far->Offset == UniformZero)
    return false;
  const bool IsColumns = hasWord(I, "IM2COL");
  // Shared memory and the barrier come before the coordinates.
  const unsigned First = Loads ? 2 : Name == "UTMAPF" ? 0 : 1;
  SmallVector<Operand, 5> Coordinates;
  for (unsigned D = 0; D != (Gathers ? GatheredCoordinates : Rank); ++D)
    Coordinates.push_back(uniform(*Near, First + D));
  const Operand Map =
      F.addressOf({F.mapAddress(pairOf(*Far)), F.vector(Coordinates)});
  const std::string Dimensions = std::to_string(Rank) + "d";
  SmallVector<Operand, 6> All;
  SmallVector<Operand, 3> Offsets;
  if (IsColumns && Rank > 2 && (Loads || Name == "UTMAPF")) {
    const unsigned Number = Rank - 2;
    const unsigned Width = Number == 1 ? 16 : Number == 2 ? 8 : 5;
    for (unsigned D = 0; D != Number; ++D)
      Offsets.push_back(halfOf(bits(D * Width, Width)));
  }
  const std::string Mode = Gathers     ? ".tile::gather4"
                           : IsColumns ? ".im2col"
                                       : ".tile";
  if (Loads) {
    All = {shared(*Near), Map, shared(*Near, 1)};
    if (!Offsets.empty())
      All.push_back(F.vector(Offsets));
    addEnd(All);
    F.emitOnce("cp.async.bulk.tensor." + Dimensions +
                   ".shared::cluster.global" + Mode +
                   ".mbarrier::complete_tx::bytes" + endOfName(),
               All);
    return true;
  }
  if (Name == "UTMAPF") {
    All = {Map};
    if (!Offsets.empty())
      All.push_back(F.vector(Offsets));
    addEnd(All);
    F.emitOnce("cp.async.bulk.prefetch.tensor." + Dimensions + ".L2.global" +
                   Mode + endOfName(),
               All);
    return true;
  }
  All = {Map, shared(*Near)};
  addEnd(All);
  const std::string StoreMode = IsColumns ? ".im2col_no_offs" : ".tile";
  if (Name == "UTMASTG") {
    F.emitOnce("cp.async.bulk.tensor." + Dimensions + ".global.shared::cta" +
                   StoreMode + ".bulk_group" + endOfName(),
               All);
    return true;
  }
  const std::string Operation = operationOf(I);
  if (Operation.empty())
    return false;
  F.emitOnce("cp.reduce.async.bulk.tensor." + Dimensions +
                 ".global.shared::cta." + Operation + StoreMode +
                 ".bulk_group" + endOfName(),
             All);
  return true;
}

bool BulkCopy::liftPlain(StringRef Name) {
  const MachineOperand *To = F.memory(0), *From = F.memory(1);
  if (!To || !To->Offset)
    return false;
  SmallVector<Operand, 6> All;
  if (Name == "UBLKPF") {
    All = {F.address(wide(*To)), bytes()};
    addEnd(All);
    F.emitOnce("cp.async.bulk.prefetch.L2.global" + endOfName(), All);
    return true;
  }
  if (!From || !From->Offset)
    return false;
  const bool Reduces = Name == "UBLKRED";
  const std::string Start = Reduces ? "cp.reduce.async.bulk" : "cp.async.bulk",
                    Operation = Reduces ? "." + reduction() : "";
  if (Operation == ".")
    return false;
  if (hasWord(I, "G.S")) {
    All = {F.address(wide(*To)), shared(*From), bytes()};
    addEnd(All);
    F.emitOnce(Start + ".global.shared::cta.bulk_group" + endOfName() +
                   Operation,
               All);
    return true;
  }
  const bool IsGlobal = hasWord(I, "S.G");
  if (!IsGlobal && !hasWord(I, "S.S"))
    return false;
  All = {shared(*To), IsGlobal ? F.address(wide(*From)) : shared(*From),
         bytes(), shared(*To, 1)};
  addEnd(All);
  F.emitOnce(Start + ".shared::cluster" +
                 (IsGlobal ? ".global" : ".shared::cta") +
                 ".mbarrier::complete_tx::bytes" + endOfName() + Operation,
             All);
  return true;
}

bool BulkCopy::lift(StringRef Name) {
  if (Name == "UTMALDG" || Name == "UTMASTG" || Name == "UTMAREDG" ||
      Name == "UTMAPF")
    return liftTensor(Name);
  if (Name == "UBLKCP" || Name == "UBLKRED" || Name == "UBLKPF")
    return liftPlain(Name);
  if (Name == "UTMACCTL") {
    const MachineOperand *At = F.memory();
    if (!hasWord(I, "PF") || !At || !At->Offset) {
      F.emitNothing();
      return true;
    }
    F.emitMain("prefetch.tensormap", {F.address(F.mapAddress(pairOf(*At)))});
    return true;
  }
  if (Name == "UMEMSETS") { // zeros, in units of 8 bytes
    constexpr unsigned WordsShift = 3;
    const MachineOperand *At = F.memory();
    SmallVector<const MachineOperand *, 2> Values;
    for (const MachineOperand &O : I.Operands)
      if (O.Kind == OperandKind::Uniform)
        Values.push_back(&O);
    if (!At || !At->Offset || Values.size() != 2 ||
        Values[0]->Number != UniformZero)
      return false;
    const Operand Bytes = F.compute(
        "shl.b64", Wide,
        {F.zeroExtended(F.raw(*Values[1])), FunctionLift::number(WordsShift)});
    F.emitOnce("st.bulk.weak.shared::cta",
               {shared(*At), Bytes, FunctionLift::number(0, Wide)});
    return true;
  }
  if (Name == "UTMACMDFLUSH") {
    F.emitMain("cp.async.bulk.commit_group", {});
    return true;
  }
  return false;
}

bool FunctionLift::liftBulk(StringRef Name) {
  return BulkCopy(*this).lift(Name);
}

uint32_t FunctionLift::parameterWindow() const {
  constexpr unsigned FirstMoved = 100;
  return architecture() >= FirstMoved ? 0x348 : 0x198;
}

/// Whether \p N is the address of the parameters.
bool FunctionLift::isParameterWindow(const PairNode &N) const {
  if (N.Kind == PairNode::Constant)
    return N.Low.Bank0 == 0 && N.Low.Bits == parameterWindow();
  if (N.Kind != PairNode::Packed || N.Low.Kind != RegisterHalf::Register ||
      !N.Low.Val->Def)
    return false;
  const MachineInstruction *Made = M.machineOf(*N.Low.Val->Def);
  return Made && hasWord(*Made, "64") &&
         llvm::any_of(Made->Operands, [&](const MachineOperand &O) {
           return O.Kind == OperandKind::Constant && O.Number == 0 &&
                  O.Value == int64_t(parameterWindow());
         });
}

Operand FunctionLift::mapAddress(const MachineOperand &O) {
  const PairNode *N = Pairs->source(current(), O);
  std::optional<uint64_t> Offset;
  if (isParameterWindow(*N))
    Offset = 0;
  else if (N->Kind == PairNode::Sum && !N->C && N->A && N->B)
    for (const auto &[X, Y] : {std::pair(N->A, N->B), std::pair(N->B, N->A)})
      if (X->Kind == PairNode::Number && isParameterWindow(*Y))
        Offset = X->Bits;
  if (Offset)
    for (const Parameter &P : G.Parameters)
      if (F.Parameters[P.Position].Offset == *Offset) {
        Operand Name;
        Name.Kind = Operand::KindTy::Parameter;
        Name.Type = P.Type;
        Name.Param = &P;
        return compute("cvta.param.u64", Wide,
                       {compute("mov.b64", Wide, {Name})});
      }
  return wide(O);
}

bool FunctionLift::hasInstruction(StringRef Name) {
  for (const Block *X : M.graph().Blocks)
    for (const Instruction *I : X->Instructions)
      if (const MachineInstruction *Is = M.machineOf(*I);
          Is && Is->mnemonic() == Name)
        return true;
  return false;
}

void FunctionLift::liftGroupWait(unsigned Left) {
  if (!HasBulkGroups) {
    HasBulkGroups = hasInstruction("UTMACMDFLUSH");
    HasCopyGroups = hasInstruction("LDGDEPBAR");
  }
  // Both kinds are counted together.
  if (!*HasBulkGroups || *HasCopyGroups)
    return emitMain("cp.async.wait_group", {number(Left)});
  // What waits for more than that sources are read makes results visible.
  const auto &All = current().Parent->Instructions;
  const auto It = llvm::find(All, &current());
  const MachineInstruction *Next = It != All.end() && std::next(It) != All.end()
                                       ? M.machineOf(**std::next(It))
                                       : nullptr;
  const bool IsWhole =
      Next && Next->mnemonic() == "CCTL" && hasWord(*Next, "IVALL");
  emitMain(IsWhole ? "cp.async.bulk.wait_group"
                   : "cp.async.bulk.wait_group.read",
           {number(Left)});
}
