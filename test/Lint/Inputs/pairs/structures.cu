//===- structures.cu - An array of structures, and arrays -----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

extern "C" __global__ void defect(Particle *p, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].x += dt * p[i].vx; // planted: uncoalesced-access
}

extern "C" __global__ void fixed(float *x, const float *vx, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += dt * vx[i];
}
