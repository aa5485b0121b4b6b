//===- SymbolicValues.cpp - What each register holds, as an expression ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "BlockTickets.h"
#include "BufferLoads.h"
#include "ExpressionsImpl.h"
#include "SpecialRegisters.h"
#include "ValueBuilder.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Support/TimeReport.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Ref = const Expression *;

//===----------------------------------------------------------------------===//
// Symbols and loops
//===----------------------------------------------------------------------===//

/// Behind a loop whose lanes leave at different times, what the loop computed
/// differs between lanes: another symbol, with the loop's depth above the
/// number.
static constexpr unsigned LeftShift = 48;

unsigned SymbolicValues::loopOf(const Symbol &S) {
  return unsigned(S.Number & ((uint64_t(1) << LeftShift) - 1));
}

int SymbolicValues::cycleOf(const Symbol &S) const {
  if (S.Context == this)
    return S.Cycle;
  auto It = CycleOfContext.find(S.Context);
  return It == CycleOfContext.end() ? -1 : It->second;
}

bool SymbolicValues::isWithin(int Inner, int Outer) const {
  while (Inner > Outer)
    Inner = CF.cycles()[unsigned(Inner)].ParentIndex;
  return Inner == Outer;
}

bool SymbolicValues::isInvariant(Ref X, unsigned Cycle) const {
  return llvm::none_of(X->Symbols, [&](Ref S) {
    return S->Sym->Reason == Symbol::ReasonTy::TooLarge ||
           isWithin(cycleOf(*S->Sym), int(Cycle));
  });
}

Ref SymbolicValues::loopSymbol(Symbol::KindTy K, unsigned Cycle,
                               unsigned Width) const {
  const ptxpredict::Cycle &C = CF.cycles()[Cycle];
  bool IsExit = K == Symbol::KindTy::ExitCount;
  Symbol S;
  S.Kind = K;
  S.Varies = IsExit ? ExitVaries[Cycle] : uint8_t(VariesNowhere);
  StringRef Label = C.Header->Label;
  Label.consume_front("$");
  S.Name =
      Prefix + (IsExit ? "exit(" : "iter(") +
      (Label.empty() ? "line " + std::to_string(C.Header->Line) : Label.str()) +
      ")";
  S.Context = this;
  S.Cycle = IsExit ? C.ParentIndex : int(Cycle);
  S.Number = Cycle;
  return E.symbol(Width, std::move(S));
}

Ref SymbolicValues::counter(unsigned Cycle, unsigned Width) const {
  return loopSymbol(Symbol::KindTy::Counter, Cycle, Width);
}
Ref SymbolicValues::exitCount(unsigned Cycle, unsigned Width) const {
  if (std::optional<uint64_t> Number = ExitCounts[Cycle])
    return E.constant(Width, *Number & maskOf(Width));
  return loopSymbol(Symbol::KindTy::ExitCount, Cycle, Width);
}

/// What a symbol of a loop becomes when the loop is left.
Ref SymbolicValues::symbolOutside(Ref S, unsigned Cycle) const {
  const Symbol &Inside = *S->Sym;
  int Own = cycleOf(Inside);
  if (Own < 0 || !isWithin(Own, int(Cycle)))
    return S;
  if (Inside.Kind == Symbol::KindTy::Counter && Inside.Context == this)
    return exitCount(unsigned(Inside.Number), S->Width);
  if ((Inside.Varies | ExitVaries[Cycle]) == Inside.Varies)
    return S;
  Symbol Outside = Inside;
  Outside.Varies |= ExitVaries[Cycle];
  Outside.Number += uint64_t(CF.cycles()[Cycle].Depth) << LeftShift;
  return E.symbol(S->Width, std::move(Outside));
}

/// What \p V is in \p B, where \p Leave takes an expression out of a loop.
Ref SymbolicValues::readIn(
    const Value *V, const Block *B,
    llvm::function_ref<Ref(Ref, unsigned Cycle)> Leave) const {
  Ref X = ByValue[V->Id];
  if (!X || !V->Def || X->Symbols.empty())
    return X;
  ArrayRef<Cycle> Cycles = CF.cycles();
  int Own = CF.innermostCycle(V->Def->Parent);
  if (Own == CF.innermostCycle(B))
    return X;
  for (int C = Own; C >= 0 && !Cycles[unsigned(C)].contains(B);
       C = Cycles[unsigned(C)].ParentIndex)
    X = Leave(X, unsigned(C));
  return X;
}

Ref SymbolicValues::at(const Value *V, const Block *B) const {
  return readIn(V, B, [this](Ref X, unsigned C) {
    return E.substitute(
        X, [&](Ref S) { return symbolOutside(S, C); }, LeaveMemos[C]);
  });
}

Ref SymbolicValues::guard(const Instruction &I) const {
  if (!I.Guard)
    return E.boolean(true);
  Ref P = at(I.Guard, I.Parent);
  return I.GuardNegated ? E.bitNot(P) : P;
}

