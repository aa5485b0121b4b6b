//===- recursion.cu - Functions that call themselves -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// As it is defined, with both calls: lanes go to different depths.
__device__ __noinline__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void recursionFibonacci(const unsigned *__restrict__ in,
                                              unsigned *__restrict__ out,
                                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fibonacci(in[i]);
}

__device__ __noinline__ void quicksort(int *first, int *last) {
  if (last - first < 2)
    return;
  int pivot = first[(last - first) / 2];
  int *left = first, *right = last - 1;
  while (left <= right) {
    while (*left < pivot)
      ++left;
    while (*right > pivot)
      --right;
    if (left <= right) {
      int value = *left;
      *left++ = *right;
      *right-- = value;
    }
  }
  quicksort(first, right + 1);
  quicksort(left, last);
}

constexpr int Length = 24;

// Each thread sorts a short list in its local memory.
extern "C" __global__ void recursionQuicksort(int *lists, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int list[Length];
  for (int j = 0; j < Length; ++j)
    list[j] = lists[j * n + i];
  quicksort(list, list + Length);
  for (int j = 0; j < Length; ++j)
    lists[j * n + i] = list[j];
}
