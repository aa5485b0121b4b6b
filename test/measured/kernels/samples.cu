//===- samples.cu - what is learnt first -----------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// What CUDA programmers learn first, in the tiles and launches that were
// measured on a GTX 980.

// One thread for each element.
extern "C" __global__ void sampleVectorAdd(const float *a, const float *b,
                                           float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// The normal distribution by a polynomial (Abramowitz and Stegun, 26.2.17).
__device__ __forceinline__ float normal(float d) {
  float t = 1 / (1 + 0.2316419f * fabsf(d));
  float sum =
      t * (0.319381530f +
           t * (-0.356563782f +
                t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  float upper = 0.3989422804f * __expf(-0.5f * d * d) * sum;
  return d > 0 ? 1 - upper : upper;
}

// The closed formula of Black and Scholes, one option a thread.
extern "C" __global__ void sampleBlackScholes(float *call, float *put,
                                              float *spot, float *strike,
                                              float *years, float rate,
                                              float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = spot[i], k = strike[i], t = years[i];
  float root = sqrtf(t);
  float d1 = (__logf(s / k) + (rate + 0.5f * volatility * volatility) * t) /
             (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = normal(d1), n2 = normal(d2);
  float discounted = k * __expf(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1 - n2) - s * (1 - n1);
}

constexpr int Tile = 32;

// C = A * B of a square's rows, both operands from global memory, in steps of
// a tile.
extern "C" __global__ void sampleMatmulGlobal(float *c, float *a, float *b,
                                              int widthA, int widthB) {
  int x = threadIdx.x, y = threadIdx.y;
  int first = widthA * Tile * blockIdx.y, last = first + widthA - 1;
  float sum = 0;
  for (int atA = first, atB = Tile * blockIdx.x; atA <= last;
       atA += Tile, atB += Tile * widthB)
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum += a[atA + widthA * y + i] * b[atB + widthB * i + x];
  c[widthB * Tile * blockIdx.y + Tile * blockIdx.x + widthB * y + x] = sum;
}

// The same with both tiles in shared memory.
extern "C" __global__ void sampleMatmulShared(float *c, float *a, float *b,
                                              int widthA, int widthB) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int first = widthA * Tile * blockIdx.y, last = first + widthA - 1;
  float sum = 0;
  for (int atA = first, atB = Tile * blockIdx.x; atA <= last;
       atA += Tile, atB += Tile * widthB) {
    tileA[y][x] = a[atA + widthA * y + x];
    tileB[y][x] = b[atB + widthB * y + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  c[widthB * Tile * blockIdx.y + Tile * blockIdx.x + widthB * y + x] = sum;
}

// Through a tile of 16 x 16 whose columns lie in two banks.
constexpr int Square = 16;

extern "C" __global__ void sampleTranspose(float *out, float *in, int width,
                                           int height) {
  __shared__ float tile[Square][Square];
  int x = blockIdx.x * Square + threadIdx.x;
  int y = blockIdx.y * Square + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[x + y * width];
  __syncthreads();
  x = blockIdx.y * Square + threadIdx.x; // in the transposed matrix
  y = blockIdx.x * Square + threadIdx.y;
  out[x + y * height] = tile[threadIdx.x][threadIdx.y];
}

// Scalar products of pairs of vectors: 1024 partial sums a pair, then a tree.
constexpr int Partial = 1024;

extern "C" __global__ void sampleScalarProducts(float *out, float *a, float *b,
                                                int vectors, int elements) {
  __shared__ float partial[Partial];
  for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
    int begin = elements * v, end = begin + elements;
    for (int p = threadIdx.x; p < Partial; p += blockDim.x) {
      float sum = 0;
      for (int i = begin + p; i < end; i += Partial)
        sum += a[i] * b[i];
      partial[p] = sum;
    }
    for (int stride = Partial / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int p = threadIdx.x; p < stride; p += blockDim.x)
        partial[p] += partial[stride + p];
    }
    if (threadIdx.x == 0)
      out[v] = partial[0];
  }
}

// Counts of the bytes in words, by each of a block's six warps for itself, then
// added up for the block. Without atomics: the upper bits of a count say which
// lane wrote it last, and a lane whose count another lane overwrote tries
// again.
constexpr unsigned Bins = 256, Warps = 6, CountBits = 27;

__device__ __forceinline__ void count(volatile unsigned *bins, unsigned bin,
                                      unsigned lane) {
  unsigned mine;
  do {
    mine = bins[bin] & ((1u << CountBits) - 1);
    mine = lane << CountBits | (mine + 1);
    bins[bin] = mine;
  } while (bins[bin] != mine);
}

extern "C" __global__ void
sampleHistogram(unsigned *partial, const unsigned *data, unsigned words) {
  __shared__ unsigned bins[Warps * Bins];
  unsigned *own = bins + threadIdx.x / 32 * Bins;
  unsigned lane = threadIdx.x; // of which its upper bits are shifted out
#pragma unroll
  for (unsigned i = 0; i < Bins / 32; ++i)
    bins[threadIdx.x + i * Warps * 32] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += blockDim.x * gridDim.x) {
    unsigned word = data[i];
    count(own, word & 0xff, lane);
    count(own, word >> 8 & 0xff, lane);
    count(own, word >> 16 & 0xff, lane);
    count(own, word >> 24, lane);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Bins; bin += Warps * 32) {
    unsigned sum = 0;
    for (unsigned w = 0; w < Warps; ++w)
      sum += bins[bin + w * Bins] & ((1u << CountBits) - 1);
    partial[blockIdx.x * Bins + bin] = sum;
  }
}

// A filter of 17 taps along the rows; a thread makes eight elements that are 16
// apart, from a stretch in shared memory with 16 more on both sides.
constexpr int Radius = 8, Across = 16, Down = 4, Steps = 8;

__constant__ float taps[2 * Radius + 1] = {
    0.0078125f, 0.015625f, 0.0234375f, 0.03125f,   0.0625f,   0.09375f,
    0.125f,     0.1875f,   0.25f,      0.1796875f, 0.125f,    0.09375f,
    0.0625f,    0.03125f,  0.0234375f, 0.015625f,  0.0078125f};

extern "C" __global__ void
sampleConvolutionRows(float *out, float *in, int width, int height, int pitch) {
  __shared__ float line[Down][(Steps + 2) * Across];
  int x = (static_cast<int>(blockIdx.x) * Steps - 1) * Across + threadIdx.x;
  int y = blockIdx.y * Down + threadIdx.y;
  in += y * pitch + x;
  out += y * pitch + x;
  float *own = &line[threadIdx.y][threadIdx.x];
#pragma unroll
  for (int i = 1; i <= Steps; ++i)
    own[i * Across] = in[i * Across];
  own[0] = x >= 0 ? in[0] : 0;
  own[(Steps + 1) * Across] =
      width - x > (Steps + 1) * Across ? in[(Steps + 1) * Across] : 0;
  __syncthreads();
#pragma unroll
  for (int i = 1; i <= Steps; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -Radius; j <= Radius; ++j)
      sum += taps[Radius - j] * own[i * Across + j];
    out[i * Across] = sum;
  }
}

// Sorts each block's 1024 pairs by their keys, even blocks downwards, odd ones
// upwards.
constexpr unsigned Pairs = 1024;

__device__ __forceinline__ void order(unsigned *keys, unsigned *values,
                                      unsigned stride, unsigned up) {
  unsigned i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
  if ((keys[i] > keys[i + stride]) == up) {
    unsigned key = keys[i], value = values[i];
    keys[i] = keys[i + stride];
    values[i] = values[i + stride];
    keys[i + stride] = key;
    values[i + stride] = value;
  }
}

extern "C" __global__ void sampleBitonicSort(unsigned *outKeys,
                                             unsigned *outValues,
                                             unsigned *inKeys,
                                             unsigned *inValues) {
  __shared__ unsigned keys[Pairs], values[Pairs];
  unsigned t = threadIdx.x, half = Pairs / 2;
  unsigned i = blockIdx.x * Pairs + t;
  keys[t] = inKeys[i];
  values[t] = inValues[i];
  keys[t + half] = inKeys[i + half];
  values[t + half] = inValues[i + half];
  for (unsigned size = 2; size < Pairs; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      order(keys, values, stride, (t & (size / 2)) != 0);
    }
  for (unsigned stride = half; stride > 0; stride /= 2) {
    __syncthreads();
    order(keys, values, stride, blockIdx.x & 1);
  }
  __syncthreads();
  outKeys[i] = keys[t];
  outValues[i] = values[t];
  outKeys[i + half] = keys[t + half];
  outValues[i + half] = values[t + half];
}

// Exclusive sums within runs of `size` elements, four elements a thread: those
// of the threads' totals by doubling steps in shared memory, whose lower half
// is 0.
constexpr unsigned Threads = 256;

extern "C" __global__ void sampleScan(uint4 *out, uint4 *in, unsigned size) {
  __shared__ unsigned sums[2 * Threads];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 values = in[i];
  values.y += values.x;
  values.z += values.y;
  values.w += values.z;
  unsigned run = size / 4;
  unsigned at = 2 * threadIdx.x - (threadIdx.x & (run - 1));
  sums[at] = 0;
  at += run;
  sums[at] = values.w;
  for (unsigned offset = 1; offset < run; offset *= 2) {
    __syncthreads();
    unsigned sum = sums[at] + sums[at - offset];
    __syncthreads();
    sums[at] = sum;
  }
  unsigned before = sums[at] - values.w;
  out[i] = make_uint4(before, before + values.x, before + values.y,
                      before + values.z);
}

// What makes the sums of blocks those of the whole: one thread reads the
// block's offset, and all add it.
extern "C" __global__ void sampleScanUpdate(uint4 *sums, unsigned *offsets) {
  __shared__ unsigned offset;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    offset = offsets[blockIdx.x];
  __syncthreads();
  uint4 values = sums[i];
  values.x += offset;
  values.y += offset;
  values.z += offset;
  values.w += offset;
  sums[i] = values;
}
