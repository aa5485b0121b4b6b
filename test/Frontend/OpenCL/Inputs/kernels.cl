// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpenCL C has and CUDA has not, or says in another way.

// Two arrays in local memory, of the host's sizes, and one of its own.
kernel void halves(local float *a, local float4 *b, global float *out) {
  local float own[64];
  int i = get_local_id(0);
  own[i] = i;
  a[i] = 2 * i;
  b[i] = (float4)(3 * i);
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = i ^ 1;
  out[i] = own[other] + a[other] + b[other].w;
}

// Indices as an int, as size_t and unsigned, in steps of get_global_size().
kernel void strides(global float *x, uint n) {
  for (int i = get_global_id(0); i < (int)n; i += get_global_size(0))
    x[i] = 1;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    x[i] += 2;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
    x[i] += 3;
}

// Functions that the hardware approximates.
kernel void natives(global float *x, global float4 *v) {
  int i = get_global_id(0);
  x[i] = native_exp(x[i]) + native_log(x[i]) + native_log10(x[i]);
  v[i] = native_exp(v[i]);
}

// Vectors in memory and in registers.
kernel void vectors(global const float *in, global float *out,
                    global const uchar16 *bytes) {
  int i = get_global_id(0);
  float4 v = vload4(i, in);
  vstore4(v.wzyx + convert_float4(bytes[i].lo.hi), i, out);
}

// Memory that is constant: a table, and an argument.
constant int Table[4] = {3, 1, 4, 1};
kernel void constants(constant int *given, global int *out) {
  int i = get_global_id(0);
  out[i] = Table[i & 3] + given[i & 7];
}

// A kernel that another one calls.
kernel void callee(global int *out) { out[get_global_id(0)] = 7; }
kernel void caller(global int *out) {
  callee(out);
  out[get_global_id(0) + get_global_size(0)] = 8;
}

// A structure by value, and atomics.
typedef struct {
  int first;
  int rest[3];
} numbers;
kernel void atomics(numbers n, global int *out) {
  for (uint d = 0; d < 2; ++d)
    atomic_add(&out[d], n.first + (int)get_local_size(d));
  atomic_max(&out[3], n.rest[1]);
}

// Functions that libclc lacks.
kernel void lacking(global int *out) {
  out[get_global_id(0)] = get_work_dim();
}
