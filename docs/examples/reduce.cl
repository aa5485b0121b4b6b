//===- reduce.cl - Sum of an array ---------------------------*- OpenCL -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each work group walks over the array in a grid-stride loop, adds through
// local memory, whose size the host gives (a float for each item; a power of
// two of them), and writes its sum to sums[group].
//
//===----------------------------------------------------------------------===//

kernel void reduce(global const float *restrict x, global float *restrict sums,
                   local float *part, int n) {
  float value = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    value += x[i];

  int item = get_local_id(0);
  part[item] = value;
  for (int offset = get_local_size(0) / 2; offset > 0; offset /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < offset)
      part[item] += part[item + offset];
  }
  if (item == 0)
    sums[get_group_id(0)] = part[0];
}
