//===- members.cu - Structures member by member, and whole ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
struct Point {
  float x, y, z, w;
};
struct alignas(16) AlignedPoint {
  float x, y, z, w;
};

template <typename P>
__device__ void place(P *points, const float *angles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float angle = angles[i];
  P point;
  point.x = __cosf(angle);
  point.y = __sinf(angle);
  point.z = angle;
  point.w = 1;
  points[i] = point; // planted: narrow-access in defect
}

extern "C" __global__ void defect(Point *points, const float *angles) {
  place(points, angles);
}

extern "C" __global__ void fixed(AlignedPoint *points, const float *angles) {
  place(points, angles);
}
