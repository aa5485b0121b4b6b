//===- banks.cu - Columns of a tile, without and with padding -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Tile = 32, Step = 8, Rounds = 64;

/// Row sums of a tile, again and again: each lane reads its own row.
template <int Width>
__device__ void sumRows(const float *in, float *out) {
  __shared__ float tile[Tile][Width];
  int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * Tile * Tile;
  for (int k = y; k < Tile; k += Step)
    tile[k][x] = in[first + k * Tile + x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < Rounds; ++round)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum += tile[x][(round + k) % Tile] * round; // planted: bank-conflict in defect
  out[first + y * Tile + x] = sum;
}

extern "C" __global__ void defect(const float *in, float *out) {
  sumRows<Tile>(in, out);
}
extern "C" __global__ void fixed(const float *in, float *out) {
  sumRows<Tile + 1>(in, out);
}
