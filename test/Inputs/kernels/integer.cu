//===- integer.cu - Integer arithmetic -------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>

// Montgomery multiplication of 128-bit numbers held as four limbs: carry
// chains.
extern "C" __global__ void montgomeryMultiply(const uint4 *a, const uint4 *b,
                                              uint4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint4 x = a[i], y = b[i];
  unsigned r0, r1, r2, r3, r4;
  asm("mul.lo.u32 %0, %5, %9;\n\t"
      "mul.hi.u32 %1, %5, %9;\n\t"
      "mad.lo.cc.u32 %1, %6, %9, %1;\n\t"
      "madc.hi.u32 %2, %6, %9, 0;\n\t"
      "mad.lo.cc.u32 %2, %7, %9, %2;\n\t"
      "madc.hi.cc.u32 %3, %7, %9, 0;\n\t"
      "madc.lo.cc.u32 %3, %8, %9, %3;\n\t"
      "madc.hi.u32 %4, %8, %9, 0;\n\t"
      : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3), "=&r"(r4)
      : "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w), "r"(y.x));
  asm("add.cc.u32 %0, %0, %5;\n\t"
      "addc.cc.u32 %1, %1, %6;\n\t"
      "addc.cc.u32 %2, %2, %7;\n\t"
      "addc.cc.u32 %3, %3, %8;\n\t"
      "addc.u32 %4, %4, 0;\n\t"
      "sub.cc.u32 %0, %0, %9;\n\t"
      "subc.cc.u32 %1, %1, 0;\n\t"
      "subc.u32 %2, %2, 0;\n\t"
      : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(r4)
      : "r"(y.x), "r"(y.y), "r"(y.z), "r"(y.w), "r"(x.w));
  uint64_t low = static_cast<uint64_t>(r1) << 32 | r0, high = r4;
  asm("add.cc.u64 %0, %0, %2;\n\taddc.u64 %1, %1, 0;\n\t"
      "mad.lo.cc.u64 %0, %0, %2, %0;\n\tmadc.hi.u64 %1, %0, %2, %1;"
      : "+l"(low), "+l"(high)
      : "l"(0x9e3779b97f4a7c15ull));
  out[i] = make_uint4(static_cast<unsigned>(low), static_cast<unsigned>(high),
                      r2, r3);
}

// Division and remainder by an unknown and by a constant divisor.
extern "C" __global__ void divideRemainder(const int *a, const int *b, int *out,
                                           const long long *la,
                                           const long long *lb, long long *lout,
                                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[3 * i] = a[i] / b[i] + a[i] % 7;
  out[3 * i + 1] = static_cast<unsigned>(a[i]) / static_cast<unsigned>(b[i]);
  out[3 * i + 2] = static_cast<unsigned>(a[i]) % 1000u;
  lout[2 * i] = la[i] / lb[i];
  lout[2 * i + 1] = static_cast<unsigned long long>(la[i]) %
                    static_cast<unsigned long long>(lb[i]);
}

// Bit counting, searching and extraction over a bitmap: a rank/select index.
extern "C" __global__ void bitmapRank(const unsigned *words,
                                      const unsigned long long *wide,
                                      unsigned *rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned w = words[i], count = __popc(w), lead = __clz(w), rev = __brev(w);
  unsigned long long v = wide[i];
  unsigned wideBits = __popcll(v) + __clzll(v) + __ffsll(v);
  unsigned long long reversed = __brevll(v);
  unsigned high, shiftAmount, field, inserted, nth, mask, extended;
  int signedHigh, signedField;
  asm("bfind.u32 %0, %1;" : "=r"(high) : "r"(w));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(shiftAmount) : "r"(w));
  asm("bfind.s64 %0, %1;" : "=r"(signedHigh) : "l"(v));
  asm("bfe.u32 %0, %1, %2, 5;" : "=r"(field) : "r"(w), "r"(lead));
  asm("bfe.s32 %0, %1, 3, %2;" : "=r"(signedField) : "r"(w), "r"(count));
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(inserted) : "r"(w), "r"(rev));
  asm("fns.b32 %0, %1, 0, %2;" : "=r"(nth) : "r"(w), "r"(count / 2));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(mask) : "r"(lead & 31), "r"(count));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(extended) : "r"(w), "r"(count));
  unsigned long long wideField, wideInserted;
  asm("bfe.u64 %0, %1, 12, 20;" : "=l"(wideField) : "l"(v));
  asm("bfi.b64 %0, %1, %2, 4, 16;"
      : "=l"(wideInserted)
      : "l"(v), "l"(reversed));
  rank[i] = count + lead + rev + wideBits + high + shiftAmount + signedHigh +
            field + signedField + inserted + nth + mask + extended +
            static_cast<unsigned>(wideField ^ wideInserted);
}

