//===- mbarrier.cu - Producers and consumers -------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#if __CUDA_ARCH__ >= 800

constexpr int Stages = 2;
constexpr int Producers = 32, Consumers = 96; // threads of a block
constexpr int Tile = Consumers;               // elements

__device__ __forceinline__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__device__ __forceinline__ void initialise(unsigned long long *barrier,
                                           unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addressOf(barrier)),
               "r"(arrivals)
               : "memory");
}

__device__ __forceinline__ void arrive(unsigned long long *barrier) {
  asm volatile(
      "{\n\t.reg .b64 state;\n\t"
      "mbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(addressOf(barrier))
      : "memory");
}

// Arrives once all copies that this thread started are done.
__device__ __forceinline__ void arriveAfterCopies(unsigned long long *barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                   addressOf(barrier))
               : "memory");
}

__device__ __forceinline__ void waitFor(unsigned long long *barrier,
                                        unsigned parity) {
  unsigned done;
  do {
    asm volatile("{\n\t.reg .pred p;\n\t"
#if __CUDA_ARCH__ >= 900
                 "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
#else
                 "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
#endif
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done)
                 : "r"(addressOf(barrier)), "r"(parity)
                 : "memory");
  } while (!done);
}

// The first warp copies tiles into a ring of stages, the others take each tile
// from its end and add the element to its left. A stage's barriers say that it
// is full and that it is empty again.
extern "C" __global__ void __launch_bounds__(Producers + Consumers)
    copyMbarrier(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int tiles[Stages][Tile];
  __shared__ unsigned long long full[Stages], empty[Stages];
  if (threadIdx.x < Stages) {
    initialise(&full[threadIdx.x], Producers);
    initialise(&empty[threadIdx.x], Consumers);
  }
  __syncthreads();
  int tileCount = (n + Tile - 1) / Tile;
  int round = 0;
  if (threadIdx.x < Producers) {
    for (int tile = blockIdx.x; tile < tileCount; tile += gridDim.x, ++round) {
      int stage = round % Stages;
      if (round >= Stages)
        waitFor(&empty[stage], (round / Stages - 1) & 1);
      for (int i = threadIdx.x; i < Tile; i += Producers)
        if (tile * Tile + i < n)
          asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                           addressOf(&tiles[stage][i])),
                       "l"(__cvta_generic_to_global(in + tile * Tile + i))
                       : "memory");
      arriveAfterCopies(&full[stage]);
    }
  } else {
    int t = threadIdx.x - Producers;
    for (int tile = blockIdx.x; tile < tileCount; tile += gridDim.x, ++round) {
      int stage = round % Stages;
      waitFor(&full[stage], (round / Stages) & 1);
      int length = min(Tile, n - tile * Tile);
      if (t < length) {
        int i = length - 1 - t;
        out[tile * Tile + t] =
            tiles[stage][i] + (i > 0 ? tiles[stage][i - 1] : 0);
      }
      arrive(&empty[stage]);
    }
  }
}

#else

extern "C" __global__ void copyMbarrier(const int *, int *, int) {}

#endif
