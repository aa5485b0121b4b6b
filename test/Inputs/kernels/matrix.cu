//===- matrix.cu - Warp-level matrix instructions --------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

// A 16x16x16 tile a warp, through the portable interface.
extern "C" __global__ void wmmaTile(const __half *a, const __half *b, float *c,
                                    int m, int n, int k) {
  using namespace nvcuda::wmma;
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  for (int i = 0; i < k; i += 16) {
    load_matrix_sync(fa, a + row * k + i, k);
    load_matrix_sync(fb, b + column * k + i, k);
    mma_sync(fc, fa, fb, fc);
  }
  for (float &x : fc.x)
    x = x > 0.0f ? x : 0.0f;
  store_matrix_sync(c + row * n + column, fc, n, mem_row_major);
}

// The other shapes and types of the portable interface.
extern "C" __global__ void wmmaTypes(const signed char *a8,
                                     const signed char *b8, int *c8,
                                     const __half *ah, const __half *bh,
                                     __half *ch, const void *bits, int *cb) {
  using namespace nvcuda::wmma;
  {
    fragment<matrix_a, 32, 8, 16, signed char, row_major> a;
    fragment<matrix_b, 32, 8, 16, signed char, col_major> b;
    fragment<accumulator, 32, 8, 16, int> c;
    load_matrix_sync(a, a8, 16);
    load_matrix_sync(b, b8, 16);
    load_matrix_sync(c, c8, 8, mem_row_major);
    mma_sync(c, a, b, c, true);
    store_matrix_sync(c8, c, 8, mem_col_major);
  }
  {
    fragment<matrix_a, 8, 32, 16, __half, col_major> a;
    fragment<matrix_b, 8, 32, 16, __half, row_major> b;
    fragment<accumulator, 8, 32, 16, __half> c;
    load_matrix_sync(a, ah, 8);
    load_matrix_sync(b, bh, 32);
    load_matrix_sync(c, ch, 32, mem_row_major);
    mma_sync(c, a, b, c);
    store_matrix_sync(ch, c, 32, mem_row_major);
  }
#if __CUDA_ARCH__ < 1000
  {
    fragment<matrix_a, 8, 8, 32, experimental::precision::s4, row_major> a;
    fragment<matrix_b, 8, 8, 32, experimental::precision::s4, col_major> b;
    fragment<accumulator, 8, 8, 32, int> c;
    fill_fragment(c, 0);
    load_matrix_sync(a, bits, 32);
    load_matrix_sync(b, bits, 32);
    mma_sync(c, a, b, c);
    store_matrix_sync(cb, c, 8, mem_row_major);
  }
  {
    fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> a;
    fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> b;
    fragment<accumulator, 8, 8, 128, int> c;
    fill_fragment(c, 0);
    load_matrix_sync(a, bits, 128);
    load_matrix_sync(b, bits, 128);
    bmma_sync(c, a, b, c, experimental::bmmaBitOpXOR,
              experimental::bmmaAccumulateOpPOPC);
    store_matrix_sync(cb + 64, c, 8, mem_row_major);
  }
#endif
}

#if __CUDA_ARCH__ >= 800
// TF32, bfloat16 and double precision through the portable interface.
extern "C" __global__ void wmmaPrecisions(const float *af, const float *bf,
                                          float *cf, const __nv_bfloat16 *ab,
                                          const __nv_bfloat16 *bb,
                                          const double *ad, const double *bd,
                                          double *cd) {
  using namespace nvcuda::wmma;
  fragment<accumulator, 16, 16, 8, float> c;
  {
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> a;
    fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> b;
    load_matrix_sync(a, af, 8);
    load_matrix_sync(b, bf, 8);
    for (float &x : a.x)
      x = __float_to_tf32(x);
    fill_fragment(c, 0.0f);
    mma_sync(c, a, b, c);
    store_matrix_sync(cf, c, 16, mem_row_major);
  }
  {
    fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> a;
    fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> b;
    fragment<accumulator, 16, 16, 16, float> s;
    load_matrix_sync(a, ab, 16);
    load_matrix_sync(b, bb, 16);
    fill_fragment(s, 1.0f);
    mma_sync(s, a, b, s);
    store_matrix_sync(cf + 256, s, 16, mem_row_major);
  }
  {
    fragment<matrix_a, 8, 8, 4, double, row_major> a;
    fragment<matrix_b, 8, 8, 4, double, col_major> b;
    fragment<accumulator, 8, 8, 4, double> s;
    load_matrix_sync(a, ad, 4);
    load_matrix_sync(b, bd, 4);
    fill_fragment(s, 0.0);
    mma_sync(s, a, b, s);
    store_matrix_sync(cd, s, 8, mem_row_major);
  }
}
#endif

