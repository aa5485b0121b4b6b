//===- blackscholes.cu - Prices of European options ------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

__device__ __forceinline__ float normal(float d) {
  return 0.5f * erfcf(-0.70710678f * d);
}

// The closed formula of Black and Scholes, one option a thread.
extern "C" __global__ void
blackScholes(const float *__restrict__ spot, const float *__restrict__ strike,
             const float *__restrict__ years, float *__restrict__ call,
             float *__restrict__ put, int n, float rate, float volatility) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = spot[i], k = strike[i], t = years[i];
  float deviation = volatility * sqrtf(t);
  float drift = (rate + 0.5f * volatility * volatility) * t;
  float d1 = (logf(s / k) + drift) / deviation;
  float d2 = d1 - deviation;
  float discounted = k * expf(-rate * t);
  call[i] = s * normal(d1) - discounted * normal(d2);
  put[i] = discounted * normal(-d2) - s * normal(-d1);
}
