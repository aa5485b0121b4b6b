//===- sepia.cu - a filter that ages images --------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

static __device__ unsigned char byteOf(float value) {
  return (unsigned char)fminf(value, 255.0f);
}

// A plane of bytes for each colour, its rows \p pitch bytes apart; the further
// down, the darker.
extern "C" __global__ void sepia(const unsigned char *redIn,
                                 const unsigned char *greenIn,
                                 const unsigned char *blueIn,
                                 unsigned char *redOut, unsigned char *greenOut,
                                 unsigned char *blueOut, int width, int pitch,
                                 float worn) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= width)
    return;
  int at = y * pitch + x;
  float red = redIn[at];
  float green = greenIn[at];
  float blue = blueIn[at];
  float light = 1.0f - worn * float(y);
  redOut[at] = byteOf(light * (0.393f * red + 0.769f * green + 0.189f * blue));
  greenOut[at] =
      byteOf(light * (0.349f * red + 0.686f * green + 0.168f * blue));
  blueOut[at] = byteOf(light * (0.272f * red + 0.534f * green + 0.131f * blue));
}
