//===- inlined.cu - What a compiler's header inlines is at the user's line -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// RUN: %verify --offload-arch=sm_80 -O2 -mllvm -ptx-predict-rules=uncoalesced-access %s
// RUN: %verify --offload-arch=sm_80 -O2 -g -mllvm -ptx-predict-rules=uncoalesced-access %s
// RUN: rm -rf %t
// RUN: %remarks --offload-arch=sm_80 -O2 %s -o %t.s -mllvm -ptx-predict-rules=uncoalesced-access \
// RUN:   -mllvm -ptx-predict-record=%t
// RUN: FileCheck %s --input-file=%t/inlined-direct-sm_80.opt.yaml --check-prefix=DIRECT
// RUN: FileCheck %s --input-file=%t/inlined-through-sm_80.opt.yaml --check-prefix=THROUGH
#include "Inputs/cuda.h"
#include "Inputs/__clang_cuda_load.h"

extern "C" __global__ void direct(float *out, const float *in) {
  int i = globalX();
  // expected-remark-re@+1 {{ld.global{{.*}}[uncoalesced-access]}}
  out[i] = loadWord(&in[i * 16]);
}
// DIRECT: Line: [[@LINE-2]],
// DIRECT: Function: direct

// A function of the user's own that is inlined has the line, and its caller
// stands in the record.
__device__ float element(const float *in, int i) {
  // expected-remark-re@+1 {{ld.global{{.*}}[uncoalesced-access]}}
  return loadWord(&in[i * 32]);
}
extern "C" __global__ void through(float *out, const float *in) {
  int i = globalX();
  out[i] = element(in, i);
}
// THROUGH: Line: [[@LINE-6]],
// THROUGH: Function: through
// THROUGH: InlinedAt: {{.*}}inlined.cu:[[@LINE-4]]:
// REQUIRES: clang-22
