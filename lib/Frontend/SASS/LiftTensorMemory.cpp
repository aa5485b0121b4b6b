//===- LiftTensorMemory.cpp - Tensor memory and its products --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The machine reads from the descriptor of an instruction what PTX says in its
// name too: there is one operation for halves and TF32, with and without
// sparsity. Columns are allocated by setting bits, one for 32 of them; what the
// code does for it with words of the system's shared memory stays as it is.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// Columns that are allocated together, as a shift.
constexpr unsigned ColumnsShift = 5;
/// The fields of a product's descriptor that say what it is of.
constexpr unsigned SparseBit = 2, FormatAt = 7, FormatMask = 7, FormatTF32 = 2;

/// The operands of a product.
struct TensorOperands {
  const MachineOperand *A = nullptr, *B = nullptr, *D = nullptr;
  const MachineOperand *Meta = nullptr, *Instruction = nullptr;
  const MachineOperand *Scales = nullptr, *Mask = nullptr, *Scale = nullptr;
  Operand Adds;
};
} // namespace

/// ".cta_group::1" or that of two blocks.
static StringRef groupOf(const MachineInstruction &I) {
  return hasWord(I, "2CTA") ? ".cta_group::2" : ".cta_group::1";
}

/// "[UR4+0x10]" of tensor memory.
Operand FunctionLift::tensorAddress(const MachineOperand &O) {
  return address(O.Number == UniformZero
                     ? number(0)
                     : registerOperand(machine::FirstUniform + O.Number),
                 O.Value);
}

/// ".collector::a::fill" and the like: whether a matrix stays in the tensor
/// core; empty if it does not.
static std::string collectorOf(const MachineOperand &O, bool IsFirst) {
  if (!O.IsHeld && !O.StaysHeld)
    return {};
  const StringRef Use = !O.IsHeld ? "fill" : O.StaysHeld ? "use" : "lastuse";
  return (".collector::" + Twine(IsFirst ? "a" : "b") +
          (IsFirst ? Twine("") : Twine(unsigned(O.Buffer))) + "::" + Use)
      .str();
}

