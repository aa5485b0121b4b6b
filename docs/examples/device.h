//===- device.h - CUDA without a toolkit ----------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What small kernels use of the toolkit's headers, for
// clang++ -nocudainc -nocudalib --cuda-feature=+ptx88 -include device.h.
//
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_EXAMPLES_DEVICE_H
#define PTXPREDICT_EXAMPLES_DEVICE_H

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(N) __attribute__((aligned(N)))
#define __block_size__(...) // which clang does not know
// What is inlined has the line of the call.
#define DEVICE static __device__ __forceinline__ __attribute__((nodebug))

typedef __SIZE_TYPE__ size_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;

// Indices: an object whose members are special registers.
#define SPECIAL_REGISTER(Name, Register)                                       \
  struct Name##_t {                                                            \
    __declspec(property(get = getX)) unsigned x;                               \
    __declspec(property(get = getY)) unsigned y;                               \
    __declspec(property(get = getZ)) unsigned z;                               \
    __device__ __forceinline__ unsigned getX() const {                         \
      return __nvvm_read_ptx_sreg_##Register##_x();                            \
    }                                                                          \
    __device__ __forceinline__ unsigned getY() const {                         \
      return __nvvm_read_ptx_sreg_##Register##_y();                            \
    }                                                                          \
    __device__ __forceinline__ unsigned getZ() const {                         \
      return __nvvm_read_ptx_sreg_##Register##_z();                            \
    }                                                                          \
  };                                                                           \
  extern const __device__ __attribute__((weak)) Name##_t Name;
SPECIAL_REGISTER(threadIdx, tid)
SPECIAL_REGISTER(blockIdx, ctaid)
SPECIAL_REGISTER(blockDim, ntid)
SPECIAL_REGISTER(gridDim, nctaid)

// Vectors.
#define VECTORS(T, Name)                                                       \
  struct __attribute__((aligned(2 * sizeof(T)))) Name##2 { T x, y; };          \
  struct Name##3 { T x, y, z; };                                               \
  struct __attribute__((                                                       \
      aligned(sizeof(T) == 8 ? 16 : 4 * sizeof(T)))) Name##4 {                 \
    T x, y, z, w;                                                              \
  };                                                                           \
  DEVICE Name##2 make_##Name##2(T x, T y) { return {x, y}; }                   \
  DEVICE Name##3 make_##Name##3(T x, T y, T z) { return {x, y, z}; }           \
  DEVICE Name##4 make_##Name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
VECTORS(float, float)
VECTORS(double, double)
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(unsigned char, uchar)

// Warps and blocks.
constexpr int warpSize = 32;
DEVICE void __syncwarp(unsigned Mask = ~0u) { __nvvm_bar_warp_sync(Mask); }
DEVICE void __threadfence() { __nvvm_membar_gl(); }
DEVICE unsigned __ballot_sync(unsigned Mask, int P) {
  return __nvvm_vote_ballot_sync(Mask, P);
}
DEVICE int __any_sync(unsigned Mask, int P) {
  return __nvvm_vote_any_sync(Mask, P);
}
DEVICE int __all_sync(unsigned Mask, int P) {
  return __nvvm_vote_all_sync(Mask, P);
}
DEVICE unsigned __match_any_sync(unsigned Mask, unsigned V) {
  return __nvvm_match_any_sync_i32(Mask, V);
}
#define SHUFFLE(Name, Kind, Clamp)                                             \
  DEVICE int Name(unsigned Mask, int V, int Lane, int Width = 32) {            \
    return __nvvm_shfl_sync_##Kind##_i32(Mask, V, Lane,                        \
                                         ((32 - Width) << 8) | Clamp);         \
  }                                                                            \
  DEVICE unsigned Name(unsigned Mask, unsigned V, int Lane, int Width = 32) {  \
    return unsigned(Name(Mask, int(V), Lane, Width));                          \
  }                                                                            \
  DEVICE float Name(unsigned Mask, float V, int Lane, int Width = 32) {        \
    return __nvvm_shfl_sync_##Kind##_f32(Mask, V, Lane,                        \
                                         ((32 - Width) << 8) | Clamp);         \
  }
