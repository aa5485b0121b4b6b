//===- gather.cu - addresses that come from data ---------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Gathers, scatters and what is made of them. How wide the addresses spread is
// up to the data, which the launch chooses.

__device__ __forceinline__ unsigned indexInGrid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void gather(float *out, const float *x,
                                  const unsigned *index, unsigned n) {
  unsigned i = indexInGrid();
  if (i < n)
    out[i] = x[index[i]];
}

extern "C" __global__ void scatter(float *out, const float *x,
                                   const unsigned *index, unsigned n) {
  unsigned i = indexInGrid();
  if (i < n)
    out[index[i]] = x[i];
}

// Rows of a table, each of 2^shift pieces of 16 bytes; n pieces in all.
extern "C" __global__ void gatherRows(float4 *out, const float4 *table,
                                      const unsigned *index, unsigned n,
                                      unsigned shift) {
  unsigned i = indexInGrid();
  if (i >= n)
    return;
  size_t row = index[i >> shift];
  out[i] = table[(row << shift) + (i & ((1u << shift) - 1))];
}

extern "C" __global__ void scatterRows(float4 *table, const float4 *in,
                                       const unsigned *index, unsigned n,
                                       unsigned shift) {
  unsigned i = indexInGrid();
  if (i >= n)
    return;
  size_t row = index[i >> shift];
  table[(row << shift) + (i & ((1u << shift) - 1))] = in[i];
}

// Sums over channels, each read at a delay of its own: a block's y is the trial
// and has a table of delays. The channels are `stride` samples apart.
template <typename Sample>
__device__ __forceinline__ void dedisperse(float *out, const Sample *in,
                                           const unsigned *delay, int channels,
                                           int stride, int samples) {
  int t = indexInGrid();
  if (t >= samples)
    return;
  delay += blockIdx.y * channels;
  float sum = 0;
  for (int c = 0; c < channels; ++c)
    sum += in[c * stride + t + delay[c]];
  out[blockIdx.y * samples + t] = sum;
}

extern "C" __global__ void dedisperseF32(float *out, const float *in,
                                         const unsigned *delay, int channels,
                                         int stride, int samples) {
  dedisperse(out, in, delay, channels, stride, samples);
}

extern "C" __global__ void dedisperseU8(float *out, const unsigned char *in,
                                        const unsigned *delay, int channels,
                                        int stride, int samples) {
  dedisperse(out, in, delay, channels, stride, samples);
}

// Delays that are computed: a trial's measure times what a channel has of it,
// which grows from channel to channel. Each thread has a trial's two samples.
extern "C" __global__ void dedisperseScaled(float *out, const unsigned char *in,
                                            const float *delay, float first,
                                            float step, int channels,
                                            int stride, int samples) {
  int t = indexInGrid(), half = samples / 2;
  if (t >= half)
    return;
  float measure = first + step * blockIdx.y, sum0 = 0, sum1 = 0;
  for (int c = 0; c < channels; ++c) {
    const unsigned char *at = in + c * stride + t + int(measure * delay[c]);
    sum0 += at[0];
    sum1 += at[half];
  }
  out[blockIdx.y * samples + t] = sum0;
  out[blockIdx.y * samples + t + half] = sum1;
}

// An image under the affine map (x, y) -> (a x - b y + u, b x + a y + v), at
// its edges the nearest pixels.
extern "C" __global__ void bilinear(float *out, const float *in, int width,
                                    int height, float a, float b, float u,
                                    float v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float atX = fminf(fmaxf(a * x - b * y + u, 0), width - 1);
  float atY = fminf(fmaxf(b * x + a * y + v, 0), height - 1);
  int x0 = int(atX), y0 = int(atY);
  int x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1);
  float fractionX = atX - x0, fractionY = atY - y0;
  float p00 = in[y0 * width + x0], p01 = in[y0 * width + x1];
  float p10 = in[y1 * width + x0], p11 = in[y1 * width + x1];
  float upper = p00 + fractionX * (p01 - p00);
  float lower = p10 + fractionX * (p11 - p10);
  out[y * width + x] = upper + fractionY * (lower - upper);
}

// Where each key would stand in a sorted table.
extern "C" __global__ void binarySearch(unsigned *out, const unsigned *table,
                                        const unsigned *keys, unsigned n,
                                        unsigned size) {
  unsigned i = indexInGrid();
  if (i >= n)
    return;
  unsigned key = keys[i], low = 0, high = size;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

// A sparse matrix in ELL format: the same number of entries in each row, of
// which those of neighbouring rows are neighbours. A row a thread.
extern "C" __global__ void spmvEll(float *y, const float *values,
                                   const unsigned *columns, const float *x,
                                   unsigned rows, unsigned width) {
  unsigned row = indexInGrid();
  if (row >= rows)
    return;
  float sum = 0;
  for (unsigned k = 0; k < width; ++k) {
    size_t at = size_t(k) * rows + row;
    sum += values[at] * x[columns[at]];
  }
  y[row] = sum;
}

// Each lane follows a way of its own through a table of mask + 1 random
// numbers. The step is added, so that no way goes in a circle.
extern "C" __global__ void chaseLanes(unsigned *out, const unsigned *next,
                                      unsigned steps, unsigned mask) {
  unsigned i = indexInGrid(), at = i * 0x9e3779b9u & mask;
  for (unsigned s = 0; s < steps; ++s)
    at = (next[at] + s) & mask;
  out[i] = at;
}

// The lanes of a warp go the same way.
extern "C" __global__ void chaseWarps(unsigned *out, const unsigned *next,
                                      unsigned steps, unsigned mask) {
  unsigned i = indexInGrid(), at = i / 32 * 0x9e3779b9u & mask;
  for (unsigned s = 0; s < steps; ++s)
    at = (next[at] + s) & mask;
  out[i] = at;
}
