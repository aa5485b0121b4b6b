//===- DivergentBranch.cpp - Branches that split warps --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BranchRegions.h"
#include "Rules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <utility>

using namespace ptxpredict;

/// Of all instructions of a warp: what splitting must cost to matter.
static constexpr double LeastShare = 0.01;
/// Blocks that are looked at for all branches together, for each block.
static constexpr size_t VisitsPerBlock = 32;

namespace {

/// A block, by the numbers of its function and in it.
using BlockNumber = std::pair<uint32_t, uint32_t>;

/// The branches of one place in the source, and what warps would be spared if
/// they did not split there: of each block that they decide about a share of
/// the executions.
struct SplitPlace {
  const BranchCharacteristics *Worst; ///< that splits most warps
  llvm::MapVector<BlockNumber, double> Spared;
  std::array<double, NumSchedClasses> Work{}; ///< executions per warp by kind
  double Instructions = 0;
  llvm::DenseMap<InstructionKeys::Key, double> ShareOf; ///< of memory

  void add(uint32_t Function, ArrayRef<SparedBlock> Blocks) {
    for (const SparedBlock &S : Blocks) {
      double &Share = Spared[{Function, S.Block}];
      Share = std::max(Share, S.Share);
    }
  }
  void sum(const DependenceSummary &S, const InstructionKeys &Keys);
};

} // namespace

using BlocksByBranch =
    llvm::DenseMap<InstructionKeys::Key, SmallVector<BlockNumber, 1>>;

/// The blocks that end in a branch that splits warps.
static BlocksByBranch findBranches(const DependenceSummary &S,
                                   const InstructionKeys &Keys) {
  BlocksByBranch Found;
  for (uint32_t N = 0; N != S.Functions.size(); ++N) {
    const FunctionDependence &F = S.Functions[N];
    for (uint32_t B = 0; B != F.Blocks.size(); ++B)
      if (F.Blocks[B].IsBranch && F.Blocks[B].Both > 0)
        Found[Keys.of(F.Instructions[F.Blocks[B].EndInstruction - 1])]
            .emplace_back(N, B);
  }
  return Found;
}

/// Whether instructions of that kind may be among the memory instructions.
static bool mayAccessMemory(SchedClass Kind) {
  switch (classOf(Kind)) {
  case OpClass::Int:
  case OpClass::Fp16:
  case OpClass::Fp32:
  case OpClass::Fp64:
  case OpClass::Sfu:
  case OpClass::Tensor:
  case OpClass::Convert:
  case OpClass::Compare:
  case OpClass::Logic:
  case OpClass::Move:
  case OpClass::Control:
    return false;
  default:
    return true;
  }
}

void SplitPlace::sum(const DependenceSummary &S, const InstructionKeys &Keys) {
  for (const auto &[Block, Share] : Spared) {
    const FunctionDependence &F = S.Functions[Block.first];
    const IssuedBlock &B = F.Blocks[Block.second];
    double Runs = B.Runs * F.Entries * Share;
    for (uint32_t I = B.FirstInstruction; I != B.EndInstruction; ++I) {
      const IssuedInstruction &Inst = F.Instructions[I];
      Work[unsigned(Inst.Result)] += Runs;
      Instructions += Runs;
      if (mayAccessMemory(Inst.Result))
        ShareOf[Keys.of(Inst)] = Share;
    }
  }
}

static void takeOut(KernelVariant &V, const KernelCharacteristics &K,
                    const SplitPlace &Split, const InstructionKeys &Keys) {
  for (unsigned Kind = 0; Kind != NumSchedClasses; ++Kind)
    if (Split.Work[Kind] > 0)
      V.removeWork(SchedClass(Kind), Split.Work[Kind]);
  for (size_t I = 0; I != K.Memory.size(); ++I) {
    auto It = Split.ShareOf.find(Keys.of(K.Memory[I].Place));
    if (It == Split.ShareOf.end())
      continue;
    MemoryCharacteristics &M = V.memory(I);
    M.Requests = M.Requests.scaled(1 - It->second);
  }
}

/// Of the launch one warp alone splits, such as the one in which the data end:
/// there is no other one whose lanes could take a side with it.
static bool isOfOneWarp(const BranchCharacteristics &B,
                        const KernelCharacteristics &K) {
  const double Warps =
      double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
  return B.Divergent->Status < Status::Assumed && !isGridAssumed(K) &&
         B.Divergent->Value * Warps <= 1 + 1e-6;
}

