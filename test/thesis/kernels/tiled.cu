//===- tiled.cu - a product of matrices by tiles ---------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// A block of Tile x Tile threads; n is a multiple of it.
template <int Tile>
static __device__ void multiply(const float *a, const float *b, float *c,
                                int n) {
  __shared__ float left[Tile][Tile], right[Tile][Tile];
  int column = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int first = 0; first < n; first += Tile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
      sum = fmaf(left[threadIdx.y][k], right[k][threadIdx.x], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void tiled4(const float *a, const float *b, float *c,
                                  int n) {
  multiply<4>(a, b, c, n);
}

extern "C" __global__ void tiled20(const float *a, const float *b, float *c,
                                   int n) {
  multiply<20>(a, b, c, n);
}
