//===- DecidedRun.cpp - Counts of a run that nothing leaves open ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Dimensions are the block's indices and the loops' counters. Along each, a run
// of values is found for which every condition has the same sign in every
// lane. Comparisons of linear forms have it between two places at which they
// do, as long as nothing wraps around; others are looked at value by value.
//===----------------------------------------------------------------------===//
#include "DecidedRunImpl.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <numeric>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::decided;

/// Iterations after which a loop is taken not to end.
static constexpr uint64_t Endless = uint64_t(1) << 40;

//===----------------------------------------------------------------------===//
// The assignment
//===----------------------------------------------------------------------===//

static uint64_t *indexOf(Assignment &A, Symbol::Kind K) {
  switch (K) {
  case Symbol::Kind::BlockX:
    return &A.BlockIndex.X;
  case Symbol::Kind::BlockY:
    return &A.BlockIndex.Y;
  case Symbol::Kind::BlockZ:
    return &A.BlockIndex.Z;
  default:
    return nullptr;
  }
}

void RunCounter::set(const Quantity &Q, uint64_t V) {
  for (const Expression *S : Q)
    if (uint64_t *Index = indexOf(A, S->Sym->Which))
      *Index = V;
    else
      A.Values[S] = V;
}

uint64_t RunCounter::get(const Quantity &Q) const {
  if (Q.empty())
    return 0;
  if (uint64_t *Index = indexOf(const_cast<Assignment &>(A), Q[0]->Sym->Which))
    return *Index;
  return A.Values.lookup(Q[0]);
}

/// The sides of the region's comparisons, as the assignment has them.
static std::vector<Sides> sidesOf(Region &R, const Assignment &A) {
  R.Compared->run(A);
  std::vector<Sides> Found(R.Comparisons.size());
  for (unsigned N = 0; N != Found.size(); ++N)
    for (unsigned L = 0; L != WarpSize; ++L) {
      Found[N].Left[L] = R.Compared->lane(2 * N, L);
      Found[N].Right[L] = R.Compared->lane(2 * N + 1, L);
    }
  return Found;
}

/// How many values of \p Q from the present one on, \p Limit at most, leave all
/// comparisons of the region with the signs that they have.
uint64_t RunCounter::signRun(Region &R, const Quantity &Q, uint64_t Limit,
                             uint32_t Lanes) {
  if (Limit == 1 || llvm::none_of(R.Comparisons, [&](const Expression *E) {
        return dependsOn(*E, Q);
      }))
    return Limit;
  uint64_t First = get(Q);
  std::vector<Sides> From = sidesOf(R, A);
  uint64_t Run = longestRun(Limit, [&](uint64_t Steps) {
    set(Q, First + Steps);
    std::vector<Sides> To = sidesOf(R, A);
    Spent += R.Comparisons.size();
    for (auto [E, X, Y] : llvm::zip(R.Comparisons, From, To))
      if (dependsOn(*E, Q) && !keepsSign(*E, Q, X, Y, Steps, Lanes))
        return false;
    return true;
  });
  set(Q, First);
  return Run;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether the address is the linear form that its slopes say in the corners of
/// the present dimensions where it is largest and smallest: then nothing wraps
/// around between them.
bool RunCounter::isLinearHere(const Region &R, const Access &M,
                              const Instruction &I, uint32_t Lanes) {
  for (bool Largest : {true, false}) {
    bool MayWrap = false;
    uint64_t Expected = 0;
    SmallVector<uint64_t, 8> First;
    for (const Dimension &D : Dimensions) {
      Slope S = slopeOf(*M.Address, *D.Of);
      MayWrap |= S.MayWrap && D.Count > 1;
      First.push_back(get(*D.Of));
      if ((S.Value > 0) != Largest)
        continue;
      set(*D.Of, First.back() + D.Count - 1);
      Expected += uint64_t(S.Value) * (D.Count - 1);
    }
    LaneArray Corner{};
    if (MayWrap)
      Corner = evaluate(*M.Address, A);
    for (auto [D, V] : llvm::zip(Dimensions, First))
      set(*D.Of, V);
    if (!MayWrap)
      return true;
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1 && Corner[L] != R.Compiled->lane(M.Root, L) + Expected)
        return fail("its address wraps around", &I);
  }
  return true;
}

