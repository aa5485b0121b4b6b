//===- pointers.cu - Generic pointers into shared memory -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <mma.h>

using namespace nvcuda;

namespace {
using Accumulator = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
constexpr int Tile = 256, Stages = 3;
} // namespace

// The tiles' pointers lie in an array, which goes to local memory.
extern "C" __global__ void arrayOfTiles(const half *a, const half *b, float *c,
                                        int steps) {
  __shared__ half left[Stages][Tile], right[Stages][Tile];
  half *lefts[Stages] = {left[0], left[1], left[2]};
  half *rights[Stages] = {right[0], right[1], right[2]};
  Accumulator sum;
  wmma::fill_fragment(sum, 0.f);
  for (int step = 0; step < steps; ++step) {
    half *l = lefts[step % Stages], *r = rights[step % Stages];
    for (int i = threadIdx.x; i < Tile; i += 32) {
      l[i] = a[step * Tile + i];
      r[i] = b[step * Tile + i];
    }
    __syncthreads();
    Left x;
    Right y;
    wmma::load_matrix_sync(x, l, 16);
    wmma::load_matrix_sync(y, r, 16);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

// The array has pointers to shared and to global memory.
extern "C" __global__ void arrayOfBoth(const float *in, float *out, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const float *places[3] = {tile, in, in + 32};
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += places[i % 3][threadIdx.x];
  out[threadIdx.x] = sum;
}
