//===- dp4a.cu - Dot product of bytes --------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Four products at once; the bytes after the last whole word one by one.
extern "C" __global__ void dotDp4a(const int *__restrict__ a,
                                   const int *__restrict__ b, int *result,
                                   int n) {
  int sum = 0;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (int i = thread; i < n / 4; i += stride)
    sum = __dp4a(a[i], b[i], sum);
  int rest = n / 4 * 4 + thread;
  if (rest < n) {
    const signed char *bytesA = reinterpret_cast<const signed char *>(a);
    const signed char *bytesB = reinterpret_cast<const signed char *>(b);
    sum += bytesA[rest] * bytesB[rest];
  }
#pragma unroll
  for (unsigned delta = 16; delta > 0; delta /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (threadIdx.x % 32 == 0)
    atomicAdd(result, sum);
}