// Eight-bit dot products of a quantised layer, with 24-bit index arithmetic.
extern "C" __global__ void quantisedDot(const int *a, const int *b,
                                        const int *scale, int *out, int n,
                                        int k) {
  int row = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (row >= n)
    return;
  int sum = 0;
  unsigned unsignedSum = 0;
  for (int i = 0; i < k; ++i) {
    int x = a[row * k + i], y = b[i];
    sum = __dp4a(x, y, sum);
    unsignedSum =
        __dp4a(static_cast<unsigned>(x), static_cast<unsigned>(y), unsignedSum);
    sum = __dp2a_lo(x, y, sum);
    sum = __dp2a_hi(x, y, sum);
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(y));
    asm("mad24.lo.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(y));
    asm("mul24.hi.u32 %0, %1, %2;" : "=r"(unsignedSum) : "r"(x), "r"(y));
  }
  sum = max(min(sum, 32767), -32768);
  unsignedSum = __usad(unsignedSum, sum, scale[row]);
  out[row] = __sad(sum, static_cast<int>(unsignedSum), 1) + abs(sum) +
             __mulhi(sum, scale[row]) - (-sum) +
             static_cast<int>(__hadd(sum, scale[row])) +
             static_cast<int>(__urhadd(unsignedSum, 3u));
}

// Sixteen-bit and wide arithmetic, with saturation and the packed 16x2 forms.
extern "C" __global__ void narrowAndWide(const short *a, const short *b,
                                         long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  short x = a[i], y = b[i];
  int product, saturated, accumulated;
  short low, difference, quotient;
  asm("mul.wide.s16 %0, %1, %2;" : "=r"(product) : "h"(x), "h"(y));
  asm("mad.wide.s16 %0, %1, %2, %3;"
      : "=r"(accumulated)
      : "h"(x), "h"(y), "r"(product));
  asm("mul.lo.s16 %0, %1, %2;" : "=h"(low) : "h"(x), "h"(y));
  asm("sub.s16 %0, %1, %2;" : "=h"(difference) : "h"(low), "h"(y));
  asm("div.s16 %0, %1, %2;" : "=h"(quotient) : "h"(low), "h"(y));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(saturated) : "r"(product), "r"(i));
  asm("sub.sat.s32 %0, %0, %1;" : "+r"(saturated) : "r"(accumulated));
  asm("mad.hi.sat.s32 %0, %0, %1, %2;"
      : "+r"(saturated)
      : "r"(accumulated), "r"(i));
  long long wide = static_cast<long long>(product) * saturated;
  wide += __mul64hi(wide, static_cast<long long>(accumulated) << 33);
#if __CUDA_ARCH__ >= 900
  unsigned packed = static_cast<unsigned>(product);
  asm("add.s16x2 %0, %0, %1;\n\t"
      "min.s16x2 %0, %0, %1;\n\t"
      "max.u16x2 %0, %0, %1;\n\t"
      "min.relu.s32 %0, %0, %1;\n\t"
      "max.relu.s16x2 %0, %0, %1;"
      : "+r"(packed)
      : "r"(accumulated));
  wide += packed;
  wide += __viaddmax_s32(product, accumulated, i) +
          __vimax3_s32_relu(product, accumulated, i) +
          __viaddmin_s16x2(packed, accumulated, i);
#endif
  out[i] = wide + llabs(wide) + min(wide, 17ll) + difference + quotient +
           (i & 1 ? -wide : wide);
}

// The Mersenne-like mixing of a counter-based generator: 64-bit integers only.
extern "C" __global__ void counterRandom(unsigned long long *out,
                                         unsigned long long seed, int rounds) {
  unsigned long long state =
      seed + blockIdx.x * static_cast<unsigned long long>(blockDim.x) +
      threadIdx.x;
  unsigned long long sum = 0;
  for (int r = 0; r < rounds; ++r) {
    state += 0x9e3779b97f4a7c15ull;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    sum += z ^ (z >> 31);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
