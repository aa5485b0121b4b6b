//===- SpecialRegisters.cpp - What special registers hold -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SpecialRegisters.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using K = Symbol::KindTy;
using Ref = const Expression *;

/// The index or extent of dimension \p D, counted from that of x.
static Ref indexOf(Expressions &E, K X, unsigned D) {
  return E.index(K(unsigned(X) + D));
}

/// The block's index along dimension \p D: where the grid is taken apart, the
/// sum of its digits.
static Ref blockIndex(const SymbolicValues &V, unsigned D) {
  Expressions &E = V.expressions();
  const std::optional<GridDigits> &Digits = V.launch().Digits;
  if (!Digits)
    return indexOf(E, K::BlockX, D);
  Ref Sum = E.constant(32, 0);
  for (unsigned N = 0; N != 3; ++N)
    if (const GridDigits::Axis &A = Digits->Axes[N]; A.Dimension == D)
      Sum = E.add(Sum, E.scale(indexOf(E, K::BlockX, N), A.Unit));
  return Sum;
}

static Ref gridExtent(const SymbolicValues &V, unsigned D) {
  Expressions &E = V.expressions();
  const std::optional<GridDigits> &Digits = V.launch().Digits;
  if (!Digits)
    return indexOf(E, K::GridExtentX, D);
  const Dim3 &Grid = Digits->Grid;
  return E.constant(32, D == 0 ? Grid.X : D == 1 ? Grid.Y : Grid.Z);
}

static Ref blockInCluster(const SymbolicValues &V, unsigned D) {
  Expressions &E = V.expressions();
  const Dim3 &Cluster = V.launch().Cluster;
  unsigned Extent = D == 0 ? Cluster.X : D == 1 ? Cluster.Y : Cluster.Z;
  return E.rem(blockIndex(V, D), E.constant(32, Extent), false);
}

/// An element of a vector: \p Name stands without its selector, dimension \p D.
/// In 32 bits; null for what is none of these.
static Ref vectorElement(const SymbolicValues &V, StringRef Name, unsigned D) {
  Expressions &E = V.expressions();
  const Dim3 &Cluster = V.launch().Cluster;
  uint64_t InCluster = D == 0 ? Cluster.X : D == 1 ? Cluster.Y : Cluster.Z;
  if (D == 3)
    return E.constant(32, 0); // the fourth element of every vector
  if (Name == "tid")
    return indexOf(E, K::ThreadX, D);
  if (Name == "ctaid")
    return blockIndex(V, D);
  if (Name == "ntid")
    return indexOf(E, K::BlockExtentX, D);
  if (Name == "nctaid")
    return gridExtent(V, D);
  if (Name == "cluster_nctaid")
    return E.constant(32, InCluster);
  if (Name == "nclusterid")
    return E.div(gridExtent(V, D), E.constant(32, InCluster), false);
  if (Name == "clusterid")
    return E.div(blockIndex(V, D), E.constant(32, InCluster), false);
  if (Name == "cluster_ctaid")
    return blockInCluster(V, D);
  return nullptr;
}

/// %lanemask_eq and the like, by what follows the underscore.
static Ref laneMask(Expressions &E, StringRef Relation) {
  Ref Bit = E.shl(E.constant(32, 1), E.index(K::Lane));
  Ref Below = E.sub(Bit, E.constant(32, 1));
  Ref To = E.add(Bit, Below);
  return Relation == "eq"   ? Bit
         : Relation == "lt" ? Below
         : Relation == "le" ? To
         : Relation == "gt" ? E.bitNot(To)
                            : E.bitNot(Below);
}

static Ref clusterRank(const SymbolicValues &V) {
  Expressions &E = V.expressions();
  const Dim3 &Cluster = V.launch().Cluster;
  Ref X = blockInCluster(V, 0), Y = blockInCluster(V, 1),
      Z = blockInCluster(V, 2);
  Ref Rows = E.add(Y, E.scale(Z, Cluster.Y));
  return E.add(X, E.scale(Rows, Cluster.X));
}

/// A register of its own name that indices or the launch tell. In 32 bits; null
/// for what is none of these.
static Ref scalar(const SymbolicValues &V, StringRef Name) {
  Expressions &E = V.expressions();
  const LaunchConfig &Launch = V.launch();
  if (Name == "cluster_ctarank")
    return clusterRank(V);
  if (Name == "cluster_nctarank")
    return E.constant(32, Launch.Cluster.count());
  if (Name == "laneid")
    return E.index(K::Lane);
  if (Name == "warpid")
    return E.index(K::Warp);
  if (Name == "dynamic_smem_size")
    return E.constant(32, Launch.DynamicSharedBytes);
  return Name.consume_front("lanemask_") ? laneMask(E, Name) : nullptr;
}

/// A clock or counter, which has another value each time.
static Symbol clockSymbol(const SymbolicValues &V, StringRef Name,
                          const Instruction &I) {
  Symbol S;
  S.Reason = Symbol::ReasonTy::Special;
  S.Name = Name.str() + " of line " + std::to_string(I.Line);
  S.From = &I;
  S.Context = &V;
  S.Cycle = V.controlFlow().innermostCycle(I.Parent);
  S.Number = uint64_t(1) << 62 | I.Id;
  return S;
}

/// A register of which only the name is known.
static Symbol opaqueSymbol(StringRef Name) {
  bool PerLaunch = llvm::StringSwitch<bool>(Name)
                       .Cases({"nwarpid", "nsmid", "gridid", "total_smem_size",
                               "aggr_smem_size", "is_explicit_cluster"},
                              true)
                       .Default(Name.starts_with("envreg") ||
                                Name.starts_with("reserved_smem"));
  Symbol S;
  S.Reason = Symbol::ReasonTy::Special;
  S.Varies = PerLaunch        ? VariesNowhere
             : Name == "smid" ? VariesInGrid
                              : VariesInBlock | VariesInGrid;
  S.Name = Name.str();
  // The names are few, and a number tells them apart.
  for (char C : Name)
    S.Number = S.Number * 131 + uint8_t(C);
  return S;
}

Ref ptxpredict::specialRegister(const SymbolicValues &V, StringRef Name,
                                unsigned Width, const Instruction &I) {
  Expressions &E = V.expressions();
  if (Name == "WARP_SZ")
    return E.constant(Width, WarpSize);
  Name.consume_front("%");
  Ref Known = nullptr;
  if (Name.size() > 2 && Name[Name.size() - 2] == '.') {
    unsigned D = Name.ends_with(".x")   ? 0
                 : Name.ends_with(".y") ? 1
                 : Name.ends_with(".z") ? 2
                                        : 3;
    Known = vectorElement(V, Name.drop_back(2), D);
  } else {
    Known = scalar(V, Name);
  }
  if (Known)
    return E.resize(Known, Width, false);
  bool IsClock = Name.starts_with("clock") || Name.starts_with("globaltimer") ||
                 Name.starts_with("pm");
  return E.symbol(Width,
                  IsClock ? clockSymbol(V, Name, I) : opaqueSymbol(Name));
}
