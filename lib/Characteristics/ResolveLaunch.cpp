//===- ResolveLaunch.cpp - The launch that an analysis works on -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/ArgumentTargets.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;

/// The dimensions that `mov.v4.u32 {a, b, c, d}, %tid` reads: all that it
/// keeps.
static unsigned vectorDimensions(const Instruction &I) {
  if (I.Operands.empty() || I.Operands[0].Kind != Operand::KindTy::Vector)
    return 1;
  ArrayRef<Operand> Elements = I.Operands[0].Elements.take_front(3);
  while (Elements.size() > 1 && Elements.back().Kind == Operand::KindTy::Sink)
    Elements = Elements.drop_back();
  return unsigned(Elements.size());
}

/// 1, 2 or 3: the highest dimension of those registers that the code reads.
static unsigned dimensionsOf(const InstructionGraph &Kernel, StringRef Index,
                             StringRef Extent) {
  unsigned Dimensions = 1;
  for (const InstructionGraph *G : calledFrom(Kernel))
    G->forEachInstruction([&](const Instruction &I) {
      for (const Operand &O : I.Operands) {
        if (O.Kind != Operand::KindTy::Special)
          continue;
        auto [Register, Dimension] = O.Name.split('.');
        if (Register == Index || Register == Extent)
          Dimensions =
              std::max(Dimensions, Dimension == "z"   ? 3u
                                   : Dimension == "y" ? 2u
                                   : Dimension == "x" ? 1u
                                                      : vectorDimensions(I));
      }
    });
  return Dimensions;
}

static bool readsDynamicShared(const InstructionGraph &Kernel) {
  // Local memory of OpenCL C whose size the host gives.
  if (llvm::any_of(Kernel.Parameters, [](const Parameter &P) {
        return P.PointerSpace == AddressSpace::Shared;
      }))
    return true;
  auto IsDynamic = [](auto &Self, const Operand &O) -> bool {
    if (O.Kind == Operand::KindTy::Variable)
      return O.Var->Space == AddressSpace::Shared && O.Var->Bytes == 0;
    return llvm::any_of(O.Elements,
                        [&](const Operand &E) { return Self(Self, E); });
  };
  bool Found = false;
  for (const InstructionGraph *G : calledFrom(Kernel))
    G->forEachInstruction([&](const Instruction &I) {
      Found |= llvm::any_of(I.Operands, [&](const Operand &O) {
        return IsDynamic(IsDynamic, O);
      });
    });
  return Found;
}

static std::string text(const Dim3 &D) {
  return std::to_string(D.X) + "x" + std::to_string(D.Y) + "x" +
         std::to_string(D.Z);
}

/// Sets what \p Args, of ascending rank, give.
static void setArguments(LaunchConfig &L, const InstructionGraph &Kernel,
                         ArrayRef<LaunchArgument> Args) {
  std::map<std::pair<unsigned, uint64_t>, unsigned> Ranks; // of parts
  for (const LaunchArgument &A : Args) {
    ArgumentTarget T = findTarget(Kernel, A);
    if (!T.Parameter || !T.Problem.empty())
      continue; // reported by those who know where it stands
    const unsigned Index = *T.Parameter;
    if (T.IsPart) {
      Ranks[{Index, T.Offset}] = A.Rank;
      L.setPart(Index, T.Offset, std::move(T.Part));
      continue;
    }
    L.Args[Index] = A.Value;
    for (auto It = L.Parts.lower_bound({Index, 0});
         It != L.Parts.end() && It->first.first == Index;)
      It = Ranks[It->first] < A.Rank ? L.Parts.erase(It) : std::next(It);
  }
}

LaunchConfig ptxpredict::resolveLaunch(const InstructionGraph &Kernel,
                                       const LaunchSpec &Spec,
                                       std::vector<Assumption> &Assumptions) {
  auto Assume = [&](AssumptionKind Kind, std::string Value, StringRef Option,
                    bool IsNumber = false) {
    Assumption A;
    A.Kind = Kind;
    A.Value = std::move(Value);
    A.IsNumber = IsNumber;
    A.Option = Option.str();
    Assumptions.push_back(std::move(A));
  };
  auto FromExtent = [](const KernelBounds::Extent &E) {
    return Dim3{E[0], E[1], E[2]};
  };
  // The defaults of docs/commands/Predict.md, by index dimensions.
  static constexpr Dim3 DefaultBlock[] = {{256, 1, 1}, {32, 8, 1}, {8, 8, 4}};
  static constexpr Dim3 DefaultGrid[] = {{1024, 1, 1}, {32, 32, 1}, {16, 8, 8}};
  unsigned Dimensions = dimensionsOf(Kernel, "%tid", "%ntid");

  LaunchConfig L;
  // A bound of all threads, not of each extent (PTX ISA 9.5, .maxntid).
  if (Kernel.Bounds.MaxThreads)
    L.MaxThreadsPerBlock = std::min(
        L.MaxThreadsPerBlock, FromExtent(*Kernel.Bounds.MaxThreads).count());
  L.IndexDimensions = Dimensions;
  L.BlockIsAssumed = !Spec.Block && !Kernel.Bounds.RequiredThreads;
  L.GridIsAssumed = !Spec.Grid;
  if (Spec.Block) {
    L.Block = *Spec.Block;
  } else if (Kernel.Bounds.RequiredThreads) {
    L.Block = FromExtent(*Kernel.Bounds.RequiredThreads);
  } else if (Kernel.Bounds.MaxThreads) {
    L.Block = FromExtent(*Kernel.Bounds.MaxThreads);
    Assume(AssumptionKind::BlockOfBound, text(L.Block), "--block=X,Y,Z");
  } else {
    L.Block = DefaultBlock[Dimensions - 1];
    Assume(AssumptionKind::Block, text(L.Block), "--block=X,Y,Z");
  }
  if (Spec.Cluster)
    L.Cluster = *Spec.Cluster;
  else if (Kernel.Bounds.RequiredCluster)
    L.Cluster = FromExtent(*Kernel.Bounds.RequiredCluster);
  if (Spec.Grid) {
    L.Grid = *Spec.Grid;
  } else {
    // Whole clusters.
    const Dim3 &Default =
        DefaultGrid[dimensionsOf(Kernel, "%ctaid", "%nctaid") - 1];
    L.Grid = {llvm::alignTo(Default.X, L.Cluster.X),
              llvm::alignTo(Default.Y, L.Cluster.Y),
              llvm::alignTo(Default.Z, L.Cluster.Z)};
    Assume(AssumptionKind::Grid, text(L.Grid), "--grid=X,Y,Z");
  }
  if (Spec.DynamicSharedBytes)
    L.DynamicSharedBytes = *Spec.DynamicSharedBytes;
  else if (readsDynamicShared(Kernel))
    Assume(AssumptionKind::DynamicShared, "0", "--dynamic-smem=BYTES",
           /*IsNumber=*/true);
  setArguments(L, Kernel, Spec.Args);
  L.forEachPointer(Kernel.Parameters, [&L](unsigned Index, uint64_t Offset,
                                           const ArgumentValue &A) {
    if (A.BufferBytes)
      L.BufferBytes[{Index, Offset}] = A.BufferBytes;
  });
  for (const PointedBuffer &B : Spec.Buffers)
    if (std::optional<unsigned> Index = parameterIndex(Kernel, B.Parameter))
      L.BufferBytes[{*Index, B.Offset}] = B.Bytes;
  L.Maps = Spec.Maps;
  L.TripCounts = Spec.TripCounts;
  L.BranchProbabilities = Spec.BranchProbabilities;
  L.Work = Spec.Work;
  return L;
}
