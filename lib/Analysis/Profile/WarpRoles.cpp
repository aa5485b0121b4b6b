//===- WarpRoles.cpp - Warps of a block with work of their own ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.13 (mbarrier), 9.7.9.25 (asynchronous copies), 9.7.16
// (tcgen05.commit).
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/WarpRoles.h"
#include "MBarrierUses.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;

namespace {

class RoleFinder {
public:
  RoleFinder(const SymbolicValues &V, const StaticProfile &P,
             const MatrixProducts &Matrices)
      : V(V), P(P), Matrices(Matrices) {}
  WarpRoles find();

private:
  void describe(WarpRole &Role, unsigned Number);
  void describe(WarpRole &Role, const FunctionCounts &F, double Warps);
  double numWarps(unsigned Role) const;
  RoleSet rolesOf(const Instruction &I) const;
  Estimate runsIn(unsigned Role, const Instruction &I) const;
  void addArray(ArrayRef<MBarrierUse> Uses);
  int fillsAs(unsigned Array) const;
  void findPipelines();
  void addPipeline(const RolePipeline &Pipeline);
  Estimate stepsOf(const RolePipeline &Pipeline) const;

  const SymbolicValues &V;
  const StaticProfile &P;
  const MatrixProducts &Matrices;
  WarpRoles Result;
  std::vector<std::vector<MBarrierUse>> UsesOf; ///< by number of the array
};

/// The counts of a role; of the whole launch where there is one role.
ArrayRef<std::unique_ptr<FunctionCounts>> functionsOf(const StaticProfile &P,
                                                      unsigned Role) {
  return P.Roles.empty() ? P.Functions : P.Roles[Role].Functions;
}

} // namespace

static const FunctionCounts *
functionOf(ArrayRef<std::unique_ptr<FunctionCounts>> Functions,
           const Instruction &I) {
  for (const auto &F : Functions)
    if (F->G == I.Parent->Parent)
      return F.get();
  return nullptr;
}

/// Executions in which a lane's guard holds, a sum over warps.
static Estimate runsOf(const FunctionCounts &F, const Instruction &I) {
  const GuardCounts *G = F.guard(I);
  return G ? G->Any : F.Blocks[I.Parent->Number].Runs;
}

static bool writesOutside(const Instruction &I) {
  return llvm::any_of(I.Effects, [](const MemoryEffect &E) {
    return E.Writes && E.Access != AccessKind::Atomic &&
           (E.Space == AddressSpace::Global ||
            (E.Space == AddressSpace::Generic &&
             E.Access == AccessKind::Store));
  });
}

static bool isCopy(const Instruction &I) {
  return I.Class == OpClass::Async &&
         llvm::any_of(I.Effects, [](const MemoryEffect &E) {
           return E.Reads != E.Writes;
         });
}

void RoleFinder::describe(WarpRole &Role, const FunctionCounts &F,
                          double Warps) {
  auto PerWarp = [Warps](const Estimate &Sum) { return Sum.scaled(1 / Warps); };
  F.G->forEachInstruction([&](const Instruction &I) {
    const Estimate Runs = PerWarp(runsOf(F, I));
    Role.Instructions += PerWarp(F.Blocks[I.Parent->Number].Runs);
    if (isCopy(I))
      Role.Copies += Runs;
    if (auto It = Matrices.find(&I); It != Matrices.end())
      Role.TensorMACs += Runs * It->second.MACs;
    if (writesOutside(I))
      Role.Stores += Runs;
    if (Opcode(I.Opcode) == Opcode::Setmaxnreg && Runs.Value > 0 &&
        !I.Operands.empty() && I.Operands[0].Kind == Operand::KindTy::Integer)
      Role.Registers = unsigned(I.Operands[0].Bits);
  });
  const auto &CF = F.G->analysis<ControlFlow>();
  const auto &Polls = F.G->analysis<PollingLoops>();
  for (unsigned N = 0; N != CF.cycles().size(); ++N) {
    const Block *Header = CF.cycles()[N].Header;
    const Estimate Runs = PerWarp(F.Blocks[Header->Number].Runs);
    if (Runs.Value > 0 && !Polls.of(N))
      Role.Loops.push_back({Header->Line, Runs});
  }
}

