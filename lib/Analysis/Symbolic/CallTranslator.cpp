//===- CallTranslator.cpp - Parameters and calls --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CallTranslator.h"
#include "ExpressionsImpl.h"
#include "ValueBuilder.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

//===----------------------------------------------------------------------===//
// Parameters of the kernel
//===----------------------------------------------------------------------===//

/// Whether \p V is the base of an address: through sums, copies, cvta and local
/// variables, within a few steps. An index is scaled on its way and does not
/// count.
bool CallTranslator::reachesAddress(const Value *V) const {
  SmallVector<const Value *, 8> Work{V};
  for (size_t N = 0; N != Work.size() && Work.size() < 32; ++N)
    for (const Instruction *User : Work[N]->Users) {
      for (const MemoryEffect &M : User->Effects) {
        const Operand &A = User->Operands[M.AddressOperand];
        if (!A.Elements.empty() &&
            A.Elements[0].Kind == Operand::KindTy::Register &&
            A.Elements[0].Val == Work[N])
          return true;
      }
      Opcode Op = Opcode(User->Opcode);
      if (!User->isPseudo() && Op == Opcode::Cvta)
        return true;
      bool IsAddend = User->isPseudo() || Op == Opcode::Add ||
                      Op == Opcode::Mov ||
                      (Op == Opcode::Mad && User->Operands.size() == 4 &&
                       User->Operands[3].Kind == Operand::KindTy::Register &&
                       User->Operands[3].Val == Work[N]);
      ArrayRef<Mem2Reg::Element> Slots;
      if (Values.slots() && !User->isPseudo())
        Slots = Values.slots()->elements(*User);
      if (Slots.size() == 1 && Slots[0].After)
        Work.push_back(Slots[0].After);
      else if (IsAddend || Slots.size() == 1)
        Work.append(User->Defs.begin(), User->Defs.end());
    }
  return false;
}

/// A parameter's bits where the launch gives it as a number.
static std::optional<uint64_t> givenBits(const Parameter &P,
                                         const ArgumentValue &A) {
  switch (A.Kind) {
  case ArgumentValue::KindTy::Buffer:
  case ArgumentValue::KindTy::TensorMap:
    return std::nullopt;
  case ArgumentValue::KindTy::Float:
    if (P.Type == ScalarType::F64)
      return llvm::bit_cast<uint64_t>(A.Float);
    if (P.Type == ScalarType::F32)
      return llvm::bit_cast<uint32_t>(float(A.Float));
    return std::nullopt;
  case ArgumentValue::KindTy::Integer:
    // The same number, in the form that the parameter has.
    if (P.Type == ScalarType::F64)
      return llvm::bit_cast<uint64_t>(double(A.Integer));
    if (P.Type == ScalarType::F32)
      return llvm::bit_cast<uint32_t>(float(A.Integer));
    return uint64_t(A.Integer);
  }
  return std::nullopt;
}

/// What the launch gives for \p P; null for nothing, and for an array.
static const ArgumentValue *givenFor(const Parameter &P,
                                     const InstructionGraph &G,
                                     const LaunchConfig &Launch) {
  auto It = Launch.Args.find(unsigned(&P - G.Parameters.data()));
  return It != Launch.Args.end() && P.Elements == 1 ? &It->second : nullptr;
}

/// Bytes of \p P where the launch gives them as numbers: parts before the
/// whole.
static std::optional<uint64_t> givenBytes(const Parameter &P, uint64_t Offset,
                                          uint64_t Bytes,
                                          const InstructionGraph &G,
                                          const LaunchConfig &Launch) {
  const uint64_t All = llvm::maskTrailingOnes<uint64_t>(unsigned(8 * Bytes));
  LaunchConfig::GivenBytes Parts;
  if (!Launch.Parts.empty())
    Parts = Launch.partBytes(unsigned(&P - G.Parameters.data()), Offset, Bytes);
  if (Parts.Known == All)
    return Parts.Bits;
  if (Parts.Known != Parts.Given)
    return std::nullopt;
  const ArgumentValue *Given = givenFor(P, G, Launch);
  if (!Given || Offset + Bytes > P.Bytes || P.Bytes > 8)
    return std::nullopt;
  std::optional<uint64_t> Whole = givenBits(P, *Given);
  if (!Whole)
    return std::nullopt;
  return (*Whole >> (8 * Offset) & ~Parts.Known) | Parts.Bits;
}

