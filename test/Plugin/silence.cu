//===- silence.cu - Findings that the source asks to leave out -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// RUN: %verify --offload-arch=sm_80 -O2 -mllvm -ptx-predict-rules=uncoalesced-access,kernel-summary %s
// RUN: %verify --offload-arch=sm_80 -O2 -g -mllvm -ptx-predict-rules=uncoalesced-access,kernel-summary %s
#include "Inputs/cuda.h"

// On the line, alone on the line before, and in a list:
// expected-remark@+1 {{[kernel-summary]}}
__global__ void onLine(float *x) {
  x[globalX() * 16] = 1; // ptx-predict: ignore[uncoalesced-access] few threads
}
__global__ void before(float *x) { // ptx-predict: ignore[kernel-summary]
  // ptx-predict: ignore[uncoalesced-*] few threads
  x[globalX() * 16] = 1;
}
__global__ void list(float *x) { // ptx-predict: ignore[kernel-summary, tail-effect]
  x[globalX() * 16] = 1; // ptx-predict: ignore[bank-conflict, uncoalesced-access]
}

// Not another rule's, not the end of the code before, and not what is no
// comment or no such word:
// expected-remark@+1 {{[kernel-summary]}}
__global__ void kept(float *x, float *y) {
  int i = globalX() * 16; // ptx-predict: ignore[uncoalesced-access]
  // expected-remark-re@+1 {{{{.*}}[uncoalesced-access]}}
  x[i] = 1;
  // ptx-predict: ignore[bank-conflict] expected-remark-re@+1 {{{{.*}}[uncoalesced-access]}}
  y[i] = 1;
  // ptx-predict: disregard[uncoalesced-access] expected-remark-re@+1 {{{{.*}}[uncoalesced-access]}}
  y[i + 1] = 1;
}

// All of a kernel:
__attribute__((annotate("ptx-predict: ignore[*] a test")))
__global__ void annotated(float *x) {
  x[globalX() * 16] = 1;
}
// expected-remark@+2 {{[kernel-summary]}}
__attribute__((annotate("ptx-predict: ignore[uncoalesced-access]")))
__global__ void partly(float *x) {
  x[globalX() * 16] = 1;
}

// Of a function, wherever it is inlined; and of one call:
__attribute__((annotate("ptx-predict: ignore[uncoalesced-access]")))
__device__ void quiet(float *x) {
  x[globalX() * 16] = 1;
}
__device__ void loud(float *x) {
  // expected-remark-re@+1 {{{{.*}}[uncoalesced-access]}}
  x[globalX() * 16 + 1] = 1;
}
// expected-remark@+1 {{[kernel-summary]}}
__global__ void callers(float *x) { quiet(x); loud(x); }
__global__ void asked(float *x) { // ptx-predict: ignore[kernel-summary]
  loud(x); // ptx-predict: ignore[uncoalesced-access]
}
// REQUIRES: clang-22