/// The branches that split warps, those that do it most often first.
static std::vector<const BranchCharacteristics *>
splittingBranches(const KernelCharacteristics &K) {
  std::vector<const BranchCharacteristics *> Branches;
  for (const BranchCharacteristics &B : K.Branches)
    if (B.Divergent && B.Divergent->Value > 0 && B.Executions.Value > 0 &&
        !isOfOneWarp(B, K))
      Branches.push_back(&B);
  llvm::stable_sort(Branches, [](const auto *A, const auto *B) {
    return A->Executions.Value * A->Divergent->Value >
           B->Executions.Value * B->Divergent->Value;
  });
  return Branches;
}

/// Whether one lane alone accesses memory in what warps are spared: it does
/// what one must, such as writing a block's result, and no other lane has that
/// side.
static bool isOfOneLane(const KernelCharacteristics &K, const SplitPlace &Split,
                        const InstructionKeys &Keys) {
  double Most = 0;
  for (const MemoryCharacteristics &M : K.Memory)
    if (M.Requests.Value > 0 && Split.ShareOf.count(Keys.of(M.Place)))
      Most = std::max(Most, M.ActiveLanes.High);
  return Most > 0 && Most <= 1;
}

static Finding describe(const Rule &R, LintContext &C,
                        const SplitPlace &Split) {
  const BranchCharacteristics &B = *Split.Worst;
  double Share = Split.Instructions / C.kernel().Instructions.Value;
  Finding F = C.start(R, {B.Line, B.Source, {}});
  const bool IsOpen = isOpen(*B.Divergent, 0);
  const std::string Splits = percent(B.Divergent->Value) +
                             (IsOpen ? "" : howKnown(B.Divergent->Status)) +
                             " of " + shortNumber(B.Executions.Value) +
                             " executions ";
  const std::string Costs = "about " + percent(Share) +
                            " of its instructions are for half of the lanes";
  // Nobody knows the condition: at best no warp splits.
  if (IsOpen) {
    F.Level = Severity::Note;
    F.Message = "it is unknown whether this splits the warp: if " + Splits +
                "do, so that it runs each side while the other's lanes wait, " +
                Costs;
  } else {
    F.Message = Splits +
                "split the warp, which then runs each side while the other's "
                "lanes wait: " +
                Costs;
  }
  F.add("divergent_fraction", B.Divergent->Value);
  F.add("executions", B.Executions.Value);
  F.add("instructions_spared", Split.Instructions);
  F.add("how_known", toString(B.Divergent->Status));
  F.Help =
      "let all threads of a warp take the same side: decide by "
      "threadIdx.x / 32 or by block, sort the work by its side, or compute "
      "both sides and select; where the data's edge decides, let blocks fit "
      "the data";
  return F;
}

void ptxpredict::checkDivergentBranch(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  std::vector<const BranchCharacteristics *> Branches = splittingBranches(K);
  if (Branches.empty() || K.Instructions.Value <= 0)
    return;
  const DependenceSummary &S = K.Dependence.Summary;
  const InstructionKeys Keys(S);
  BlocksByBranch Blocks = findBranches(S, Keys);
  for (const LoopCharacteristics &L : K.Loops)
    if (L.Recurrence && !L.WaitsFor.empty())
      for (const InstructionPlace &I : L.Recurrence->Instructions)
        Blocks.erase(Keys.of(I.Place)); // who polls is not done sooner
  std::vector<std::optional<BranchRegions>> Regions(S.Functions.size());
  size_t Budget = 0;
  for (const FunctionDependence &F : S.Functions)
    Budget += VisitsPerBlock * F.Blocks.size();

  std::vector<std::shared_ptr<SplitPlace>> Places;
  llvm::StringMap<size_t> ByPlace;
  for (const BranchCharacteristics *B : Branches) {
    auto It = Blocks.find(Keys.of(B->Line, B->Source));
    if (It == Blocks.end())
      continue;
    auto [Known, IsNew] = ByPlace.try_emplace(
        B->Source.empty() ? std::to_string(B->Line) : B->Source, Places.size());
    if (IsNew) {
      Places.push_back(std::make_shared<SplitPlace>());
      Places.back()->Worst = B;
    }
    // The first of the branches with this key stands for all of them.
    for (auto [Function, Block] : std::exchange(It->second, {})) {
      if (!Regions[Function])
        Regions[Function].emplace(S.Functions[Function]);
      Places[Known->second]->add(Function,
                                 Regions[Function]->spared(Block, Budget));
    }
  }

  std::vector<PricedFinding> Found;
  for (const std::shared_ptr<SplitPlace> &Split : Places) {
    Split->sum(S, Keys);
    if (Split->Instructions < LeastShare * K.Instructions.Value ||
        isOfOneLane(K, *Split, Keys))
      continue;
    PricedFinding P;
    P.Found = describe(R, C, *Split);
    P.Weight = Split->Instructions;
    P.TakeOut = [&, Split](KernelVariant &V) { takeOut(V, K, *Split, Keys); };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
