//===- softmax.cu - Softmax of each row ------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr unsigned Block = 128, Warps = Block / 32;

template <typename Combine>
__device__ __forceinline__ float acrossBlock(float value, float *partial,
                                             Combine combine) {
#pragma unroll
  for (unsigned mask = 16; mask > 0; mask /= 2)
    value = combine(value, __shfl_xor_sync(0xffffffff, value, mask));
  __syncthreads(); // `partial` may still be read from the last time
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = partial[0];
#pragma unroll
  for (unsigned w = 1; w < Warps; ++w)
    value = combine(value, partial[w]);
  return value;
}

// One block for each row. The greatest element is taken off first, so that no
// exponential overflows.
extern "C" __global__ void __launch_bounds__(Block)
    softmaxRows(const float *__restrict__ in, float *__restrict__ out,
                int columns) {
  __shared__ float partial[Warps];
  const float *row = in + blockIdx.x * columns;
  float greatest = __int_as_float(0xff800000);
  for (int i = threadIdx.x; i < columns; i += Block)
    greatest = fmaxf(greatest, row[i]);
  greatest = acrossBlock(greatest, partial,
                         [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += Block)
    sum += expf(row[i] - greatest);
  sum = acrossBlock(sum, partial, [](float a, float b) { return a + b; });
  float scale = 1 / sum;
  for (int i = threadIdx.x; i < columns; i += Block)
    out[blockIdx.x * columns + i] = expf(row[i] - greatest) * scale;
}
