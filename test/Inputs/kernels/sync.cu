//===- sync.cu - Barriers, votes and warp collectives ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Producers and consumers on named barriers.
extern "C" __global__ void __launch_bounds__(128)
    namedBarriers(const float *in, float *out, int steps) {
  __shared__ float buffer[2][64];
  int t = threadIdx.x;
  if (t < 64) {
    for (int s = 0; s < steps; ++s) {
      buffer[s & 1][t] = in[s * 64 + t];
      asm volatile("bar.arrive %0, 128;" ::"r"(1 + (s & 1)) : "memory");
      asm volatile("bar.sync 3, 128;" ::: "memory");
    }
  } else {
    for (int s = 0; s < steps; ++s) {
      asm volatile("barrier.sync %0, 128;" ::"r"(1 + (s & 1)) : "memory");
      out[s * 64 + t - 64] = buffer[s & 1][t - 64] * 2.0f;
      asm volatile("bar.sync 3, 128;" ::: "memory");
    }
  }
}

// Barriers that reduce.
extern "C" __global__ void barrierReductions(const int *in, int *out) {
  int v = in[threadIdx.x];
  int count = __syncthreads_count(v > 0);
  int all = __syncthreads_and(v > 1), any = __syncthreads_or(v > 2);
  unsigned more;
  asm volatile("{ .reg .pred p, q;\n\tsetp.gt.s32 p, %1, 3;\n\t"
               "barrier.red.popc.aligned.u32 %0, 1, 64, !p;\n\t"
               "bar.warp.sync 0xffffffff;\n\t"
               "barrier.cta.red.or.pred q, 0, p;\n\t"
               "@q add.u32 %0, %0, 1;\n\t"
               "barrier.cta.arrive.aligned 2, 128;\n\t"
               "barrier.cta.sync.aligned 2, 128;\n\t}"
               : "=r"(more)
               : "r"(v)
               : "memory");
  out[threadIdx.x] = count + all + any + more;
}

// Stream compaction by ballots.
extern "C" __global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && in[i] > 0;
  unsigned votes = __ballot_sync(~0u, keep);
  int lane = threadIdx.x & 31, base = 0;
  if (lane == 0)
    base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(~0u, base, 0);
  if (keep)
    out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
}

// Votes, matches, the active mask and a nap.
extern "C" __global__ void votesAndMatches(const int *in, unsigned *out) {
  int v = in[threadIdx.x], same;
  unsigned r = __all_sync(~0u, v > 0) + __any_sync(~0u, v > 9);
  r += __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &same) + same;
  r += __match_any_sync(~0u, static_cast<unsigned long long>(v) << 20);
  unsigned uniform, plain;
  asm volatile("{ .reg .pred p, q;\n\tsetp.ne.s32 p, %2, 0;\n\t"
               "vote.sync.uni.pred q, p, 0xffffffff;\n\t"
               "selp.u32 %0, 1, 0, q;\n\t"
               "vote.sync.any.pred q, !p, 0xffffffff;\n\t"
               "vote.sync.ballot.b32 %1, p, 0xffffffff;\n\t"
               "match.all.sync.b32 %1, %1, 0xffffffff;\n\t}"
               : "=r"(uniform), "=r"(plain)
               : "r"(v));
  if (v & 1)
    r += __activemask();
  __nanosleep(20);
  __syncwarp();
  out[threadIdx.x] = r + uniform + plain;
}

#if __CUDA_ARCH__ >= 800
// Reductions over a warp in one instruction.
extern "C" __global__ void warpReductions(const int *in, int *out, float *f) {
  int v = in[threadIdx.x];
  unsigned u = v;
  out[threadIdx.x] = __reduce_add_sync(~0u, v) + __reduce_min_sync(~0u, v) +
                     __reduce_max_sync(~0u, u) + __reduce_and_sync(~0u, u) +
                     __reduce_or_sync(~0u, u) + __reduce_xor_sync(0xffffu, u);
#ifdef __CUDA_ARCH_FEAT_SM100_ALL
  float x = f[threadIdx.x], low, high;
  asm volatile("redux.sync.min.abs.NaN.f32 %0, %1, 0xffffffff;"
               : "=f"(low)
               : "f"(x));
  asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(high) : "f"(x));
  f[threadIdx.x] = high - low;
#endif
}
#endif

#if __CUDA_ARCH__ >= 900
// One elected lane of each warp does the work of all.
extern "C" __global__ void elected(const int *in, int *out) {
  unsigned leader, chosen;
  asm volatile("{ .reg .pred p;\n\telect.sync %0|p, 0xffffffff;\n\t"
               "selp.u32 %1, 1, 0, p;\n\t"
               "elect.sync _|p, 0xffffffff;\n\t}"
               : "=r"(leader), "=r"(chosen));
  if (chosen)
    out[threadIdx.x / 32] = in[leader];
}
#endif
