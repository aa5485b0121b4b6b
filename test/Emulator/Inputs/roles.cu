//===- roles.cu - Warps of a block with work of their own ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Chunk = 256; // floats of a buffer

__device__ __forceinline__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__device__ __forceinline__ void init(unsigned long long *barrier,
                                     unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addressOf(barrier)),
               "r"(arrivals)
               : "memory");
}

__device__ __forceinline__ void expect(unsigned long long *barrier,
                                       unsigned bytes) {
  asm volatile("{\n\t.reg .b64 s;\n\t"
               "mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1;\n\t}" ::"r"(
                   addressOf(barrier)),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void arrive(unsigned long long *barrier) {
  asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.shared.b64 s, [%0];\n\t}" ::
                   "r"(addressOf(barrier))
               : "memory");
}

__device__ __forceinline__ void waitFor(unsigned long long *barrier,
                                        unsigned parity) {
  asm volatile("{\n\t.reg .pred done;\n\t"
               "WAIT:\n\t"
               "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n\t"
               "@done bra DONE;\n\t"
               "bra WAIT;\n\t"
               "DONE:\n\t}" ::"r"(addressOf(barrier)),
               "r"(parity)
               : "memory");
}

__device__ __forceinline__ void copy(float *to, const float *from,
                                     unsigned bytes,
                                     unsigned long long *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(addressOf(to)),
               "l"(from), "r"(bytes), "r"(addressOf(barrier))
               : "memory");
}

__device__ __forceinline__ bool elected() {
  unsigned is;
  asm volatile("{\n\t.reg .pred p;\n\t"
               "elect.sync _|p, 0xffffffff;\n\t"
               "selp.u32 %0, 1, 0, p;\n\t}"
               : "=r"(is));
  return is != 0;
}

// Warp 0 copies, and warps 1 to 4 add up. Four buffers lie between them.
extern "C" __global__ void producerConsumer(const float *in, float *out,
                                            int chunks) {
  constexpr int Stages = 4;
  __shared__ alignas(128) float buffer[Stages][Chunk];
  __shared__ unsigned long long full[Stages], empty[Stages];
  if (threadIdx.x == 0)
    for (int s = 0; s != Stages; ++s) {
      init(&full[s], 1);
      init(&empty[s], 4);
    }
  __syncthreads();
  const float *from = in + size_t(blockIdx.x) * chunks * Chunk;
  if (threadIdx.x < 32) {
    if (elected())
      for (int c = 0; c < chunks; ++c) {
        const int s = c % Stages;
        waitFor(&empty[s], (c / Stages & 1) ^ 1);
        expect(&full[s], Chunk * 4);
        copy(buffer[s], from + c * Chunk, Chunk * 4, &full[s]);
      }
  } else {
    float sum = 0;
    const int lane = threadIdx.x - 32;
    for (int c = 0; c < chunks; ++c) {
      const int s = c % Stages;
      waitFor(&full[s], c / Stages & 1);
      sum += buffer[s][lane] + buffer[s][lane + 128];
      __syncwarp();
      if (lane % 32 == 0)
        arrive(&empty[s]);
    }
    out[blockIdx.x * 128 + lane] = sum;
  }
}

// A warp copies, one works, one writes, over tiles that the blocks share out. A
// stage goes on where the tile before left it.
extern "C" __global__ void threeRoles(const float *in, float *out, int tiles) {
  constexpr int Stages = 3, Chunks = 5;
  __shared__ alignas(128) float buffer[Stages][Chunk];
  __shared__ float result[2][32];
  __shared__ unsigned long long full[Stages], empty[Stages], ready[2], read[2];
  if (threadIdx.x == 0) {
    for (int s = 0; s != Stages; ++s) {
      init(&full[s], 1);
      init(&empty[s], 1);
    }
    for (int s = 0; s != 2; ++s) {
      init(&ready[s], 32);
      init(&read[s], 32);
    }
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int stage = 0, phase = 0;
  auto next = [&] {
    if (++stage == Stages) {
      stage = 0;
      phase ^= 1;
    }
  };
  if (warp == 0) {
    if (elected())
      for (int t = blockIdx.x; t < tiles; t += gridDim.x)
        for (int c = 0; c != Chunks; ++c, next()) {
          waitFor(&empty[stage], phase ^ 1);
          expect(&full[stage], Chunk * 4);
          copy(buffer[stage], in + (size_t(t) * Chunks + c) * Chunk, Chunk * 4,
               &full[stage]);
        }
  } else if (warp == 1) {
    int turn = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x, ++turn) {
      float sum = 0;
      for (int c = 0; c != Chunks; ++c, next()) {
        waitFor(&full[stage], phase);
        for (int k = 0; k != Chunk / 32; ++k)
          sum += buffer[stage][k * 32 + lane];
        __syncwarp();
        if (lane == 0)
          arrive(&empty[stage]);
      }
      waitFor(&read[turn % 2], (turn / 2 & 1) ^ 1);
      result[turn % 2][lane] = sum;
      arrive(&ready[turn % 2]);
    }
  } else {
    int turn = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x, ++turn) {
      waitFor(&ready[turn % 2], turn / 2 & 1);
      out[t * 32 + lane] = result[turn % 2][lane];
      arrive(&read[turn % 2]);
    }
  }
}

// All warps do the same, and one thread copies for them.
extern "C" __global__ void oneRole(const float *in, float *out, int chunks) {
  __shared__ alignas(128) float buffer[2][Chunk];
  __shared__ unsigned long long full[2];
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
  }
  __syncthreads();
  const float *from = in + size_t(blockIdx.x) * chunks * Chunk;
  auto start = [&](int c) {
    if (threadIdx.x == 0 && c < chunks) {
      expect(&full[c % 2], Chunk * 4);
      copy(buffer[c % 2], from + c * Chunk, Chunk * 4, &full[c % 2]);
    }
  };
  start(0);
  float sum = 0;
  for (int c = 0; c < chunks; ++c) {
    start(c + 1);
    waitFor(&full[c % 2], c / 2 & 1);
    sum += buffer[c % 2][threadIdx.x] + buffer[c % 2][threadIdx.x + 128];
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
