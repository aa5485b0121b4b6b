//===- stream.cu - streams at every occupancy ------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Streams of doubles, one element a thread: what a device's memory gives at
// each occupancy. Each takes 6 KiB of shared memory, which `never`, false at
// every launch, keeps from being optimised away.

constexpr int Kept = 768;

extern "C" __global__ void streamInit(double *a, const double *__restrict__ b,
                                      const double *__restrict__ c,
                                      const double *__restrict__ d, size_t n,
                                      bool never) {
  __shared__ double kept[Kept];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  if (never)
    kept[threadIdx.x] = b[threadIdx.x];
  a[i] = 0.23;
  if (never)
    a[i] = kept[i];
}

extern "C" __global__ void streamRead(double *a, const double *__restrict__ b,
                                      const double *__restrict__ c,
                                      const double *__restrict__ d, size_t n,
                                      bool never) {
  __shared__ double kept[Kept];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  if (never)
    kept[threadIdx.x] = b[threadIdx.x];
  double value = b[i];
  if (never || value == 123.0) // which no element is
    a[i] = value + kept[i];
}

extern "C" __global__ void streamScale(double *a, const double *__restrict__ b,
                                       const double *__restrict__ c,
                                       const double *__restrict__ d, size_t n,
                                       bool never) {
  __shared__ double kept[Kept];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  if (never)
    kept[threadIdx.x] = b[threadIdx.x];
  a[i] = b[i] * 1.2;
  if (never)
    a[i] = kept[i];
}

extern "C" __global__ void streamTriad(double *a, const double *__restrict__ b,
                                       const double *__restrict__ c,
                                       const double *__restrict__ d, size_t n,
                                       bool never) {
  __shared__ double kept[Kept];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  if (never)
    kept[threadIdx.x] = b[threadIdx.x];
  a[i] = b[i] * 1.2 + c[i];
  if (never)
    a[i] = kept[i];
}

extern "C" __global__ void streamStencil3(double *a,
                                          const double *__restrict__ b,
                                          const double *__restrict__ c,
                                          const double *__restrict__ d,
                                          size_t n, bool never) {
  __shared__ double kept[Kept];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n - 1 || i == 0)
    return;
  if (never)
    kept[threadIdx.x] = b[threadIdx.x];
  a[i] = 0.5 * b[i - 1] - 1.0 * b[i] + 0.5 * b[i + 1];
  if (never)
    a[i] = kept[i];
}

extern "C" __global__ void streamStencil5(double *a,
                                          const double *__restrict__ b,
                                          const double *__restrict__ c,
                                          const double *__restrict__ d,
                                          size_t n, bool never) {
  __shared__ double kept[Kept];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n - 2 || i < 2)
    return;
  if (never)
    kept[threadIdx.x] = b[threadIdx.x];
  a[i] = 0.25 * b[i - 2] + 0.25 * b[i - 1] - 1.0 * b[i] + 0.5 * b[i + 1] +
         0.5 * b[i + 2];
  if (never)
    a[i] = kept[i];
}
