//===- warp.cu - Values that lanes of a warp exchange ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// One sum for each warp, in the lanes that have an element.
extern "C" __global__ void warpReduce(const int *__restrict__ in,
                                      int *__restrict__ sums,
                                      int *__restrict__ greatest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  int sum = value;
#pragma unroll
  for (unsigned delta = 16; delta > 0; delta /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (i < n && threadIdx.x % 32 == 0)
    sums[i / 32] = sum;

  unsigned present = __ballot_sync(0xffffffff, i < n);
  if (i >= n)
    return;
  int most;
#if __CUDA_ARCH__ >= 800
  most = __reduce_max_sync(present, value);
#else
  most = value;
  for (unsigned rest = present; rest; rest &= rest - 1)
    most = max(most, __shfl_sync(present, value, __ffs(rest) - 1));
#endif
  if (threadIdx.x % 32 == 0)
    greatest[i / 32] = most;
}

// Takes the elements that are odd, in order, for each warp by itself, and
// counts how many lanes hold the same as each element.
extern "C" __global__ void warpVote(const unsigned *__restrict__ in,
                                    unsigned *__restrict__ odd,
                                    unsigned *__restrict__ alike,
                                    unsigned *__restrict__ facts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x % 32;
  unsigned present = __ballot_sync(0xffffffff, i < n);
  if (i >= n)
    return;
  unsigned value = in[i];
  unsigned chosen = __ballot_sync(present, value & 1);
  if (value & 1)
    odd[i - lane + __popc(chosen & ((1u << lane) - 1))] = value;
  alike[i] = __popc(__match_any_sync(present, value));
  bool all = __all_sync(present, value < 12);
  bool any = __any_sync(present, value == 0);
  unsigned first = __shfl_sync(present, value, 0);
  if (lane == 0)
    facts[i / 32] = first << 2 | all << 1 | any;
}
