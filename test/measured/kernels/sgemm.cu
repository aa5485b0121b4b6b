//===- sgemm.cu - a ladder of matrix multiplications -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The ladder of single-precision matrix multiplications from the naive one to
// double buffers: C (m x n) = alpha * A (m x k) * B (k x n) + beta * C, all row
// by row, of sizes that the tiles divide.

// 1: one element of C a thread, everything from global memory.
extern "C" __global__ void __launch_bounds__(1024)
    sgemmNaive(int m, int n, int k, float alpha, float *a, float *b, float beta,
               float *c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// 2: one element a thread, of tiles that the block stages.
constexpr int Tile = 32;

extern "C" __global__ void sgemmTiled(int m, int n, int k, float alpha,
                                      float *a, float *b, float beta,
                                      float *c) {
  __shared__ float tileA[Tile * Tile], tileB[Tile * Tile];
  int x = threadIdx.x % Tile, y = threadIdx.x / Tile;
  a += blockIdx.y * Tile * k;
  b += blockIdx.x * Tile;
  c += blockIdx.y * Tile * n + blockIdx.x * Tile;
  float sum = 0;
  for (int begin = 0; begin < k; begin += Tile) {
    tileA[y * Tile + x] = a[y * k + x];
    tileB[y * Tile + x] = b[y * n + x];
    __syncthreads();
    a += Tile;
    b += Tile * n;
    for (int i = 0; i < Tile; ++i)
      sum += tileA[y * Tile + i] * tileB[i * Tile + x];
    __syncthreads();
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

// The tiles of the others: a block makes BlockM x BlockN elements of C from
// tiles that are BlockK deep, a thread ThreadM x ThreadN of them.
template <int BlockM, int BlockN, int BlockK, int ThreadM, int ThreadN>
struct Shape {
  static constexpr int M = BlockM, N = BlockN, K = BlockK;
  static constexpr int TM = ThreadM, TN = ThreadN;
  static constexpr int Threads = M * N / (TM * TN);
};

// Element by element, neighbouring threads neighbouring elements.
template <typename S>
__device__ __forceinline__ void stage(float *tileA, float *tileB,
                                      const float *a, const float *b, int k,
                                      int n) {
#pragma unroll
  for (int row = 0; row < S::M; row += S::Threads / S::K)
    tileA[(threadIdx.x / S::K + row) * S::K + threadIdx.x % S::K] =
        a[(threadIdx.x / S::K + row) * k + threadIdx.x % S::K];
#pragma unroll
  for (int row = 0; row < S::K; row += S::Threads / S::N)
    tileB[(threadIdx.x / S::N + row) * S::N + threadIdx.x % S::N] =
        b[(threadIdx.x / S::N + row) * n + threadIdx.x % S::N];
}

// 3: a column of eight elements a thread.
extern "C" __global__ void sgemmColumn(int m, int n, int k, float alpha,
                                       float *a, float *b, float beta,
                                       float *c) {
  using S = Shape<64, 64, 8, 8, 1>;
  __shared__ float tileA[S::M * S::K], tileB[S::K * S::N];
  int x = threadIdx.x % S::N, y = threadIdx.x / S::N * S::TM;
  a += blockIdx.y * S::M * k;
  b += blockIdx.x * S::N;
  c += blockIdx.y * S::M * n + blockIdx.x * S::N;
  float sums[S::TM] = {};
  for (int begin = 0; begin < k; begin += S::K) {
    stage<S>(tileA, tileB, a, b, k, n);
    __syncthreads();
    a += S::K;
    b += S::K * n;
#pragma unroll
    for (int i = 0; i < S::K; ++i) {
      float fromB = tileB[i * S::N + x];
#pragma unroll
      for (int j = 0; j < S::TM; ++j)
        sums[j] += tileA[(y + j) * S::K + i] * fromB;
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < S::TM; ++j)
    c[(y + j) * n + x] = alpha * sums[j] + beta * c[(y + j) * n + x];
}

// 4 and 5: a square of 8 x 8 elements a thread; what it multiplies is read from
// shared memory where it is needed, or first into registers.
template <bool Registers>
__device__ __forceinline__ void sgemmSquares(int n, int k, float alpha,
                                             float *a, float *b, float beta,
                                             float *c) {
  using S = Shape<128, 128, 8, 8, 8>;
  __shared__ float tileA[S::M * S::K], tileB[S::K * S::N];
  int x = threadIdx.x % (S::N / S::TN) * S::TN;
  int y = threadIdx.x / (S::N / S::TN) * S::TM;
  a += blockIdx.y * S::M * k;
  b += blockIdx.x * S::N;
  c += blockIdx.y * S::M * n + blockIdx.x * S::N;
  float sums[S::TM][S::TN] = {};
  for (int begin = 0; begin < k; begin += S::K) {
    stage<S>(tileA, tileB, a, b, k, n);
    __syncthreads();
    a += S::K;
    b += S::K * n;
#pragma unroll
    for (int i = 0; i < S::K; ++i) {
      if (Registers) {
        float fromA[S::TM], fromB[S::TN];
#pragma unroll
        for (int j = 0; j < S::TM; ++j)
          fromA[j] = tileA[(y + j) * S::K + i];
#pragma unroll
        for (int l = 0; l < S::TN; ++l)
          fromB[l] = tileB[i * S::N + x + l];
#pragma unroll
        for (int j = 0; j < S::TM; ++j)
#pragma unroll
          for (int l = 0; l < S::TN; ++l)
            sums[j][l] += fromA[j] * fromB[l];
      } else {
#pragma unroll
        for (int j = 0; j < S::TM; ++j)
          for (int l = 0; l < S::TN; ++l)
            sums[j][l] += tileA[(y + j) * S::K + i] * tileB[i * S::N + x + l];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < S::TM; ++j)
    for (int l = 0; l < S::TN; ++l)
      c[(y + j) * n + x + l] =
          alpha * sums[j][l] + beta * c[(y + j) * n + x + l];
}

extern "C" __global__ void sgemmSquare(int m, int n, int k, float alpha,
                                       float *a, float *b, float beta,
                                       float *c) {
  sgemmSquares<false>(n, k, alpha, a, b, beta, c);
}

extern "C" __global__ void sgemmRegisters(int m, int n, int k, float alpha,
                                          float *a, float *b, float beta,
                                          float *c) {
  sgemmSquares<true>(n, k, alpha, a, b, beta, c);
}

__device__ __forceinline__ float4 &vector(float &first) {
  return reinterpret_cast<float4 &>(first);
}

// 6 and 7: vectors of four, with the tile of A transposed so that a thread's
// eight elements are neighbours; a thread moves one vector of each tile.
using Wide = Shape<128, 128, 8, 8, 8>;

struct Place { // where a thread's work is in the block
  int x = threadIdx.x % (Wide::N / Wide::TN) * Wide::TN;
  int y = threadIdx.x / (Wide::N / Wide::TN) * Wide::TM;
  int rowA = threadIdx.x / (Wide::K / 4), columnA = threadIdx.x % (Wide::K / 4);
  int rowB = threadIdx.x / (Wide::N / 4), columnB = threadIdx.x % (Wide::N / 4);
};

__device__ __forceinline__ void storeTransposed(float *tileA, float4 values,
                                                const Place &at) {
  float *to = tileA + at.columnA * 4 * Wide::M + at.rowA;
  to[0 * Wide::M] = values.x;
  to[1 * Wide::M] = values.y;
  to[2 * Wide::M] = values.z;
  to[3 * Wide::M] = values.w;
}

// The i-th column of a thread's part of A and row of its part of B.
__device__ __forceinline__ void readFragments(float (&fromA)[Wide::TM],
                                              float (&fromB)[Wide::TN],
                                              float *tileA, float *tileB, int i,
                                              const Place &at) {
#pragma unroll
  for (int j = 0; j < Wide::TM; j += 4)
    vector(fromA[j]) = vector(tileA[i * Wide::M + at.y + j]);
#pragma unroll
  for (int l = 0; l < Wide::TN; l += 4)
    vector(fromB[l]) = vector(tileB[i * Wide::N + at.x + l]);
}

__device__ __forceinline__ void multiply(float (&sums)[Wide::TM][Wide::TN],
                                         const float (&fromA)[Wide::TM],
                                         const float (&fromB)[Wide::TN]) {
#pragma unroll
  for (int j = 0; j < Wide::TM; ++j)
#pragma unroll
    for (int l = 0; l < Wide::TN; ++l)
      sums[j][l] += fromA[j] * fromB[l];
}

__device__ __forceinline__ void writeResult(float *c, int n, float alpha,
                                            float beta,
                                            float (&sums)[Wide::TM][Wide::TN],
                                            const Place &at) {
#pragma unroll
  for (int j = 0; j < Wide::TM; ++j)
#pragma unroll
    for (int l = 0; l < Wide::TN; l += 4) {
      float4 old = vector(c[(at.y + j) * n + at.x + l]);
      old.x = alpha * sums[j][l] + beta * old.x;
      old.y = alpha * sums[j][l + 1] + beta * old.y;
      old.z = alpha * sums[j][l + 2] + beta * old.z;
      old.w = alpha * sums[j][l + 3] + beta * old.w;
      vector(c[(at.y + j) * n + at.x + l]) = old;
    }
}

extern "C" __global__ void sgemmVector(int m, int n, int k, float alpha,
                                       float *a, float *b, float beta,
                                       float *c) {
  __shared__ __align__(16) float tileA[Wide::K * Wide::M];
  __shared__ __align__(16) float tileB[Wide::K * Wide::N];
  Place at;
  a += blockIdx.y * Wide::M * k;
  b += blockIdx.x * Wide::N;
  c += blockIdx.y * Wide::M * n + blockIdx.x * Wide::N;
  float sums[Wide::TM][Wide::TN] = {};
  for (int begin = 0; begin < k; begin += Wide::K) {
    storeTransposed(tileA, vector(a[at.rowA * k + at.columnA * 4]), at);
    vector(tileB[at.rowB * Wide::N + at.columnB * 4]) =
        vector(b[at.rowB * n + at.columnB * 4]);
    __syncthreads();
    a += Wide::K;
    b += Wide::K * n;
#pragma unroll
    for (int i = 0; i < Wide::K; ++i) {
      float fromA[Wide::TM], fromB[Wide::TN];
      readFragments(fromA, fromB, tileA, tileB, i, at);
      multiply(sums, fromA, fromB);
    }
    __syncthreads();
  }
  writeResult(c, n, alpha, beta, sums, at);
}

// While one pair of tiles is multiplied the next is on its way, and likewise
// with the fragments in registers.
extern "C" __global__ void sgemmDouble(int m, int n, int k, float alpha,
                                       float *a, float *b, float beta,
                                       float *c) {
  __shared__ __align__(16) float tileA[2][Wide::K * Wide::M];
  __shared__ __align__(16) float tileB[2][Wide::K * Wide::N];
  Place at;
  a += blockIdx.y * Wide::M * k;
  b += blockIdx.x * Wide::N;
  c += blockIdx.y * Wide::M * n + blockIdx.x * Wide::N;
  float sums[Wide::TM][Wide::TN] = {};
  float fromA[2][Wide::TM], fromB[2][Wide::TN];
  storeTransposed(tileA[0], vector(a[at.rowA * k + at.columnA * 4]), at);
  vector(tileB[0][at.rowB * Wide::N + at.columnB * 4]) =
      vector(b[at.rowB * n + at.columnB * 4]);
  __syncthreads();
  readFragments(fromA[0], fromB[0], tileA[0], tileB[0], 0, at);
  int next = 1, begin = 0;
  do {
    begin += Wide::K;
    float4 nextA, nextB;
    if (begin < k) {
      nextA = vector(a[at.rowA * k + begin + at.columnA * 4]);
      nextB = vector(b[(begin + at.rowB) * n + at.columnB * 4]);
    }
#pragma unroll
    for (int i = 0; i < Wide::K - 1; ++i) {
      readFragments(fromA[(i + 1) % 2], fromB[(i + 1) % 2], tileA[next ^ 1],
                    tileB[next ^ 1], i + 1, at);
      multiply(sums, fromA[i % 2], fromB[i % 2]);
    }
    if (begin < k) {
      storeTransposed(tileA[next], nextA, at);
      vector(tileB[next][at.rowB * Wide::N + at.columnB * 4]) = nextB;
      __syncthreads();
      readFragments(fromA[0], fromB[0], tileA[next], tileB[next], 0, at);
      next ^= 1;
    }
    multiply(sums, fromA[(Wide::K - 1) % 2], fromB[(Wide::K - 1) % 2]);
  } while (begin < k);
  writeResult(c, n, alpha, beta, sums, at);
}
