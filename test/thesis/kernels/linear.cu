//===- linear.cu - the mean of nine pixels ---------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

static __device__ unsigned char meanAround(const unsigned char *at, int pitch) {
  float sum = 0;
#pragma unroll
  for (int y = -1; y <= 1; ++y)
#pragma unroll
    for (int x = -1; x <= 1; ++x)
      sum += at[y * pitch + x];
  return (unsigned char)(sum * (1.0f / 9));
}

// A plane of bytes for each colour, with a pixel more on each side.
extern "C" __global__ void
linear(const unsigned char *redIn, const unsigned char *greenIn,
       const unsigned char *blueIn, unsigned char *redOut,
       unsigned char *greenOut, unsigned char *blueOut, int width, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width)
    return;
  int at = (blockIdx.y + 1) * pitch + x + 1;
  redOut[at] = meanAround(redIn + at, pitch);
  greenOut[at] = meanAround(greenIn + at, pitch);
  blueOut[at] = meanAround(blueIn + at, pitch);
}