void FunctionLift::liftTensorProduct(StringRef Name) {
  constexpr unsigned FirstAt = 24, MetaAt = 40, ScalesAt = 48, ResultAt = 64;
  TensorOperands Of;
  Of.Adds = truth(true);
  for (const MachineOperand &O : machine().Operands) {
    const unsigned Lowest = machine().Operation->Operands[O.Row].Lowest;
    switch (O.Kind) {
    case OperandKind::MatrixDescriptor:
      (Lowest == FirstAt ? Of.A : Of.B) = &O;
      break;
    case OperandKind::TensorMemory:
      (Lowest == FirstAt    ? Of.A
       : Lowest == ResultAt ? Of.D
       : Lowest == MetaAt   ? Of.Meta
       : Lowest == ScalesAt ? Of.Scales
                            : Of.B) = &O;
      break;
    case OperandKind::InstructionDescriptor:
      Of.Instruction = &O;
      break;
    case OperandKind::UniformPredicate:
      Of.Adds = predicate(O);
      break;
    case OperandKind::Uniform:
      if (O.Number != UniformZero)
        Of.Mask = &O;
      break;
    case OperandKind::Integer:
    case OperandKind::Hexadecimal:
      if (O.Value != 0)
        Of.Scale = &O;
      break;
    default:
      break;
    }
  }
  if (!Of.A || !Of.B || !Of.D || !Of.Instruction || !Of.Meta ||
      Of.Instruction->Number >= UniformZero)
    return emitUnknown();
  const unsigned Register = Of.Instruction->Number + 1;
  const std::optional<uint32_t> Known = numberIn(Register, /*IsUniform=*/true);
  const bool IsSparse = Known && *Known >> SparseBit & 1;
  const bool IsTF32 = Known && (*Known >> FormatAt & FormatMask) == FormatTF32;
  const bool IsStationary = has("WS");
  std::string Kind;
  if (Name == "UTCHMMA")
    Kind = IsTF32 ? "tf32" : "f16";
  else if (Name == "UTCIMMA")
    Kind = "i8";
  else if (Name == "UTCQMMA")
    Kind = Of.Scales ? "mxf8f6f4.block_scale" : "f8f6f4";
  else if (has("4X"))
    Kind = "mxf4nvf4.block_scale.scale_vec::4X";
  else if (has("BLOCK16"))
    Kind = "mxf4nvf4.block_scale.block16";
  else
    Kind = "mxf4.block_scale";
  const std::string Mnemonic =
      std::string("tcgen05.mma") + (IsStationary ? ".ws" : "") +
      (IsSparse ? ".sp" : "") + groupOf(machine()).str() + ".kind::" + Kind +
      (has("ASHIFT") ? ".ashift" : "") +
      (IsStationary ? collectorOf(*Of.B, /*IsFirst=*/false)
                    : collectorOf(*Of.A, /*IsFirst=*/true));
  auto Matrix = [&](const MachineOperand &O) {
    return O.Kind == OperandKind::TensorMemory ? tensorAddress(O)
                                               : matrixDescriptor(O.Number);
  };
  SmallVector<Operand, 10> All{tensorAddress(*Of.D), Matrix(*Of.A),
                               Matrix(*Of.B)};
  if (IsSparse)
    All.push_back(tensorAddress(*Of.Meta));
  All.push_back(registerOperand(machine::FirstUniform + Register));
  if (Of.Scales) {
    MachineOperand Second = *Of.Scales;
    ++Second.Number;
    All.push_back(tensorAddress(*Of.Scales));
    All.push_back(tensorAddress(Second));
  }
  if (Of.Mask && !IsStationary) { // lanes that are not written
    const unsigned Words = has("2CTA") ? 8 : 4;
    SmallVector<Operand, 8> Lanes;
    for (unsigned N = 0; N != Words; ++N)
      Lanes.push_back(raw(*Of.Mask, N));
    All.push_back(vector(Lanes));
  }
  All.push_back(Of.Adds);
  if (Of.Mask && IsStationary) // columns
    All.push_back(wide(*Of.Mask));
  if (Of.Scale)
    All.push_back(number(uint64_t(Of.Scale->Value)));
  emitOnce(Mnemonic, All);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Of two halves of a warp that access different columns, the other half's
/// instruction; null if it is not there.
const MachineInstruction *FunctionLift::otherHalf() const {
  const bool IsSecond = has("16dp32bit_t16_t31");
  ArrayRef<Instruction *> All = current().Parent->Instructions;
  const auto *At = llvm::find(All, &current());
  auto AddressOf = [](const MachineInstruction &I) -> const MachineOperand * {
    for (const MachineOperand &O : I.Operands)
      if (O.Kind == OperandKind::TensorMemory)
        return &O;
    return nullptr;
  };
  const MachineOperand *Mine = AddressOf(machine());
  while (Mine && At != (IsSecond ? All.begin() : All.end() - 1)) {
    At += IsSecond ? -1 : 1;
    const MachineInstruction *I = M.machineOf(**At);
    if (!I || I->mnemonic() != machine().mnemonic())
      continue;
    const MachineOperand *Other = AddressOf(*I);
    return Other && Other->Number == Mine->Number &&
                   hasWord(*I,
                           IsSecond ? "16dp32bit_t0_t15" : "16dp32bit_t16_t31")
               ? I
               : nullptr;
  }
  return nullptr;
}

bool FunctionLift::liftTensorMove(bool IsLoad) {
  const MachineOperand *At = nullptr, *Data = nullptr;
  for (const MachineOperand &O : machine().Operands)
    if (O.Kind == OperandKind::TensorMemory)
      At = &O;
    else if (O.Kind == OperandKind::Register)
      Data = &O;
  if (!At || !Data)
    return false;
  unsigned Times = 1;
  StringRef Shape = "32x32b";
  unsigned Each = 1;
  for (StringRef W : machine().Modifiers) {
    if (W.starts_with("16dp"))
      Shape = llvm::StringSwitch<StringRef>(W)
                  .Case("16dp64bit", "16x64b")
                  .Case("16dp128bit", "16x128b")
                  .Case("16dp256bit", "16x256b")
                  .Default("16x32bx2");
    else if (W.starts_with("x"))
      (void)W.drop_front().getAsInteger(10, Times);
  }
  Each = Shape == "16x128b" ? 2 : Shape == "16x256b" ? 4 : 1;
  Operand Where = tensorAddress(*At);
  std::optional<Operand> Ahead;
  if (Shape == "16x32bx2") {
    const MachineInstruction *Other = otherHalf();
    if (!Other)
      return false;
    if (has("16dp32bit_t0_t15")) { // the other half does both
      emitNothing();
      return true;
    }
    for (const MachineOperand &O : Other->Operands)
      if (O.Kind == OperandKind::TensorMemory) {
        Where = tensorAddress(O);
        Ahead = number(uint64_t(At->Value - O.Value));
      }
  }
  SmallVector<Operand, 128> Registers;
  for (unsigned R = 0; R != Each * Times; ++R)
    Registers.push_back(!IsLoad            ? raw(*Data, R)
                        : isSink(result()) ? temporary(Word)
                                           : result(R));
  const std::string End = "." + Shape.str() + ".x" + std::to_string(Times) +
                          (has("PACK16BIT")     ? ".pack::16b"
                           : has("EXPAND16BIT") ? ".unpack::16b"
                                                : "") +
                          ".b32";
  SmallVector<Operand, 3> All;
  if (IsLoad)
    All = {vector(Registers), Where};
  else
    All = {Where};
  if (Ahead)
    All.push_back(*Ahead);
  if (!IsLoad)
    All.push_back(vector(Registers));
  emitMain((IsLoad ? "tcgen05.ld.sync.aligned" : "tcgen05.st.sync.aligned") +
               End,
           All);
  return true;
}

//===----------------------------------------------------------------------===//
// Allocations and copies
//===----------------------------------------------------------------------===//

/// The word of the system's shared memory where PTX writes what columns it got.
std::optional<Operand> FunctionLift::allocationResult() {
  for (const Variable *V : G.LocalVariables)
    if (V->Space == AddressSpace::Shared) {
      Operand O;
      O.Kind = Operand::KindTy::Variable;
      O.Var = V;
      return address(O);
    }
  return std::nullopt;
}

/// The allocation of a number of columns that is known, in a block behind
/// \p Elect; null if there is none.
const Instruction *FunctionLift::allocationBehind(const Instruction &Elect) {
  for (const Block *S : Elect.Parent->Successors)
    for (const Instruction *I : S->Instructions) {
      const MachineInstruction *Is = M.machineOf(*I);
      if (!Is || Is->mnemonic() != "UTCATOMSWS" ||
          !hasWord(*Is, "FIND_AND_SET"))
        continue;
      const RegisterHalf Number =
          Pairs->origin(Pairs->half(*I, Is->Operands.back()));
      return Number.Kind == RegisterHalf::Number ? I : nullptr;
    }
  return nullptr;
}

/// In the machine one lane allocates, in PTX the whole warp: where that lane is
/// elected.
void FunctionLift::emitAllocation() {
  const Instruction *By = allocationBehind(current());
  const std::optional<Operand> To = allocationResult();
  if (!By || !To)
    return;
  const MachineInstruction &Is = *M.machineOf(*By);
  const RegisterHalf Number =
      Pairs->origin(Pairs->half(*By, Is.Operands.back()));
  emit("tcgen05.alloc" + groupOf(Is) + ".sync.aligned.shared::cta.b32",
       {*To, number(uint64_t(Number.Bits) << ColumnsShift)});
}

/// UTCATOMSWS: sets bits for columns that are free, or clears them.
bool FunctionLift::liftColumns() {
  const MachineOperand &Last = machine().Operands.back();
  if (Last.Kind != OperandKind::Uniform)
    return false;
  const std::string Group = groupOf(machine()).str();
  if (has("AND")) {
    if (!isSink(result()))
      return false;
    const Operand Freed = compute("not.b32", Word, {raw(Last)});
    const Operand First =
        compute("clz.b32", Word, {compute("brev.b32", Word, {Freed})});
    const Operand Number = compute("popc.b32", Word, {Freed});
    const Operand By = number(ColumnsShift);
    emitOnce("tcgen05.dealloc" + Group + ".sync.aligned.b32",
             {compute("shl.b32", Word, {First, By}),
              compute("shl.b32", Word, {Number, By})});
    return true;
  }
  const std::optional<Operand> To = allocationResult();
  if (!has("FIND_AND_SET") || !To || isSink(result()))
    return false;
  const bool IsDone =
      llvm::any_of(current().Parent->Predecessors, [&](const Block *Before) {
        return llvm::any_of(Before->Instructions, [&](const Instruction *I) {
          const MachineInstruction *Is = M.machineOf(*I);
          return Is && Is->mnemonic() == "ELECT" &&
                 allocationBehind(*I) == &current();
        });
      });
  Operand At = temporary(Word);
  if (IsDone) {
    emitMain("ld.shared.b32", {At, *To});
  } else {
    emitMain(
        "tcgen05.alloc" + Group + ".sync.aligned.shared::cta.b32",
        {*To, compute("shl.b32", Word, {raw(Last), number(ColumnsShift)})});
    emit("ld.shared.b32", {At, *To});
  }
  emit("shr.u32", {result(), At, number(ColumnsShift)});
  setPredicate(predicateResult(81), truth(true));
  return true;
}

bool FunctionLift::liftTensorMemory(StringRef Name) {
  if (Name == "UTCHMMA" || Name == "UTCIMMA" || Name == "UTCQMMA" ||
      Name == "UTCOMMA") {
    liftTensorProduct(Name);
    return true;
  }
  if (Name == "LDTM" || Name == "STTM")
    return liftTensorMove(Name == "LDTM");
  if (Name == "UTCATOMSWS")
    return liftColumns();
  const std::string Group = groupOf(machine()).str();
  if (Name == "UVIRTCOUNT") {
    emitMain("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned", {});
    return true;
  }
  if (Name == "UTCBAR") {
    const MachineOperand *At = memory();
    if (!At || !At->Offset)
      return false;
    const Operand Barrier = address(
        registerOperand(machine::FirstUniform + *At->Offset), At->Value);
    const bool IsMulticast = has("MULTICAST");
    SmallVector<Operand, 2> All{Barrier};
    if (IsMulticast)
      All.push_back(compute("cvt.u16.u32", ScalarType::B16,
                            {raw(machine().Operands.back())}));
    emitOnce("tcgen05.commit" + Group +
                 ".mbarrier::arrive::one.shared::cluster" +
                 (IsMulticast ? ".multicast::cluster" : "") + ".b64",
             All);
    return true;
  }
  const MachineOperand *At = nullptr, *From = nullptr;
  for (const MachineOperand &O : machine().Operands)
    if (O.Kind == OperandKind::TensorMemory)
      At = &O;
    else if (O.Kind == OperandKind::MatrixDescriptor)
      From = &O;
  if (Name == "UTCSHIFT" && At) {
    emitOnce("tcgen05.shift" + Group + ".down", {tensorAddress(*At)});
    return true;
  }
  if (Name != "UTCCP" || !At || !From)
    return false;
  StringRef Shape = ".128x256b", Format;
  for (StringRef W : machine().Modifiers) {
    Shape = llvm::StringSwitch<StringRef>(W)
                .Case("4dp256bit", ".4x256b")
                .Case("128dp128bit", ".128x128b")
                .Case("2x64dp128bit_lw02_lw13", ".64x128b.warpx2::02_13")
                .Case("2x64dp128bit_lw01_lw23", ".64x128b.warpx2::01_23")
                .Case("4x32dp128bit", ".32x128b.warpx4")
                .Default(Shape);
    Format = llvm::StringSwitch<StringRef>(W)
                 .Case("U4x16P64", ".b8x16.b4x16_p64")
                 .Case("U6x16P32", ".b8x16.b6x16_p32")
                 .Default(Format);
  }
  emitOnce("tcgen05.cp" + Group + Shape.str() + Format.str(),
           {tensorAddress(*At), matrixDescriptor(From->Number)});
  return true;
}
