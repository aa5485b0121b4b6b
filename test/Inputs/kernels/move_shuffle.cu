//===- move_shuffle.cu - Moves, permutation and shuffles -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

__device__ int table[64] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ float weights[32];

// An inclusive scan of a block by shuffles.
extern "C" __global__ void __launch_bounds__(1024)
    inclusiveScan(const int *in, int *out, int *sums, int n) {
  __shared__ int warpSums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += other;
  }
  if (lane == 31)
    warpSums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = warpSums[lane];
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(~0u, s, d);
      if (lane >= d)
        s += other;
    }
    warpSums[lane] = s;
  }
  __syncthreads();
  if (warp > 0)
    v += warpSums[warp - 1];
  if (i < n)
    out[i] = v;
  if (threadIdx.x == blockDim.x - 1)
    sums[blockIdx.x] = v;
}

// Every shuffle mode, with and without its predicate, and 64-bit values.
extern "C" __global__ void shuffleModes(const double *in, double *out) {
  double v = in[threadIdx.x];
  v += __shfl_sync(~0u, v, (threadIdx.x * 7) & 31);
  v += __shfl_down_sync(~0u, v, 3, 16);
  v += __shfl_xor_sync(0xffffu, v, 5, 8);
  int x = static_cast<int>(v), ok;
  asm volatile("{ .reg .pred p;\n\t"
               "shfl.sync.up.b32 %0|p, %0, 2, 0, 0xffffffff;\n\t"
               "selp.s32 %1, 1, 0, p;\n\t}"
               : "+r"(x), "=r"(ok));
  asm volatile("shfl.sync.idx.b32 %0, %0, %1, 0x1f, -1;" : "+r"(x) : "r"(ok));
  out[threadIdx.x] = v + x;
}

// Every permutation mode; packing and unpacking moves.
extern "C" __global__ void permuteAndPack(const uint2 *in, uint2 *out) {
  uint2 v = in[threadIdx.x];
  unsigned r = __byte_perm(v.x, v.y, threadIdx.x);
  asm("prmt.b32.f4e %0, %0, %1, %2;" : "+r"(r) : "r"(v.x), "r"(v.y));
  asm("prmt.b32.b4e %0, %0, %1, %2;" : "+r"(r) : "r"(v.x), "r"(v.y));
  asm("prmt.b32.rc8 %0, %0, %1, %2;" : "+r"(r) : "r"(v.x), "r"(v.y));
  asm("prmt.b32.ecl %0, %0, %1, %2;" : "+r"(r) : "r"(v.x), "r"(v.y));
  asm("prmt.b32.ecr %0, %0, %1, %2;" : "+r"(r) : "r"(v.x), "r"(v.y));
  asm("prmt.b32.rc16 %0, %0, %1, %2;" : "+r"(r) : "r"(v.x), "r"(v.y));
  unsigned long long packed;
  asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(v.x), "r"(r));
  unsigned short a, b;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(a), "=h"(b) : "r"(r));
  asm("{ .reg .b8 x<4>; .reg .b16 lo;\n\t"
      "mov.b32 {x0, x1, x2, x3}, %1;\n\tmov.b16 lo, {x3, x0};\n\t"
      "mov.b32 %0, {lo, %2};\n\t}"
      : "=r"(v.x)
      : "r"(r), "h"(b));
  asm("mov.b64 {_, %0}, %1;" : "=r"(v.y) : "l"(packed));
  out[threadIdx.x] = make_uint2(v.x + a, v.y + b);
}

// Special registers of every kind.
extern "C" __global__ void specialRegisters(unsigned long long *out) {
  unsigned lane, warp, warps, sm, sms, grid, clock, high, mask, timerLow;
  unsigned long long clock64, timer, wideGrid;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
  asm volatile("mov.u32 %0, %%gridid;" : "=r"(grid));
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(wideGrid));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock));
  asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(high));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock64));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
  asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(timerLow));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm volatile("{ .reg .b32 t;\n\t"
               "mov.u32 t, %%lanemask_eq;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%lanemask_ge;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%lanemask_gt;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%lanemask_le;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%total_smem_size;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%dynamic_smem_size;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%envreg0;\n\tadd.u32 %0, %0, t;\n\t"
               "mov.u32 t, %%pm0;\n\tadd.u32 %0, %0, t;\n\t}"
               : "+r"(mask));
  out[threadIdx.x] = lane + warp + warps + sm + sms + grid + wideGrid + clock +
                     high + clock64 + timer + timerLow + mask + warpSize;
}

// Tables in global and constant memory, indexed by the thread.
extern "C" __global__ void lookUp(const unsigned char *index, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[index[i] & 63] * weights[threadIdx.x & 31] + weights[3];
}
