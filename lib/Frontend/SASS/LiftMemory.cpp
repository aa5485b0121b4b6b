//===- LiftMemory.cpp - Accesses of memory --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

//===----------------------------------------------------------------------===//
// Sizes, scopes, types
//===----------------------------------------------------------------------===//

namespace {
struct AccessForm {
  std::string Type = "b32";
  unsigned Registers = 1;
};
} // namespace

static AccessForm formOf(const MachineInstruction &I) {
  if (hasWord(I, "U8"))
    return {"u8", 1};
  if (hasWord(I, "S8"))
    return {"s8", 1};
  if (hasWord(I, "U16"))
    return {"u16", 1};
  if (hasWord(I, "S16"))
    return {"s16", 1};
  if (hasWord(I, "64"))
    return {"b32", 2};
  if (hasWord(I, "128"))
    return {"b32", 4};
  return {};
}

static bool endsWithScope(const MachineInstruction &I, StringRef Scope) {
  return llvm::any_of(I.Modifiers, [&](StringRef W) {
    return W == Scope || W == ("STRONG." + Scope).str();
  });
}

/// ".relaxed.gpu" and the like; empty for what is weak.
static std::string orderOf(const MachineInstruction &I) {
  if (endsWithScope(I, "SYS"))
    return llvm::any_of(I.Modifiers,
                        [](StringRef W) { return W == "STRONG.SYS"; })
               ? ".relaxed.sys"
               : "";
  if (hasWord(I, "STRONG.GPU"))
    return ".relaxed.gpu";
  if (hasWord(I, "STRONG.CTA") || hasWord(I, "STRONG.SM"))
    return ".relaxed.cta";
  return "";
}

/// Whether the block decides something by \p V, after a few operations.
static bool decidesSomething(const Value *V, const Block *In,
                             unsigned Depth = 3) {
  return llvm::any_of(V->Users, [&](const Instruction *User) {
    return User->Parent == In && llvm::any_of(User->Defs, [&](Value *Made) {
             return machine::isPredicate(Made->Register) ||
                    (Depth > 1 && decidesSomething(Made, In, Depth - 1));
           });
  });
}

/// Whether LDG.STRONG.GPU looks for what others write: behind a load that
/// acquires L1 is invalidated, and what a flag decides is decided at once. Else
/// it is PTX's ld.cg, which keeps no order.
bool FunctionLift::looksForOthers() const {
  const Instruction &I = current();
  for (unsigned N : {1, 2, 3})
    if (const MachineInstruction *Next = M.behind(I, N))
      if (Next->mnemonic() == "CCTL")
        return true;
  return llvm::any_of(
      I.Defs, [&](const Value *V) { return decidesSomething(V, I.Parent); });
}

static const MachineOperand *memoryOf(const MachineInstruction &I,
                                      unsigned N = 0) {
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Memory && N-- == 0)
      return &O;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

/// "add.u32": what an atomic operation does, and with what; empty if PTX has no
/// such.
static std::string atomicOf(const MachineInstruction &I, unsigned &Registers) {
  std::string Operation;
  for (StringRef W : I.Modifiers)
    if (Operation.empty())
      Operation = llvm::StringSwitch<StringRef>(W)
                      .Case("ADD", "add")
                      .Case("MIN", "min")
                      .Case("MAX", "max")
                      .Case("INC", "inc")
                      .Case("DEC", "dec")
                      .Case("AND", "and")
                      .Case("OR", "or")
                      .Case("XOR", "xor")
                      .Case("EXCH", "exch")
                      .Case("CAS", "cas")
                      .Default("");
  Registers = 1;
  if (Operation.empty())
    return {};
  auto Is = [&](StringRef Start) {
    return llvm::any_of(
        I.Modifiers, [&](StringRef W) { return W.split('.').first == Start; });
  };
  const bool IsLong = Is("64") || Is("S64") || Is("U64");
  std::string Type;
  if (Is("F32"))
    Type = "f32";
  else if (Is("F64"))
    Type = "f64", Registers = 2;
  else if (Is("F16x2"))
    Type = "noftz.f16x2";
  else if (Is("BF16x2"))
    Type = "noftz.bf16x2";
  else if (Is("F16x4") || Is("F16x8") || Is("BF16x4") || Is("BF16x8") ||
           Is("F32x2") || Is("F32x4"))
    return {};
  else if (IsLong)
    Registers = 2;
  const bool IsSigned = Is("S32") || Is("S64");
  if (Type.empty()) {
    const bool IsBits = Operation == "and" || Operation == "or" ||
                        Operation == "xor" || Operation == "exch" ||
                        Operation == "cas";
    Type = std::string(IsBits     ? "b"
                       : IsSigned ? "s"
                                  : "u") +
           (IsLong ? "64" : "32");
    if (Operation == "add" && IsSigned && IsLong)
      Type = "u64";
  }
  return Operation + "." + Type;
}

