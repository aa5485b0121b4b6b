//===- convolution.cu - Convolutions in one and two dimensions -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Radius1D = 8, Radius2D = 2, RadiusSeparable = 4;
constexpr int Line = 128;            // threads and outputs of a block
constexpr int TileX = 32, TileY = 8; // the same in two dimensions

// Neither symmetric nor one like another in its place, so that no mix-up hides.
__constant__ float weights1D[2 * Radius1D + 1] = {
    0.0078125f, 0.015625f, 0.0234375f, 0.03125f,   0.0625f,   0.09375f,
    0.125f,     0.1875f,   0.25f,      0.1796875f, 0.125f,    0.09375f,
    0.0625f,    0.03125f,  0.0234375f, 0.015625f,  0.0078125f};
__constant__ float weights2D[2 * Radius2D + 1][2 * Radius2D + 1] = {
    {0.0625f, 0.125f, 0.25f, 0.125f, 0.03125f},
    {0.125f, 0.25f, 0.5f, 0.25f, 0.0625f},
    {0.25f, 0.5f, -4.0f, 0.5f, 0.125f},
    {0.125f, 0.25f, 0.5f, 0.25f, 0.0625f},
    {0.0625f, 0.125f, 0.25f, 0.125f, 0.03125f}};
__constant__ float weightsSeparable[2 * RadiusSeparable + 1] = {
    0.015625f, 0.03125f, 0.125f,  0.1875f,   0.25f,
    0.21875f,  0.125f,   0.0625f, 0.0078125f};

// With the neighbourhood in shared memory; 0 outside.
extern "C" __global__ void __launch_bounds__(Line)
    convolution1d(const float *__restrict__ in, float *__restrict__ out,
                  int n) {
  __shared__ float tile[Line + 2 * Radius1D];
  int first = blockIdx.x * Line - Radius1D;
  for (int t = threadIdx.x; t < Line + 2 * Radius1D; t += Line) {
    int i = first + t;
    tile[t] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int w = 0; w <= 2 * Radius1D; ++w)
    sum = fmaf(weights1D[w], tile[threadIdx.x + w], sum);
  int i = blockIdx.x * Line + threadIdx.x;
  if (i < n)
    out[i] = sum;
}

// From global memory, through the caches; the edge is repeated outside.
extern "C" __global__ void convolution2d(const float *__restrict__ in,
                                         float *__restrict__ out, int width,
                                         int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
#pragma unroll
  for (int dy = -Radius2D; dy <= Radius2D; ++dy)
#pragma unroll
    for (int dx = -Radius2D; dx <= Radius2D; ++dx) {
      int row = min(max(y + dy, 0), height - 1);
      int column = min(max(x + dx, 0), width - 1);
      sum = fmaf(weights2D[dy + Radius2D][dx + Radius2D],
                 in[row * width + column], sum);
    }
  out[y * width + x] = sum;
}

// A separable filter takes two passes; 0 outside.
extern "C" __global__ void __launch_bounds__(TileX *TileY)
    convolutionRows(const float *__restrict__ in, float *__restrict__ out,
                    int width, int height) {
  __shared__ float tile[TileY][TileX + 2 * RadiusSeparable];
  int y = blockIdx.y * TileY + threadIdx.y;
  int first = blockIdx.x * TileX - RadiusSeparable;
  for (int t = threadIdx.x; t < TileX + 2 * RadiusSeparable; t += TileX) {
    int x = first + t;
    bool inside = y < height && x >= 0 && x < width;
    tile[threadIdx.y][t] = inside ? in[y * width + x] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int w = 0; w <= 2 * RadiusSeparable; ++w)
    sum = fmaf(weightsSeparable[w], tile[threadIdx.y][threadIdx.x + w], sum);
  int x = blockIdx.x * TileX + threadIdx.x;
  if (x < width && y < height)
    out[y * width + x] = sum;
}

extern "C" __global__ void __launch_bounds__(TileX *TileY)
    convolutionColumns(const float *__restrict__ in, float *__restrict__ out,
                       int width, int height) {
  __shared__ float tile[TileY + 2 * RadiusSeparable][TileX];
  int x = blockIdx.x * TileX + threadIdx.x;
  int first = blockIdx.y * TileY - RadiusSeparable;
  for (int t = threadIdx.y; t < TileY + 2 * RadiusSeparable; t += TileY) {
    int y = first + t;
    bool inside = x < width && y >= 0 && y < height;
    tile[t][threadIdx.x] = inside ? in[y * width + x] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int w = 0; w <= 2 * RadiusSeparable; ++w)
    sum = fmaf(weightsSeparable[w], tile[threadIdx.y + w][threadIdx.x], sum);
  int y = blockIdx.y * TileY + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = sum;
}
