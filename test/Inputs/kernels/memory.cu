//===- memory.cu - State spaces, vectors and cache hints -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>

struct __align__(16) Particle {
  float4 position;
  float4 velocity;
};

__constant__ float coefficients[16];
__device__ __managed__ int managedCounter;
__device__ float globalScratch[1024];

// A transpose through padded shared memory.
extern "C" __global__ void __launch_bounds__(256)
    transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// N bodies: vector loads, structures, dynamic shared memory.
extern "C" __global__ void bodies(Particle *particles, float step, int n) {
  extern __shared__ float4 positions[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle p = particles[i];
  float3 force = {0.0f, 0.0f, 0.0f};
  for (int base = 0; base < n; base += blockDim.x) {
    positions[threadIdx.x] = particles[base + threadIdx.x].position;
    __syncthreads();
#pragma unroll 4
    for (unsigned j = 0; j < blockDim.x; ++j) {
      float4 q = positions[j];
      float dx = q.x - p.position.x, dy = q.y - p.position.y,
            dz = q.z - p.position.z;
      float d = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
      float s = q.w * d * d * d;
      force.x += s * dx;
      force.y += s * dy;
      force.z += s * dz;
    }
    __syncthreads();
  }
  p.velocity.x += step * force.x;
  p.velocity.y += step * force.y;
  p.velocity.z += step * force.z;
  p.position.x += step * p.velocity.x;
  p.position.y += step * p.velocity.y;
  p.position.z += step * p.velocity.z;
  particles[i] = p;
}

// Cache operators and read-only loads.
extern "C" __global__ void cacheOperators(const float *__restrict__ in,
                                          const double2 *pairs, float *out,
                                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = __ldg(in + i) + __ldcg(in + i) + __ldcs(in + i) + __ldcv(in + i);
  float all, last;
  asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(all) : "l"(in + i));
  asm volatile("ld.global.lu.f32 %0, [%1];" : "=f"(last) : "l"(out + i));
  s += all * last;
  double2 p = __ldcg(pairs + i), q = __ldg(pairs + i);
  s += p.x * q.y + coefficients[i & 15] + globalScratch[i & 1023];
  asm volatile("st.global.wb.f32 [%0], %1;" ::"l"(out + i), "f"(s) : "memory");
  asm volatile("st.global.cg.f32 [%0], %1;" ::"l"(out + n + i), "f"(s)
               : "memory");
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + 2 * n + i), "f"(s)
               : "memory");
  asm volatile("st.global.wt.f32 [%0], %1;" ::"l"(out + 3 * n + i), "f"(s)
               : "memory");
  if (i == 0)
    managedCounter = 1;
}

// A register array that is indexed by data lives in local memory.
extern "C" __global__ void localHistogram(const unsigned char *in, int *out,
                                          int n) {
  int bins[64];
  for (int &bin : bins)
    bin = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    ++bins[in[i] & 63];
  for (int i = 0; i < 64; ++i)
    out[i * blockDim.x + threadIdx.x] = bins[i];
}

// Memory order and scope on loads and stores; volatile accesses.
extern "C" __global__ void orderedMessages(int *flag, int *data, int *out) {
  int value, seen;
  if (threadIdx.x == 0) {
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(data), "r"(42)
                 : "memory");
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    asm volatile("st.release.sys.s32 [%0+4], 2;" ::"l"(flag) : "memory");
    asm volatile("st.volatile.global.s32 [%0+8], 3;" ::"l"(flag) : "memory");
    asm volatile("st.mmio.relaxed.sys.global.s32 [%0+12], 4;" ::"l"(flag)
                 : "memory");
  } else {
    do
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                   : "=r"(seen)
                   : "l"(flag)
                   : "memory");
    while (seen == 0);
    asm volatile("ld.relaxed.cta.s32 %0, [%1];" : "=r"(value) : "l"(data));
    asm volatile("ld.volatile.s32 %0, [%1+4];" : "=r"(seen) : "l"(data));
    asm volatile("ld.weak.global.s32 %0, [%1+-4];"
                 : "=r"(seen)
                 : "l"(data + 1));
    out[threadIdx.x] = value + seen;
  }
}

// Prefetches, generic addresses, address-space queries and conversions.
extern "C" __global__ void addressSpaces(const float *in, float *out, int n) {
  __shared__ float stage[256];
  float local[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + i));
  asm volatile("prefetch.global.L2 [%0+128];" ::"l"(in + i));
  asm volatile("prefetch.L2 [%0];" ::"l"(out + i));
  asm volatile("prefetchu.L1 [%0];" ::"l"(in + i));