static std::string atomicScope(const MachineInstruction &I) {
  return hasWord(I, "STRONG.SYS")                              ? ".sys"
         : hasWord(I, "STRONG.CTA") || hasWord(I, "STRONG.SM") ? ".cta"
                                                               : "";
}

const MachineOperand *FunctionLift::memory(unsigned N) const {
  return memoryOf(machine(), N);
}

namespace {
class Accesses {
public:
  explicit Accesses(FunctionLift &F) : F(F), I(F.machine()) {}

  bool load(StringRef Mnemonic, Operand At);
  bool store(StringRef Mnemonic, Operand At);
  bool loadWide(Operand At);
  bool storeWide(Operand At);
  bool atomic(StringRef Name);
  bool compareAndTest(const MachineOperand &Mem);
  bool loadConstant();
  bool copyAsync();
  bool matrix(bool IsStore);

private:
  FunctionLift &F;
  const MachineInstruction &I;
};
} // namespace

bool Accesses::load(StringRef Mnemonic, Operand At) {
  const AccessForm Form = formOf(I);
  SmallVector<Operand, 4> To;
  const MachineOperand *R = resultOf(I);
  const bool IsSunk = !R || FunctionLift::isSink(F.result());
  for (unsigned N = 0; N != Form.Registers; ++N)
    To.push_back(IsSunk ? F.temporary(Word) : F.result(N));
  const std::string Text = (Mnemonic +
                            (Form.Registers == 2   ? ".v2."
                             : Form.Registers == 4 ? ".v4."
                                                   : ".") +
                            Form.Type)
                               .str();
  F.emitMain(Text, {Form.Registers == 1 ? To[0] : F.vector(To), At});
  return true;
}

bool Accesses::store(StringRef Mnemonic, Operand At) {
  const AccessForm Form = formOf(I);
  const MachineOperand *Data = nullptr;
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Register || O.Kind == OperandKind::Uniform)
      Data = &O;
  SmallVector<Operand, 4> From;
  for (unsigned N = 0; N != Form.Registers; ++N)
    From.push_back(Data ? F.raw(*Data, N) : FunctionLift::number(0));
  std::string Type = Form.Type;
  if (Type[0] == 's' || Type[0] == 'u')
    Type[0] = 'b';
  const std::string Text = (Mnemonic +
                            (Form.Registers == 2   ? ".v2."
                             : Form.Registers == 4 ? ".v4."
                                                   : ".") +
                            Type)
                               .str();
  F.emitMain(Text, {At, Form.Registers == 1 ? From[0] : F.vector(From)});
  return true;
}

/// 256 bits, the upper half of which is the first operand.
bool Accesses::loadWide(Operand At) {
  constexpr int64_t All = 0xff;
  constexpr unsigned Words = 4;
  SmallVector<const MachineOperand *, 2> Halves;
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Register)
      Halves.push_back(&O);
  const MachineOperand &Last = I.Operands.back();
  const bool IsWhole = (Last.Kind != OperandKind::Integer &&
                        Last.Kind != OperandKind::Hexadecimal) ||
                       Last.Value == All;
  if (Halves.size() != 2 || !IsWhole)
    return false;
  SmallVector<Operand, 8> To;
  for (unsigned N = 0; N != 2 * Words; ++N) {
    const MachineOperand &O = *Halves[N < Words ? 1 : 0];
    To.push_back(O.Number == MachineOperand::RegisterZero
                     ? F.temporary(Word)
                     : F.raw(O, N % Words));
  }
  F.emitMain("ld.global.v8.b32", {F.vector(To), At});
  return true;
}