/// How often a sum has each residue modulo 128, with a term more that is
/// \p Step times a number below \p Count.
static void addTerm(std::array<uint64_t, 128> &Residues, uint64_t Step,
                    uint64_t Count) {
  Step %= 128;
  uint64_t Period = Step ? 128 / std::gcd<uint64_t>(Step, 128) : 1;
  std::array<uint64_t, 128> Sum{};
  for (uint64_t J = 0; J != std::min(Period, Count); ++J) {
    uint64_t Times = Count / Period + (J < Count % Period);
    for (unsigned R = 0; R != 128; ++R)
      if (Residues[R])
        Sum[(R + J * Step) % 128] += Residues[R] * Times;
  }
  Residues = Sum;
}

void RunCounter::countAccess(const Region &R, const Access &M, uint32_t Lanes,
                             MemoryProfile &Out) {
  // What a request costs repeats every 128 bytes of its address.
  std::array<uint64_t, 128> Residues{};
  Residues[0] = 1;
  uint64_t Counted = 1;
  for (const Dimension &D : Dimensions) {
    addTerm(Residues, uint64_t(slopeOf(*M.Address, *D.Of).Value), D.Count);
    Counted *= D.Count;
  }
  uint64_t Others = Multiple / Counted; // dimensions without a symbol
  WarpAccess W;
  W.Active = Lanes & M.Lanes;
  W.BytesPerLane = M.Bytes;
  for (unsigned Residue = 0; Residue != 128; ++Residue) {
    uint64_t Times = Residues[Residue] * Others;
    if (Times == 0)
      continue;
    for (unsigned L = 0; L != WarpSize; ++L) {
      W.Address[L] = R.Compiled->lane(M.Root, L) + Residue;
      // The 32 lanes' copies of a word of local memory lie side by side.
      if (M.Space == AddressSpace::Local)
        W.Address[L] = W.Address[L] * WarpSize + uint64_t(L) * W.BytesPerLane;
    }
    Out.Requests += Times;
    Out.Lanes += Times * unsigned(llvm::popcount(W.Active));
    if (M.Space == AddressSpace::Shared) {
      Out.SharedRequests += Times;
      Out.Wavefronts += Times * countWavefronts(W);
      continue;
    }
    Out.Sectors += Times * countSectors(W);
    Out.Lines += Times * countLines(W);
    unsigned Old[] = {countCC10(W).Count, countCC12(W).Count,
                      countCC20(W).Count};
    for (unsigned N = 0; N != 3; ++N)
      Out.Transactions[N] += Times * Old[N];
  }
}

//===----------------------------------------------------------------------===//
// A warp's way through the code
//===----------------------------------------------------------------------===//

static uint32_t maskOf(const CompiledExpressions &C, unsigned Root) {
  if (C.isScalar(Root))
    return C.lane(Root, 0) & 1 ? ~0u : 0;
  uint32_t Mask = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    Mask |= uint32_t(C.lane(Root, L) & 1) << L;
  return Mask;
}

static uint32_t activeLanes(const Region &R, const Instruction &I,
                            uint32_t Lanes) {
  return I.HasGuard ? Lanes & maskOf(*R.Compiled, R.Guards.lookup(&I)) : Lanes;
}

bool RunCounter::runInstructions(Context &C, Region &R, const Block &B,
                                 uint32_t Lanes) {
  if (Now != Pass::Count && !R.HasCalls)
    return true;
  for (const Instruction *I : B.Instructions) {
    if (I->isPseudo())
      continue;
    uint32_t Active = activeLanes(R, *I, Lanes);
    if (Context *To = Active && I->IsCall ? C.Callees.lookup(I) : nullptr) {
      Context &Callee = *To;
      ExitMasks Exits;
      uint32_t Back = 0;
      if (Now == Pass::FindRuns)
        limitAxes(Callee.Regions.back(), Active, 1);
      if (!runRegion(Callee, Callee.Regions.back(), Active, Exits, Back))
        return false;
      R.Compiled->run(A);
    }
    if (Now != Pass::Count)
      continue;
    InstructionProfile &P = (*C.Counts)[I->Id];
    P.Executions += Multiple;
    P.Lanes += Multiple * unsigned(llvm::popcount(Active));
    if (I->IsTerminator && !I->IsExit) {
      P.Taken += Multiple * unsigned(llvm::popcount(Active));
      P.Jumps += Multiple * (Active != 0);
      P.Divergent += Multiple * (Active != 0 && Active != Lanes);
    }
    auto It = R.Accesses.find(I);
    if (It == R.Accesses.end() || !Active)
      continue;
    if (!P.Memory)
      P.Memory.emplace();
    for (const Access &M : It->second) {
      if (!isLinearHere(R, M, *I, Active))
        return false;
      countAccess(R, M, Active, *P.Memory);
    }
  }
  return true;
}

