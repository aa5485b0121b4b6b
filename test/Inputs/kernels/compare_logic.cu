//===- compare_logic.cu - Comparison, logic and shifts ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>

// Set and set-predicate with every combining operator.
extern "C" __global__ void compareForms(const int *a, const float *f,
                                        unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = a[i];
  float y = f[i], z = f[n - 1 - i], set;
  unsigned r, s, t, u;
  asm("set.lt.u32.s32 %0, %1, 17;" : "=r"(r) : "r"(x));
  asm("set.gtu.f32.f32 %0, %1, %2;" : "=f"(set) : "f"(y), "f"(z));
  asm("{ .reg .pred p, q;\n\t"
      "setp.ge.s32 p, %1, 5;\n\t"
      "setp.lt.and.s32 p|q, %1, %2, p;\n\t"
      "setp.ne.or.b32 p, %1, 0, !q;\n\t"
      "setp.hi.xor.u32 q, %1, 3, p;\n\t"
      "selp.b32 %0, 1, 2, q;\n\t}"
      : "=r"(s)
      : "r"(x), "r"(i));
  asm("{ .reg .pred p, q;\n\t"
      "setp.num.f32 p, %1, %2;\n\t"
      "setp.equ.or.ftz.f32 q, %1, %2, !p;\n\t"
      "set.nan.and.ftz.s32.f32 %0, %1, %2, q;\n\t}"
      : "=r"(t)
      : "f"(y), "f"(z));
  asm("slct.s32.f32 %0, %1, %2, %3;" : "=r"(u) : "r"(x), "r"(i), "f"(y));
  asm("slct.u32.s32 %0, %0, %1, %2;" : "+r"(u) : "r"(s), "r"(x));
  double d = y;
  if (d > 0.25 && !(d < z))
    u += static_cast<unsigned long long>(d) > 7u;
  out[i] = r + s + t + u + static_cast<unsigned>(set);
}

// Comparisons of halves, scalar and packed.
extern "C" __global__ void compareHalves(const __half2 *a, const __half2 *b,
                                         unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 x = a[i], y = b[i], equal = __heq2(x, y), less = __hltu2(x, y);
  unsigned mask = __hge2_mask(x, y);
  unsigned both = __hbeq2(x, y) ? 1 : 2;
  if (__hgt(__low2half(x), __high2half(y)))
    both += 4;
  out[i] = mask + both + __half_as_ushort(__low2half(equal)) +
           __half_as_ushort(__high2half(less));
}

// Bit-sliced counting: three-input logic, funnel shifts, byte permutation.
extern "C" __global__ void bitSlices(const unsigned *in, unsigned *out, int n) {
  unsigned ones = 0, twos = 0, fours = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    unsigned w = in[i];
    unsigned carry = ones & w;
    ones ^= w;
    fours |= twos & carry;
    twos ^= carry;
  }
  unsigned sum, shifted = __funnelshift_l(ones, twos, threadIdx.x);
  shifted ^= __funnelshift_rc(ones, twos, threadIdx.x);
  shifted ^= __funnelshift_r(fours, twos, 7) ^ __funnelshift_lc(ones, fours, 9);
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;"
      : "=r"(sum)
      : "r"(ones), "r"(twos), "r"(fours));
  asm("{ .reg .pred p, q;\n\t"
      "setp.ne.u32 q, %1, 0;\n\t"
      "lop3.or.b32 %0|p, %1, %2, %3, 0x96, q;\n\t"
      "@!p not.b32 %0, %0;\n\t}"
      : "+r"(sum)
      : "r"(ones), "r"(twos), "r"(fours));
  unsigned cnot;
  asm("cnot.b32 %0, %1;" : "=r"(cnot) : "r"(sum));
  asm("{ .reg .pred p, q, r;\n\t"
      "setp.eq.u32 p, %1, 0;\n\tsetp.eq.u32 q, %0, 1;\n\t"
      "and.pred r, p, q;\n\tor.pred r, r, p;\n\txor.pred r, r, q;\n\t"
      "not.pred r, r;\n\tmov.pred p, r;\n\t"
      "@p add.u32 %0, %0, 1;\n\t@!r shr.s32 %0, %0, 1;\n\t}"
      : "+r"(cnot)
      : "r"(sum));
  out[threadIdx.x] = ~sum + cnot + shifted + __byte_perm(ones, twos, 0x5140);
}

// Odd-even merge sort of 512 keys in shared memory.
extern "C" __global__ void __launch_bounds__(256) sortBlock(int *keys) {
  __shared__ int tile[512];
  int t = threadIdx.x;
  tile[t] = keys[blockIdx.x * 512 + t];
  tile[t + 256] = keys[blockIdx.x * 512 + t + 256];
  for (int size = 2; size <= 512; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int low = 2 * t - (t & (stride - 1));
      bool up = (low & size) == 0;
      int a = tile[low], b = tile[low + stride];
      if ((a > b) == up) {
        tile[low] = b;
        tile[low + stride] = a;
      }
    }
  __syncthreads();
  keys[blockIdx.x * 512 + t] = tile[t];
  keys[blockIdx.x * 512 + t + 256] = tile[t + 256];
}
