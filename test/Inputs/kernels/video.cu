//===- video.cu - Scalar and SIMD video instructions -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Motion estimation: the best match of a 4x4 block by sums of absolute
// differences over packed bytes.
extern "C" __global__ void motion(const unsigned *current,
                                  const unsigned *reference, unsigned *best,
                                  int stride, int range) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lowest = 0xffffffffu;
  for (int offset = 0; offset < range; ++offset) {
    unsigned sum = 0;
#pragma unroll
    for (int row = 0; row < 4; ++row) {
      unsigned a = current[block + row * stride];
      unsigned b = reference[block + row * stride + offset];
      asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;"
          : "+r"(sum)
          : "r"(a), "r"(b));
    }
    lowest = min(lowest, sum << 8 | offset);
  }
  best[block] = lowest;
}

// Scalar video instructions with selectors, saturation and second operations.
extern "C" __global__ void scalarVideo(const int *in, int *out) {
  int a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1], c = a ^ b, r = 0;
  asm("vadd.s32.u32.s32.sat %0, %1.b0, %2.h1;" : "=r"(c) : "r"(a), "r"(b));
  asm("vsub.s32.s32.s32 %0, %1.h0, %2.b3;" : "=r"(r) : "r"(a), "r"(b));
  asm("vabsdiff.u32.s32.s32.add %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(r), "r"(b), "r"(c));
  asm("vmin.s32.s32.s32 %0.h0, %1, %2, %3;" : "=r"(c) : "r"(a), "r"(r), "r"(b));
  asm("vmax.u32.u32.u32.max %0, %1.b2, %2.b1, %3;"
      : "=r"(r)
      : "r"(c), "r"(b), "r"(a));
  asm("vshl.u32.u32.u32.clamp %0, %1, %2.b0;" : "=r"(c) : "r"(r), "r"(b));
  asm("vshr.s32.s32.u32.wrap.add %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(c), "r"(b), "r"(a));
  asm("vmad.s32.s32.s32.shr7 %0, %1.h0, -%2.h1, %3;"
      : "=r"(c)
      : "r"(r), "r"(b), "r"(a));
  asm("vmad.u32.u32.u32.po %0, %1.b0, %2.b1, %3;"
      : "=r"(r)
      : "r"(c), "r"(b), "r"(a));
  asm("vset.s32.u32.lt %0, %1.h1, %2.b0;" : "=r"(c) : "r"(r), "r"(b));
  asm("vset.u32.u32.ge.add %0, %1, %2, %3;" : "=r"(r) : "r"(c), "r"(b), "r"(a));
  out[threadIdx.x] = r + c;
}

// Two and four lanes in a register.
extern "C" __global__ void packedVideo(const int *in, int *out) {
  int a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1], c = a ^ b, r;
  asm("vadd2.s32.s32.s32.sat %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(c));
  asm("vsub2.u32.u32.u32.add %0.h10, %1.h32, %2.h10, %3;"
      : "=r"(c)
      : "r"(r), "r"(b), "r"(a));
  asm("vavrg2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(c), "r"(b), "r"(a));
  asm("vabsdiff2.u32.s32.s32 %0, %1, %2, %3;"
      : "=r"(c)
      : "r"(r), "r"(b), "r"(a));
  asm("vmin2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(c), "r"(b), "r"(a));
  asm("vmax2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(c) : "r"(r), "r"(b), "r"(a));
  asm("vset2.s32.u32.ne %0, %1, %2, %3;" : "=r"(r) : "r"(c), "r"(b), "r"(a));
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;"
      : "=r"(c)
      : "r"(r), "r"(b), "r"(a));
  asm("vsub4.s32.s32.s32.add %0.b0, %1.b7654, %2.b3210, %3;"
      : "=r"(r)
      : "r"(c), "r"(b), "r"(a));
  asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(c) : "r"(r), "r"(b), "r"(a));
  asm("vmin4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(c), "r"(b), "r"(a));
  asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(c) : "r"(r), "r"(b), "r"(a));
  asm("vset4.u32.u32.gt.add %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(c), "r"(b), "r"(a));
  out[threadIdx.x] = r + __vaddss2(a, b) + __vabsdiffu4(a, c) +
                     __vcmpgtu4(a, b) + __vavgu4(a, c) + __vmaxs2(a, b);
}
