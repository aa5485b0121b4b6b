//===- blackscholes.cu - European options, closed form ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The cumulative normal distribution (Abramowitz and Stegun, 26.2.17).
static __device__ float cumulative(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float series =
      k * (0.31938153f +
           k * (-0.356563782f +
                k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * __expf(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void blackscholes(float *call, float *put,
                                        const float *spot, const float *strike,
                                        const float *years, float rate,
                                        float volatility, int options) {
  int threads = blockDim.x * gridDim.x;
#pragma unroll 1
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < options;
       i += threads) {
    float s = spot[i], x = strike[i], t = years[i];
    float root = volatility * sqrtf(t);
    float d1 =
        (__logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
    float n1 = cumulative(d1), n2 = cumulative(d1 - root);
    float discounted = x * __expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}