/// Those that the counts of a role are of: of one block, or of the launch where
/// there is one role.
double RoleFinder::numWarps(unsigned Role) const {
  const LaunchConfig &L = V.launch();
  return P.Roles.empty() ? double(L.blocks()) * double(L.warpsPerBlock())
                         : double(P.Roles[Role].numWarps());
}

void RoleFinder::describe(WarpRole &Role, unsigned Number) {
  const WorkClass *C = P.Roles.empty() ? nullptr : &P.Roles[Number];
  for (Estimate *E :
       {&Role.Instructions, &Role.Copies, &Role.TensorMACs, &Role.Stores})
    *E = Estimate::known(0);
  Role.Warps =
      C ? C->Warps : std::vector<WarpRange>{{0, V.launch().warpsPerBlock()}};
  for (const auto &F : functionsOf(P, Number))
    describe(Role, *F, numWarps(Number));
}

Estimate RoleFinder::runsIn(unsigned Role, const Instruction &I) const {
  const FunctionCounts *F = functionOf(functionsOf(P, Role), I);
  return F ? runsOf(*F, I) : Estimate::known(0);
}

RoleSet RoleFinder::rolesOf(const Instruction &I) const {
  RoleSet Roles;
  for (unsigned N = 0; N != Result.Roles.size(); ++N)
    if (runsIn(N, I).Value > 0)
      Roles.push_back(N);
  return Roles;
}

static void join(RoleSet &To, const RoleSet &Others) {
  for (unsigned R : Others)
    if (!llvm::is_contained(To, R))
      To.push_back(R);
  llvm::sort(To);
}

/// The number that all uses of a kind have; 0 if they do not agree.
static uint64_t commonNumber(ArrayRef<MBarrierUse> Uses,
                             MBarrierUse::KindTy Kind) {
  std::optional<uint64_t> Found;
  for (const MBarrierUse &U : Uses)
    if (U.Kind == Kind)
      Found = Found.value_or(U.Number) == U.Number ? U.Number : 0;
  return Found.value_or(0);
}

/// The bytes that a phase expects; 0 if nobody knows. Those of one barrier in
/// one block of the code are of one phase: they add up.
static uint64_t expectedBytes(ArrayRef<MBarrierUse> Uses) {
  llvm::MapVector<std::pair<const Block *, int64_t>, MBarrierUse> Phases;
  for (const MBarrierUse &U : Uses) {
    if (U.Kind != MBarrierUse::KindTy::Expect)
      continue;
    auto [It, IsFirst] = Phases.try_emplace({U.I->Parent, U.Offset}, U);
    if (IsFirst)
      continue;
    MBarrierUse &Sum = It->second;
    // Under another condition it may be the same one's other way.
    const bool Adds = Sum.I->Guard == U.I->Guard &&
                      Sum.I->GuardNegated == U.I->GuardNegated && Sum.Number &&
                      U.Number;
    Sum.Number = Adds ? llvm::SaturatingAdd(Sum.Number, U.Number) : 0;
  }
  SmallVector<MBarrierUse, 4> Sums;
  for (const auto &Phase : Phases)
    Sums.push_back(Phase.second);
  return commonNumber(Sums, MBarrierUse::KindTy::Expect);
}

