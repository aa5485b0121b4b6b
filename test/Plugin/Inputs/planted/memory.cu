//===- memory.cu - Ways of access -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "cuda.h"

// A thread sums a row; the fixed one a column of the transposed matrix.
extern "C" __global__ void rows(const float *m, float *out) {
  int row = globalX();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    sum += m[row * 64 + k]; // planted: uncoalesced-access
  out[row] = sum;
}
extern "C" __global__ void rowsFixed(const float *m, float *out) {
  int row = globalX();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    sum += m[k * 65536 + row];
  out[row] = sum;
}

// One member of structures; the fixed one has an array of that member.
struct Body {
  float x, y, z, mass, vx, vy, vz, charge;
};
extern "C" __global__ void members(Body *b) {
  b[globalX()].mass *= 2; // planted: uncoalesced-access
}
extern "C" __global__ void membersFixed(float *mass) {
  mass[globalX()] *= 2;
}

// Writes a transposed matrix directly; the fixed one copies.
extern "C" __global__ void transposed(const float *in, float *out) {
  int x = globalX(), y = __nvvm_read_ptx_sreg_ctaid_y();
  out[x * 1024 + y] = in[y * 1024 + x]; // planted: uncoalesced-access
}
extern "C" __global__ void transposedFixed(const float *in, float *out) {
  int x = globalX(), y = __nvvm_read_ptx_sreg_ctaid_y();
  out[y * 1024 + x] = in[y * 1024 + x];
}

// Lanes read a column of a tile; the fixed tile is padded.
template <int Width> inline __device__ float columns(const float *in) {
  __shared__ float tile[32][Width];
  int x = threadX() % 32, y = threadX() / 32;
  for (int k = y; k < 32; k += 8)
    tile[k][x] = in[blockX() * 1024 + k * 32 + x];
  barrier();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < 256; ++round)
    sum += tile[x][round % 32] * round; // planted: bank-conflict in column
  return sum;
}
extern "C" __global__ __launch_bounds__(256) void column(const float *in, float *out) {
  out[globalX()] = columns<32>(in);
}
extern "C" __global__ __launch_bounds__(256) void columnFixed(const float *in, float *out) {
  out[globalX()] = columns<33>(in);
}

// Neighbouring lanes' words lie 16 apart in shared memory.
template <int Stride> inline __device__ void stepped(float *x) {
  __shared__ float values[256 * Stride];
  int i = threadX();
  values[i * Stride] = x[globalX()];
  barrier();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < 256; ++round)
    sum += values[((i + round) % 256) * Stride]; // planted: bank-conflict in apart
  x[globalX()] = sum;
}
extern "C" __global__ __launch_bounds__(256) void apart(float *x) { stepped<16>(x); }
extern "C" __global__ __launch_bounds__(256) void apartFixed(float *x) { stepped<1>(x); }

// Bins of the thread that are indexed by what nobody knows; the fixed ones are
// all looked at.
extern "C" __global__ void indexed(const int *x, int *out) {
  int i = globalX(), bins[8] = {};
#pragma unroll 1
  for (int k = 0; k < 32; ++k)
    bins[x[k * 65536 + i] & 7] += k; // planted: register-spill (little)
  for (int b = 0; b < 8; ++b)
    out[b * 65536 + i] = bins[b];
}
extern "C" __global__ void indexedFixed(const int *x, int *out) {
  int i = globalX(), bins[8] = {};
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    int bin = x[k * 65536 + i] & 7;
    for (int b = 0; b < 8; ++b)
      bins[b] += b == bin ? k : 0;
  }
  for (int b = 0; b < 8; ++b)
    out[b * 65536 + i] = bins[b];
}
