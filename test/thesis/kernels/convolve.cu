//===- convolve.cu - a pass of a separable convolution ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

static constexpr int Radius = 8;
static constexpr int Apron = 16; // Radius, up to what is aligned
static constexpr int TileWidth = 128;

__constant__ float Weights[2 * Radius + 1];

// A block is Apron + TileWidth + Apron threads: all load, those of the tile
// compute.
extern "C" __global__ void convolveRows(const float *in, float *out,
                                        int width) {
  __shared__ float row[Apron + TileWidth + Apron];
  int x = blockIdx.x * TileWidth + threadIdx.x - Apron;
  int at = blockIdx.y * width + x;
  row[threadIdx.x] = x >= 0 && x < width ? in[at] : 0;
  __syncthreads();
  if (threadIdx.x < Apron || threadIdx.x >= Apron + TileWidth || x >= width)
    return;
  float sum = 0;
#pragma unroll
  for (int k = -Radius; k <= Radius; ++k)
    sum = fmaf(row[threadIdx.x + k], Weights[Radius - k], sum);
  out[at] = sum;
}