/// The same of a store, whose lower half is the first operand.
bool Accesses::storeWide(Operand At) {
  constexpr unsigned Words = 4;
  SmallVector<const MachineOperand *, 2> Halves;
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Register)
      Halves.push_back(&O);
  if (Halves.size() != 2)
    return false;
  SmallVector<Operand, 8> From;
  for (unsigned N = 0; N != 2 * Words; ++N)
    From.push_back(F.raw(*Halves[N / Words], N % Words));
  F.emitMain("st.global.v8.b32", {At, F.vector(From)});
  return true;
}

bool Accesses::atomic(StringRef Name) {
  const bool IsShared = Name == "ATOMS";
  const bool IsReduction = Name.starts_with("RED");
  const bool IsGeneric = Name == "ATOM";
  const MachineOperand *Mem = memoryOf(I);
  if (!Mem)
    return false;
  if (hasWord(I, "ARRIVE"))
    return false;
  if (hasWord(I, "POPC")) { // adds how many lanes there are
    const Operand At = F.narrowAddress(*Mem);
    const Operand To = F.result();
    F.emitMain("atom.shared.add.u32",
               {FunctionLift::isSink(To) ? F.temporary(Word) : To, At,
                FunctionLift::number(1)});
    return true;
  }
  if (hasWord(I, "CAST.SPIN"))
    return compareAndTest(*Mem);
  unsigned Registers = 1;
  const std::string Operation = atomicOf(I, Registers);
  if (Operation.empty())
    return false;
  const Operand At = IsShared ? F.narrowAddress(*Mem) : F.globalAddress(*Mem);
  SmallVector<const MachineOperand *, 2> Data;
  for (const MachineOperand &O : I.Operands)
    if (&O > Mem &&
        (O.Kind == OperandKind::Register || O.Kind == OperandKind::Uniform))
      Data.push_back(&O);
  const StringRef Space = IsShared ? ".shared" : IsGeneric ? "" : ".global";
  const std::string Order = IsShared ? std::string() : atomicScope(I);
  SmallVector<Operand, 4> Sources;
  if (StringRef(Operation).starts_with("cas.")) {
    // Both are behind one another before sm_80 in global memory: two operands.
    if (Data.size() < 2)
      return false;
    for (const MachineOperand *D : Data)
      Sources.push_back(Registers == 2 ? F.wide(*D) : F.raw(*D));
  } else {
    if (Data.empty())
      return false;
    Sources.push_back(Registers == 2 ? F.wide(*Data[0]) : F.raw(*Data[0]));
  }
  if (IsReduction) {
    SmallVector<Operand, 4> All{At};
    All.append(Sources.begin(), Sources.end());
    F.emitMain("red" + Space + Order + "." + Operation, All);
    return true;
  }
  const MachineOperand *R = resultOf(I);
  const bool IsSunk = !R || FunctionLift::isSink(F.result());
  // Whether it is done: another way is there for addresses that this one does
  // not have.
  if (const Operand P = F.predicateResult(81); !FunctionLift::isSink(P))
    F.setPredicate(P, FunctionLift::truth(true));
  Operand To = Registers == 2 ? F.temporary(Wide)
               : IsSunk       ? F.temporary(Word)
                              : F.result();
  SmallVector<Operand, 4> All{To, At};
  All.append(Sources.begin(), Sources.end());
  F.emitMain("atom" + Space + Order + "." + Operation, All);
  if (Registers == 2 && !IsSunk)
    F.emit("mov.b64", {F.vector({F.result(), F.result(1)}), To});
  return true;
}

