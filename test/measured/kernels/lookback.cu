//===- lookback.cu - blocks and warps that wait for others -----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Scans in a single pass, barriers of the grid, locks, pipelines: what polls a
// word that somebody else writes. Counters and flags grow from launch to launch
// and are never reset, so that every kernel may be launched again.

using Word = unsigned long long;

__device__ __forceinline__ unsigned loadAcquire(const unsigned *at) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(__cvta_generic_to_global(at))
               : "memory");
  return value;
}

__device__ __forceinline__ void storeRelease(unsigned *at, unsigned value) {
  asm volatile(
      "st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(at)),
      "r"(value)
      : "memory");
}

__device__ __forceinline__ Word loadRelaxed(const Word *at) {
  Word value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
               : "=l"(value)
               : "l"(__cvta_generic_to_global(at))
               : "memory");
  return value;
}

__device__ __forceinline__ void storeRelaxed(Word *at, Word value) {
  asm volatile(
      "st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(at)),
      "l"(value)
      : "memory");
}

// Which block of the grid this is, in the order in which blocks start, and in
// which launch. Blocks with lower numbers have all started.
struct Turn {
  unsigned block, launch;
};

__device__ __forceinline__ Turn takeTurn(unsigned *ticket) {
  __shared__ unsigned taken;
  if (threadIdx.x == 0)
    taken = atomicAdd(ticket, 1u);
  __syncthreads();
  return {taken % gridDim.x, taken / gridDim.x};
}

// A tile of a block's threads: loaded evenly, then turned in shared memory so
// that each thread has neighbours.
template <int Threads, int Items>
struct Tile {
  static constexpr int Size = Threads * Items;
  unsigned values[Size + Size / 32];

  // Where the element i lies; Items and Threads divide or are multiples of 32.
  __host__ __device__ static constexpr int place(int i) { return i + i / 32; }

  __device__ __forceinline__ void load(const unsigned *in,
                                       unsigned (&items)[Items]) {
    unsigned *even = values + place(threadIdx.x);
    const unsigned *own = values + place(threadIdx.x * Items);
    in += threadIdx.x;
#pragma unroll
    for (int k = 0; k < Items; ++k)
      even[k * place(Threads)] = in[k * Threads];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k)
      items[k] = own[k];
  }

  __device__ __forceinline__ void store(unsigned *out,
                                        const unsigned (&items)[Items]) {
    const unsigned *even = values + place(threadIdx.x);
    unsigned *own = values + place(threadIdx.x * Items);
    out += threadIdx.x;
#pragma unroll
    for (int k = 0; k < Items; ++k)
      own[k] = items[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Items; ++k)
      out[k * Threads] = even[k * place(Threads)];
  }
};

// The sum of `mine` over a block's threads up to this one; `total` is that over
// all of them.
template <int Threads>
__device__ __forceinline__ unsigned scanOfBlock(unsigned mine,
                                                unsigned &total) {
  constexpr int Warps = Threads / 32;
  __shared__ unsigned ofWarps[Warps];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    unsigned other = __shfl_up_sync(~0u, mine, step);
    if (lane >= step)
      mine += other;
  }
  if (lane == 31)
    ofWarps[warp] = mine;
  __syncthreads();
  total = 0;
#pragma unroll
  for (int w = 0; w < Warps; ++w) {
    unsigned sum = ofWarps[w];
    if (w < warp)
      mine += sum;
    total += sum;
  }
  return mine;
}

// A block's state in one word: its sum or that up to it, and which of them, in
// which launch.
constexpr unsigned Sum = 1, SumUpTo = 2;

__device__ __forceinline__ Word pack(unsigned launch, unsigned kind,
                                     unsigned value) {
  return Word(launch * 4 + kind) << 32 | value;
}

// The sum over all blocks before this one, by its first warp: 32 states at a
// time, back to the first one that includes all before it.
__device__ __forceinline__ unsigned lookBack(const Word *states, Turn turn) {
  int lane = threadIdx.x;
  unsigned sum = 0;
  for (int last = int(turn.block) - 1;; last -= 32) {
    int at = last - lane;
    Word state = pack(turn.launch, SumUpTo, 0); // in front of the first block
    if (at >= 0)
      do
        state = loadRelaxed(&states[at]);
      while (state >> 32 <= turn.launch * 4);
    unsigned ends =
        __ballot_sync(~0u, unsigned(state >> 32) == turn.launch * 4 + SumUpTo);
    unsigned part = !ends || lane < __ffs(ends) ? unsigned(state) : 0;
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
      part += __shfl_xor_sync(~0u, part, step);
    sum += part;
    if (ends)
      return sum;
  }
}

