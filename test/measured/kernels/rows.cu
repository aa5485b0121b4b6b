//===- rows.cu - rows: norms, softmax, products ----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Row by row of a matrix with vectors of four and shuffles, as deep learning
// does: a warp or a block for each row, which is read once.

#include <cuda_fp16.h>

constexpr unsigned All = 0xffffffff;
constexpr int Block = 256, Warps = Block / 32;

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Greatest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <typename Combine>
__device__ __forceinline__ float acrossWarp(float value, Combine combine) {
#pragma unroll
  for (unsigned mask = 16; mask > 0; mask /= 2)
    value = combine(value, __shfl_xor_sync(All, value, mask));
  return value;
}

template <typename Combine>
__device__ __forceinline__ float acrossBlock(float value, float *partial,
                                             Combine combine) {
  value = acrossWarp(value, combine);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = partial[threadIdx.x % Warps];
#pragma unroll
  for (unsigned mask = Warps / 2; mask > 0; mask /= 2)
    value = combine(value, __shfl_xor_sync(All, value, mask));
  return value;
}

__device__ __forceinline__ float sumOfSquares(float4 v) {
  return fmaf(v.x, v.x, fmaf(v.y, v.y, fmaf(v.z, v.z, v.w * v.w)));
}

// A block for each row of `vectors` float4; the row is read twice, the second
// time from a cache.
extern "C" __global__ void __launch_bounds__(Block)
    rmsNorm(float4 *__restrict__ out, const float4 *__restrict__ in,
            const float4 *__restrict__ scale, int vectors, float epsilon) {
  __shared__ float partial[Warps];
  in += static_cast<size_t>(blockIdx.x) * vectors;
  out += static_cast<size_t>(blockIdx.x) * vectors;
  float squares = 0;
  for (int i = threadIdx.x; i < vectors; i += Block)
    squares += sumOfSquares(in[i]);
  squares = acrossBlock(squares, partial, Sum());
  float inverse = rsqrtf(squares / (4 * vectors) + epsilon);
  for (int i = threadIdx.x; i < vectors; i += Block) {
    float4 v = in[i], s = scale[i];
    out[i] = make_float4(v.x * inverse * s.x, v.y * inverse * s.y,
                         v.z * inverse * s.z, v.w * inverse * s.w);
  }
}

// What a thread holds of a row, in registers.
template <int Count>
struct Held {
  float4 v[Count];

  __device__ float greatest() const {
    float most = v[0].x;
#pragma unroll
    for (int i = 0; i < Count; ++i)
      most = fmaxf(most, fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)));
    return most;
  }
  __device__ float exponentiate(float greatest) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      v[i] = make_float4(__expf(v[i].x - greatest), __expf(v[i].y - greatest),
                         __expf(v[i].z - greatest), __expf(v[i].w - greatest));
      sum += (v[i].x + v[i].y) + (v[i].z + v[i].w);
    }
    return sum;
  }
};

template <int Count>
__device__ __forceinline__ void read(Held<Count> &held, const float4 *row,
                                     int first, int step) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    held.v[i] = row[first + i * step];
}

template <int Count>
__device__ __forceinline__ void write(const Held<Count> &held, float scale,
                                      float4 *row, int first, int step) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    row[first + i * step] =
        make_float4(held.v[i].x * scale, held.v[i].y * scale,
                    held.v[i].z * scale, held.v[i].w * scale);
}

// Softmax of rows of 1024, a warp for each.
extern "C" __global__ void __launch_bounds__(Block)
    softmaxWarp(float4 *__restrict__ out, const float4 *__restrict__ in) {
  constexpr int Vectors = 256, Own = Vectors / 32;
  size_t row = blockIdx.x * Warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  Held<Own> held;
  read(held, in + row * Vectors, lane, 32);
  float greatest = acrossWarp(held.greatest(), Greatest());
  float sum = acrossWarp(held.exponentiate(greatest), Sum());
  write(held, 1 / sum, out + row * Vectors, lane, 32);
}

// Softmax of rows of 4096, a block for each.
extern "C" __global__ void __launch_bounds__(Block)
    softmaxBlock(float4 *__restrict__ out, const float4 *__restrict__ in) {
  constexpr int Vectors = 1024, Own = Vectors / Block;
  __shared__ float partial[2][Warps];
  size_t row = blockIdx.x;
  Held<Own> held;
  read(held, in + row * Vectors, threadIdx.x, Block);
  float greatest = acrossBlock(held.greatest(), partial[0], Greatest());
  float sum = acrossBlock(held.exponentiate(greatest), partial[1], Sum());
  write(held, 1 / sum, out + row * Vectors, threadIdx.x, Block);
}

// y = A * x with a warp for each row of A.
extern "C" __global__ void __launch_bounds__(Block)
    gemvFloat(float *__restrict__ y, const float4 *__restrict__ a,
              const float4 *__restrict__ x, int columns) {
  int row = blockIdx.x * Warps + threadIdx.x / 32;
  int vectors = columns / 4;
  a += static_cast<size_t>(row) * vectors;
  float sum = 0;
  for (int i = threadIdx.x % 32; i < vectors; i += 32) {
    float4 v = a[i], w = x[i];
    sum = fmaf(v.x, w.x, fmaf(v.y, w.y, fmaf(v.z, w.z, fmaf(v.w, w.w, sum))));
  }
  sum = acrossWarp(sum, Sum());
  if (threadIdx.x % 32 == 0)
    y[row] = sum;
}

// The same in half precision, eight elements a load, summed in single.
extern "C" __global__ void __launch_bounds__(Block)
    gemvHalf(float *__restrict__ y, const uint4 *__restrict__ a,
             const uint4 *__restrict__ x, int columns) {
  int row = blockIdx.x * Warps + threadIdx.x / 32;
  int vectors = columns / 8;
  a += static_cast<size_t>(row) * vectors;
  float sum = 0;
  for (int i = threadIdx.x % 32; i < vectors; i += 32) {
    uint4 v = a[i], w = x[i];
    const __half2 *left = reinterpret_cast<const __half2 *>(&v);
    const __half2 *right = reinterpret_cast<const __half2 *>(&w);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float2 l = __half22float2(left[j]), r = __half22float2(right[j]);
      sum = fmaf(l.x, r.x, fmaf(l.y, r.y, sum));
    }
  }
  sum = acrossWarp(sum, Sum());
  if (threadIdx.x % 32 == 0)
    y[row] = sum;
}
