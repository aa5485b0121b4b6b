//===- LocalityLevelsTest.cpp - The nest that levels form -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"
#include "ptxpredict/Analysis/Locality/Locality.h"

using namespace ptxpredict;

TEST(LocalityLevelsTest, ALoopComesRightBehindThoseInIt) {
  // Two nests: A holds B and C, of which C waits; D holds E.
  PTXKernel K(R"(
  ld.param.u64 %rd1, [p];
  mov.u32 %r0, 0;
A: mov.u32 %r1, 0;
B: st.global.u32 [%rd1], %r1;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 3;
  @%p1 bra B;
  mov.u32 %r1, 0;
C: st.global.u32 [%rd1], %r1;
  bar.sync 0;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 3;
  @%p1 bra C;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p1, %r0, 3;
  @%p1 bra A;
  mov.u32 %r0, 0;
D: mov.u32 %r1, 0;
E: st.global.u32 [%rd1], %r1;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 3;
  @%p1 bra E;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p1, %r0, 3;
  @%p1 bra D;
)");
  K.analyze();
  Locality L = findLocality(*K.Counts.Records, K.Launch);
  for (LocalityLevel::ScopeTy Of :
       {LocalityLevel::ScopeTy::Warp, LocalityLevel::ScopeTy::Block}) {
    std::string Order;
    for (const LocalityLevel &Level : L.Levels)
      if (Level.Scope == Of && Level.Kind != LocalityLevel::KindTy::Iteration)
        Order += Level.Header + std::to_string(Level.Depth) +
                 (Level.HasBarrier ? "! " : " ");
    EXPECT_EQ(Order, "B2 C2! A1! E2 D1 0! ") << toString(Of).str();
  }
}