// A matrix product from shared memory: ldmatrix, mma, and a transposed store.
extern "C" __global__ void __launch_bounds__(32)
    mmaTile(const __half *a, const __half *b, __half *c, int k) {
  __shared__ __align__(128) __half tileA[16 * 16], tileB[16 * 8];
  int lane = threadIdx.x;
  uint32_t addressA = static_cast<uint32_t>(
      __cvta_generic_to_shared(tileA + lane % 16 * 16 + lane / 16 * 8));
  uint32_t addressB =
      static_cast<uint32_t>(__cvta_generic_to_shared(tileB + lane % 16 * 8));
  float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < k; i += 16) {
    for (int j = lane; j < 256; j += 32)
      tileA[j] = a[j / 16 * k + i + j % 16];
    for (int j = lane; j < 128; j += 32)
      tileB[j] = b[(i + j / 8) * 8 + j % 8];
    __syncwarp();
    uint32_t fa[4], fb[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(addressA));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
                 "{%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(addressB));
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]),
                   "r"(fb[1]));
#else
    for (int half = 0; half < 2; ++half)
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                   "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                   : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                   : "r"(fa[2 * half]), "r"(fa[2 * half + 1]), "r"(fb[half]));
#endif
    __syncwarp();
  }
  __half2 low = __floats2half2_rn(s[0], s[1]);
  __half2 high = __floats2half2_rn(s[2], s[3]);
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
               "[%0], {%1, %2};" ::"r"(addressA),
               "r"(*reinterpret_cast<uint32_t *>(&low)),
               "r"(*reinterpret_cast<uint32_t *>(&high))
               : "memory");
#else
  reinterpret_cast<__half2 *>(tileA)[lane] = low;
  reinterpret_cast<__half2 *>(tileA)[lane + 32] = high;
#endif
  uint32_t turned, word = *reinterpret_cast<uint32_t *>(&low);
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
      : "=r"(turned)
      : "r"(word));
  __syncwarp();
  for (int j = lane; j < 128; j += 32)
    c[j] = tileA[j];
  if (turned == 0)
    c[128 + lane] = __float2half(0.0f);
}

#if __CUDA_ARCH__ >= 800
// The types of mma.
extern "C" __global__ void mmaTypes(const uint32_t *in, uint32_t *out) {
  uint32_t a[4], b[4], e = in[32 * 8 + threadIdx.x];
  for (int i = 0; i < 4; ++i) {
    a[i] = in[32 * i + threadIdx.x];
    b[i] = in[32 * (i + 4) + threadIdx.x];
  }
  float f[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int s[4] = {0, 0, 0, 0};
  double d[2] = {0.0, 0.0};
#define FLOATS "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}"
#define FLOATS_OPERANDS                                                        \
  "+f"(f[0]), "+f"(f[1]), "+f"(f[2]),                                          \
      "+f"(f[3])                                                               \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define INTS_OPERANDS                                                          \
  "+r"(s[0]), "+r"(s[1]), "+r"(s[2]),                                          \
      "+r"(s[3])                                                               \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " FLOATS ";"
               : FLOATS_OPERANDS);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " FLOATS ";"
               : FLOATS_OPERANDS);
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 " FLOATS ";"
      : INTS_OPERANDS);
  asm volatile("mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32 " FLOATS ";"
               : INTS_OPERANDS);
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc " FLOATS ";"
      : INTS_OPERANDS);
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
               "{%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(static_cast<double>(a[0])),
                 "d"(static_cast<double>(b[0])));
#if __CUDA_ARCH__ >= 890
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 " FLOATS ";"
               : FLOATS_OPERANDS);
#endif
#ifdef __CUDA_ARCH_FEAT_SM120_ALL
  asm volatile(
      "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2.e2m3.f32 " FLOATS
      ";"
      : FLOATS_OPERANDS);
  asm volatile("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale."
               "scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 " FLOATS
               ", {%10}, {0, 1}, {%10}, {0, 2};"
               : FLOATS_OPERANDS, "r"(e));
  asm volatile("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale."
               "scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 " FLOATS
               ", {%10}, {0, 0}, {%10}, {0, 0};"
               : FLOATS_OPERANDS, "r"(e));
#endif
  // Structured sparsity: two of four values of A are stored, with metadata.
#define SPARSE                                                                 \
  "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, " \
  "%12, 0x0"
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col."
               "f32.f16.f16.f32 " SPARSE ";"
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e));
  asm volatile("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 " SPARSE ";"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e));
  out[threadIdx.x] = s[0] + s[1] + s[2] + s[3] +
                     __float_as_int(f[0] + f[1] + f[2] + f[3]) +
                     static_cast<int>(d[0] + d[1]);
}
#endif

#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM120_ALL)
// Loads of six- and four-bit tiles and stores of bytes.
extern "C" __global__ void narrowTiles(uint32_t *out) {
  __shared__ __align__(128) uint32_t tile[1024];
  uint32_t address =
      static_cast<uint32_t>(__cvta_generic_to_shared(tile + threadIdx.x * 4));
  uint32_t a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];"
               : "=r"(a), "=r"(b)
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32 "
               "{%0, %1}, [%2];"
               : "=r"(c), "=r"(d)
               : "r"(address));
  asm volatile("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 "
               "[%0], {%1, %2};" ::"r"(address),
               "r"(a ^ c), "r"(b ^ d)
               : "memory");
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x];
}
#endif