void RoleFinder::addArray(ArrayRef<MBarrierUse> Uses) {
  MBarrierArray A;
  A.Place = Uses.front().Base->Name;
  if (const int64_t Offset = Uses.front().Offset)
    A.Place += (Offset < 0 ? " - " : " + ") + std::to_string(std::abs(Offset));
  A.Number = countMBarriers(Uses);
  A.Arrivals = commonNumber(Uses, MBarrierUse::KindTy::Init);
  A.Bytes = expectedBytes(Uses);
  const MBarrierUse *First = nullptr; // wait
  for (const MBarrierUse &U : Uses) {
    const RoleSet Roles = rolesOf(*U.I);
    switch (U.Kind) {
    case MBarrierUse::KindTy::Init:
      continue;
    case MBarrierUse::KindTy::Wait:
      join(A.Waiting, Roles);
      // In unrolled code the first wait is that of the first iteration.
      if (!First || U.I->Line < First->I->Line)
        First = &U;
      continue;
    case MBarrierUse::KindTy::Copy:
      A.IsOfCopies = true;
      break;
    case MBarrierUse::KindTy::Matrix:
      A.IsOfMatrices = true;
      break;
    case MBarrierUse::KindTy::Expect:
    case MBarrierUse::KindTy::Arrive:
      break;
    }
    A.IsOfCluster |= U.IsRemote;
    join(A.Arriving, Roles);
  }
  if (A.Arriving.empty() && A.Waiting.empty())
    return; // never used at this launch
  A.StartsFree = First && First->Parity == true;
  Result.Barriers.push_back(std::move(A));
  UsesOf.emplace_back(Uses.begin(), Uses.end());
}

/// How often a warp of the consumer waits for a stage.
Estimate RoleFinder::stepsOf(const RolePipeline &Pipeline) const {
  Estimate Sum = Estimate::known(0);
  for (const MBarrierUse &U : UsesOf[Pipeline.Full])
    if (U.Kind == MBarrierUse::KindTy::Wait)
      Sum += runsIn(Pipeline.Consumer, *U.I);
  return Sum.scaled(1 / numWarps(Pipeline.Consumer));
}

/// How surely arriving means that a buffer is full, and not free again. Copies
/// fill one, and so do matrices where it is not copies that wait for them. Of
/// plain arrivals those do that are waited for at first.
int RoleFinder::fillsAs(unsigned Array) const {
  const MBarrierArray &A = Result.Barriers[Array];
  if (A.IsOfCopies || llvm::any_of(UsesOf[Array], [](const MBarrierUse &U) {
        return U.Kind == MBarrierUse::KindTy::Expect;
      }))
    return 2;
  return A.IsOfMatrices ? 1 : A.StartsFree ? -1 : 0;
}

void RoleFinder::findPipelines() {
  const std::vector<MBarrierArray> &All = Result.Barriers;
  for (unsigned Full = 0; Full != All.size(); ++Full)
    for (unsigned Producer : All[Full].Arriving)
      for (unsigned Consumer : All[Full].Waiting) {
        RolePipeline L{Producer,     Consumer,         Full,
                       std::nullopt, All[Full].Number, Estimate()};
        for (unsigned Back = 0; Back != All.size() && !L.Empty; ++Back)
          if (Back != Full &&
              llvm::is_contained(All[Back].Arriving, Consumer) &&
              llvm::is_contained(All[Back].Waiting, Producer) &&
              All[Back].Number == All[Full].Number)
            L.Empty = Back;
        // Of two that lead back and forth the one that fills is named.
        const int As = fillsAs(Full);
        if (L.Empty) {
          if (std::pair(fillsAs(*L.Empty), Full) > std::pair(As, *L.Empty))
            continue;
        } else if (As <= 0 || (Producer == Consumer && !All[Full].IsOfCopies)) {
          continue;
        }
        L.Steps = stepsOf(L);
        Result.Pipelines.push_back(L);
      }
}

WarpRoles RoleFinder::find() {
  std::vector<MBarrierUse> Uses = findMBarrierUses(V);
  if (Uses.empty())
    return {};
  for (unsigned N = 0; N != std::max<size_t>(P.Roles.size(), 1); ++N)
    describe(Result.Roles.emplace_back(), N);
  for (MBarrierUse &U : Uses)
    for (unsigned R : rolesOf(*U.I))
      U.Roles |= 1u << std::min(R, 31u);
  for (ArrayRef<MBarrierUse> Array : arraysOf(Uses))
    addArray(Array);
  findPipelines();
  return std::move(Result);
}

WarpRoles ptxpredict::findWarpRoles(const SymbolicValues &V,
                                    const StaticProfile &P,
                                    const MatrixProducts &Matrices) {
  return RoleFinder(V, P, Matrices).find();
}
