// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What docs/examples/device.h declares is all that it needs.
#ifdef BROKEN
int wrong = ;
#endif
#ifdef NOISY
#warning something to hear of
#endif

__device__ float scaled(float x, float by) {
  return x * by;
}

extern "C" __global__ void scale(int n, float by, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scaled(in[i], by);
}
