// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef BROKEN
int wrong = ;
#endif
#ifdef NOISY
#warning something to hear of
#endif
#ifndef GROUP
#define GROUP 64
#endif

float scaled(float x, float by) {
  return x * by;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scale(int n, float by, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = scaled(in[i], by);
}
