//===- BarrierRecords.cpp - Which threads come to barriers ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BarrierRecords.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;

/// Blocks before a barrier in which the condition is looked for that parts the
/// threads.
static constexpr unsigned MostSteps = 1024;

StringRef ptxpredict::toString(BarrierMiss M) {
  switch (M) {
  case BarrierMiss::Perhaps:
    return "perhaps";
  case BarrierMiss::Fewer:
    return "fewer";
  case BarrierMiss::Lanes:
    return "lanes";
  case BarrierMiss::TooFew:
    return "too-few";
  }
  llvm_unreachable("all kinds are handled");
}

/// Rounding of shares aside.
static bool isLess(double A, double B) { return A < B * (1 - 1e-6); }

//===----------------------------------------------------------------------===//
// What is written down
//===----------------------------------------------------------------------===//

static BarrierPoint makePoint(const CallContext &C, const Instruction &I,
                              const LaunchConfig &Launch) {
  BarrierPoint P;
  P.I = &I;
  P.C = &C;
  P.IsArrival = ptx::hasModifier(I.Modifiers, "arrive");
  if (Opcode(I.Opcode) == Opcode::BarrierCluster) {
    P.Id = BarrierPoint::Cluster;
    return P;
  }
  P.IsAligned = Opcode(I.Opcode) == Opcode::Bar ||
                ptx::hasModifier(I.Modifiers, "aligned");
  auto Number = [&](const Operand &O) -> std::optional<uint64_t> {
    const Expression *X = C.V->of(I, O, 32);
    if (X && X->isConstant())
      return X->Addend;
    return std::nullopt;
  };
  // [d,] a [, b] [, p]: the predicate of a reduction stands last.
  SmallVector<const Operand *, 4> Sources;
  for (const Operand &O : I.Operands)
    if (O.Role != OperandRole::Write)
      Sources.push_back(&O);
  if (ptx::hasModifier(I.Modifiers, "red") && !Sources.empty())
    Sources.pop_back();
  if (!Sources.empty())
    P.Id = Number(*Sources[0]);
  P.HasCount = Sources.size() > 1;
  if (P.HasCount) {
    P.Count = Number(*Sources[1]);
    P.HasCount = P.IsArrival || P.Count != Launch.threadsPerBlock();
  }
  return P;
}

unsigned BarrierRecords::pointOf(const CallContext &C, const Instruction &I) {
  auto [It, IsNew] = PointOf.try_emplace({&C, &I}, Points.size());
  if (IsNew)
    Points.push_back(makePoint(C, I, Launch));
  return It->second;
}

void BarrierRecords::beginBlock(const Dim3 &Index) {
  BlockIndex = Index;
  Runs.clear();
  Arrivals.clear();
}

void BarrierRecords::beginWarps(uint64_t Run, uint32_t Lanes) {
  Runs.push_back({Run, Lanes});
}

void BarrierRecords::add(const Instance &At, const ActiveLanes &F,
                         const ActiveLanes &Alive, const Coming &How) {
  const Instruction &I = *At.I;
  // Who waits for the cluster has come to it before.
  if (IsPartial || Runs.empty() ||
      (Opcode(I.Opcode) == Opcode::BarrierCluster &&
       !ptx::hasModifier(I.Modifiers, "arrive")))
    return;
  const unsigned Number = pointOf(*At.C, I);
  const BarrierPoint &P = Points[Number];
  const bool Comes = F.Weight > 0;
  Arrivals.push_back({Number, unsigned(Runs.size() - 1), Comes ? F.Likely : 0,
                      F.May, How.Times, F.IsTypical,
                      F.Status == Status::Known});
  if (P.IsAligned && Comes && !F.IsTypical && !How.IsParted) {
    const uint32_t Living = Alive.Likely | F.Likely;
    if (Living != F.Likely)
      report(P, BarrierMiss::Lanes, unsigned(llvm::popcount(Living)),
             unsigned(llvm::popcount(F.Likely)));
  }
  if (F.PartedBy && !P.HasCount) {
    auto [It, IsNew] = Found.try_emplace(&I);
    if (IsNew) {
      It->second.I = &I;
      It->second.PartedBy = F.PartedBy;
    }
  }
}

