//===- InlineAsm.cpp - PTX in calls ---------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The text of a call is read by the PTX front end with "%0", "%1" … for the
// registers of its operands, once for each text, and then lowered in place.
//===----------------------------------------------------------------------===//
#include "llvm/IR/InlineAsm.h"
#include "FunctionLowering.h"
#include "InlineAsmText.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

/// So many texts are said to be unreadable; the rest is counted only.
static constexpr unsigned MaxNotes = 10;

/// Says at \p I why its text is not understood.
static void noteUnread(ModuleLowering &Context, const llvm::Instruction &I,
                       llvm::Error Problem) {
  std::string Why = llvm::toString(std::move(Problem));
  if (Context.countUnreadAsm() <= MaxNotes)
    Context.note(I, "inline assembly that is not understood counts as one "
                    "unknown instruction: " +
                        Why);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

namespace ptxpredict::llvmir {
/// Lowers one call.
class AsmLowering {
public:
  AsmLowering(FunctionLowering &L, const llvm::CallBase &I)
      : L(L), I(I), Asm(*cast<llvm::InlineAsm>(I.getCalledOperand())),
        Operands(operandsOf(I)), Places(Operands.size()) {}

  void lower();
  /// Writes the constants that it needs to registers, for all of the function.
  void takeConstants();

private:
  ptx::Fragment *parse();
  void defineResults();
  void placeResults();
  /// True if an argument does not fit its constraint.
  bool placeArguments();
  void separate();
  void copyTied();
  std::optional<Operand> toClass(ArrayRef<Operand> Parts, ScalarType Class);
  void fromClass(const Operand &From, ArrayRef<Operand> To);
  Operand constant(const llvm::Constant *C, ScalarType Class);

  FunctionLowering &L;
  const llvm::CallBase &I;
  const llvm::InlineAsm &Asm;
  SmallVector<AsmOperand, 8> Operands;
  SmallVector<Operand, 8> Places; ///< the register of each operand
  /// Results that are not of their constraint's type.
  SmallVector<std::pair<Operand, ArrayRef<Operand>>, 4> Converted;
};
} // namespace ptxpredict::llvmir

static StringRef bitsName(ScalarType T) {
  return T == ScalarType::Pred  ? "pred"
         : T == ScalarType::B16 ? "b16"
         : T == ScalarType::B32 ? "b32"
         : T == ScalarType::B64 ? "b64"
                                : "b128";
}

/// The value of \p Parts as the constraint's type: a register or a constant.
std::optional<Operand> AsmLowering::toClass(ArrayRef<Operand> Parts,
                                            ScalarType Class) {
  unsigned Bits = bitWidth(Class), All = 0;
  for (const Operand &P : Parts)
    All += bitWidth(P.Type);
  if (Parts.empty() || (Parts.size() > 1 && All != Bits))
    return std::nullopt;
  if (Parts.size() > 1) {
    SmallVector<Operand, 4> Registers;
    for (const Operand &P : Parts)
      Registers.push_back(L.inRegister(P));
    Operand To = L.temporary(Class);
    L.emit(("mov." + bitsName(Class)).str(), {To, L.vector(Registers)});
    return To;
  }
  Operand From = Parts.front();
  if (All == Bits)
    return From;
  if (From.Kind == Kind::Integer) {
    if (From.Type == ScalarType::Pred)
      From.Bits &= 1;
    From.Type = Class;
    return From;
  }
  if (From.Kind != Kind::Register || Class == ScalarType::B128 ||
      Class == ScalarType::Pred)
    return std::nullopt;
  Operand To = L.temporary(Class);
  if (From.Type == ScalarType::Pred)
    L.emit(("selp." + bitsName(Class)).str(),
           {To, FunctionLowering::integer(1, Class),
            FunctionLowering::integer(0, Class), From});
  else
    L.emit(("cvt.u" + Twine(Bits) + ".u" + Twine(All)).str(), {To, From});
  return To;
}

void AsmLowering::fromClass(const Operand &From, ArrayRef<Operand> To) {
  std::string Type = bitsName(From.Type).str();
  if (To.size() > 1) {
    L.emit("mov." + Type, {L.vector(To), From});
  } else if (bitWidth(To.front().Type) == bitWidth(From.Type)) {
    L.move(To.front(), From);
  } else if (To.front().Type == ScalarType::Pred) {
    Operand Low = L.temporary(From.Type);
    L.emit("and." + Type, {Low, From, FunctionLowering::integer(1, From.Type)});
    L.emit("setp.ne." + Type,
           {To.front(), Low, FunctionLowering::integer(0, From.Type)});
  } else {
    L.emit(("cvt.u" + Twine(bitWidth(To.front().Type)) + ".u" +
            Twine(bitWidth(From.Type)))
               .str(),
           {To.front(), From});
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// An operand's constant that lies in a register, not in the text.
static const llvm::Constant *constantInRegister(const AsmOperand &O) {
  if (O.IsImmediate || O.Tied || !O.Class || !O.Argument)
    return nullptr;
  return isa<llvm::ConstantInt>(O.Argument) || isa<llvm::ConstantFP>(O.Argument)
             ? cast<llvm::Constant>(O.Argument)
             : nullptr;
}

Operand AsmLowering::constant(const llvm::Constant *C, ScalarType Class) {
  TakenConstant &Known = L.AsmConstants[{C, unsigned(Class)}];
  if (Known.Register.Kind != Kind::Register ||
      (Known.In && Known.In != I.getParent()))
    if (std::optional<Operand> O = toClass(L.components(C), Class))
      Known = {L.inRegister(*O), I.getParent()};
  return Known.Register;
}

void AsmLowering::takeConstants() {
  for (const AsmOperand &O : Operands)
    if (const llvm::Constant *C = constantInRegister(O)) {
      constant(C, *O.Class);
      L.AsmConstants[{C, unsigned(*O.Class)}].In = nullptr;
    }
}

void FunctionLowering::takeAsmConstants() {
  SmallVector<const llvm::CallBase *, 8> Calls;
  for (const llvm::Instruction &I : llvm::instructions(F))
    if (const auto *Call = dyn_cast<llvm::CallBase>(&I);
        Call && Call->isInlineAsm())
      Calls.push_back(Call);
  if (Calls.empty())
    return;
  llvm::DominatorTree DT(const_cast<llvm::Function &>(F));
  llvm::LoopInfo Loops(DT);
  for (const llvm::CallBase *Call : Calls)
    if (Loops.getLoopFor(Call->getParent()))
      AsmLowering(*this, *Call).takeConstants();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

ptx::Fragment *AsmLowering::parse() {
  std::optional<std::string> Text = asmText(Asm.getAsmString(), Operands);
  // The same text may stand for registers of other types.
  std::string Key;
  for (const AsmOperand &O : Operands)
    Key += char('a' + (O.Class ? unsigned(*O.Class) + 1 : 0));
  Key += ' ' + Text.value_or(Asm.getAsmString().str());
  ModuleLowering &Module = L.module();
  auto [It, IsNew] = Module.fragments().try_emplace(Key);
  if (IsNew) {
    Expected<std::unique_ptr<ptx::Fragment>> Made =
        Text ? parseAsm(Module, *Text, Operands)
             : llvm::createStringError("an operand of it is of a kind that "
                                       "PTX does not have");
    if (Made)
      It->second = std::move(*Made);
    else
      noteUnread(Module, I, Made.takeError());
  }
  return It->second.get();
}

/// Gives what is taken out of a struct of results the results' registers, if
/// it has some already: those of a phi.
void AsmLowering::defineResults() {
  auto *Struct = dyn_cast<llvm::StructType>(I.getType());
  if (!Struct || L.Values.contains(&I))
    return;
  SmallVector<Operand, 8> All;
  SmallVector<const llvm::ExtractValueInst *, 8> Taken = takenResults(I);
  for (unsigned N = 0; N != Struct->getNumElements(); ++N) {
    SmallVector<ScalarType, 4> Types;
    L.componentTypes(Struct->getElementType(N), Types);
    if (Taken[N] && L.Values.contains(Taken[N]))
      llvm::append_range(All, L.define(Taken[N]));
    else
      for (ScalarType T : Types)
        All.push_back(L.temporary(T));
  }
  L.Values[&I] = L.builder().keep(All);
}

void AsmLowering::placeResults() {
  defineResults();
  ArrayRef<Operand> Written = L.define(&I);
  llvm::Type *T = I.getType();
  unsigned Member = 0;
  for (auto [O, Place] : llvm::zip(Operands, Places)) {
    if (O.Argument || !O.Class)
      continue;
    SmallVector<ScalarType, 4> Types;
    L.componentTypes(T->isStructTy() ? T->getStructElementType(Member++) : T,
                     Types);
    ArrayRef<Operand> To = Written.take_front(Types.size());
    Written = Written.drop_front(To.size());
    if (To.size() == 1 && bitWidth(To[0].Type) == bitWidth(*O.Class)) {
      Place = To[0];
      continue;
    }
    Place = L.temporary(*O.Class);
    if (!To.empty())
      Converted.emplace_back(Place, To);
  }
}

bool AsmLowering::placeArguments() {
  for (auto [O, Place] : llvm::zip(Operands, Places)) {
    if (!O.Argument || !O.Class || O.IsImmediate)
      continue;
    if (O.NeedsStore || isa<llvm::UndefValue>(O.Argument)) {
      if (!O.Tied)
        Place = L.temporary(*O.Class);
      continue;
    }
    if (const llvm::Constant *C = constantInRegister(O)) {
      Place = constant(C, *O.Class);
    } else {
      std::optional<Operand> In = toClass(L.components(O.Argument), *O.Class);
      if (!In)
        return true;
      Place = O.Tied ? *In : L.inRegister(*In);
    }
    if (Place.Kind != Kind::Register && !O.Tied)
      return true;
  }
  return false;
}

/// A result that shares a phi's register must not be written while the text
/// still reads that register as another operand.
void AsmLowering::separate() {
  bool IsSingle = StringRef(Asm.getAsmString()).count(';') <= 1;
  for (unsigned Out = 0; Out != Operands.size(); ++Out) {
    if (Operands[Out].Argument || !Operands[Out].Class)
      continue;
    bool IsTied = false, IsRead = false;
    for (unsigned In = 0; In != Operands.size(); ++In) {
      bool Mine = Operands[In].Tied == Out;
      IsTied |= Mine;
      IsRead |= Operands[In].Argument && !Mine &&
                FunctionLowering::isSameRegister(Places[In], Places[Out]);
    }
    if (!IsRead || (IsSingle && !IsTied))
      continue;
    Operand Shared =
        std::exchange(Places[Out], L.temporary(*Operands[Out].Class));
    Converted.emplace_back(Places[Out], L.builder().keep(Shared));
  }
}

/// Copies arguments to the results whose registers the text has for both.
void AsmLowering::copyTied() {
  for (auto [O, Place] : llvm::zip(Operands, Places)) {
    if (!O.Tied)
      continue;
    Operand In = std::exchange(Place, Places[*O.Tied]);
    if (In.Kind != Kind::Sink && !FunctionLowering::isSameRegister(In, Place))
      L.move(Place, In);
  }
}

void AsmLowering::lower() {
  if (!Asm.hasSideEffects() && I.use_empty() && !I.getType()->isVoidTy())
    return;
  ptx::Fragment *Parsed = parse();
  bool Failed = !Parsed;
  if (Parsed) {
    placeResults();
    Failed = placeArguments();
  }
  if (!Failed) {
    separate();
    copyTied();
    SmallVector<unsigned, 8> Registers;
    for (auto [O, Place] : llvm::zip(Operands, Places))
      if (O.hasRegister())
        Registers.push_back(Place.RegisterIndex);
    Failed =
        Parsed->lower(L.builder(), Registers, {L.CurrentLine, L.CurrentSource});
  }
  if (Failed) {
    SmallVector<Operand, 8> Read;
    for (const llvm::Use &U : I.args())
      llvm::append_range(Read, L.components(U.get()));
    return L.emitUnknown("inline-asm", I, Read);
  }
  for (auto &[From, To] : Converted)
    fromClass(From, To);
  for (auto [O, Place] : llvm::zip(Operands, Places))
    if (O.NeedsStore)
      L.emit(("st." + bitsName(*O.Class)).str(),
             {L.address(O.Argument), Place});
}

void FunctionLowering::lowerInlineAsm(const llvm::CallBase &I) {
  AsmLowering(*this, I).lower();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

void ModuleLowering::noteModuleAsm() {
  if (!IR.getModuleInlineAsm().empty())
    Diags.note(SMLoc(), "the module's own inline assembly is not read");
}