// A scan in one pass with decoupled look-back. A tile a block, all full.
template <int Threads, int Items>
__device__ __forceinline__ void lookbackScan(unsigned *out, const unsigned *in,
                                             Word *states, unsigned *ticket) {
  __shared__ Tile<Threads, Items> tile;
  __shared__ unsigned before;
  Turn turn = takeTurn(ticket);
  size_t begin = size_t(turn.block) * Threads * Items;
  unsigned items[Items], sum = 0, total;
  tile.load(in + begin, items);
#pragma unroll
  for (int k = 0; k < Items; ++k)
    items[k] = sum += items[k];
  unsigned upTo = scanOfBlock<Threads>(sum, total);
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0 && turn.block > 0)
      storeRelaxed(&states[turn.block], pack(turn.launch, Sum, total));
    unsigned front = lookBack(states, turn);
    if (threadIdx.x == 0) {
      storeRelaxed(&states[turn.block],
                   pack(turn.launch, SumUpTo, front + total));
      before = front;
    }
  }
  __syncthreads();
  unsigned front = before + upTo - sum;
#pragma unroll
  for (int k = 0; k < Items; ++k)
    items[k] += front;
  tile.store(out + begin, items);
}

extern "C" __global__ void __launch_bounds__(128)
    lookbackScan128x4(unsigned *out, const unsigned *in, Word *states,
                      unsigned *ticket) {
  lookbackScan<128, 4>(out, in, states, ticket);
}

extern "C" __global__ void __launch_bounds__(128)
    lookbackScan128x16(unsigned *out, const unsigned *in, Word *states,
                       unsigned *ticket) {
  lookbackScan<128, 16>(out, in, states, ticket);
}

extern "C" __global__ void __launch_bounds__(256)
    lookbackScan256x4(unsigned *out, const unsigned *in, Word *states,
                      unsigned *ticket) {
  lookbackScan<256, 4>(out, in, states, ticket);
}

extern "C" __global__ void __launch_bounds__(256)
    lookbackScan256x16(unsigned *out, const unsigned *in, Word *states,
                       unsigned *ticket) {
  lookbackScan<256, 16>(out, in, states, ticket);
}

// A chained scan: each block waits for the sum up to the one before it, which
// has a flag of its own.
constexpr int ChainThreads = 256, ChainItems = 16;

extern "C" __global__ void __launch_bounds__(ChainThreads)
    chainedScan(unsigned *out, const unsigned *in, unsigned *sums,
                unsigned *flags, unsigned *ticket) {
  __shared__ Tile<ChainThreads, ChainItems> tile;
  __shared__ unsigned before;
  Turn turn = takeTurn(ticket);
  size_t begin = size_t(turn.block) * ChainThreads * ChainItems;
  unsigned items[ChainItems], sum = 0, total;
  tile.load(in + begin, items);
#pragma unroll
  for (int k = 0; k < ChainItems; ++k)
    items[k] = sum += items[k];
  unsigned upTo = scanOfBlock<ChainThreads>(sum, total);
  if (threadIdx.x == 0) {
    unsigned front = 0;
    if (turn.block > 0) {
      while (loadAcquire(&flags[turn.block - 1]) != turn.launch + 1)
        ;
      front = __ldcg(&sums[turn.block - 1]);
    }
    sums[turn.block] = front + total;
    storeRelease(&flags[turn.block], turn.launch + 1);
    before = front;
  }
  __syncthreads();
  unsigned front = before + upTo - sum;
#pragma unroll
  for (int k = 0; k < ChainItems; ++k)
    items[k] += front;
  tile.store(out + begin, items);
}

// All blocks have arrived, this one too. They must all be resident.
__device__ __forceinline__ void waitForGrid(unsigned *arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    unsigned before = atomicAdd(arrived, 1u);
    unsigned wanted = (before / gridDim.x + 1) * gridDim.x;
    while (int(loadAcquire(arrived) - wanted) < 0)
      ;
  }
  __syncthreads();
}

