//===- ProgramBuilderAlone.cpp - Functions that run by themselves ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Functions with unknown arguments follow calls of so many instructions in all
/// with the arguments of the call.
static constexpr unsigned CallsOfAlone = 50000;

/// Makes functions ready that are called with unknown arguments, callers before
/// what they call.
void ProgramBuilder::prepareAlone() {
  unsigned Left = CallsOfAlone;
  for (size_t Next = 0; Next != AloneFunctions.size();) { // it grows
    const InstructionGraph &G = *AloneFunctions[Next++];
    size_t First = Out.Contexts.size();
    auto V = std::make_unique<SymbolicValues>(
        G, G.analysis<ControlFlow>(), Launch, Kernel.expressions(),
        std::min(Left, CallsOfAlone / 10));
    CallContext *C = prepare(*V, 0);
    for (const auto &Callee : ArrayRef(Out.Contexts).drop_front(First + 1))
      Left -= std::min(Left, Callee->V->graph().NumInstructions);
    C->OwnValues = std::move(V);
    Alone[&G] = C;
    Out.HidesBarriers |= C->whole().HasBarrier;
  }
  orderAlone();
}

/// The functions that run by themselves which a context calls, or what it calls
/// in its own context.
static std::vector<const InstructionGraph *> callsOf(const CallContext &C) {
  std::vector<const InstructionGraph *> Calls;
  SmallVector<const CallContext *, 8> Work{&C};
  while (!Work.empty())
    for (const PreparedBlock &P : Work.pop_back_val()->Blocks)
      for (const Event &E : P.Events) {
        llvm::append_range(Work, E.Callees);
        llvm::append_range(Calls, E.Alone);
      }
  return Calls;
}

/// Orders these functions, callers first, and finds those that call themselves.
void ProgramBuilder::orderAlone() {
  // Depth first, with a stack of its own: chains of calls may be long.
  struct Frame {
    CallContext *C;
    std::vector<const InstructionGraph *> Calls;
  };
  enum : uint8_t { New, Open, Done };
  llvm::DenseMap<CallContext *, uint8_t> State;
  std::vector<const CallContext *> Order;
  for (const InstructionGraph *Root : AloneFunctions) {
    std::vector<Frame> Stack;
    auto Enter = [&](CallContext *C) {
      State[C] = Open;
      Stack.push_back({C, callsOf(*C)});
    };
    if (State.lookup(Alone[Root]) == New)
      Enter(Alone[Root]);
    while (!Stack.empty()) {
      if (Stack.back().Calls.empty()) {
        State[Stack.back().C] = Done;
        Order.push_back(Stack.back().C);
        Stack.pop_back();
        continue;
      }
      CallContext *To = Alone[Stack.back().Calls.back()];
      Stack.back().Calls.pop_back();
      if (State.lookup(To) == New) {
        Enter(To);
        continue;
      }
      // All functions of the circle call themselves.
      if (State.lookup(To) == Open)
        for (Frame &F : llvm::reverse(Stack)) {
          bool WasKnown = std::exchange(F.C->CallsItself, true);
          if (F.C == To || (WasKnown && F.C != Stack.back().C))
            break;
        }
    }
  }
  Out.AloneOrder.assign(Order.rbegin(), Order.rend());
}
