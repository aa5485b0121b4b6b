//===- toolkit.cu - What the toolkit's headers inline is at the user's line -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// REQUIRES: clang-22, cuda-headers
// RUN: %toolkit --offload-arch=sm_75 -O1 %s -o /dev/null -Rpass-analysis=ptx-predict -Xclang -verify \
// RUN:   -mllvm -ptx-predict-rules=uncoalesced-access,contended-atomic -mllvm -ptx-predict-launch=%S/Inputs/planted/launches.yaml
// RUN: %toolkit --offload-arch=sm_80 -O2 -g %s -o /dev/null -Rpass-analysis=ptx-predict -Xclang -verify \
// RUN:   -mllvm -ptx-predict-rules=uncoalesced-access,contended-atomic -mllvm -ptx-predict-launch=%S/Inputs/planted/launches.yaml
// RUN: %toolkit --offload-arch=sm_90 -O3 %s -o /dev/null -Rpass-analysis=ptx-predict -Xclang -verify \
// RUN:   -mllvm -ptx-predict-rules=uncoalesced-access,contended-atomic -mllvm -ptx-predict-launch=%S/Inputs/planted/launches.yaml
__global__ void lock(int *locks, const int *values) {
  // expected-remark-re@+1 {{atom.{{.*}}exch{{.*}}[contended-atomic]}}
  atomicExch(locks, values[threadIdx.x]);
}
__global__ void strided(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expected-remark-re@+1 {{ld.global.nc{{.*}} moves 32 sectors{{.*}}[uncoalesced-access]}}
  out[i] = __ldg(&in[i * 16]);
}