/// ATOMS.CAST.SPIN: stores where the old value is there still, and says whether
/// it was.
bool Accesses::compareAndTest(const MachineOperand &Mem) {
  SmallVector<const MachineOperand *, 2> Data;
  for (const MachineOperand &O : I.Operands)
    if (&O > &Mem && O.Kind == OperandKind::Register)
      Data.push_back(&O);
  if (Data.size() != 2)
    return false;
  const bool IsWide = hasWord(I, "64");
  const Operand At = F.narrowAddress(Mem);
  const Operand Old = IsWide ? F.wide(*Data[0]) : F.raw(*Data[0]),
                New = IsWide ? F.wide(*Data[1]) : F.raw(*Data[1]);
  const Operand Found = F.temporary(IsWide ? Wide : Word);
  F.emitMain(IsWide ? "atom.shared.cas.b64" : "atom.shared.cas.b32",
             {Found, At, Old, New});
  const Operand Is = F.compute(IsWide ? "setp.eq.u64" : "setp.eq.u32",
                               ScalarType::Pred, {Found, Old});
  if (const Operand P = F.predicateResult(81); !FunctionLift::isSink(P))
    F.setPredicate(P, Is);
  else if (const Operand To = F.result(); !FunctionLift::isSink(To))
    F.emit("selp.b32",
           {To, FunctionLift::number(1), FunctionLift::number(0), Is});
  return true;
}

/// LDC, ULDC, LDCU: a bank by an index, or a word of it.
bool Accesses::loadConstant() {
  const MachineOperand *C = nullptr;
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Constant)
      C = &O;
  if (!C)
    return false;
  const AccessForm Form = formOf(I);
  const bool HasIndex =
      C->Offset &&
      *C->Offset !=
          (C->IsUniformIndex ? UniformZero : MachineOperand::RegisterZero);
  const bool IsSunk = FunctionLift::isSink(F.result());
  auto To = [&](unsigned N) {
    return IsSunk ? F.temporary(Word) : F.result(N);
  };
  if (HasIndex && C->Number == 0 && Form.Registers == 1 && !IsSunk &&
      F.emitClusterWord(To(0), uint32_t(C->Value), /*IsIndexed=*/true)) {
    F.emitNothing();
    return true;
  }
  std::optional<uint32_t> Known;
  if (HasIndex)
    Known = F.numberIn(*C->Offset, C->IsUniformIndex);
  if (!HasIndex || Known) {
    MachineOperand Plain = *C;
    Plain.Offset.reset();
    Plain.Value += int64_t(Known.value_or(0));
    if (Form.Type != "b32") {
      MachineOperand Aligned = Plain;
      const unsigned Ahead = unsigned(Plain.Value & 3);
      Aligned.Value &= ~int64_t(3);
      const Operand W = F.raw(Aligned);
      const bool IsByte = Form.Type[1] == '8';
      F.emitMain(Form.Type[0] == 's' ? "bfe.s32" : "bfe.u32",
                 {To(0), W, FunctionLift::number(8 * Ahead),
                  FunctionLift::number(IsByte ? 8 : 16)});
      return true;
    }
    for (unsigned N = 0; N != Form.Registers; ++N)
      F.emitMain("mov.b32", {To(N), F.raw(Plain, N)});
    return true;
  }
  constexpr unsigned Variables = 3;
  const MachineOperand *Index = C;
  const Operand At = F.registerOperand(
      (C->IsUniformIndex ? machine::FirstUniform : 0) + *Index->Offset);
  const Variable *V = F.module().bankVariable(C->Number, F.functionName());
  if (!V && C->Number != Variables)
    return false;
  if (!V)
    return false;
  Operand Base;
  Base.Kind = Operand::KindTy::Variable;
  Base.Var = V;
  const Operand Begin = F.compute("mov.u64", Wide, {Base});
  const Operand Ahead = F.zeroExtended(At);
  const Operand Whole = F.compute("add.s64", Wide, {Begin, Ahead});
  return load("ld.const", F.address(Whole, C->Value));
}

