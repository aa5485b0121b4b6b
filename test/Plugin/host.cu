//===- host.cu - The host's code is left alone -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// RUN: %clang -x cuda -nocudainc -nocudalib --cuda-host-only -O2 -Wno-unknown-cuda-version -c %s -o %t.plain.o
// RUN: %clang -x cuda -nocudainc -nocudalib --cuda-host-only -O2 -Wno-unknown-cuda-version -c %s -o %t.o \
// RUN:   -fpass-plugin=%plugin -Rpass-analysis=ptx-predict 2>&1 | count 0
// RUN: cmp %t.plain.o %t.o
// A source that is not CUDA:
// RUN: %clang -x c++ -O2 -S %s -o %t.plain.s
// RUN: %clang -x c++ -O2 -S %s -o %t.s -fpass-plugin=%plugin -Rpass-analysis=ptx-predict 2>&1 | count 0
// RUN: cmp %t.plain.s %t.s
#ifdef __CUDA__
#include "Inputs/cuda.h"
__global__ void scale(float *x) { x[0] *= 2; }
#endif
int answer(int x) { return x * 42; }
// REQUIRES: clang-22
