//===- __clang_cuda_load.h - As a compiler's own header -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
inline __device__ float loadWord(const float *p) { return *p; }
