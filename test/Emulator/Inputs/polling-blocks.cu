// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait together, and scans that wait at each place.

/// One thread asks for all, and tells them through shared memory.
extern "C" __global__ void blockFlag(const volatile int *flag, int *out) {
  __shared__ int seen;
  int value;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      seen = *flag;
    __syncthreads();
    value = seen;
  } while (value == 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// The same with a lock.
extern "C" __global__ void blockLock(int *lock, int *out) {
  __shared__ int taken;
  int value;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      taken = atomicCAS(lock, 0, 1);
    __syncthreads();
    value = taken;
  } while (value != 0);
  out[threadIdx.x] += 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(lock, 0);
}

/// Looks back until a block has the whole sum, or there is none before: each
/// block says 1, its sum, or 2, that of all.
extern "C" __global__ void digitSum(volatile unsigned *state, unsigned *out) {
  const unsigned own = blockIdx.x + threadIdx.x;
  state[blockIdx.x * 32 + threadIdx.x] = 1u << 30 | own;
  unsigned sum = own;
  if (int before = int(blockIdx.x)) {
    unsigned value;
    do {
      --before;
      do {
        __threadfence_block();
        value = state[before * 32 + threadIdx.x];
      } while (value == 0);
      sum += value & 0x3fffffff;
    } while (value >> 31 == 0 && before > 0);
  }
  state[blockIdx.x * 32 + threadIdx.x] = 1u << 31 | sum;
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

/// Work: tiles that are handed out and told through shared memory.
extern "C" __global__ void blockQueue(int *next, int tiles, int *out) {
  __shared__ int tile;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      tile = atomicAdd(next, 1);
    __syncthreads();
    if (tile >= tiles)
      break;
    out[tile * 32 + threadIdx.x] += tile;
  }
}

/// Work: what is stored in shared memory is not what was asked for.
extern "C" __global__ void sumUntilTold(const volatile int *flag, int *out) {
  __shared__ int sums[32];
  sums[threadIdx.x] = 0;
  do
    sums[threadIdx.x] += threadIdx.x;
  while (*flag == 0);
  out[threadIdx.x] = sums[threadIdx.x];
}

/// Work: an addition that is tried until nobody wrote behind it.
extern "C" __global__ void taggedAdd(const int *in, int *out) {
  __shared__ volatile unsigned counts[16];
  if (threadIdx.x < 16)
    counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned tag = threadIdx.x << 27;
  const int at = in[threadIdx.x] & 15;
  unsigned count;
  do {
    count = tag | ((counts[at] & 0x07ffffff) + 1);
    counts[at] = count;
  } while (counts[at] != count);
  __syncthreads();
  if (threadIdx.x < 16)
    out[threadIdx.x] = counts[threadIdx.x] & 0x07ffffff;
}

/// Work: a search that goes on to where nobody waits.
extern "C" __global__ void findFirst(const volatile int *flags, int n,
                                     int *out) {
  int at = n - 1;
  for (; at > 0; --at)
    if (flags[at] != 0)
      break;
  out[threadIdx.x] = at;
}