/// The alignment in bytes of the address that \p I loads from \p P at \p
/// Offset, or 1.
uint64_t CallTranslator::alignOf(const Parameter &P, uint64_t Offset,
                                 const Instruction &I) const {
  const InstructionGraph &G = Values.graph();
  const ArgumentValue *Given =
      Values.launch().bufferAt(unsigned(&P - G.Parameters.data()), Offset);
  if (!Given)
    Given = givenFor(P, G, Values.launch());
  uint64_t Align = 1;
  if (Given && Given->Kind == ArgumentValue::KindTy::Buffer)
    Align = Given->BufferAlign;
  else if (P.PointerAlign)
    Align = std::max<uint64_t>(P.PointerAlign, PointerAlignment);
  else if (P.PointerSpace || llvm::any_of(I.Defs, [this](const Value *V) {
             return reachesAddress(V);
           }))
    Align = PointerAlignment;
  return llvm::isPowerOf2_64(Align) ? Align : 1;
}

Ref CallTranslator::kernelParameter(const Parameter &P, uint64_t Offset,
                                    unsigned Bits, const Instruction &I) const {
  const InstructionGraph &G = Values.graph();
  if (std::optional<uint64_t> Given =
          givenBytes(P, Offset, Bits / 8, G, Values.launch()))
    return E.constant(Bits, *Given);
  Symbol S;
  S.Kind = Symbol::KindTy::Parameter;
  S.Varies = VariesNowhere;
  S.Name = P.shownName().str() + (Offset ? "+" + std::to_string(Offset) : "");
  S.Context = &P;
  S.Number = P.Offset + Offset;
  S.Max = maskOf(Bits);
  if (Bits == G.Parent->AddressBits)
    S.Align = alignOf(P, Offset, I);
  return E.symbol(Bits, std::move(S));
}

//===----------------------------------------------------------------------===//
// Loads and stores of parameters
//===----------------------------------------------------------------------===//

/// What the pieces have at that offset; null if not all of it is known.
Ref CallTranslator::pieceAt(ArrayRef<ParameterPiece> Pieces, uint64_t Offset,
                            unsigned Width) const {
  for (const ParameterPiece &P : Pieces) {
    if (!P.E || P.E->Width == 1)
      continue;
    uint64_t Bytes = P.E->Width / 8;
    // A part of a piece: the lowest byte comes first.
    if (Offset >= P.Offset && Offset + Width / 8 <= P.Offset + Bytes)
      return E.trunc(E.lshr(P.E, 8 * (Offset - P.Offset)), Width);
  }
  // Two halves, each perhaps of several pieces.
  unsigned Half = Width / 2;
  if (Half < 8)
    return nullptr;
  Ref Low = pieceAt(Pieces, Offset, Half),
      High = Low ? pieceAt(Pieces, Offset + Half / 8, Half) : nullptr;
  return High ? E.add(E.zext(Low, Width), E.shl(E.zext(High, Width), Half))
              : nullptr;
}

/// What an address is in the parameter space: a variable or parameter and a
/// constant offset.
static const Operand *parameterBase(const Operand &Address) {
  if (Address.Elements.size() != 1)
    return nullptr;
  const Operand *O = Address.Elements.data();
  // `mov.b64 %rd1, p;` before.
  while (O->Kind == Operand::KindTy::Register && O->Val->Def &&
         !O->Val->Def->isPseudo() &&
         Opcode(O->Val->Def->Opcode) == Opcode::Mov &&
         O->Val->Def->Operands.size() == 2)
    O = &O->Val->Def->Operands[1];
  return O->Kind == Operand::KindTy::Parameter ||
                 O->Kind == Operand::KindTy::Variable
             ? O
             : nullptr;
}

/// The elements of a vector; the operand itself if it is none.
static ArrayRef<Operand> elementsOf(const Operand &O) {
  return O.Kind == Operand::KindTy::Vector ? O.Elements : ArrayRef<Operand>(O);
}

Ref CallTranslator::argument(const Value &V) const {
  Ref X = nullptr;
  if (V.IsArgument && Site)
    for (const FormalRegister &F : Values.graph().FormalRegisters)
      if (!F.IsReturn && F.Register == V.Register &&
          F.Position < Site->Arguments.size())
        X = pieceAt(Site->Arguments[F.Position], 0, bitWidth(V.Type));
  return X;
}

