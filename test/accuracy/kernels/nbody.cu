//===- nbody.cu - One step of bodies that attract each other ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Block = 64;

// A body is x, y, z and mass. All bodies go through shared memory in tiles.
extern "C" __global__ void __launch_bounds__(Block)
    nbodyStep(const float4 *__restrict__ bodies, float4 *__restrict__ moved,
              float4 *velocities, int n, float step, float softening) {
  __shared__ float4 tile[Block];
  int i = blockIdx.x * Block + threadIdx.x;
  float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int begin = 0; begin < n; begin += Block) {
    int other = begin + threadIdx.x;
    tile[threadIdx.x] = other < n ? bodies[other] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < Block; ++j) {
      float dx = tile[j].x - own.x;
      float dy = tile[j].y - own.y;
      float dz = tile[j].z - own.z;
      float squared = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening)));
      float inverse = rsqrtf(squared);
      float pull = tile[j].w * inverse * inverse * inverse;
      ax = fmaf(dx, pull, ax);
      ay = fmaf(dy, pull, ay);
      az = fmaf(dz, pull, az);
    }
    __syncthreads();
  }
  if (i >= n)
    return;
  float4 v = velocities[i];
  v.x = fmaf(ax, step, v.x);
  v.y = fmaf(ay, step, v.y);
  v.z = fmaf(az, step, v.z);
  velocities[i] = v;
  moved[i] = make_float4(fmaf(v.x, step, own.x), fmaf(v.y, step, own.y),
                         fmaf(v.z, step, own.z), own.w);
}
