//===- rows.cu - Loops whose counts are no numbers -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Rows of unknown lengths, triangles, windows, bounds that are logarithms,
// blocks of unequal work.
//===----------------------------------------------------------------------===//

// A thread for each row of a sparse matrix.
extern "C" __global__ void rowOfThread(const int *__restrict__ first,
                                       const int *__restrict__ column,
                                       const float *__restrict__ value,
                                       const float *__restrict__ x, float *y,
                                       int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int j = first[r]; j < first[r + 1]; ++j)
    sum += value[j] * x[column[j]];
  y[r] = sum;
}

// A warp for each row.
extern "C" __global__ void rowOfWarp(const int *__restrict__ first,
                                     const int *__restrict__ column,
                                     const float *__restrict__ value,
                                     const float *__restrict__ x, float *y,
                                     int rows) {
  int lane = threadIdx.x % 32, r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (r >= rows)
    return;
  float sum = 0;
  int end = first[r + 1];
  for (int j = first[r] + lane; j < end; j += 32)
    sum += value[j] * x[column[j]];
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_down_sync(~0u, sum, o);
  if (lane == 0)
    y[r] = sum;
}

// A block for each row, whose length alone is loaded.
extern "C" __global__ void rowOfBlock(const int *__restrict__ length,
                                      const float *__restrict__ value, float *y,
                                      int pitch) {
  __shared__ float parts[32];
  float sum = 0;
  const float *row = value + (size_t)blockIdx.x * pitch;
  int n = length[blockIdx.x];
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    sum += row[j] * row[j];
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = parts[0] + parts[1];
}

// Pieces of one array, one behind the other.
extern "C" __global__ void chained(const int *__restrict__ length,
                                   const float *__restrict__ value, float *y,
                                   int n) {
  int at = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += value[at];
    at += length[i];
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum + value[at];
}

// All pairs i <= j.
extern "C" __global__ void pairs(const float *__restrict__ x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (i < n)
    for (int j = i; j < n; ++j)
      sum += x[i] * x[j];
  if (i < n)
    y[i] = sum;
}

// The same by tiles: a block has the row of tiles up to its own.
extern "C" __global__ void pairsOfTiles(const float *__restrict__ x, float *y) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float mine = x[i], sum = 0;
  for (int t = 0; t <= blockIdx.x; ++t) {
    __syncthreads();
    tile[threadIdx.x] = x[t * 64 + threadIdx.x];
    __syncthreads();
    int end = t == blockIdx.x ? threadIdx.x + 1 : 64;
    for (int j = 0; j < end; ++j)
      sum += mine * tile[j];
  }
  y[i] = sum;
}

// A window around the thread's own place, within the array.
extern "C" __global__ void clipped(const float *__restrict__ x, float *y, int h,
                                   int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = max(i - h, 0); j <= min(i + h, n - 1); ++j)
    sum += x[j];
  y[i] = sum;
}

// Around a loaded place of 8 and of 16 bits.
extern "C" __global__ void around(const float *__restrict__ x,
                                  const unsigned char *__restrict__ cx,
                                  const short *__restrict__ cy, float *y, int h,
                                  int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int u = cx[i], v = cy[i];
  float sum = 0;
  for (int b = v - h; b <= v + h; ++b)
    for (int a = u - h; a <= u + h; ++a)
      sum += x[b * pitch + a];
  y[i] = sum;
}

// Steps of a tree: log2 of the number of leaves.
extern "C" __global__ void levels(const float *__restrict__ x, float *y,
                                  int n) {
  int steps = (int)ceilf(log2f((float)n));
  float sum = 0;
  for (int s = 0; s < steps; ++s)
    sum += x[(s * n + blockIdx.x * blockDim.x + threadIdx.x) & 1023];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void halved(const float *__restrict__ x, float *y,
                                  unsigned n) {
  float sum = 0;
  for (unsigned s = 32 - __clz(n); s-- > 0;)
    sum += x[(n >> s) * 32 + threadIdx.x % 32];
  for (unsigned w = n; w > 1; w >>= 1)
    sum += x[w + threadIdx.x];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Some blocks alone have work.
extern "C" __global__ void someBlocks(const float *__restrict__ x, float *y,
                                      int n) {
  float sum = 0;
  if (blockIdx.x % 8 == 3)
    for (int j = 0; j < n; ++j)
      sum += x[j * blockDim.x + threadIdx.x];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// Each block has more than the one before.
extern "C" __global__ void moreAndMore(const float *__restrict__ x, float *y) {
  float sum = 0;
  for (unsigned j = threadIdx.x; j < (blockIdx.x + 1) * 100; j += blockDim.x)
    sum += x[j];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The source says how often to unroll.
template <int Unroll>
__device__ float part(const float *x, int begin, int end) {
  float sum = 0;
#pragma unroll Unroll
  for (int j = begin; j < end; j += 32)
    sum += x[j];
  return sum;
}
extern "C" __global__ void unrolled(const int *__restrict__ first,
                                    const float *__restrict__ x, float *y) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int a = first[w], b = first[w + 1];
  float sum = part<1>(x, a + lane, b);
  sum += part<2>(x, a + lane, b);
  sum += part<4>(x, a + lane, b);
  sum += part<8>(x, a + lane, b);
  y[w * 32 + lane] = sum;
}
