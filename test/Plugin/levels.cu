//===- levels.cu - Remarks at every level, for every target -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The same remarks at the same lines for each architecture, at each level of
// optimisation, with debug data and without, and the code that comes out is the
// same as without the plugin.
// RUN: %verify --offload-arch=sm_75 -O1 %s
// RUN: %verify --offload-arch=sm_75 -O1 -g %s
// RUN: %verify --offload-arch=sm_75 -O2 %s
// RUN: %verify --offload-arch=sm_75 -O2 -g %s
// RUN: %verify --offload-arch=sm_75 -O3 %s
// RUN: %verify --offload-arch=sm_75 -O3 -g %s
// RUN: %verify --offload-arch=sm_80 -O1 %s
// RUN: %verify --offload-arch=sm_80 -O1 -g %s
// RUN: %verify --offload-arch=sm_80 -O2 %s
// RUN: %verify --offload-arch=sm_80 -O2 -g %s
// RUN: %verify --offload-arch=sm_80 -O3 %s
// RUN: %verify --offload-arch=sm_80 -O3 -g %s
// RUN: %verify --offload-arch=sm_90 -O1 %s
// RUN: %verify --offload-arch=sm_90 -O1 -g %s
// RUN: %verify --offload-arch=sm_90 -O2 %s
// RUN: %verify --offload-arch=sm_90 -O2 -g %s
// RUN: %verify --offload-arch=sm_90 -O3 %s
// RUN: %verify --offload-arch=sm_90 -O3 -g %s
// RUN: %plain --offload-arch=sm_80 -O2 -g %s -o %t.plain
// RUN: %remarks --offload-arch=sm_80 -O2 -g %s -o %t.remarks 2>/dev/null
// RUN: cmp %t.plain %t.remarks
// RUN: %plain --offload-arch=sm_90 -O0 %s -o %t.plain
// RUN: %remarks --offload-arch=sm_90 -O0 %s -o %t.remarks 2>&1 | FileCheck %s
// RUN: cmp %t.plain %t.remarks
// CHECK: levels.cu:[[#]]:{{.*}} [kernel-summary] [-Rpass-analysis=ptx-predict]
#include "Inputs/cuda.h"

constexpr int Columns = 64;

// expected-remark-re@+2 {{{{.*}}s{{.*}}, limited by {{.*}} registers, occupancy {{.*}} %; ILP {{.*}}, MSTR {{.*}}; assumed: {{.*}} [kernel-summary]}}
// expected-remark@+1 0-2 {{}}
__global__ void sums(const float *m, float *out) {
  int row = globalX();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Columns; ++k)
    // expected-remark-re@+1 {{ld.global{{.*}} moves 32 sectors a request where its 128 B need 4: a lane's address is 256 B from the next lane's{{.*}} [uncoalesced-access]}}
    sum += m[row * Columns + k];
  out[row] = sum;
}
// REQUIRES: clang-22
