//===- stencils.cu - stencils and convolutions with tiles ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each stencil from the caches and from a tile in shared memory. Edges are
// left as they are.

// Five points in a plane, in either precision; sides that blocks divide.
template <typename T>
__device__ __forceinline__ void fivePoints(T *__restrict__ out,
                                           const T *__restrict__ in, int width,
                                           int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
    return;
  int i = y * width + x;
  out[i] = T(0.5) * in[i] +
           T(0.125) * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

extern "C" __global__ void stencil2D(float *__restrict__ out,
                                     const float *__restrict__ in, int width,
                                     int height) {
  fivePoints(out, in, width, height);
}

extern "C" __global__ void stencil2DDouble(double *__restrict__ out,
                                           const double *__restrict__ in,
                                           int width, int height) {
  fivePoints(out, in, width, height);
}

constexpr int TileX = 32, TileY = 8; // threads of a block

extern "C" __global__ void __launch_bounds__(TileX *TileY)
    stencil2DTile(float *__restrict__ out, const float *__restrict__ in,
                  int width, int height) {
  __shared__ float tile[TileY + 2][TileX + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * TileX + threadIdx.x;
  int y = blockIdx.y * TileY + threadIdx.y;
  int i = y * width + x;
  tile[ty][tx] = in[i];
  if (threadIdx.x == 0 && x > 0)
    tile[ty][0] = in[i - 1];
  if (threadIdx.x == TileX - 1 && x < width - 1)
    tile[ty][TileX + 1] = in[i + 1];
  if (threadIdx.y == 0 && y > 0)
    tile[0][tx] = in[i - width];
  if (threadIdx.y == TileY - 1 && y < height - 1)
    tile[TileY + 1][tx] = in[i + width];
  __syncthreads();
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
    return;
  out[i] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                           tile[ty - 1][tx] + tile[ty + 1][tx]);
}

// Seven points in space, one element a thread.
extern "C" __global__ void stencil3D(float *__restrict__ out,
                                     const float *__restrict__ in, int width,
                                     int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x == 0 || y == 0 || z == 0 || x >= width - 1 || y >= height - 1 ||
      z >= depth - 1)
    return;
  int plane = width * height, i = z * plane + y * width + x;
  out[i] =
      0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - width] +
                             in[i + width] + in[i - plane] + in[i + plane]);
}

// A column along z a thread: the plane in a shared tile, what lies above and
// below in registers.
extern "C" __global__ void __launch_bounds__(TileX *TileY)
    stencil3DTile(float *__restrict__ out, const float *__restrict__ in,
                  int width, int height, int depth) {
  __shared__ float tile[TileY + 2][TileX + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * TileX + threadIdx.x;
  int y = blockIdx.y * TileY + threadIdx.y;
  int plane = width * height;
  int begin = blockIdx.z * (depth / gridDim.z);
  int end = min(begin + depth / static_cast<int>(gridDim.z), depth - 1);
  begin = max(begin, 1);
  int i = begin * plane + y * width + x;
  bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
  float below = in[i - plane], here = in[i];
  for (int z = begin; z < end; ++z, i += plane) {
    float above = in[i + plane];
    __syncthreads();
    tile[ty][tx] = here;
    if (threadIdx.x == 0 && x > 0)
      tile[ty][0] = in[i - 1];
    if (threadIdx.x == TileX - 1 && x < width - 1)
      tile[ty][TileX + 1] = in[i + 1];
    if (threadIdx.y == 0 && y > 0)
      tile[0][tx] = in[i - width];
    if (threadIdx.y == TileY - 1 && y < height - 1)
      tile[TileY + 1][tx] = in[i + width];
    __syncthreads();
    if (inside)
      out[i] = 0.4f * here +
               0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                       tile[ty + 1][tx] + below + above);
    below = here;
    here = above;
  }
}

// A filter of 17 x 17 whose weights lie in constant memory. `in` has a margin
// of 16 to the right and below. A block of BlockX x BlockY threads makes
// FactorX x FactorY outputs a thread, from a tile in shared memory whose rows
// have Pad more elements than they need.
constexpr int Filter = 17;
__constant__ float weights[Filter * Filter] = {0.25f, 0.5f, 0.75f, 1.0f};

template <int BlockX, int BlockY, int FactorX, int FactorY, int Pad>
__device__ __forceinline__ void
convolveTile(float *__restrict__ out, const float *__restrict__ in, int width) {
  constexpr int SpanX = BlockX * FactorX + Filter - 1;
  constexpr int SpanY = BlockY * FactorY + Filter - 1;
  __shared__ float tile[SpanY][SpanX + Pad];
  int pitch = width + Filter - 1;
  int left = blockIdx.x * BlockX * FactorX, top = blockIdx.y * BlockY * FactorY;
  for (int y = threadIdx.y; y < SpanY; y += BlockY)
    for (int x = threadIdx.x; x < SpanX; x += BlockX)
      tile[y][x] = in[(top + y) * pitch + left + x];
  __syncthreads();
  float sums[FactorY][FactorX] = {};
#pragma unroll 1
  for (int dy = 0; dy < Filter; ++dy)
#pragma unroll
    for (int dx = 0; dx < Filter; ++dx)
#pragma unroll
      for (int fy = 0; fy < FactorY; ++fy)
#pragma unroll
        for (int fx = 0; fx < FactorX; ++fx)
          sums[fy][fx] += weights[dy * Filter + dx] *
                          tile[threadIdx.y + fy * BlockY + dy]
                              [threadIdx.x + fx * BlockX + dx];
#pragma unroll
  for (int fy = 0; fy < FactorY; ++fy)
#pragma unroll
    for (int fx = 0; fx < FactorX; ++fx)
      out[(top + threadIdx.y + fy * BlockY) * width + left + threadIdx.x +
          fx * BlockX] = sums[fy][fx];
}

#define CONVOLUTION(Name, BlockX, BlockY, FactorX, FactorY, Pad)               \
  extern "C" __global__ void __launch_bounds__(BlockX *BlockY)                 \
      Name(float *__restrict__ out, const float *__restrict__ in, int width) { \
    convolveTile<BlockX, BlockY, FactorX, FactorY, Pad>(out, in, width);       \
  }
CONVOLUTION(convolve16x16, 16, 16, 1, 1, 0)
CONVOLUTION(convolve16x16Padded, 16, 16, 1, 1, 16)
CONVOLUTION(convolve16x16Two, 16, 16, 2, 1, 0)
CONVOLUTION(convolve16x16Four, 16, 16, 2, 2, 0)
CONVOLUTION(convolve32x8, 32, 8, 1, 1, 0)
CONVOLUTION(convolve32x8Two, 32, 8, 1, 2, 0)
CONVOLUTION(convolve32x8Four, 32, 8, 1, 4, 0)
