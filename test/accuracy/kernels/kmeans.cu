//===- kmeans.cu - Points to the nearest of several centres ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Dimensions = 4;
constexpr int MaxCentres = 64;

// Coordinates lie one dimension after the other. Also counts each centre's
// points.
extern "C" __global__ void kmeansAssign(const float *__restrict__ points,
                                        const float *__restrict__ centres,
                                        unsigned *__restrict__ nearest,
                                        unsigned *members, int n, int k) {
  __shared__ float coordinates[MaxCentres * Dimensions];
  __shared__ unsigned counts[MaxCentres];
  for (int i = threadIdx.x; i < k * Dimensions; i += blockDim.x)
    coordinates[i] = centres[i];
  for (int i = threadIdx.x; i < k; i += blockDim.x)
    counts[i] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float point[Dimensions];
#pragma unroll
    for (int d = 0; d < Dimensions; ++d)
      point[d] = points[d * n + i];
    float least = __int_as_float(0x7f800000);
    unsigned best = 0;
    for (int c = 0; c < k; ++c) {
      float distance = 0;
#pragma unroll
      for (int d = 0; d < Dimensions; ++d) {
        float difference = point[d] - coordinates[d * k + c];
        distance = fmaf(difference, difference, distance);
      }
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    nearest[i] = best;
    atomicAdd(&counts[best], 1);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < k; c += blockDim.x)
    atomicAdd(&members[c], counts[c]);
}
