//===- DependenceTest.cpp - Dependence edges ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/Dependence.h"
#include "TestGraphs.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {
MemoryEffect effect(AddressSpace Space, AccessKind Access) {
  MemoryEffect E;
  E.Space = Space;
  E.Access = Access;
  E.Reads = Access != AccessKind::Store;
  E.Writes = Access != AccessKind::Load;
  return E;
}
const MemoryEffect GlobalLoad = effect(AddressSpace::Global, AccessKind::Load);
const MemoryEffect GlobalStore =
    effect(AddressSpace::Global, AccessKind::Store);
const MemoryEffect SharedLoad = effect(AddressSpace::Shared, AccessKind::Load);
const MemoryEffect SharedStore =
    effect(AddressSpace::Shared, AccessKind::Store);
const MemoryEffect GenericLoad =
    effect(AddressSpace::Generic, AccessKind::Load);

/// The memory and barrier edges of the first block as "1<0 3<2".
std::string edges(const InstructionGraph &G) {
  DependenceEdges E(G);
  std::string S;
  for (const Instruction &I : G.front())
    for (const Dependence &D : E.of(I))
      if (D.Kind != DependenceKind::Register)
        S += std::to_string(I.Id) +
             (D.Kind == DependenceKind::Memory ? "<" : "|") +
             std::to_string(D.On->Id) + " ";
  return S;
}
} // namespace

TEST(DependenceTest, RegisterEdges) {
  TestGraph T;
  T.op("mov", "w:a").op("mov", "w:b").op("add", "w:c r:a r:b r:a").exit();
  auto G = T.finish();
  DependenceEdges E(*G);
  ArrayRef<Dependence> D = E.of(*G->front().Instructions[2]);
  ASSERT_EQ(D.size(), 2u); // one for each definition
  EXPECT_EQ(D[0].On->Id, 0u);
  EXPECT_EQ(D[1].On->Id, 1u);
}

TEST(DependenceTest, LoadsAreFreeAmongThemselves) {
  TestGraph T;
  T.op("ld", "w:a", "", GlobalLoad).op("ld", "w:b", "", GlobalLoad).exit();
  EXPECT_EQ(edges(*T.finish()), "");
}

TEST(DependenceTest, StoreFollowsReadersAndWriter) {
  TestGraph T;
  T.op("st", "", "", GlobalStore).op("ld", "w:a", "", GlobalLoad);
  T.op("ld", "w:b", "", GlobalLoad).op("st", "", "", GlobalStore);
  T.op("ld", "w:c", "", GlobalLoad).exit();
  EXPECT_EQ(edges(*T.finish()), "1<0 2<0 3<0 3<1 3<2 4<3 ");
}

TEST(DependenceTest, SpacesAreApartButForGeneric) {
  TestGraph T;
  T.op("st", "", "", GlobalStore).op("st", "", "", SharedStore);
  T.op("ld", "w:a", "", SharedLoad).op("ld", "w:b", "", GenericLoad);
  T.op("st", "", "", SharedStore).exit();
  EXPECT_EQ(edges(*T.finish()), "2<1 3<0 3<1 4<3 4<1 4<2 ");
}

TEST(DependenceTest, BarrierSeparates) {
  TestGraph T;
  T.op("st", "", "", SharedStore).op("add", "w:x r:x").barrier();
  T.op("ld", "w:a", "", SharedLoad).barrier().exit();
  EXPECT_EQ(edges(*T.finish()), "2|0 3|2 4|3 4|2 ");
}

TEST(DependenceTest, EdgesAreLinearInTheCode) {
  TestGraph T;
  constexpr unsigned N = 2000;
  for (unsigned I = 0; I != N; ++I)
    T.op("ld", "w:a", "", I % 2 ? SharedLoad : GlobalLoad);
  T.op("st", "", "", GlobalStore).barrier().exit();
  auto G = T.finish();
  DependenceEdges E(*G);
  size_t Total = 0;
  for (const Instruction &I : G->front())
    Total += E.of(I).size();
  EXPECT_LE(Total, 2 * N + 2);
}