bool Accesses::copyAsync() {
  const MachineOperand *To = memoryOf(I, 0), *From = memoryOf(I, 1);
  if (!To || !From)
    return false;
  const AccessForm Form = formOf(I);
  const unsigned Bytes = 4 * Form.Registers;
  const Operand P = F.predicate(87);
  const Operand At = F.narrowAddress(*To);
  Operand Of, Part;
  if (hasWord(I, "ZFILL"))
    Part = F.partialCopy(*From, Bytes, Of);
  else
    Of = F.globalAddress(*From);
  const StringRef Cache = hasWord(I, "BYPASS") ? "cp.async.cg.shared.global"
                                               : "cp.async.ca.shared.global";
  const Operand Size = FunctionLift::number(Bytes);
  if (!FunctionLift::isSink(Part)) {
    // None is all.
    const Operand All = F.compute("setp.eq.u32", ScalarType::Pred,
                                  {Part, FunctionLift::number(0)});
    Operand Read = F.compute("selp.b32", Word, {Size, Part, All});
    Read = F.compute("selp.b32", Word, {Read, FunctionLift::number(0), P});
    F.emitMain(Cache, {At, Of, Size, Read});
    return true;
  }
  if (FunctionLift::isNumber(P) && P.Bits != 0) {
    F.emitMain(Cache, {At, Of, Size});
    return true;
  }
  // Without the predicate zeros are written, and nothing is read.
  const Operand Read =
      F.compute("selp.b32", Word, {Size, FunctionLift::number(0), P});
  F.emitMain(Cache, {At, Of, Size, Read});
  return true;
}

/// What PTX calls the matrices of LDSM and STSM, and how many registers each
/// is; empty if that is not known.
static std::string matrixForm(const MachineInstruction &I, bool IsStore,
                              unsigned &Registers) {
  Registers = 1;
  const bool IsPlain = hasWord(I, "16");
  if (IsPlain && hasWord(I, "MT88"))
    return "m8n8 .trans b16";
  if (IsPlain)
    return hasWord(I, "M816") || hasWord(I, "MT1616") || hasWord(I, "MT168")
               ? ""
               : "m8n8  b16";
  if (IsStore)
    return hasWord(I, "8") && hasWord(I, "MT168") ? "m16n8 .trans b8" : "";
  const bool IsSquare = hasWord(I, "MT1616");
  if (!IsSquare && !hasWord(I, "M816"))
    return "";
  const std::string Shape = IsSquare ? "m16n16 .trans " : "m8n16  ";
  if (IsSquare)
    Registers = 2;
  if (hasWord(I, "U4x16P64TO8"))
    return Shape + "b8x16.b4x16_p64";
  if (hasWord(I, "U6x16P32TO8"))
    return Shape + "b8x16.b6x16_p32";
  return IsSquare && hasWord(I, "8") ? Shape + "b8" : "";
}

bool Accesses::matrix(bool IsStore) {
  unsigned Each = 1;
  const std::string Form = matrixForm(I, IsStore, Each);
  const MachineOperand *Mem = memoryOf(I);
  if (!Mem || Form.empty())
    return false;
  const auto [Shape, Rest] = StringRef(Form).split(' ');
  const auto [Transposed, Type] = Rest.split(' ');
  const unsigned N = hasWord(I, "4") ? 4 : hasWord(I, "2") ? 2 : 1;
  const Operand At = F.narrowAddress(*Mem);
  const std::string Text =
      (Twine(IsStore ? "stmatrix" : "ldmatrix") + ".sync.aligned." + Shape +
       ".x" + Twine(N) + Transposed + ".shared." + Type)
          .str();
  SmallVector<Operand, 4> Registers;
  if (IsStore) {
    const MachineOperand *Data = nullptr;
    for (const MachineOperand &O : I.Operands)
      if (O.Kind == OperandKind::Register)
        Data = &O;
    for (unsigned R = 0; R != N * Each; ++R)
      Registers.push_back(Data ? F.raw(*Data, R) : FunctionLift::number(0));
    F.emitMain(Text, {At, F.vector(Registers)});
    return true;
  }
  for (unsigned R = 0; R != N * Each; ++R)
    Registers.push_back(F.result(R));
  F.emitMain(Text, {F.vector(Registers), At});
  return true;
}

