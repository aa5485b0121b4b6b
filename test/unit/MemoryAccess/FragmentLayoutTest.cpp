//===- FragmentLayoutTest.cpp - Where wmma.load and wmma.store go ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/FragmentLayout.h"
#include "gtest/gtest.h"
#include <vector>

using namespace ptxpredict;

namespace {

struct Requests {
  const char *Modifiers;
  unsigned Num, Bytes;
};

} // namespace

// The loads of ptxas 13.0 for sm_75 and sm_90, from global memory.
TEST(FragmentLayout, RequestsAreThoseOfMachineCode) {
  for (const Requests &R : {
           Requests{".a.sync.aligned.row.m16n16k16.f16", 4, 4},
           {".a.sync.aligned.row.m32n8k16.f16", 8, 4},
           {".a.sync.aligned.row.m8n32k16.f16", 2, 4},
           {".a.sync.aligned.col.m16n16k16.f16", 4, 4},
           {".b.sync.aligned.row.m8n32k16.f16", 8, 4},
           {".b.sync.aligned.col.m16n16k16.bf16", 4, 4},
           {".a.sync.aligned.row.m16n16k16.u8", 2, 4},
           {".b.sync.aligned.row.m16n16k16.u8", 8, 1},
           {".a.sync.aligned.row.m16n16k8.tf32", 4, 4},
           {".a.sync.aligned.row.m8n8k4.f64", 1, 8},
           {".c.sync.aligned.row.m16n16k16.f32", 4, 8},
           {".c.sync.aligned.col.m16n16k16.f32", 8, 4},
           {".c.sync.aligned.row.m16n16k16.f16", 4, 4},
           {".d.sync.aligned.col.m16n16k16.f16", 4, 4},
       }) {
    SCOPED_TRACE(R.Modifiers);
    std::optional<FragmentLayout> F = findFragmentPlaces(R.Modifiers);
    ASSERT_TRUE(F);
    EXPECT_EQ(F->numRequests(), R.Num);
    EXPECT_EQ(F->requestBytes(), R.Bytes);
  }
}

// Whatever the lanes hold, each element is asked for once, and so that a lane's
// bytes follow each other in memory.
TEST(FragmentLayout, RequestsCoverTheMatrixOnce) {
  for (const char *Modifiers :
       {".a.row.m16n16k16.f16", ".a.col.m32n8k16.f16", ".b.row.m16n16k16.f16",
        ".b.col.m8n32k16.f16", ".b.row.m16n16k16.s8", ".c.row.m16n16k16.f32",
        ".c.col.m16n16k16.f32", ".d.col.m8n32k16.f16"}) {
    SCOPED_TRACE(Modifiers);
    const FragmentLayout F = *findFragmentPlaces(Modifiers);
    std::vector<unsigned> Times(F.Rows * F.Columns * F.ElementBits / 8);
    for (unsigned N = 0; N != F.numRequests(); ++N)
      for (unsigned L = 0; L != 32; ++L)
        for (unsigned B = 0; B != F.requestBytes(); ++B)
          ++Times.at(F.requestOffset(L, N, F.defaultStride()) + B);
    EXPECT_EQ(Times, std::vector<unsigned>(Times.size(), 1));
  }
}
