//===- bound.cu - kernels bound by one thing -------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each does one kind of work for `rounds` rounds, without much memory: what a
// pipeline or the issue of instructions gives.

__device__ __forceinline__ int globalThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// The special functions' unit: two sines and cosines a round.
extern "C" __global__ void boundSinCos(float *out, const float *in,
                                       int rounds) {
  int i = globalThread();
  float a = in[i], b = a + 0.5f;
  for (int r = 0; r < rounds; ++r) {
    a = __sinf(a) + __cosf(b);
    b = __sinf(b) - __cosf(a);
  }
  out[i] = a + b;
}

// Exponentials, as of a softmax, of four values that do not wait for another.
extern "C" __global__ void boundExp(float *out, const float *in, int rounds) {
  int i = globalThread();
  float a[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    a[j] = in[i] + 0.25f * j;
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      a[j] = __expf(-a[j]);
  out[i] = (a[0] + a[1]) + (a[2] + a[3]);
}

// Sine and cosine to full precision, with the reduction of the argument.
extern "C" __global__ void boundSinCosPrecise(float *out, const float *in,
                                              int rounds) {
  int i = globalThread();
  float a = in[i], b = 0;
  for (int r = 0; r < rounds; ++r) {
    float sine, cosine;
    sincosf(a + r, &sine, &cosine);
    a = sine;
    b += cosine;
  }
  out[i] = a + b;
}

// Conversions to integers and back.
extern "C" __global__ void boundConversions(float *out, const float *in,
                                            int rounds) {
  int i = globalThread();
  float a[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    a[j] = 1000 * in[i] + j;
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      a[j] = static_cast<float>(static_cast<int>(a[j]) ^ r);
  out[i] = (a[0] + a[1]) + (a[2] + a[3]);
}

// Divisions, correctly rounded.
extern "C" __global__ void boundDivisions(float *out, const float *in,
                                          int rounds) {
  int i = globalThread();
  float a = in[i] + 1, b = in[i] + 2;
  for (int r = 0; r < rounds; ++r) {
    a = (a + 1) / b;
    b = (b + 2) / (a + 1);
  }
  out[i] = a + b;
}

// Divisions and remainders of integers, as of indices.
extern "C" __global__ void boundIntDivisions(unsigned *out, const unsigned *in,
                                             unsigned divisor, int rounds) {
  int i = globalThread();
  unsigned a = in[i], sum = 0;
  for (int r = 0; r < rounds; ++r) {
    sum += a % (divisor + r);
    a = a / (divisor + r) + in[i];
  }
  out[i] = sum + a;
}

// A mix of 32 bits (multiplications, shifts, exclusive ors).
extern "C" __global__ void boundHash32(unsigned *out, const unsigned *in,
                                       int rounds) {
  int i = globalThread();
  unsigned h = in[i];
  for (int r = 0; r < rounds; ++r) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    h += r;
  }
  out[i] = h;
}

// The same with 64 bits.
extern "C" __global__ void
boundHash64(unsigned long long *out, const unsigned long long *in, int rounds) {
  int i = globalThread();
  unsigned long long h = in[i];
  for (int r = 0; r < rounds; ++r) {
    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9ull;
    h ^= h >> 27;
    h *= 0x94d049bb133111ebull;
    h ^= h >> 31;
    h += r;
  }
  out[i] = h;
}

// Instructions of several kinds that do not wait for each other: the issue.
extern "C" __global__ void boundIssue(float *out, const float *in, int rounds) {
  int i = globalThread();
  float a[4];
  unsigned b[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    a[j] = in[i] + j;
    b[j] = i + j;
  }
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      a[j] = fmaf(a[j], 0.999f, 0.5f);
      b[j] = (b[j] + r) ^ (b[j] << 5);
      a[j] = fmaxf(a[j], 0.25f);
      b[j] = min(b[j], 0xfffffff0u - r);
    }
  out[i] = (a[0] + a[1]) + (a[2] + a[3]) + (b[0] ^ b[1] ^ b[2] ^ b[3]);
}

// Multiplications and additions, one that waits for the last, or eight.
extern "C" __global__ void boundFmaChain(float *out, const float *in,
                                         int rounds) {
  int i = globalThread();
  float a = in[i];
#pragma unroll 16
  for (int r = 0; r < rounds; ++r)
    a = fmaf(a, 0.999f, 0.5f);
  out[i] = a;
}

template <typename T>
__device__ __forceinline__ void multiplyAdd(T *out, const T *in, int rounds) {
  int i = globalThread();
  T a[8];
#pragma unroll
  for (int j = 0; j < 8; ++j)
    a[j] = in[i] + T(j);
#pragma unroll 4
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      a[j] = a[j] * T(0.999) + T(0.5);
  out[i] = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

extern "C" __global__ void boundFma(float *out, const float *in, int rounds) {
  multiplyAdd(out, in, rounds);
}
extern "C" __global__ void boundFmaDouble(double *out, const double *in,
                                          int rounds) {
  multiplyAdd(out, in, rounds);
}

// Lanes that go different ways: the steps of Collatz' sequences.
extern "C" __global__ void boundCollatz(unsigned *out, unsigned first) {
  unsigned i = globalThread();
  unsigned long long value = first + i;
  unsigned steps = 0;
  while (value > 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++steps;
  }
  out[i] = steps;
}

// Each lane takes one of eight ways, which its element says, each of another
// length.
extern "C" __global__ void boundDivergence(float *out, const unsigned *in,
                                           int rounds) {
  int i = globalThread();
  float a = i;
  switch (in[i] % 8) {
  case 0:
    for (int r = 0; r < rounds; ++r)
      a = sqrtf(a + r);
    break;
  case 1:
    for (int r = 0; r < 2 * rounds; ++r)
      a = fmaf(a, 0.5f, r);
    break;
  case 2:
    for (int r = 0; r < 3 * rounds; ++r)
      a = fabsf(a - r) * 0.75f;
    break;
  case 3:
    for (int r = 0; r < 4 * rounds; ++r)
      a = fmaxf(a * 0.25f, r);
    break;
  case 4:
    for (int r = 0; r < rounds; ++r)
      a = __sinf(a + r);
    break;
  case 5:
    for (int r = 0; r < rounds; ++r)
      a = a / (r + 1.5f);
    break;
  case 6:
    for (int r = 0; r < 2 * rounds; ++r)
      a = fminf(a + 0.5f, 2.0f * r);
    break;
  default:
    a = a + 1;
  }
  out[i] = a;
}

// Sorts 48 elements a thread in registers, of which blocks of 1024 threads, two
// on an SM, leave only 32: the rest is spilled.
extern "C" __global__ void __launch_bounds__(1024, 2)
    boundSpills(float *out, const float *in, int stride) {
  constexpr int Own = 48;
  int i = globalThread();
  float a[Own];
#pragma unroll
  for (int j = 0; j < Own; ++j)
    a[j] = in[i + j * stride];
#pragma unroll
  for (int round = 0; round < 8; ++round)
#pragma unroll
    for (int j = round % 2; j + 1 < Own; j += 2) {
      float low = fminf(a[j], a[j + 1]), high = fmaxf(a[j], a[j + 1]);
      a[j] = low;
      a[j + 1] = high;
    }
#pragma unroll
  for (int j = 0; j < Own; ++j)
    out[i + j * stride] = a[j];
}
