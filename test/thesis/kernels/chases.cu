//===- chases.cu - loads that decide the next address ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Memory holds how far the next step goes, the same everywhere: 16384 elements
// after what a step computes from it.
static __device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void chaseDmadd(const float *a, const float *b, int *out,
                                      int steps) {
  int at = thread();
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    at += int(a[at] + b[at]); // 8192 + 8192
  out[thread()] = at;
}

extern "C" __global__ void chaseDotp(const float *a, const float *b, int *out,
                                     int steps) {
  int at = thread();
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    at += int(a[at] * b[at]); // 128 * 128
  out[thread()] = at;
}

static __device__ void fmad4(float &x, float &y) {
  x = fmaf(y, x, y);
  y = fmaf(x, y, x);
  x = fmaf(y, x, y);
  y = fmaf(x, y, x);
}

extern "C" __global__ void chaseCmem(const float *a, int *out, float *sums,
                                     int steps) {
  int at = thread();
  float x = 1, y = 2;
#pragma unroll 1
  for (int step = 0; step < steps; step += 2) {
    float distance = a[at]; // 16384
    at += int(distance);
    x += distance;
    fmad4(x, y);
    fmad4(x, y);
    distance = a[at];
    at += int(distance);
    x += distance;
    fmad4(x, y);
    fmad4(x, y);
    fmad4(x, y);
    fmad4(x, y);
  }
  out[thread()] = at;
  sums[thread()] = y;
}

extern "C" __global__ void chaseMmul(const float *a, int *out, int steps) {
  int at = thread();
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    at += int(a[at] * 2); // 2 * 8192
  out[thread()] = at;
}

extern "C" __global__ void chaseMadd(const float *a, int *out, int steps) {
  int at = thread();
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    at += int(a[at] + 5000); // 11384 + 5000
  out[thread()] = at;
}