SHUFFLE(__shfl_sync, idx, 0x1f)
SHUFFLE(__shfl_up_sync, up, 0)
SHUFFLE(__shfl_down_sync, down, 0x1f)
SHUFFLE(__shfl_xor_sync, bfly, 0x1f)

// Atomics.
DEVICE int atomicAdd(int *P, int V) { return __nvvm_atom_add_gen_i(P, V); }
DEVICE unsigned atomicAdd(unsigned *P, unsigned V) {
  return unsigned(__nvvm_atom_add_gen_i((int *)P, int(V)));
}
DEVICE float atomicAdd(float *P, float V) {
  return __nvvm_atom_add_gen_f(P, V);
}
DEVICE int atomicMax(int *P, int V) { return __nvvm_atom_max_gen_i(P, V); }
DEVICE int atomicMin(int *P, int V) { return __nvvm_atom_min_gen_i(P, V); }
DEVICE int atomicExch(int *P, int V) { return __nvvm_atom_xchg_gen_i(P, V); }
DEVICE int atomicCAS(int *P, int Old, int New) {
  return __nvvm_atom_cas_gen_i(P, Old, New);
}

// Arithmetic.
DEVICE int min(int A, int B) { return A < B ? A : B; }
DEVICE int max(int A, int B) { return A > B ? A : B; }
DEVICE float sqrtf(float X) { return __builtin_sqrtf(X); }
DEVICE float fabsf(float X) { return __builtin_fabsf(X); }
DEVICE float fmaf(float A, float B, float C) { return __builtin_fmaf(A, B, C); }
DEVICE float fmaxf(float A, float B) { return __builtin_fmaxf(A, B); }
DEVICE float fminf(float A, float B) { return __builtin_fminf(A, B); }
DEVICE float __fdividef(float A, float B) { return __nvvm_div_approx_f(A, B); }
DEVICE float __expf(float X) {
  return __nvvm_ex2_approx_f(X * 1.4426950408889634f);
}
DEVICE float __logf(float X) {
  return __nvvm_lg2_approx_f(X) * 0.69314718055994531f;
}
DEVICE float __sinf(float X) { return __nvvm_sin_approx_f(X); }
DEVICE float __cosf(float X) { return __nvvm_cos_approx_f(X); }
DEVICE float rsqrtf(float X) { return __nvvm_rsqrt_approx_f(X); }
DEVICE int __popc(unsigned X) { return __builtin_popcount(X); }
DEVICE int __clz(int X) { return X ? __builtin_clz(X) : 32; }
DEVICE int __ffs(int X) { return __builtin_ffs(X); }
DEVICE int abs(int X) { return X < 0 ? -X : X; }
DEVICE double fabs(double X) { return __builtin_fabs(X); }
DEVICE double sqrt(double X) { return __builtin_sqrt(X); }
DEVICE float __fmul_rn(float A, float B) { return __nvvm_mul_rn_f(A, B); }
DEVICE float __fadd_rn(float A, float B) { return __nvvm_add_rn_f(A, B); }
DEVICE float __fsub_rn(float A, float B) { return __nvvm_add_rn_f(A, -B); }
DEVICE double fma(double A, double B, double C) {
  return __builtin_fma(A, B, C);
}
DEVICE float __int_as_float(int X) { return __builtin_bit_cast(float, X); }
DEVICE int __float_as_int(float X) { return __builtin_bit_cast(int, X); }
DEVICE size_t __cvta_generic_to_shared(const void *P) {
  return (size_t)(__attribute__((address_space(3))) const void *)P;
}
DEVICE size_t __cvta_generic_to_global(const void *P) {
  return (size_t)(__attribute__((address_space(1))) const void *)P;
}
DEVICE int __reduce_add_sync(unsigned Mask, int V) {
  return __nvvm_redux_sync_add(V, int(Mask));
}
DEVICE int __reduce_max_sync(unsigned Mask, int V) {
  return __nvvm_redux_sync_max(V, int(Mask));
}
template <typename T>
DEVICE T __ldg(const T *P) {
  return *P;
}

#undef VECTORS
#undef SHUFFLE
#undef SPECIAL_REGISTER

#endif // PTXPREDICT_EXAMPLES_DEVICE_H
