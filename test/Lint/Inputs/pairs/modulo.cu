//===- modulo.cu - A remainder of long integers, and a mask ------ -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 64;
typedef unsigned long long Word;

// A hash table with any number of slots.
extern "C" __global__ void defect(const Word *keys, Word *out, Word slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Word key = keys[i], sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    key = key * 6364136223846793005ull + 1442695040888963407ull;
    sum ^= key % slots; // planted: slow-arithmetic
  }
  out[i] = sum;
}

// One with a power of two.
extern "C" __global__ void fixed(const Word *keys, Word *out, Word slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Word key = keys[i], sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    key = key * 6364136223846793005ull + 1442695040888963407ull;
    sum ^= key & (slots - 1);
  }
  out[i] = sum;
}