/// What the variable or parameter \p Base holds at that offset; null if nobody
/// knows.
Ref CallTranslator::parameterAt(const Operand &Base, uint64_t Offset,
                                unsigned Bits, const Instruction &I) const {
  if (Base.Kind == Operand::KindTy::Variable) {
    auto It = Stored.find(Base.Var);
    return It == Stored.end() ? nullptr : pieceAt(It->second, Offset, Bits);
  }
  const Parameter &P = *Base.Param;
  if (Values.graph().IsKernel)
    return kernelParameter(P, Offset, Bits, I);
  if (Site && !P.IsReturn && P.Position < Site->Arguments.size())
    return pieceAt(Site->Arguments[P.Position], Offset, Bits);
  return nullptr;
}

bool CallTranslator::loadParameter(const InstructionView &View,
                                   const Operand &Address) {
  const Instruction &I = View.instruction();
  const Operand *Base = parameterBase(Address);
  std::optional<ScalarType> T = View.type();
  if (!Base || !T || bitWidth(*T) > 64 || Address.integer() < 0)
    return false;
  unsigned Bits = bitWidth(*T);
  ArrayRef<Operand> To = elementsOf(I.Operands[0]);
  for (size_t N = 0; N != To.size(); ++N) {
    uint64_t Offset = uint64_t(Address.integer()) + N * (Bits / 8);
    Values.define(To[N], parameterAt(*Base, Offset, Bits, I),
                  kindOf(*T) == TypeKind::Signed);
  }
  if (!Values.areAllFound(I.Defs)) {
    bool IsReturn = Base->Kind == Operand::KindTy::Variable;
    Values.setOpaque(
        I, IsReturn ? Symbol::ReasonTy::Call : Symbol::ReasonTy::Argument,
        VariesEverywhere);
  }
  return true;
}

