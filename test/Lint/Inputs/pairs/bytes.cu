//===- bytes.cu - Pixels byte by byte, and as words -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Pixels = 16;

extern "C" __global__ void defect(float *out, const unsigned char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Pixels; ++k) {
    const unsigned char *pixel = in + 4 * (i + k * step);
    sum += 0.3f * pixel[0] + 0.6f * pixel[1] + 0.1f * pixel[2] + pixel[3]; // planted: narrow-access
  }
  out[i] = sum;
}

extern "C" __global__ void fixed(float *out, const uchar4 *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Pixels; ++k) {
    uchar4 pixel = in[i + k * step];
    sum += 0.3f * pixel.x + 0.6f * pixel.y + 0.1f * pixel.z + pixel.w;
  }
  out[i] = sum;
}