// Rounds in which each block takes over what its neighbour had in the round
// before; 2 * blocks * threads values.
extern "C" __global__ void gridBarrier(unsigned *values, unsigned *arrived,
                                       unsigned rounds) {
  unsigned all = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned next = (blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x;
  unsigned mine = at;
  for (unsigned r = 0; r < rounds; ++r) {
    unsigned *half = values + (r & 1) * all;
    half[at] = mine;
    waitForGrid(arrived);
    mine = __ldcg(&half[next]) + 1;
  }
  waitForGrid(arrived); // nobody reads what is written now
  values[at] = mine;
}

// One thread of each block takes a lock, adds to a sum and frees the lock.
extern "C" __global__ void spinLock(unsigned *sum, unsigned *lock,
                                    unsigned rounds) {
  if (threadIdx.x != 0)
    return;
  for (unsigned r = 0; r < rounds; ++r) {
    while (atomicCAS(lock, 0u, 1u) != 0)
      ;
    __threadfence();
    *reinterpret_cast<volatile unsigned *>(sum) += blockIdx.x + r;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

// The same, and who does not get the lock sleeps, twice as long each time.
extern "C" __global__ void spinLockBackoff(unsigned *sum, unsigned *lock,
                                           unsigned rounds) {
  if (threadIdx.x != 0)
    return;
  for (unsigned r = 0; r < rounds; ++r) {
    unsigned pause = 32;
    while (atomicCAS(lock, 0u, 1u) != 0) {
      __nanosleep(pause);
      pause = min(pause * 2, 1024u);
    }
    __threadfence();
    *reinterpret_cast<volatile unsigned *>(sum) += blockIdx.x + r;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

__device__ __forceinline__ unsigned loadShared(const unsigned *at) {
  unsigned value;
  asm volatile("ld.acquire.cta.shared.u32 %0, [%1];"
               : "=r"(value)
               : "r"(unsigned(__cvta_generic_to_shared(at)))
               : "memory");
  return value;
}

__device__ __forceinline__ void storeShared(unsigned *at, unsigned value) {
  asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(
                   unsigned(__cvta_generic_to_shared(at))),
               "r"(value)
               : "memory");
}

// Pairs of warps: one loads, the other one computes, by flags in shared memory.
// 128 floats a tile, `tiles` tiles a pair, Stages of them under way.
constexpr unsigned Pairs = 4, Stages = 4;

extern "C" __global__ void __launch_bounds__(Pairs * 64)
    pipelineShared(float *out, const float4 *in, unsigned tiles) {
  __shared__ float4 data[Pairs][Stages][32];
  __shared__ unsigned full[Pairs], empty[Pairs]; // tiles so far
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = warp / 2;
  if (threadIdx.x < Pairs)
    full[threadIdx.x] = empty[threadIdx.x] = 0;
  __syncthreads();
  size_t own = blockIdx.x * (blockDim.x / 64) + pair;
  if (warp % 2 == 0) {
    in += own * tiles * 32;
    for (unsigned t = 0; t < tiles; ++t) {
      float4 value = in[t * 32 + lane];
      while (loadShared(&empty[pair]) + Stages <= t)
        ;
      data[pair][t % Stages][lane] = value;
      __syncwarp();
      if (lane == 0)
        storeShared(&full[pair], t + 1);
    }
    return;
  }
  float sum = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    while (loadShared(&full[pair]) <= t)
      ;
    float4 value = data[pair][t % Stages][lane];
    sum += sqrtf(value.x * value.x + value.y * value.y + value.z * value.z +
                 value.w * value.w);
    __syncwarp();
    if (lane == 0)
      storeShared(&empty[pair], t + 1);
  }
  out[own * 32 + lane] = sum;
}

// Pairs of blocks, even ones load and odd ones compute, by flags in global
// memory; a ring of Stages values a thread. All must be resident. A flag holds
// the steps of all launches so far, which are the same for both of a pair.
extern "C" __global__ void pipelineGlobal(float *out, float *ring,
                                          unsigned *full, unsigned *empty,
                                          const float *in, unsigned steps) {
  unsigned pair = blockIdx.x / 2, size = blockDim.x, t = threadIdx.x;
  bool loads = blockIdx.x % 2 == 0;
  __shared__ unsigned begun;
  if (t == 0)
    begun = loadAcquire(loads ? &full[pair] : &empty[pair]);
  __syncthreads();
  unsigned first = begun;
  ring += size_t(pair) * Stages * size + t;
  float sum = 0;
  for (unsigned s = 0; s < steps; ++s) {
    unsigned step = first + s;
    float *slot = ring + s % Stages * size;
    if (loads) {
      float value = in[(size_t(pair) * steps + s) * size + t];
      if (t == 0 && s >= Stages)
        while (int(loadAcquire(&empty[pair]) + Stages - step) <= 0)
          ;
      __syncthreads();
      *slot = value;
      __syncthreads();
      if (t == 0)
        storeRelease(&full[pair], step + 1);
    } else {
      if (t == 0)
        while (int(loadAcquire(&full[pair]) - step) <= 0)
          ;
      __syncthreads();
      sum += __ldcg(slot);
      __syncthreads();
      if (t == 0)
        storeRelease(&empty[pair], step + 1);
    }
  }
  if (!loads)
    out[pair * size + t] = sum;
}