#if __CUDA_ARCH__ >= 800
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(in + i));
#endif
  stage[threadIdx.x] = in[i];
  __syncthreads();
  const float *p = n & 1 ? &stage[n & 255] : n & 2 ? &local[n & 3] : in;
  float s = *p;
  if (__isShared(p))
    s += 1.0f;
  if (__isGlobal(p))
    s += 2.0f;
  if (__isLocal(p))
    s += 4.0f;
  if (__isConstant(p))
    s += 8.0f;
  uint32_t offset = static_cast<uint32_t>(__cvta_generic_to_shared(&stage[3]));
  float shared, ldu;
  asm volatile("ld.shared.f32 %0, [%1+4];" : "=f"(shared) : "r"(offset));
  asm volatile("ldu.global.f32 %0, [%1];" : "=f"(ldu) : "l"(in));
  float a, b, c, d;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4+-12];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "r"(offset));
  asm volatile("st.shared.v2.f32 [%0+64], {%1, %2};" ::"r"(offset), "f"(a),
               "f"(b)
               : "memory");
  uint64_t generic;
  asm("{ .reg .u64 t;\n\tcvta.to.shared.u64 t, %1;\n\t"
      "cvta.shared.u64 %0, t;\n\t}"
      : "=l"(generic)
      : "l"(&stage[5]));
  out[i] = s + shared + ldu + c + d + *reinterpret_cast<float *>(generic);
}

#if __CUDA_ARCH__ >= 800
// Eviction priorities, cache policies and prefetch sizes.
extern "C" __global__ void cachePolicies(const float4 *in, float4 *out,
                                         unsigned bytes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t keep, stream, window, converted;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(keep));
  asm("createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %0, 1.0;"
      : "=l"(stream));
  asm("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 "
      "%0, [%1], %2, %3;"
      : "=l"(window)
      : "l"(in), "r"(bytes / 2), "r"(bytes));
  asm("createpolicy.cvt.L2.b64 %0, %1;"
      : "=l"(converted)
      : "l"(0x10F0000000000000ull));
  if (i >= n)
    return;
  float4 v, w;
  asm volatile("ld.global.L1::no_allocate.L2::cache_hint.L2::128B.v4.f32 "
               "{%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(in + i), "l"(keep));
  asm volatile("ld.global.nc.L1::evict_last.L2::256B.v4.f32 "
               "{%0, %1, %2, %3}, [%4];"
               : "=f"(w.x), "=f"(w.y), "=f"(w.z), "=f"(w.w)
               : "l"(in + n + i));
  asm volatile("ld.global.L2::64B.f32 %0, [%1];" : "=f"(w.x) : "l"(in + i));
  asm volatile("st.global.L1::no_allocate.L2::cache_hint.v4.f32 "
               "[%0], {%1, %2, %3, %4}, %5;" ::"l"(out + i),
               "f"(v.x + w.x), "f"(v.y), "f"(v.z), "f"(v.w), "l"(stream)
               : "memory");
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(out + n + i),
               "f"(w.w), "l"(window)
               : "memory");
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;"
               : "=f"(w.y)
               : "l"(in + i), "l"(converted));
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(in));
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(in) : "memory");
  out[2 * n + i].y = w.y;
}
#endif

#if __CUDA_ARCH__ >= 1000
// Vectors of 256 bits.
extern "C" __global__ void wideVectors(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v[8];
  unsigned long long d[4];
  asm volatile("ld.global.nc.L1::no_allocate.L2::evict_last.v8.f32 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]),
                 "=f"(v[5]), "=f"(v[6]), "=f"(v[7])
               : "l"(in + 8 * i));
  asm volatile("ld.global.v4.b64 {%0, %1, %2, %3}, [%4];"
               : "=l"(d[0]), "=l"(d[1]), "=l"(d[2]), "=l"(d[3])
               : "l"(in + 8 * i + 8 * n));
  asm volatile("st.global.v8.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"l"(
                   out + 8 * i),
               "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3]), "f"(v[4]), "f"(v[5]),
               "f"(v[6]), "f"(v[7])
               : "memory");
  asm volatile("st.global.L2::evict_first.v4.b64 [%0], {%1, %2, %3, %4};" ::"l"(
                   out + 8 * i + 8 * n),
               "l"(d[0]), "l"(d[1]), "l"(d[2]), "l"(d[3])
               : "memory");
}
#endif