void CallTranslator::storeParameter(const InstructionView &View) {
  const Instruction &I = View.instruction();
  const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
  const Operand *Base = parameterBase(Address);
  std::optional<ScalarType> T = View.type();
  if (!Base || Base->Kind != Operand::KindTy::Variable)
    return;
  ParameterPieces &Pieces = Stored[Base->Var];
  if (!T || bitWidth(*T) > 64 || Address.integer() < 0 || I.Guard) {
    Pieces.clear();
    return;
  }
  ArrayRef<Operand> Elements = elementsOf(I.Operands[1]);
  unsigned Bits = bitWidth(*T);
  for (size_t N = 0; N != Elements.size(); ++N) {
    uint64_t Offset = uint64_t(Address.integer()) + N * (Bits / 8);
    llvm::erase_if(Pieces, [&](const ParameterPiece &P) {
      return P.Offset < Offset + Bits / 8 &&
             Offset < P.Offset + (P.E ? P.E->Width / 8 : 8);
    });
    Ref X = View.operand(Elements[N], Bits);
    Pieces.push_back({Offset, X ? E.resize(X, Bits, false) : nullptr});
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What a call passes as \p O.
ParameterPieces CallTranslator::pieces(const Instruction &I,
                                       const Operand &O) const {
  if (O.Kind == Operand::KindTy::Variable) {
    auto It = Stored.find(O.Var);
    return It == Stored.end() ? ParameterPieces() : It->second;
  }
  if (O.Kind == Operand::KindTy::Register || O.Kind == Operand::KindTy::Special)
    return {ParameterPiece{0, Values.operand(I, O, 32)}};
  if (O.Kind == Operand::KindTy::Integer)
    return {ParameterPiece{0, E.constant(64, O.Bits)}};
  return {};
}

/// The one block where the function ends; null if there are several ways out.
static const Block *onlyExit(const InstructionGraph &G) {
  const Block *Last = nullptr;
  for (const Block *B : G.Blocks) {
    const Instruction *T = B->terminator();
    if (!T || !T->IsExit)
      continue;
    if (Last || T->Guard)
      return nullptr;
    Last = B;
  }
  return Last;
}

/// What the last block of a function stores to its return parameters, by
/// position. Empty where that cannot be told.
static std::vector<ParameterPieces> returnedBy(const SymbolicValues &V) {
  const InstructionGraph &G = V.graph();
  std::vector<ParameterPieces> Result;
  const Block *Last = onlyExit(G);
  if (!Last)
    return {};
  for (const Parameter &P : G.Parameters)
    if (P.IsReturn && P.Position >= Result.size())
      Result.resize(P.Position + 1);
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      if (I->Effects.empty() || I->Effects[0].Space != AddressSpace::Param ||
          I->Effects[0].Access != AccessKind::Store)
        continue;
      const Operand &Address = I->Operands[I->Effects[0].AddressOperand];
      const Operand *Base = parameterBase(Address);
      if (Base && Base->Kind != Operand::KindTy::Parameter)
        continue;
      size_t Dot = I->Modifiers.rfind('.');
      std::optional<ScalarType> T =
          parseScalarType(I->Modifiers.drop_front(Dot + 1));
      if (!Base || B != Last || I->Guard || !T || Address.integer() < 0 ||
          bitWidth(*T) > 64)
        return {};
      ArrayRef<Operand> Elements = elementsOf(I->Operands[1]);
      unsigned Bits = bitWidth(*T);
      for (size_t N = 0; N != Elements.size(); ++N) {
        Ref X = V.of(*I, Elements[N], Bits);
        Result[Base->Param->Position].push_back(
            {uint64_t(Address.integer()) + N * (Bits / 8),
             X ? V.expressions().resize(X, Bits, false) : nullptr});
      }
    }
  return Result;
}

/// Whether \p F has a body that is no part of the calls at hand, and is small
/// enough for what is left of the budget.
bool CallTranslator::mayEnter(const InstructionGraph *F) const {
  constexpr unsigned MaxDepth = 8;
  return F && F->Memory && !F->Blocks.empty() && !F->IsKernel &&
         !llvm::is_contained(Tree.Stack, F) && Tree.Stack.size() <= MaxDepth &&
         F->NumInstructions <= Tree.Budget;
}

/// Finds the values of the function that \p Call calls.
const SymbolicValues &CallTranslator::enter(const Instruction &Call,
                                            ArrayRef<Operand> Arguments) {
  const InstructionGraph &F = *Call.callee();
  Tree.Budget -= F.NumInstructions;
  auto [Slots, IsNew] = Tree.Slots.try_emplace(&F);
  if (IsNew && Mem2Reg::appliesTo(F))
    Slots->second = std::make_shared<Mem2Reg>(F, F.analysis<ControlFlow>());
  CallSite Next{Values, {}, Slots->second};
  for (const Operand &O : Arguments)
    Next.Arguments.push_back(pieces(Call, O));
  StageTimer Timer(Stage::SymbolicValues);
  SymbolicValues &Callee = Values.addCallee(Call);
  CalleeWrites[&Call] = ValueBuilder(Callee, Tree, &Next).run();
  Values.noteContexts(Call);
  return Callee;
}

void CallTranslator::call(const Instruction &Call) {
  const Operand *Arguments = nullptr, *Returns = nullptr;
  for (const Operand &O : Call.Operands) {
    if (O.Role == OperandRole::Write && !Returns)
      Returns = &O;
    else if (O.Role == OperandRole::Read && !Arguments &&
             O.Kind != Operand::KindTy::Function)
      Arguments = &O;
  }
  auto Each = [](const Operand *O) {
    return !O                                 ? ArrayRef<Operand>()
           : O->Kind == Operand::KindTy::List ? O->Elements
                                              : ArrayRef<Operand>(*O);
  };
  ArrayRef<Operand> To = Each(Returns);
  // What a call returns replaces what was stored there.
  for (const Operand &O : To)
    if (O.Kind == Operand::KindTy::Variable)
      Stored.erase(O.Var);
  if (!mayEnter(Call.callee()))
    return;
  const SymbolicValues &Callee = enter(Call, Each(Arguments));
  if (Call.Guard)
    return;
  std::vector<ParameterPieces> Returned = returnedBy(Callee);
  for (size_t N = 0; N < std::min(To.size(), Returned.size()); ++N)
    if (To[N].Kind == Operand::KindTy::Variable)
      Stored[To[N].Var] = Returned[N];
    else if (To[N].Kind == Operand::KindTy::Register)
      Values.define(To[N], pieceAt(Returned[N], 0, bitWidth(To[N].Val->Type)));
}
