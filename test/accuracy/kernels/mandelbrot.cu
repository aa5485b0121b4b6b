//===- mandelbrot.cu - Iterations until a point escapes --------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Every operation is rounded by itself, so that any machine counts the same.
extern "C" __global__ void mandelbrot(unsigned short *__restrict__ out,
                                      int width, int height, float left,
                                      float top, float pixel, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float real = fmaf(pixel, x, left), imaginary = fmaf(pixel, y, top);
  float a = 0, b = 0;
  int count = 0;
  for (; count < limit; ++count) {
    float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
    if (__fadd_rn(aa, bb) > 4)
      break;
    b = fmaf(a + a, b, imaginary);
    a = __fadd_rn(__fsub_rn(aa, bb), real);
  }
  out[y * width + x] = count;
}
