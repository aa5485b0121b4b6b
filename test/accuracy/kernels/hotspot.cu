//===- hotspot.cu - Heat spreading over a chip -----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Tile = 16;               // threads along each side of a block
constexpr int Steps = 2;               // in one launch
constexpr int Core = Tile - 2 * Steps; // along each side, what a block writes

// The temperatures after `Steps` steps. A block reads a margin and loses one
// ring of it with each step; the edge of the chip is repeated outside.
extern "C" __global__ void __launch_bounds__(Tile *Tile)
    hotspotSteps(const float *__restrict__ power,
                 const float *__restrict__ before, float *__restrict__ after,
                 int width, int height, float along, float across,
                 float cooling, float ambient) {
  __shared__ float heat[2][Tile][Tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = static_cast<int>(blockIdx.x) * Core + tx - Steps;
  int y = static_cast<int>(blockIdx.y) * Core + ty - Steps;
  bool inside = x >= 0 && x < width && y >= 0 && y < height;
  int cell = inside ? y * width + x : 0;
  heat[0][ty][tx] = inside ? before[cell] : 0;
  float source = inside ? power[cell] : 0;
  int now = 0;
  for (int step = 1; step <= Steps; ++step) {
    __syncthreads();
    bool whole =
        tx >= step && tx < Tile - step && ty >= step && ty < Tile - step;
    if (whole && inside) {
      float own = heat[now][ty][tx];
      float north = heat[now][y > 0 ? ty - 1 : ty][tx];
      float south = heat[now][y < height - 1 ? ty + 1 : ty][tx];
      float west = heat[now][ty][x > 0 ? tx - 1 : tx];
      float east = heat[now][ty][x < width - 1 ? tx + 1 : tx];
      float next = own + source;
      next = fmaf(along, fmaf(-2.0f, own, west + east), next);
      next = fmaf(across, fmaf(-2.0f, own, north + south), next);
      heat[1 - now][ty][tx] = fmaf(cooling, ambient - own, next);
    }
    now = 1 - now;
  }
  bool core =
      tx >= Steps && tx < Tile - Steps && ty >= Steps && ty < Tile - Steps;
  if (core && inside)
    after[cell] = heat[now][ty][tx];
}
