//===- svm.cu - classifies the windows of an image -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

static constexpr int Side = 16;   // of a window
static constexpr int Vectors = 4; // support vectors

__constant__ float Support[Side * Side][Vectors];
__constant__ float Weights[Vectors];

// A thread for each place of the window: its distance from each support vector,
// and by these on which side it lies.
extern "C" __global__ void svm(const float *image, float *out, int width,
                               int height, float gamma, float bias) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > width - Side || y > height - Side)
    return;
  float distance[Vectors] = {};
#pragma unroll 1
  for (int row = 0; row < Side; ++row)
#pragma unroll
    for (int column = 0; column < Side; ++column) {
      float pixel = image[(y + row) * width + x + column];
#pragma unroll
      for (int v = 0; v < Vectors; ++v) {
        float difference = pixel - Support[row * Side + column][v];
        distance[v] = fmaf(difference, difference, distance[v]);
      }
    }
  float sum = bias;
#pragma unroll
  for (int v = 0; v < Vectors; ++v)
    sum = fmaf(Weights[v], __expf(-gamma * distance[v]), sum);
  out[y * width + x] = sum;
}