//===----------------------------------------------------------------------===//
// What it says
//===----------------------------------------------------------------------===//

/// What sends threads elsewhere than to the barrier: the nearest condition
/// before it that differs within the block, in the functions that lead there.
const Instruction *BarrierRecords::partedBy(const BarrierPoint &P,
                                            bool &NeedsGrid) const {
  auto Parts = [&](const Instruction *T, const CallContext &C) {
    if (!T || !T->HasGuard)
      return false;
    const Expression *X = C.V->guard(*T);
    if (X && !(X->Varies & (VariesInWarp | VariesInBlock)))
      return false;
    NeedsGrid = X && Launch.GridIsAssumed &&
                llvm::any_of(X->Symbols, [](const Expression *S) {
                  return (S->Varies & VariesInGrid) != 0;
                });
    return true;
  };
  unsigned Steps = MostSteps;
  const Instruction *I = P.I;
  for (const CallContext *C = P.C; C; I = C->CalledAt, C = C->Caller) {
    if (Parts(I, *C)) // a guard of its own
      return I;
    const ControlFlow &CF = C->V->controlFlow();
    const Block *B = I->Parent;
    int N = C->cycleOf(B);
    for (const Block *D = B; D && Steps != 0; --Steps) {
      D = CF.immediateDominator(D);
      // Of a loop that is left the exits, which need not lie before it.
      for (; N >= 0 && (!D || !CF.cycles()[size_t(N)].contains(D));
           N = CF.cycles()[size_t(N)].ParentIndex)
        for (const Block *Exit : CF.cycles()[size_t(N)].ExitingBlocks)
          if (Parts(Exit->terminator(), *C))
            return Exit->terminator();
      if (D && !CF.postDominates(B, D) && Parts(D->terminator(), *C))
        return D->terminator();
    }
  }
  return nullptr;
}

void BarrierRecords::report(const BarrierPoint &P, BarrierMiss How,
                            uint64_t Threads, uint64_t Reaching) {
  BarrierReach &R = Found[P.I];
  if (R.I && R.Miss != BarrierMiss::Perhaps)
    return;
  R.I = P.I;
  R.Miss = How;
  R.NeedsGrid = false;
  R.PartedBy = partedBy(P, R.NeedsGrid);
  R.Block = BlockIndex;
  R.Threads = Threads;
  R.Reaching = Reaching;
}

ArrayRef<BarrierRecords::Arrival>
BarrierRecords::arrivalsAt(unsigned Point) const {
  auto [First, Last] = std::equal_range(
      Arrivals.begin(), Arrivals.end(),
      Arrival{Point, 0, 0, 0, 0, false, false},
      [](const Arrival &A, const Arrival &B) { return A.Point < B.Point; });
  return ArrayRef(Arrivals).slice(size_t(First - Arrivals.begin()),
                                  size_t(Last - First));
}

/// Adds how often threads come.
static void count(ArrayRef<BarrierRecords::Arrival> Arrivals,
                  BarrierRecords::ByThread &To) {
  for (const BarrierRecords::Arrival &A : Arrivals)
    for (unsigned L = 0; L != WarpSize; ++L) {
      if (!(A.May >> L & 1))
        continue;
      double Low = !A.IsTypical && A.Likely >> L & 1 ? A.Times : 0;
      To[A.Run][L].Low += Low;
      To[A.Run][L].High += A.IsTypical ? Infinity : Low;
    }
}

