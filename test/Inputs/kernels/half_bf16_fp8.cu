//===- half_bf16_fp8.cu - Half, bfloat16 and narrower floats ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// Softmax over rows of packed halves.
extern "C" __global__ void halfSoftmax(const __half2 *in, __half2 *out,
                                       int columns) {
  const __half2 *row = in + blockIdx.x * columns;
  __half2 high = __float2half2_rn(-65504.0f);
  for (int i = threadIdx.x; i < columns; i += 32)
    high = __hmax2(high, row[i]);
  for (int mask = 16; mask; mask /= 2)
    high = __hmax2(high, __shfl_xor_sync(~0u, high, mask));
  __half2 sum = __float2half2_rn(0.0f);
  for (int i = threadIdx.x; i < columns; i += 32)
    sum = __hadd2(sum, h2exp2(__hsub2(row[i], high)));
  for (int mask = 16; mask; mask /= 2)
    sum = __hadd2(sum, __shfl_xor_sync(~0u, sum, mask));
  for (int i = threadIdx.x; i < columns; i += 32)
    out[blockIdx.x * columns + i] = __h2div(h2exp2(__hsub2(row[i], high)), sum);
}

// Scalar half arithmetic with every modifier.
extern "C" __global__ void halfArithmetic(const __half *a, const __half *b,
                                          __half *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half x = a[i], y = b[i];
  __half s = __hfma(x, y, __hadd(x, y)) + __hmul_sat(x, y) - __hneg(x);
  s = __hadd(__hfma_sat(s, x, y), __habs(__hsub_sat(s, y)));
  s = __hadd(s, __hmin(x, __hmax(y, s)));
  s = __hadd(s, hsqrt(__habs(s)) + hrcp(y) + hsin(x) + hlog2(y));
  unsigned short bits = __half_as_ushort(s), other = __half_as_ushort(y);
  asm("ex2.approx.f16 %0, %0;" : "+h"(bits));
  asm("tanh.approx.f16 %0, %0;" : "+h"(bits));
  asm("add.ftz.f16 %0, %0, %1;" : "+h"(bits) : "h"(other));
  asm("mul.rn.ftz.sat.f16 %0, %0, %1;" : "+h"(bits) : "h"(other));
#if __CUDA_ARCH__ >= 800
  asm("fma.rn.relu.f16 %0, %0, %1, %0;" : "+h"(bits) : "h"(other));
  asm("min.NaN.f16 %0, %0, %1;" : "+h"(bits) : "h"(other));
  asm("max.ftz.f16 %0, %0, %1;" : "+h"(bits) : "h"(other));
#endif
#if __CUDA_ARCH__ >= 860
  asm("max.ftz.NaN.xorsign.abs.f16 %0, %0, %1;" : "+h"(bits) : "h"(other));
#endif
  if (__hlt(x, y) || __hisnan(s))
    bits ^= 0x8000;
  out[i] = __ushort_as_half(bits);
}

// Layer normalisation in bfloat16 with single precision sums.
extern "C" __global__ void bf16LayerNorm(const __nv_bfloat162 *in,
                                         const __nv_bfloat162 *gain,
                                         __nv_bfloat162 *out, int columns) {
  float sum = 0.0f, squares = 0.0f;
  const __nv_bfloat162 *row = in + blockIdx.x * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float2 v = __bfloat1622float2(row[i]);
    sum += v.x + v.y;
    squares += v.x * v.x + v.y * v.y;
  }
  for (int mask = 16; mask; mask /= 2) {
    sum += __shfl_xor_sync(~0u, sum, mask);
    squares += __shfl_xor_sync(~0u, squares, mask);
  }
  float mean = sum / (2 * columns);
  float scale = rsqrtf(squares / (2 * columns) - mean * mean + 1e-5f);
  __nv_bfloat162 m = __float2bfloat162_rn(-mean);
  __nv_bfloat162 s = __float2bfloat162_rn(scale);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] =
        __hmul2(__hmul2(__hadd2(row[i], m), s), gain[i]);
}

#if __CUDA_ARCH__ >= 800
// Scalar and packed bfloat16 arithmetic with every modifier.
extern "C" __global__ void bf16Arithmetic(const unsigned *a, const unsigned *b,
                                          unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = a[i], y = b[i], r;
  unsigned short h = x & 0xffff, g = y & 0xffff;
  asm("fma.rn.bf16x2 %0, %1, %2, %1;" : "=r"(r) : "r"(x), "r"(y));
  asm("fma.rn.relu.bf16x2 %0, %0, %1, %0;" : "+r"(r) : "r"(y));
  asm("fma.rn.relu.bf16 %0, %0, %1, %0;" : "+h"(h) : "h"(g));
  asm("abs.bf16x2 %0, %0;" : "+r"(r));
  asm("neg.bf16 %0, %0;" : "+h"(h));
  asm("min.bf16x2 %0, %0, %1;" : "+r"(r) : "r"(y));
  asm("max.NaN.bf16 %0, %0, %1;" : "+h"(h) : "h"(g));
#if __CUDA_ARCH__ >= 900
  asm("add.rn.bf16x2 %0, %0, %1;" : "+r"(r) : "r"(y));
  asm("sub.bf16 %0, %0, %1;" : "+h"(h) : "h"(g));
  asm("mul.rn.bf16x2 %0, %0, %1;" : "+r"(r) : "r"(y));
  asm("tanh.approx.bf16x2 %0, %0;" : "+r"(r));
  asm("ex2.approx.ftz.bf16 %0, %0;" : "+h"(h));
  asm("ex2.approx.ftz.bf16x2 %0, %0;" : "+r"(r));
  asm("fma.rn.oob.relu.bf16x2 %0, %0, %1, %0;" : "+r"(r) : "r"(y));
#endif
  out[i] = r ^ h;
}
#endif

#if __CUDA_ARCH__ >= 1000
// Mixed precision: half and bfloat16 operands of a single precision operation.
extern "C" __global__ void mixedAccumulate(const unsigned short *a,
                                           const unsigned short *b, float *out,
                                           int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    asm("fma.rn.f32.f16 %0, %1, %2, %0;" : "+f"(sum) : "h"(a[i]), "h"(b[i]));
    asm("fma.rz.sat.f32.bf16 %0, %1, %2, %0;"
        : "+f"(sum)
        : "h"(a[i]), "h"(b[i]));
    asm("add.f32.f16 %0, %1, %0;" : "+f"(sum) : "h"(a[i]));
    asm("sub.rn.f32.bf16 %0, %1, %0;" : "+f"(sum) : "h"(b[i]));
  }
  out[threadIdx.x] = sum;
}
#endif

// Quantisation to eight-bit floats with a scale for each block, and back.
extern "C" __global__ void fp8RoundTrip(const float4 *in, unsigned *codes,
                                        float4 *out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = in[i];
  v.x *= scale, v.y *= scale, v.z *= scale, v.w *= scale;
  __nv_fp8x4_e4m3 narrow(v);
  __nv_fp8x4_e5m2 coarse(v);
  codes[2 * i] = narrow.__x;
  codes[2 * i + 1] = coarse.__x;
  float4 back = static_cast<float4>(narrow), far = static_cast<float4>(coarse);
  out[i] = make_float4(back.x + far.x, back.y, back.z, back.w + far.w);
}
