//===- polling.cu - Loops that wait for others -----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

__device__ __forceinline__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__device__ __forceinline__ unsigned loadAcquire(const unsigned *at) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
  return v;
}

__device__ __forceinline__ void storeRelease(unsigned *at, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory");
}

// The try_wait loop as libraries write it: in one statement of assembler.
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

// All warps but the first wait for the first, which arrives late.
extern "C" __global__ void waitPhase(unsigned *out, int rounds) {
  __shared__ unsigned long long full;
  __shared__ unsigned value;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(addressOf(&full))
                 : "memory");
  __syncthreads();
  for (int round = 0; round != rounds; ++round) {
    if (threadIdx.x == 0) {
      value = round * 3;
      asm volatile("{\n\t.reg .b64 s;\n\t"
                   "mbarrier.arrive.shared.b64 s, [%0];\n\t}" ::"r"(
                       addressOf(&full))
                   : "memory");
    }
    waitFor(&full, round & 1);
    out[(blockIdx.x * rounds + round) * blockDim.x + threadIdx.x] = value;
    __syncthreads();
  }
}

// As a C++ library does: a few tries, then naps that grow, and a time limit.
extern "C" __global__ void backOff(unsigned *flag, unsigned *out) {
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x == 0)
      storeRelease(flag, 7);
    return;
  }
  unsigned nap = 8, v;
  while ((v = loadAcquire(flag)) == 0) {
    __nanosleep(nap);
    if (nap < 256)
      nap *= 2;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// One thread a block takes the lock.
extern "C" __global__ void spinLock(unsigned *lock, unsigned *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0u)
      ;
    __threadfence();
    *sum += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

// Takes a ticket and waits until it is served.
extern "C" __global__ void ticket(unsigned *next, volatile unsigned *serving,
                                  unsigned *order) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(next, 1u);
    while (*serving != mine)
      ;
    order[blockIdx.x] = mine;
    __threadfence();
    *serving = mine + 1;
  }
}

// A barrier of the grid.
extern "C" __global__ void gridBarrier(unsigned *arrived, unsigned *out) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x)
      ;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *arrived;
}

// Adds up the sums of the blocks before, as far as they are there: state 1 is a
// block's own sum, state 2 that of all blocks up to it. Lanes look at 32 blocks
// at a time.
extern "C" __global__ void lookBack(volatile unsigned *state,
                                    volatile unsigned *own,
                                    volatile unsigned *all, unsigned *out) {
  int block = blockIdx.x;
  if (threadIdx.x == 0) {
    own[block] = block + 1;
    __threadfence();
    state[block] = 1;
  }
  __syncwarp();
  unsigned sum = 0;
  int at = block - 1 - int(threadIdx.x);
  bool goesOn = block != 0;
  while (goesOn) {
    unsigned s;
    do {
      s = at >= 0 ? state[at] : 2;
    } while (__any_sync(~0u, s == 0));
    __threadfence();
    unsigned whole = __ballot_sync(~0u, s == 2);
    unsigned first = whole ? __ffs(whole) - 1 : 32;
    unsigned v = at < 0 ? 0 : threadIdx.x == first ? all[at] : own[at];
    if (threadIdx.x > first)
      v = 0;
    for (int d = 16; d != 0; d /= 2)
      v += __shfl_xor_sync(~0u, v, d);
    sum += v;
    at -= 32;
    goesOn = whole == 0;
  }
  if (threadIdx.x == 0) {
    all[block] = sum + block + 1;
    __threadfence();
    state[block] = 2;
    out[block] = sum + block + 1;
  }
}

// Lets a time go by.
extern "C" __global__ void delay(unsigned *out, long long cycles) {
  long long start = clock64();
  while (clock64() - start < cycles)
    ;
  out[threadIdx.x] = 1;
}

//===- Work that looks like waiting ---------------------------------------===//

// Follows a chain: each address comes from the load before.
extern "C" __global__ void chase(volatile unsigned *next, unsigned *out) {
  unsigned at = threadIdx.x, steps = 0;
  while (at != 0) {
    at = next[at];
    ++steps;
  }
  out[threadIdx.x] = steps;
}

// Searches a table for a value.
extern "C" __global__ void search(volatile unsigned *table, unsigned *out,
                                  int n) {
  int i = 0;
  while (i < n && table[i] != threadIdx.x)
    ++i;
  out[threadIdx.x] = i;
}

// Adds with compare-and-swap, again where another thread came between.
extern "C" __global__ void swapAdd(unsigned *at) {
  unsigned old = *at, assumed;
  do {
    assumed = old;
    old = atomicCAS(at, assumed, assumed + threadIdx.x);
  } while (old != assumed);
}

// Takes tiles as long as there are some.
extern "C" __global__ void dequeue(unsigned *next, unsigned *out, unsigned n) {
  unsigned tile;
  while ((tile = atomicAdd(next, 1u)) < n)
    out[tile] = tile * tile;
}

// Sums up what lies in volatile memory.
extern "C" __global__ void volatileSum(volatile unsigned *in, unsigned *out,
                                       int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i];
  out[threadIdx.x] = sum;
}

// Each thread does its work within the loop that takes the lock.
extern "C" __global__ void criticalSection(unsigned *lock, unsigned *sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      *(volatile unsigned *)sum += threadIdx.x;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}

// Computes until somebody says stop.
extern "C" __global__ void workUntilTold(volatile unsigned *stop, float *out) {
  float x = threadIdx.x;
  while (*stop == 0)
    x = x * 1.25f + 3;
  out[threadIdx.x] = x;
}
