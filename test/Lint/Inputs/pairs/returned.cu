//===- returned.cu - Threads that return before a barrier -------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Size = 256;

// The last block's threads behind the end do not come to the barrier.
extern "C" __global__ void defect(const float *x, float *out, int n) {
  __shared__ float s[Size];
  int t = threadIdx.x, i = blockIdx.x * Size + t;
  if (i >= n)
    return;
  s[t] = x[i];
  __syncthreads(); // planted: barrier-in-divergent-code
  out[i] = s[t] - s[t ? t - 1 : 0];
}

extern "C" __global__ void fixed(const float *x, float *out, int n) {
  __shared__ float s[Size];
  int t = threadIdx.x, i = blockIdx.x * Size + t;
  if (i < n)
    s[t] = x[i];
  __syncthreads();
  if (i < n)
    out[i] = s[t] - s[t ? t - 1 : 0];
}
