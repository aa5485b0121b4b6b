//===- chain.cu - One accumulator, and four -------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The terms are bits of counters: no conversion is as slow as the chain.
constexpr int Terms = 1024;

extern "C" __global__ void defect(float value, float *out) {
  float sum = 0;
#pragma unroll 16
  for (int k = 0; k < Terms; ++k)
    sum = sum * value + __int_as_float(k); // planted: serial-recurrence
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Every fourth term is in a chain of its own.
extern "C" __global__ void fixed(float value, float *out) {
  float square = value * value, power = square * square;
  float a = 0, b = 0, c = 0, d = 0;
#pragma unroll 4
  for (int k = 0; k < Terms; k += 4) {
    a = a * power + __int_as_float(k);
    b = b * power + __int_as_float(k + 1);
    c = c * power + __int_as_float(k + 2);
    d = d * power + __int_as_float(k + 3);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      ((a * value + b) * value + c) * value + d;
}