bool FunctionLift::liftMemory(StringRef Name) {
  Accesses Of(*this);
  const MachineOperand *Mem = memoryOf(machine());
  if (Name == "LDG" || Name == "LD") {
    if (!Mem)
      return false;
    if (has("256"))
      return Of.loadWide(globalAddress(*Mem));
    if (const MachineOperand *P = predicateOf(machine(), 81);
        P && P->Number != 7)
      return false;
    const bool IsConstant = has("CONSTANT") || has("CONSTANT.SYS");
    const std::string Space = Name == "LDG" ? ".global" : "";
    std::string Order = IsConstant ? std::string() : orderOf(machine());
    std::string Cached = IsConstant && Name == "LDG" ? ".nc" : "";
    if (Order == ".relaxed.gpu" && !looksForOthers()) {
      Order.clear();
      Cached = ".cg";
    }
    return Of.load("ld" + Order + Space + Cached, globalAddress(*Mem));
  }
  if (Name == "STG" || Name == "ST") {
    if (!Mem)
      return false;
    if (has("256"))
      return Of.storeWide(globalAddress(*Mem));
    return Of.store("st" + orderOf(machine()) +
                        (Name == "STG" ? ".global" : ""),
                    globalAddress(*Mem));
  }
  if (Name == "LDS" || Name == "STS") {
    if (!Mem)
      return false;
    if (liftBarrierStore())
      return true;
    return Name == "LDS" ? Of.load("ld.shared", narrowAddress(*Mem))
                         : Of.store("st.shared", narrowAddress(*Mem));
  }
  if (Name == "LDL" || Name == "STL") {
    if (!Mem)
      return false;
    return Name == "LDL" ? Of.load("ld.local", narrowAddress(*Mem))
                         : Of.store("st.local", narrowAddress(*Mem));
  }
  if (Name == "LDC" || Name == "ULDC" || Name == "LDCU")
    return Of.loadConstant();
  if (Name == "ATOMS" || Name == "ATOMG" || Name == "ATOM" || Name == "RED" ||
      Name == "REDG")
    return Of.atomic(Name);
  if (Name == "LDGSTS")
    return Of.copyAsync();
  if (Name == "LDGDEPBAR") {
    emitMain("cp.async.commit_group", {});
    return true;
  }
  if (Name == "DEPBAR") {
    // Of what was committed so far, and not of other scoreboards.
    for (const MachineOperand &O : machine().Operands)
      if (O.Kind == OperandKind::Integer) {
        liftGroupWait(unsigned(O.Value));
        return true;
      }
    emitNothing();
    return true;
  }
  if (Name == "LDSM" || Name == "STSM")
    return Of.matrix(Name == "STSM");
  if (Name == "MEMBAR") {
    const StringRef Scope = has("CTA") || has("SM") ? "cta"
                            : has("SYS")            ? "sys"
                                                    : "gpu";
    emitMain((has("SC") ? "fence.sc." : "fence.acq_rel.") + Scope, {});
    return true;
  }
  if (Name == "QSPC") {
    // Which space a generic address is in.
    if (!Mem || Mem->Number == MachineOperand::RegisterZero)
      return false;
    const StringRef Space = has("S")   ? "shared"
                            : has("L") ? "local"
                            : has("D") ? "shared::cluster"
                                       : "";
    const Operand P = predicateResult(81);
    if (Space.empty() || isSink(P) || !isSink(result()))
      return false;
    MachineOperand R;
    R.Kind = OperandKind::Register;
    R.Number = Mem->Number;
    emitMain("isspacep." + Space, {P, wide(R)});
    return true;
  }
  if (Name == "FENCE" && has("T")) { // of tensor memory
    emitMain("tcgen05.wait::st.sync.aligned", {});
    return true;
  }
  if (Name == "FENCE" && has("S")) {
    emitMain("fence.proxy.async.shared::cta", {});
    return true;
  }
  if (Name == "CCTL" || Name == "ERRBAR" || Name == "CGAERRBAR" ||
      Name == "FENCE") {
    emitNothing();
    return true;
  }
  return false;
}