const SymbolicValues *SymbolicValues::callee(const Instruction &Call) const {
  auto It = Calls.find(&Call);
  return It == Calls.end() ? nullptr : It->second.get();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The address of a variable or parameter.
Ref SymbolicValues::variable(const Operand &O, unsigned Width) const {
  Symbol S;
  S.Kind = Symbol::KindTy::Address;
  S.Varies = VariesNowhere;
  if (O.Kind == Operand::KindTy::Variable) {
    S.Name = O.Var->Name.str();
    S.Align = std::max<uint64_t>(O.Var->Align, 1);
    // The window of all shared memory: its upper half and a place within are an
    // address to machine code.
    if (G.Assembled && O.Var->Space == AddressSpace::Shared && Width > 32)
      S.Align = uint64_t(1) << 32;
    S.Number = reinterpret_cast<uintptr_t>(O.Var);
    S.Var = O.Var;
    if (O.Var->Space == AddressSpace::Local)
      S.Context = this; // each call has its own
  } else {
    S.Name = O.Param->shownName().str();
    S.Align = std::max<uint64_t>(O.Param->Align, 1);
    S.Number = reinterpret_cast<uintptr_t>(O.Param);
  }
  if (!llvm::isPowerOf2_64(S.Align))
    S.Align = 1;
  return E.symbol(Width, std::move(S));
}

/// What \ref of says, where \p Read tells what a register holds.
Ref SymbolicValues::operand(const Instruction &I, const Operand &O,
                            unsigned Width,
                            llvm::function_ref<Ref(const Value *)> Read) const {
  using K = Operand::KindTy;
  switch (O.Kind) {
  case K::Register: {
    Ref X = Read(O.Role == OperandRole::ReadWrite && O.In ? O.In : O.Val);
    return X && O.Negated && X->Width == 1 ? E.bitNot(X) : X;
  }
  case K::Integer:
  case K::Float32:
  case K::Float64:
    return E.constant(Width, O.Bits);
  case K::Special: {
    Ref X = specialRegister(*this, O.Name, Width, I);
    return O.Negated && Width == 1 ? E.bitNot(X) : X;
  }
  case K::Variable:
  case K::Parameter:
    return variable(O, Width);
  case K::Address: {
    if (O.Elements.size() > 1) // coordinates
      return nullptr;
    unsigned Bits = G.Parent ? G.Parent->AddressBits : 64;
    if (O.Elements.empty())
      return E.constant(Bits, O.Bits);
    Ref Base = operand(I, O.Elements[0], Bits, Read);
    return Base && Base->Width != 1
               ? E.add(Base, E.constant(Base->Width, O.Bits))
               : nullptr;
  }
  default:
    return nullptr;
  }
}

Ref SymbolicValues::of(const Instruction &I, const Operand &O,
                       unsigned Width) const {
  return operand(I, O, Width, [&](const Value *V) { return at(V, I.Parent); });
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

SymbolicValues::SymbolicValues(const InstructionGraph &Graph,
                               const ControlFlow &Flow, const LaunchConfig &L,
                               Expressions &Ex, std::string NamePrefix)
    : G(Graph), CF(Flow), Launch(L), E(Ex), Prefix(std::move(NamePrefix)),
      ExitVaries(CF.cycles().size(), VariesEverywhere),
      ExitCounts(CF.cycles().size()), LeaveMemos(CF.cycles().size()) {}

SymbolicValues::SymbolicValues(const InstructionGraph &Graph,
                               const ControlFlow &Flow, const LaunchConfig &L,
                               Expressions &Ex, unsigned CallBudget)
    : SymbolicValues(Graph, Flow, L, Ex, CallBudget,
                     BufferLoads::find(Graph, Flow, L, CallBudget),
                     /*FindsTickets=*/true) {}

SymbolicValues::SymbolicValues(const InstructionGraph &Graph,
                               const ControlFlow &Flow, const LaunchConfig &L,
                               Expressions &Ex, unsigned CallBudget,
                               std::shared_ptr<const BufferLoads> Loads,
                               bool FindsTickets)
    : SymbolicValues(Graph, Flow, L, Ex, std::string()) {
  Contents = std::move(Loads);
  if (FindsTickets)
    Tickets = BlockTickets::find(G, CF, L, CallBudget, Contents);
  StageTimer Timer(Stage::SymbolicValues);
  CallTree Tree(CallBudget);
  ValueBuilder(*this, Tree, nullptr).run();
}

SymbolicValues::~SymbolicValues() = default;

const BufferContents *SymbolicValues::contentsOf(const Instruction &I) const {
  const BufferLoad *L = Contents ? Contents->of(I) : nullptr;
  return L && L->IsDecided ? L->Given->Contents.get() : nullptr;
}

ArrayRef<TicketPlace> SymbolicValues::tickets() const {
  return Tickets ? Tickets->places() : ArrayRef<TicketPlace>();
}

bool SymbolicValues::hasContents() const {
  return Contents && Contents->numDecided() != 0;
}
