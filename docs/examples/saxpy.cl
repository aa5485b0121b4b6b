//===- saxpy.cl - y = a * x + y ------------------------------*- OpenCL -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel of saxpy.cu: one work item for each element, or for four.
//
//===----------------------------------------------------------------------===//

kernel void saxpy(int n, float a, global const float *restrict x,
                  global float *restrict y) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// n is a multiple of 4.
kernel void saxpy4(int n, float a, global const float4 *restrict x,
                   global float4 *restrict y) {
  int i = get_global_id(0);
  if (i < n / 4)
    y[i] = a * x[i] + y[i];
}
