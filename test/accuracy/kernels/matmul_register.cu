//===- matmul_register.cu - Matrix multiply in registers -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Tile = 64;           // of C, for each block
constexpr int Depth = 16;          // of k, for each step
constexpr int Block = 4;           // of C along each side, for each thread
constexpr int Side = Tile / Block; // threads along each side

// C (m x n) = A (m x k) * B (k x n), all row by row. Each value that a thread
// reads from shared memory serves four multiplications. A is staged
// transposed, so that a thread's values lie side by side.
extern "C" __global__ void __launch_bounds__(Side *Side)
    matmulRegister(const float *__restrict__ a, const float *__restrict__ b,
                   float *__restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float tileA[Depth][Tile + 4];
  __shared__ __align__(16) float tileB[Depth][Tile];
  int thread = threadIdx.y * Side + threadIdx.x;
  int firstRow = blockIdx.y * Tile;
  int firstColumn = blockIdx.x * Tile;
  float sums[Block][Block] = {};

  for (int begin = 0; begin < k; begin += Depth) {
#pragma unroll
    for (int i = thread; i < Tile * Depth; i += Side * Side) {
      int row = firstRow + i / Depth, depth = begin + i % Depth;
      bool inside = row < m && depth < k;
      tileA[i % Depth][i / Depth] = inside ? a[row * k + depth] : 0;
    }
#pragma unroll
    for (int i = thread; i < Tile * Depth; i += Side * Side) {
      int depth = begin + i / Tile, column = firstColumn + i % Tile;
      bool inside = depth < k && column < n;
      tileB[i / Tile][i % Tile] = inside ? b[depth * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Depth; ++i) {
      float4 left = *(const float4 *)&tileA[i][threadIdx.y * Block];
      float4 right = *(const float4 *)&tileB[i][threadIdx.x * Block];
      float rows[Block] = {left.x, left.y, left.z, left.w};
      float columns[Block] = {right.x, right.y, right.z, right.w};
#pragma unroll
      for (int y = 0; y < Block; ++y)
#pragma unroll
        for (int x = 0; x < Block; ++x)
          sums[y][x] = fmaf(rows[y], columns[x], sums[y][x]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int y = 0; y < Block; ++y)
#pragma unroll
    for (int x = 0; x < Block; ++x) {
      int row = firstRow + threadIdx.y * Block + y;
      int column = firstColumn + threadIdx.x * Block + x;
      if (row < m && column < n)
        c[row * n + column] = sums[y][x];
    }
}