/// Runs the blocks of a region once. Lanes that leave it are added to \p Exits,
/// those that go back to its header to \p Back.
bool RunCounter::runRegion(Context &C, Region &R, uint32_t Lanes,
                           ExitMasks &Exits, uint32_t &Back) {
  if (!spend(R))
    return false;
  R.Compiled->run(A);
  const ControlFlow &CF = C.V->controlFlow();
  const Block *Header = R.Items.front().B;
  for (const Region::Item &Item : R.Items)
    C.Arrived[Item.B->Number] = 0;
  C.Arrived[Header->Number] = Lanes;
  auto Send = [&](const Block *To, uint32_t Mask) {
    if (!Mask)
      return;
    if (R.Cycle >= 0 && To == Header) {
      Back |= Mask;
      return;
    }
    int In = CF.innermostCycle(To);
    if (In != R.Cycle && In >= 0 && CF.cycles()[size_t(In)].Header == To)
      In = CF.cycles()[size_t(In)].ParentIndex; // a loop directly in it
    if (In == R.Cycle) {
      C.Arrived[To->Number] |= Mask;
      return;
    }
    for (auto &[B, M] : Exits)
      if (B == To) {
        M |= Mask;
        return;
      }
    Exits.push_back({To, Mask});
  };
  for (const Region::Item &Item : R.Items) {
    uint32_t Here = C.Arrived[Item.B->Number];
    if (!Here)
      continue;
    if (Item.Inner >= 0) {
      ExitMasks Left;
      if (!runLoop(C, C.Regions[size_t(Item.Inner)], Here, Left))
        return false;
      R.Compiled->run(A); // exit counts have changed
      for (auto [B, M] : Left)
        Send(B, M);
      continue;
    }
    const Block &B = *Item.B;
    if (!runInstructions(C, R, B, Here))
      return false;
    const Instruction *T = B.terminator();
    uint32_t Taken = T ? activeLanes(R, *T, Here) : Here;
    if (B.Successors.empty())
      continue;
    if (!T || !T->IsExit)
      Send(B.Successors.front(), Taken);
    if (Taken != Here)
      Send(B.Successors.back(), Here & ~Taken);
  }
  return true;
}

/// Where the lanes go from one iteration, without counting anything.
bool RunCounter::peek(Context &C, Region &R, uint32_t Lanes, uint32_t &Back) {
  Pass Former = std::exchange(Now, Pass::Peek);
  ExitMasks Ignored;
  bool Good = runRegion(C, R, Lanes, Ignored, Back);
  Now = Former;
  return Good;
}

/// Notes in which iteration lanes have left the loop.
void RunCounter::leaveLoop(const Region &R, uint32_t Lanes, uint64_t K) {
  for (const Expression *S : R.ExitCount) {
    if (S->isUniform()) {
      A.Values[S] = K; // who is left leaves later, and sets it then
      continue;
    }
    LaneArray &Values = A.LaneValues[S];
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1)
        Values[L] = K;
  }
}

bool RunCounter::runLoop(Context &C, Region &R, uint32_t Lanes,
                         ExitMasks &Exits) {
  uint64_t K = 0;
  for (uint32_t Active = Lanes; Active;) {
    set(R.Counter, K);
    uint64_t Run = R.CanRun ? signRun(R, R.Counter, Endless, Active) : 1;
    uint32_t Back = 0;
    if (Run != 1) { // lanes that leave now do not come again
      if (!peek(C, R, Active, Back))
        return false;
      if (Back != Active)
        Run = 1;
      Back = 0;
    }
    if (Run == Endless)
      return fail("a loop does not end", C.V->graph().Blocks.empty()
                                             ? nullptr
                                             : R.Items.front().B->terminator());
    if (Now == Pass::FindRuns)
      limitAxes(R, Active, Run);
    Dimensions.push_back({&R.Counter, Run});
    Multiple *= Run;
    bool Good = runRegion(C, R, Active, Exits, Back);
    Multiple /= Run;
    Dimensions.pop_back();
    if (!Good)
      return false;
    leaveLoop(R, Active & ~Back, K);
    Active = Back;
    K += Run;
  }
  set(R.Counter, 0);
  return true;
}

