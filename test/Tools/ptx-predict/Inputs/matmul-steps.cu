//===- matmul-steps.cu - A matrix product in four steps ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Compiled to matmul-steps.ptx by:
// clang -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_50 --cuda-device-only -O2 -S
#define GLOBAL extern "C" __attribute__((global))
#define SHARED __attribute__((shared))
static __attribute__((device)) inline int tx() { return __nvvm_read_ptx_sreg_tid_x(); }
static __attribute__((device)) inline int ty() { return __nvvm_read_ptx_sreg_tid_y(); }
static __attribute__((device)) inline int bx() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __attribute__((device)) inline int by() { return __nvvm_read_ptx_sreg_ctaid_y(); }
#define __syncthreads() asm volatile("bar.sync 0;" ::: "memory")
constexpr int Tile = 16;
GLOBAL void naive(int n, const float *__restrict__ a, const float *__restrict__ b, float *c) {
  const int Column = bx() * Tile + tx(), Row = by() * Tile + ty();
  float Sum = 0;
#pragma unroll 1
  for (int K = 0; K < n; ++K)
    Sum += a[Row * n + K] * b[Column * n + K];
  c[Row * n + Column] = Sum;
}
GLOBAL void tiled(int n, const float *__restrict__ a, const float *__restrict__ b, float *c) {
  const int Column = bx() * 2 * Tile + tx(), Row = by() * Tile + ty();
  float Sum = 0, Next = 0;
#pragma unroll 1
  for (int K = 0; K < n; ++K) {
    const float A = a[Row * n + K];
    Sum += A * b[Column * n + K];
    Next += A * b[(Column + Tile) * n + K];
  }
  c[Row * n + Column] = Sum;
  c[Row * n + Column + Tile] = Next;
}
template <int Width>
static __attribute__((device)) inline void product(int n, const float *a, const float *b, float *c, float (*as)[Tile], float (*bs)[Width]) {
  const int Column = bx() * Tile + tx(), Row = by() * Tile + ty();
  float Sum = 0;
#pragma unroll 1
  for (int At = 0; At < n; At += Tile) {
    as[ty()][tx()] = a[Row * n + At + tx()];
    bs[ty()][tx()] = b[(bx() * Tile + ty()) * n + At + tx()];
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Tile; ++K)
      Sum += as[ty()][K] * bs[tx()][K];
    __syncthreads();
  }
  c[Row * n + Column] = Sum;
}
GLOBAL void conflicts(int n, const float *__restrict__ a, const float *__restrict__ b, float *c) {
  SHARED static float as[Tile][Tile], bs[Tile][Tile];
  product<Tile>(n, a, b, c, as, bs);
}
GLOBAL void padded(int n, const float *__restrict__ a, const float *__restrict__ b, float *c) {
  SHARED static float as[Tile][Tile], bs[Tile][Tile + 1];
  product<Tile + 1>(n, a, b, c, as, bs);
}
