//===- histogram.cu - Histograms by atomic additions -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr unsigned Bins = 256;

// Every element goes to global memory.
extern "C" __global__ void histogramGlobal(const unsigned char *__restrict__ in,
                                           unsigned *bins, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&bins[in[i]], 1);
}

// Each block counts for itself in shared memory and adds its bins at the end.
extern "C" __global__ void histogramShared(const unsigned char *__restrict__ in,
                                           unsigned *bins, int n) {
  __shared__ unsigned local[Bins];
  for (unsigned b = threadIdx.x; b < Bins; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[in[i]], 1);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Bins; b += blockDim.x)
    if (unsigned count = local[b])
      atomicAdd(&bins[b], count);
}