/// Shortens the runs of blocks to those in which the region's conditions stay
/// as they are here, in the first and the last of so many iterations.
void RunCounter::limitAxes(Region &R, uint32_t Lanes, uint64_t Iterations) {
  for (Axis &X : Axes) {
    if (X.Index.empty())
      continue;
    X.Run = signRun(R, X.Index, X.Run, Lanes);
    if (Iterations == 1)
      continue;
    uint64_t K = get(R.Counter);
    set(R.Counter, K + Iterations - 1);
    X.Run = signRun(R, X.Index, X.Run, Lanes);
    set(R.Counter, K);
  }
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

bool RunCounter::runBlock() {
  Context &C = *Contexts.front();
  uint64_t Threads = Launch.threadsPerBlock();
  for (uint64_t W = 0; W != Launch.warpsPerBlock(); ++W) {
    A.Warp = W;
    uint64_t Here = std::min<uint64_t>(WarpSize, Threads - W * WarpSize);
    auto Lanes = uint32_t((uint64_t(1) << Here) - 1);
    if (Now == Pass::FindRuns)
      limitAxes(C.Regions.back(), Lanes, 1);
    ExitMasks Exits;
    uint32_t Back = 0;
    if (!runRegion(C, C.Regions.back(), Lanes, Exits, Back))
      return false;
  }
  return true;
}

bool RunCounter::runGrid() {
  struct Run {
    uint64_t First, Count;
  };
  struct Row {
    Run Y;
    std::vector<Run> X;
  };
  auto Start = [&](unsigned N, uint64_t First) {
    Axes[N].Run = Axes[N].CanRun ? Axes[N].Extent - First : 1;
  };
  uint64_t RunZ = 0;
  for (uint64_t Z = 0; Z != Axes[2].Extent; Z += RunZ) {
    std::vector<Row> Rows;
    Now = Pass::FindRuns;
    Start(2, Z);
    for (uint64_t Y = 0; Y != Axes[1].Extent; Y += Rows.back().Y.Count) {
      Row &R = Rows.emplace_back();
      Start(1, Y);
      for (uint64_t X = 0; X != Axes[0].Extent; X += R.X.back().Count) {
        Start(0, X);
        A.BlockIndex = {X, Y, Z};
        if (!runBlock())
          return false;
        R.X.push_back({X, Axes[0].Run});
      }
      R.Y = {Y, Axes[1].Run};
    }
    RunZ = Axes[2].Run;
    Now = Pass::Count;
    for (const Row &R : Rows)
      for (const Run &X : R.X) {
        A.BlockIndex = {X.First, R.Y.First, Z};
        uint64_t Extents[] = {X.Count, R.Y.Count, RunZ};
        Dimensions.clear();
        Multiple = 1;
        for (unsigned N = 0; N != 3; ++N) {
          Multiple *= Extents[N];
          if (!Axes[N].Index.empty())
            Dimensions.push_back({&Axes[N].Index, Extents[N]});
        }
        if (!runBlock())
          return false;
      }
  }
  return true;
}

DecidedRun RunCounter::count() {
  DecidedRun Result;
  if (prepare(Kernel, 0) && findExitCounts()) {
    findAxes();
    forEachRegion([&](Region &R) { Budget += PassesAllowed * R.cost(); });
    if (runGrid())
      Result.Counts.emplace();
  }
  if (!Result.Counts) {
    Result.Why = Why;
    Result.Where = Where;
    return Result;
  }
  KernelProfile &K = *Result.Counts;
  K.Name = Kernel.graph().Name.str();
  K.Grid = Launch.Grid;
  K.Block = Launch.Block;
  K.Cluster = Launch.Cluster;
  K.DynamicSharedBytes = Launch.DynamicSharedBytes;
  K.Blocks = K.BlocksInGrid = Launch.blocks();
  K.Warps = Launch.blocks() * Launch.warpsPerBlock();
  K.Threads = Launch.blocks() * Launch.threadsPerBlock();
  for (const InstructionGraph *G : Functions)
    G->forEachInstruction([&, &Of = *Counts[G]](const Instruction &I) {
      InstructionProfile &P = Of[I.Id];
      P.Function = G->Name.str();
      P.Id = I.Id;
      P.Line = I.Line;
      P.Opcode = I.Mnemonic.str();
      K.Instructions.push_back(std::move(P));
    });
  return Result;
}

DecidedRun ptxpredict::countDecidedRun(const Values &V,
                                       const LaunchConfig &Launch,
                                       uint64_t Budget) {
  return RunCounter(V, Launch, Budget).count();
}
