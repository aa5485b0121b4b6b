//===- SymbolicValuesCalls.cpp - Parameters and calls ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "SymbolicValuesImpl.h"
#include "llvm/ADT/bit.h"

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
bool ValueBuilder::reachesAddress(const Value *V) const {
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
      if (Out.Locals && !User->isPseudo())
        Slots = Out.Locals->elements(*User);
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

Ref ValueBuilder::kernelParameter(const Parameter &P, uint64_t Offset,
                                  unsigned Bits, const Instruction &At) const {
  auto Given = Launch.Args.find(unsigned(&P - G.Parameters.data()));
  bool IsGiven = Given != Launch.Args.end() && P.Elements == 1;
  if (IsGiven && Offset + Bits / 8 <= P.Bytes && P.Bytes <= 8)
    if (std::optional<uint64_t> Whole = givenBits(P, Given->second))
      return E.constant(Bits, *Whole >> (8 * Offset));
  Symbol S;
  S.Kind = Symbol::KindTy::Parameter;
  S.Varies = VariesNowhere;
  S.Name = P.shownName().str() + (Offset ? "+" + std::to_string(Offset) : "");
  S.Context = &P;
  S.Number = P.Offset + Offset;
  S.Max = maskOf(Bits);
  if (Bits == G.Parent->AddressBits) {
    if (IsGiven && Given->second.Kind == ArgumentValue::KindTy::Buffer)
      S.Align = Given->second.BufferAlign;
    else if (P.PointerAlign)
      S.Align = std::max<uint64_t>(P.PointerAlign, PointerAlignment);
    else if (P.PointerSpace || llvm::any_of(At.Defs, [this](const Value *V) {
               return reachesAddress(V);
             }))
      S.Align = PointerAlignment;
    if (!llvm::isPowerOf2_64(S.Align))
      S.Align = 1;
  }
  return E.symbol(Bits, std::move(S));
}

/// What the pieces have at that place; null if not all of it is known.
Ref ValueBuilder::pieceAt(ArrayRef<ParameterPiece> Pieces, uint64_t Offset,
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

bool ValueBuilder::loadParameter(const Instruction &At, const Operand &Address,
                                 ArrayRef<const Operand *> To) {
  const Operand *Base = parameterBase(Address);
  std::optional<ScalarType> T = parseScalarType(Modifiers.back());
  if (!Base || !T || bitWidth(*T) > 64 || Address.integer() < 0)
    return false;
  unsigned Bits = bitWidth(*T);
  bool Signed = kindOf(*T) == TypeKind::Signed;
  for (size_t N = 0; N != To.size(); ++N) {
    uint64_t Offset = uint64_t(Address.integer()) + N * (Bits / 8);
    Ref X = nullptr;
    if (Base->Kind == Operand::KindTy::Variable) {
      auto It = Stored.find(Base->Var);
      if (It != Stored.end())
        X = pieceAt(It->second, Offset, Bits);
    } else if (G.IsKernel) {
      X = kernelParameter(*Base->Param, Offset, Bits, At);
    } else if (From && !Base->Param->IsReturn &&
               Base->Param->Position < From->Arguments.size()) {
      X = pieceAt(From->Arguments[Base->Param->Position], Offset, Bits);
    }
    define(*To[N], X, Signed);
  }
  if (llvm::any_of(At.Defs,
                   [&](const Value *D) { return !Out.ByValue[D->Id]; })) {
    bool IsReturn = Base->Kind == Operand::KindTy::Variable;
    setOpaque(At,
              IsReturn ? Symbol::ReasonTy::Call : Symbol::ReasonTy::Argument,
              VariesEverywhere);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void ValueBuilder::storeParameter(const Instruction &At) {
  const Operand &Address = At.Operands[At.Effects[0].AddressOperand];
  const Operand *Base = parameterBase(Address);
  std::optional<ScalarType> T = parseScalarType(Modifiers.back());
  if (!Base || Base->Kind != Operand::KindTy::Variable)
    return;
  ParameterPieces &Pieces = Stored[Base->Var];
  if (!T || bitWidth(*T) > 64 || Address.integer() < 0 || At.Guard) {
    Pieces.clear();
    return;
  }
  const Operand &Source = At.Operands[1];
  ArrayRef<Operand> Elements = Source.Kind == Operand::KindTy::Vector
                                   ? Source.Elements
                                   : ArrayRef<Operand>(Source);
  unsigned Bits = bitWidth(*T);
  for (size_t N = 0; N != Elements.size(); ++N) {
    uint64_t Offset = uint64_t(Address.integer()) + N * (Bits / 8);
    llvm::erase_if(Pieces, [&](const ParameterPiece &P) {
      return P.Offset < Offset + Bits / 8 &&
             Offset < P.Offset + (P.E ? P.E->Width / 8 : 8);
    });
    Ref X = Out.of(At, Elements[N], Bits);
    Pieces.push_back({Offset, X ? E.resize(X, Bits, false) : nullptr});
  }
}

/// What a call passes as \p O.
ParameterPieces ValueBuilder::pieces(const Instruction &At,
                                     const Operand &O) const {
  if (O.Kind == Operand::KindTy::Variable) {
    auto It = Stored.find(O.Var);
    return It == Stored.end() ? ParameterPieces() : It->second;
  }
  if (O.Kind == Operand::KindTy::Register || O.Kind == Operand::KindTy::Special)
    return {ParameterPiece{0, Out.of(At, O, 32)}};
  if (O.Kind == Operand::KindTy::Integer)
    return {ParameterPiece{0, E.constant(64, O.Bits)}};
  return {};
}

std::vector<ParameterPieces> ptxpredict::returnedBy(const SymbolicValues &V) {
  const InstructionGraph &G = V.graph();
  std::vector<ParameterPieces> Result;
  const Block *Last = nullptr;
  for (const Block *B : G.Blocks) {
    const Instruction *T = B->terminator();
    if (!T || !T->IsExit)
      continue;
    if (Last || T->Guard) // several ways out
      return {};
    Last = B;
  }
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
      const Operand &Source = I->Operands[1];
      ArrayRef<Operand> Elements = Source.Kind == Operand::KindTy::Vector
                                       ? Source.Elements
                                       : ArrayRef<Operand>(Source);
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

/// Looks into the function that is called, if that ends soon.
void ValueBuilder::call(const Instruction &At) {
  constexpr unsigned MaxDepth = 8;
  const InstructionGraph *F = At.callee();
  const Operand *Arguments = nullptr, *Returns = nullptr;
  for (const Operand &O : At.Operands) {
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
  // What a call returns replaces what was stored there.
  for (const Operand &O : Each(Returns))
    if (O.Kind == Operand::KindTy::Variable)
      Stored.erase(O.Var);
  if (!F || !F->Memory || F->Blocks.empty() || F->IsKernel)
    return;
  SymbolicValues::Caller Next;
  Next.Budget = From ? From->Budget : &RootBudget;
  Next.Known = From ? From->Known : &RootKnown;
  if (From)
    Next.Stack = From->Stack;
  Next.Stack.push_back(&G);
  if (llvm::is_contained(Next.Stack, F) || Next.Stack.size() > MaxDepth ||
      *Next.Budget < F->NumInstructions)
    return;
  *Next.Budget -= F->NumInstructions;
  Next.From = &Out;
  Next.Call = &At;
  for (const Operand &O : Each(Arguments))
    Next.Arguments.push_back(pieces(At, O));
  SymbolicValues::Call &C = Out.Calls[&At];
  SymbolicValues::Function &Known = (*Next.Known)[F];
  if (!Known.CF) {
    Known.CF = std::make_shared<ControlFlow>(*F);
    if (Mem2Reg::appliesTo(*F))
      Known.Locals = std::make_shared<Mem2Reg>(*F, *Known.CF);
  }
  C.Callee = Known;
  C.Result.reset(new SymbolicValues(*F, *C.Callee.CF, Launch, E, Next));
  int Cycle = CF.innermostCycle(At.Parent);
  Out.CycleOfContext[C.Result.get()] = Cycle;
  for (const auto &Inner : C.Result->CycleOfContext)
    Out.CycleOfContext[Inner.first] = Cycle;
  if (At.Guard)
    return;
  std::vector<ParameterPieces> Returned = returnedBy(*C.Result);
  ArrayRef<Operand> To = Each(Returns);
  for (size_t N = 0; N < std::min(To.size(), Returned.size()); ++N)
    if (To[N].Kind == Operand::KindTy::Variable)
      Stored[To[N].Var] = Returned[N];
    else if (To[N].Kind == Operand::KindTy::Register)
      define(To[N], pieceAt(Returned[N], 0, bitWidth(To[N].Val->Type)));
}
