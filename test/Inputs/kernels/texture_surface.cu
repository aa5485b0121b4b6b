//===- texture_surface.cu - Textures and surfaces --------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

// Bilinear resampling of an image.
extern "C" __global__ void resample(cudaTextureObject_t image, uchar4 *out,
                                    int width, int height, float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float4 c = tex2D<float4>(image, (x + 0.5f) * scale, (y + 0.5f) * scale);
  out[y * width + x] =
      make_uchar4(255.0f * c.x, 255.0f * c.y, 255.0f * c.z, 255.0f * c.w);
}

// Every geometry of fetch, with levels, gradients and gathers.
extern "C" __global__ void fetchForms(cudaTextureObject_t t, float4 *out) {
  float x = threadIdx.x * 0.25f, y = threadIdx.y * 0.5f, z = blockIdx.x;
  float4 s = tex1D<float4>(t, x);
  float4 r[11] = {tex1Dfetch<float4>(t, threadIdx.x),
                  tex1DLayered<float4>(t, x, 2),
                  tex2DLayered<float4>(t, x, y, 1),
                  tex3D<float4>(t, x, y, z),
                  texCubemap<float4>(t, x, y, z),
                  texCubemapLayered<float4>(t, x, y, z, 3),
                  tex2DLod<float4>(t, x, y, 1.5f),
                  tex2DGrad<float4>(t, x, y, make_float2(0.1f, 0.0f),
                                    make_float2(0.0f, 0.1f)),
                  tex3DLod<float4>(t, x, y, z, 2.0f),
                  tex2Dgather<float4>(t, x, y, 2),
                  tex1DLod<float4>(t, x, 0.5f)};
  for (const float4 &v : r) {
    s.x += v.x;
    s.y += v.y;
    s.z += v.z;
    s.w += v.w;
  }
  int4 i = tex1Dfetch<int4>(t, threadIdx.x + 1);
  uint4 u = tex2D<uint4>(t, x, y);
  s.x += i.x + u.y;
  out[threadIdx.y * blockDim.x + threadIdx.x] = s;
}

// What the intrinsics leave out: residency, sampler queries, the other gathers.
extern "C" __global__ void queryTextures(cudaTextureObject_t t,
                                         cudaSurfaceObject_t s, int *out) {
  int width, height, depth, channels, order, normalized, surface, resident;
  float4 v, g;
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(t));
  asm volatile("txq.height.b32 %0, [%1];" : "=r"(height) : "l"(t));
  asm volatile("txq.depth.b32 %0, [%1];" : "=r"(depth) : "l"(t));
  asm volatile("txq.channel_data_type.b32 %0, [%1];" : "=r"(channels) : "l"(t));
  asm volatile("txq.channel_order.b32 %0, [%1];" : "=r"(order) : "l"(t));
  asm volatile("txq.normalized_coords.b32 %0, [%1];"
               : "=r"(normalized)
               : "l"(t));
  asm volatile("suq.width.b32 %0, [%1];" : "=r"(surface) : "l"(s));
  asm volatile("{ .reg .pred p;\n\t"
               "tex.2d.v4.f32.f32 {%0, %1, %2, %3}|p, [%5, {%6, %7}];\n\t"
               "selp.b32 %4, 1, 0, p;\n\t}"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w), "=r"(resident)
               : "l"(t), "f"(0.25f), "f"(0.5f));
  asm volatile("tld4.b.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(g.x), "=f"(g.y), "=f"(g.z), "=f"(g.w)
               : "l"(t), "f"(0.25f), "f"(0.5f));
  out[threadIdx.x] = width + height + depth + channels + order + normalized +
                     surface + resident + static_cast<int>(v.x + g.y);
}

// Surfaces: an in-place blend in every geometry and boundary mode.
extern "C" __global__ void surfaceForms(cudaSurfaceObject_t s, float *out) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  float4 a = surf2Dread<float4>(s, 16 * x, y);
  float2 b = surf2Dread<float2>(s, 8 * x, y, cudaBoundaryModeClamp);
  int c = surf1Dread<int>(s, 4 * x, cudaBoundaryModeZero);
  short2 d = surf3Dread<short2>(s, 4 * x, y, z);
  uchar4 e = surf2DLayeredread<uchar4>(s, 4 * x, y, 1);
  a.x += b.x + c + d.x + e.y;
  surf2Dwrite(a, s, 16 * x, y);
  surf1Dwrite(c, s, 4 * x, cudaBoundaryModeZero);
  surf3Dwrite(d, s, 4 * x, y, z, cudaBoundaryModeClamp);
  surf2DLayeredwrite(e, s, 4 * x, y, 2);
  asm volatile("sust.p.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(s), "r"(x),
               "r"(y), "r"(c)
               : "memory");
  asm volatile("sured.b.1d.add.u32.trap [%0, {%1}], %2;" ::"l"(s), "r"(4 * x),
               "r"(c)
               : "memory");
  asm volatile("sured.b.2d.min.s32.clamp [%0, {%1, %2}], %3;" ::"l"(s),
               "r"(4 * x), "r"(y), "r"(c)
               : "memory");
  out[x] = a.x;
}
