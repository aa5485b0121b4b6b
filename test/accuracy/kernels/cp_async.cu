//===- cp_async.cu - Copies beside the arithmetic --------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Block = 64, Elements = 4; // of a thread, in one tile
constexpr int Tile = Block * Elements;  // elements
constexpr int Stages = 3;

// Copies 16 bytes; those from `bytes` on become 0.
__device__ __forceinline__ void copyAsync(void *to, const void *from,
                                          int bytes) {
#if __CUDA_ARCH__ >= 800
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address),
               "l"(__cvta_generic_to_global(from)), "r"(bytes)
               : "memory");
#else
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(to)[i] =
        4 * i < bytes ? static_cast<const float *>(from)[i] : 0;
#endif
}

// Each block takes every gridDim.x-th tile and writes it scaled and backwards,
// so that threads use what others copied. While one tile is worked on, the
// next two are under way.
extern "C" __global__ void __launch_bounds__(Block)
    copyPipeline(const float *__restrict__ in, float *__restrict__ out, int n,
                 float scale) {
  __shared__ __align__(16) float tiles[Stages][Tile];
  int tileCount = (n + Tile - 1) / Tile;
  auto start = [&](int tile, int stage) {
    int i = tile * Tile + threadIdx.x * Elements;
    int bytes = min(max(n - i, 0), Elements) * 4;
    if (tile < tileCount)
      copyAsync(&tiles[stage][threadIdx.x * Elements], in + (bytes ? i : 0),
                bytes);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  };
  for (int s = 0; s < Stages - 1; ++s)
    start(blockIdx.x + s * gridDim.x, s);
  int stage = 0;
  for (int tile = blockIdx.x; tile < tileCount; tile += gridDim.x) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
#endif
    __syncthreads();
    start(tile + (Stages - 1) * gridDim.x, (stage + Stages - 1) % Stages);
#pragma unroll
    for (int e = 0; e < Elements; ++e) {
      int i = e * Block + threadIdx.x;
      if (tile * Tile + i < n)
        out[tile * Tile + i] = scale * tiles[stage][Tile - 1 - i];
    }
    stage = (stage + 1) % Stages;
  }
}
