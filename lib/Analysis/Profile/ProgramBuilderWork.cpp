//===- ProgramBuilderWork.cpp - Work that blocks share out as they run ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A persistent kernel takes tiles until there are none: an atomic operation or
// a schedule in memory says which comes next. How many a block gets depends on
// the timing, but all of them together get each tile once.
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Kind = Expression::KindTy;
using Ref = const Expression *;

/// Whether it takes the next one of something.
static bool takesNext(const Instruction *I) {
  return I && Opcode(I->Opcode) == Opcode::Atom &&
         (ptx::hasModifier(I->Modifiers, "add") ||
          ptx::hasModifier(I->Modifiers, "inc"));
}

/// Whether \p S comes from a schedule in memory outside of the SM.
static bool isScheduled(const Symbol &S) {
  return S.Reason == Symbol::ReasonTy::Load && S.From &&
         llvm::all_of(S.From->Effects, [](const MemoryEffect &E) {
           return E.Space == AddressSpace::Global ||
                  E.Space == AddressSpace::Generic;
         });
}

/// Whether a thread of the function takes the next one of something, or reads a
/// schedule if the launch says how much work there is, and hands it to the
/// others of its block.
bool ProgramBuilder::handsOverThroughShared(const CallContext &C) {
  auto [It, IsNew] = HandsOver.try_emplace(&C, false);
  if (!IsNew)
    return It->second;
  bool Found = false;
  C.V->graph().forEachInstruction([&](const Instruction &I) {
    const bool IsShared =
        I.Class == OpClass::Store && llvm::any_of(I.Effects, [](const auto &E) {
          return E.Space == AddressSpace::Shared && E.Writes;
        });
    if (!IsShared || Found)
      return;
    for (const Value *V : I.Uses)
      if (Ref X = C.V->of(V))
        Found |= llvm::any_of(X->Symbols, [&](Ref S) {
          return takesNext(S->Sym->From) ||
                 (Launch.Work && isScheduled(*S->Sym));
        });
  });
  return It->second = Found;
}

/// What a comparison leaves for \p X: the limit that it stays under, if this is
/// a number.
static std::optional<double> limitOf(Ref Condition, Ref X) {
  while (Condition->Kind == Kind::Not)
    Condition = Condition->Operands[0];
  if (Condition->Kind != Kind::ULess && Condition->Kind != Kind::SLess)
    return std::nullopt;
  auto [A, B] = std::make_pair(Condition->Operands[0], Condition->Operands[1]);
  if (A->isConstant())
    std::swap(A, B);
  const bool IsOfTile = A == X || (A->Kind == Kind::Sum && A->Operands[0] == X);
  if (!IsOfTile || !B->isConstant())
    return std::nullopt;
  // `limit - 1 < tile`, as a loop leaves that goes on below the limit.
  return double(B->Addend) + (B == Condition->Operands[0] ? 1 : 0);
}

/// Whether the loop does more with what \p Load brings than to ask whether it
/// is the last one.
static bool isWorkedOn(const Instruction &Load) {
  SmallVector<const Value *, 8> Seen(Load.Defs.begin(), Load.Defs.end());
  constexpr size_t Enough = 16;
  for (size_t N = 0; N != Seen.size() && N != Enough; ++N)
    for (const Instruction *User : Seen[N]->Users) {
      if (User->isPseudo())
        Seen.append(User->Defs.begin(), User->Defs.end());
      else if (User->Class != OpClass::Compare)
        return true;
    }
  return false;
}

/// Who each take a piece of the work that \p Tile stands for, in the launch; 0
/// if it stands for none.
double ProgramBuilder::takersOf(const CallContext &C, const Cycle &L,
                                const Symbol &Tile) {
  const double Blocks = double(Launch.blocks());
  if (takesNext(Tile.From))
    return Blocks * double(Launch.threadsPerBlock());
  if (Tile.Reason == Symbol::ReasonTy::CrossLane) {
    const Symbol *Data = dataBehind(Tile);
    return Data && takesNext(Data->From)
               ? Blocks * double(Launch.warpsPerBlock())
               : 0;
  }
  if (Tile.Reason != Symbol::ReasonTy::Load || !L.contains(Tile.From->Parent))
    return 0;
  const bool IsShared =
      llvm::all_of(Tile.From->Effects, [](const MemoryEffect &E) {
        return E.Space == AddressSpace::Shared;
      });
  if (IsShared ? handsOverThroughShared(C)
               : Launch.Work && isWorkedOn(*Tile.From))
    return Blocks;
  return 0;
}

/// What each of those who share the work of \p R does of it, if it is a loop
/// that takes tiles and the number of tiles is known.
std::optional<WorkShare> ProgramBuilder::findWorkShare(const CallContext &C,
                                                       const Region &R) {
  const Cycle &L = C.cycles()[size_t(R.Cycle)];
  if (L.ParentIndex >= 0)
    return std::nullopt;
  std::optional<WorkShare> Found;
  unsigned NumTiles = 0; // that an iteration takes
  for (const Guard *G : R.Exits) {
    Ref Condition = C.V->guard(*G->I);
    if (!Condition)
      continue;
    // Each taker finds once that there is nothing left.
    const bool IsLatch = llvm::is_contained(L.Latches, G->I->Parent);
    const double Last = IsLatch || R.TestsFirst ? 0 : 1;
    for (Ref S : Condition->Symbols) {
      const Symbol &Tile = *S->Sym;
      if (Tile.Kind != Symbol::KindTy::Opaque || !Tile.From)
        continue;
      // Who asks whether a block that has not started may be taken over.
      if (Opcode(Tile.From->Opcode) == Opcode::ClusterlaunchcontrolQueryCancel)
        return WorkShare{1, false};
      const double Takers = takersOf(C, L, Tile);
      if (Takers == 0)
        continue;
      std::optional<double> Tiles =
          Launch.Work ? Launch.Work : limitOf(Condition, S);
      if (!Tiles)
        continue;
      ++NumTiles;
      if (Found)
        break;
      // Threads of a warp take what is left one after the other.
      const bool IsExact = Launch.Work && !takesNext(Tile.From);
      const double Share = *Tiles / Takers;
      Found = {(IsExact ? Share : std::ceil(Share)) + Last, IsExact};
      break;
    }
  }
  // Of an unrolled loop the last iteration may take fewer.
  if (NumTiles > 1)
    Found = {std::max(1.0, Found->Bodies / NumTiles), false};
  return Found;
}
