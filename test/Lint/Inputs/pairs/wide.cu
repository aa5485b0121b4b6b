//===- wide.cu - Columns of a tile of doubles --------------------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Tile = 32, Step = 8, Rounds = 64;

/// The greatest of each row of a tile: a lane reads its own row.
template <int Width>
__device__ void rowMaxima(const double *in, double *out) {
  __shared__ double tile[Tile][Width];
  int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * Tile * Tile;
  for (int k = y; k < Tile; k += Step)
    tile[k][x] = in[first + k * Tile + x];
  __syncthreads();
  double most = 0;
#pragma unroll 1
  for (int round = 0; round < Rounds; ++round) {
    double value = tile[x][(round + y) % Tile]; // planted: bank-conflict in defect
    most = value > most ? value : most;
  }
  out[first + y * Tile + x] = most;
}

extern "C" __global__ void defect(const double *in, double *out) {
  rowMaxima<Tile>(in, out);
}
extern "C" __global__ void fixed(const double *in, double *out) {
  rowMaxima<Tile + 1>(in, out);
}
