//===- vertices.cu - One of three coordinates --------------------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
struct Vertex {
  float x, y, z;
};

extern "C" __global__ void defect(const Vertex *v, float *out, int slices) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < slices; ++k)
    sum += v[k * threads + i].z; // planted: uncoalesced-access
  out[i] = sum;
}

// Each coordinate is an array.
extern "C" __global__ void fixed(const float *z, float *out, int slices) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < slices; ++k)
    sum += z[k * threads + i];
  out[i] = sum;
}
