//===- off.cu - Nothing happens unless somebody asks -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// RUN: %loaded --offload-arch=sm_80 -O2 %s -o %t 2>&1 | count 0
// Remarks of another pass:
// RUN: %loaded --offload-arch=sm_80 -O2 %s -o %t -Rpass-analysis=kernel-info 2>&1 | not grep ptx-predict
// The crash does not come as nothing is analysed:
// RUN: %loaded --offload-arch=sm_80 -O2 %s -o %t -mllvm -ptx-predict-crash 2>&1 | count 0
// RUN: %loaded --offload-arch=sm_80 -O2 %s -o %t -fsave-optimization-record -foptimization-record-file=%t.yaml \
// RUN:   -foptimization-record-passes=kernel-info -mllvm -ptx-predict-crash
// RUN: not grep ptx-predict %t.yaml
#include "Inputs/cuda.h"
__global__ void scale(float *x) { x[globalX()] *= 2; }
// REQUIRES: clang-22
