//===- convert.cu - Conversions --------------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

// Between integers and floats in every rounding mode.
extern "C" __global__ void integerFloat(const float *f, const double *d,
                                        const long long *l, int *out,
                                        double *dout, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = f[i];
  double y = d[i];
  int r = __float2int_rn(x) + __float2int_rz(x) + __float2int_ru(x) +
          __float2int_rd(x) + __double2int_rn(y) + __double2uint_ru(y);
  r += static_cast<signed char>(r) + static_cast<unsigned short>(r) +
       static_cast<unsigned char>(x);
  int narrow;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(narrow) : "r"(r));
  asm("{ .reg .u16 t;\n\tcvt.sat.u16.s32 t, %1;\n\tcvt.u32.u16 %0, t;\n\t}"
      : "=r"(r)
      : "r"(narrow));
  float whole = rintf(x) + truncf(x) + ceilf(x) + floorf(x);
  asm("cvt.rni.ftz.sat.f32.f32 %0, %0;" : "+f"(whole));
  asm("cvt.rzi.sat.s16.f32 %0, %1;"
      : "=h"(*reinterpret_cast<short *>(&narrow))
      : "f"(x));
  out[i] = r + narrow;
  dout[i] = __ll2double_rn(l[i]) + __ull2double_rz(l[i]) + __ll2float_ru(l[i]) +
            whole + __double2float_rd(y) + __double2ll_rz(y) +
            __uint2double_rn(r) + __int2float_rz(r);
}

// Pack with saturation, as an image filter stores its pixels.
extern "C" __global__ void packPixels(const int4 *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int4 v = in[i];
  unsigned r, s;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(r) : "r"(v.x), "r"(v.y));
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;"
      : "=r"(s)
      : "r"(v.z), "r"(v.w), "r"(r));
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(v.x), "r"(v.w));
  out[i] = r ^ s;
}

// Between halves, bfloat16 and single precision.
extern "C" __global__ void halfConversions(const float2 *in, unsigned *out,
                                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 v = in[i];
  __half h = __float2half_ru(v.x);
  __half2 p = __floats2half2_rn(v.x, v.y);
  __nv_bfloat16 b = __float2bfloat16_rn(v.y);
  unsigned r = __half2int_rn(h) + __half2ushort_rz(h) +
               __half_as_ushort(__low2half(p)) + __bfloat16_as_ushort(b) +
               __half_as_ushort(__int2half_rd(i)) + __half_as_ushort(hrint(h)) +
               static_cast<int>(__half2float(h));
  double d = static_cast<double>(__half2float(h));
  r += __half_as_ushort(__double2half(d));
#if __CUDA_ARCH__ >= 800
  unsigned packed, tf32;
  asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(v.x), "f"(v.y));
  r += packed;
  asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(v.x), "f"(v.y));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(v.x));
  r += packed + tf32;
#endif
#if __CUDA_ARCH__ >= 900
  unsigned short narrow;
  asm("cvt.rn.relu.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(v.y));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
      : "=h"(narrow)
      : "f"(v.x), "f"(v.y));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(packed) : "h"(narrow));
  asm("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;"
      : "=h"(narrow)
      : "r"(packed));
  r += narrow;
  asm("cvt.rn.bf16.s32 %0, %1;" : "=h"(narrow) : "r"(i));
  asm("cvt.rpi.s32.bf16 %0, %1;" : "=r"(packed) : "h"(narrow));
  r += packed + tf32 + narrow;
#endif
  out[i] = r;
}

#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL)
// Six- and four-bit floats and power-of-two scales of block-scaled formats.
extern "C" __global__ void narrowFloats(const float4 *in, unsigned *out,
                                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = in[i];
  __nv_fp4x4_e2m1 four(v);
  __nv_fp6x4_e2m3 six(v);
  __nv_fp6x4_e3m2 wideSix(v);
  unsigned short scale;
  unsigned back;
  asm("cvt.rz.satfinite.ue8m0x2.f32 %0, %1, %2;"
      : "=h"(scale)
      : "f"(v.x), "f"(v.y));
  asm("cvt.rn.bf16x2.ue8m0x2 %0, %1;" : "=r"(back) : "h"(scale));
  scale += back;
  asm("{ .reg .b8 t;\n\t"
      "cvt.rn.satfinite.relu.e2m1x2.f32 t, %1, %2;\n\t"
      "cvt.rn.f16x2.e2m1x2 %0, t;\n\t}"
      : "=r"(back)
      : "f"(v.z), "f"(v.w));
  out[i] = four.__x + six.__x + wideSix.__x + back + scale;
}
#endif

#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
// Stochastic rounding with random bits from the caller.
extern "C" __global__ void stochasticRounding(const float4 *in,
                                              const unsigned *bits,
                                              unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = in[i];
  unsigned r, s;
  asm("cvt.rs.f16x2.f32 %0, %1, %2, %3;"
      : "=r"(r)
      : "f"(v.x), "f"(v.y), "r"(bits[i]));
  asm("cvt.rs.relu.satfinite.e4m3x4.f32 %0, {%1, %2, %3, %4}, %5;"
      : "=r"(s)
      : "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "r"(bits[i]));
  out[i] = r ^ s;
}
#endif