/// Barriers with one number for all threads of the block. A thread that comes
/// to none of them more often than another, and to all together less often,
/// leaves that one waiting. (Threads that come to different ones as often
/// are no mistake.) Where all is known, the sums alone say so.
void BarrierRecords::judge(ArrayRef<unsigned> Numbers) {
  ByThread All(Runs.size()); // at all of these points
  for (unsigned N : Numbers)
    count(arrivalsAt(N), All);
  struct Thread {
    size_t Run;
    unsigned Lane;
    const Often &in(const ByThread &Of) const { return Of[Run][Lane]; }
  };
  std::optional<Thread> Most, Fewest;
  for (size_t R = 0; R != Runs.size(); ++R)
    for (unsigned L = 0; L != WarpSize; ++L) {
      if (!(Runs[R].Lanes >> L & 1))
        continue;
      if (!Most || Most->in(All).Low < All[R][L].Low)
        Most = {R, L};
      if (!Fewest || Fewest->in(All).High > All[R][L].High)
        Fewest = {R, L};
    }
  if (!Most || !isLess(Fewest->in(All).High, Most->in(All).Low))
    return;
  bool ComesMore = false, IsKnown = true;
  for (unsigned N : Numbers) {
    ByThread Of(Runs.size());
    count(arrivalsAt(N), Of);
    ComesMore |= isLess(Most->in(Of).Low, Fewest->in(Of).High);
    IsKnown &= llvm::all_of(arrivalsAt(N), [](const Arrival &A) {
      return A.IsKnown && !A.IsTypical;
    });
  }
  if (ComesMore && !IsKnown)
    return;
  for (unsigned N : Numbers) {
    ByThread Of(Runs.size());
    count(arrivalsAt(N), Of);
    const double Full = Most->in(Of).Low;
    if (!isLess(Fewest->in(Of).High, Full))
      continue;
    uint64_t Threads = 0, Reaching = 0;
    for (size_t R = 0; R != Runs.size(); ++R)
      for (unsigned L = 0; L != WarpSize; ++L)
        if (Runs[R].Lanes >> L & 1) {
          Threads += Runs[R].Run;
          Reaching += isLess(Of[R][L].High, Full) ? 0 : Runs[R].Run;
        }
    report(Points[N], BarrierMiss::Fewer, Threads, Reaching);
  }
}

/// Barriers with one number for so many threads: at least as many must be able
/// to come. Whole warps count.
void BarrierRecords::judgeCounted(ArrayRef<unsigned> Numbers) {
  std::vector<bool> MayCome(Runs.size());
  std::optional<unsigned> Waiting;
  for (unsigned N : Numbers)
    for (const Arrival &A : arrivalsAt(N)) {
      MayCome[A.Run] = MayCome[A.Run] || A.IsTypical || A.Likely;
      if (A.Likely && !A.IsTypical && !Points[N].IsArrival)
        Waiting = Waiting.value_or(N);
    }
  uint64_t Threads = 0;
  for (size_t R = 0; R != Runs.size(); ++R)
    Threads += MayCome[R] ? Runs[R].Run * WarpSize : 0;
  if (Waiting && Threads < *Points[*Waiting].Count)
    report(Points[*Waiting], BarrierMiss::TooFew, *Points[*Waiting].Count,
           Threads);
}

void BarrierRecords::endBlock() {
  if (IsPartial || Arrivals.empty())
    return;
  llvm::stable_sort(Arrivals, [](const Arrival &A, const Arrival &B) {
    return A.Point < B.Point;
  });
  llvm::MapVector<uint64_t, SmallVector<unsigned, 4>> ById;
  for (unsigned N = 0; N != Points.size(); ++N) {
    if (!Points[N].Id)
      return; // it may be any of the others
    ById[*Points[N].Id].push_back(N);
  }
  for (const auto &Barrier : ById) {
    ArrayRef<unsigned> Numbers = Barrier.second;
    auto IsCounted = [&](unsigned N) { return Points[N].HasCount; };
    auto HasSame = [&](unsigned N) {
      return Points[N].Count && Points[N].Count == Points[Numbers[0]].Count;
    };
    if (llvm::none_of(Numbers, IsCounted))
      judge(Numbers);
    else if (llvm::all_of(Numbers, HasSame))
      judgeCounted(Numbers);
  }
}

std::vector<BarrierReach> BarrierRecords::take() const {
  std::vector<BarrierReach> All;
  if (IsPartial)
    return All;
  for (const auto &[I, R] : Found)
    All.push_back(R);
  llvm::stable_sort(All, [](const BarrierReach &A, const BarrierReach &B) {
    return A.I->Line < B.I->Line;
  });
  return All;
}
