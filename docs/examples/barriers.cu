// Barriers for docs/commands/Findings.md; made of it: clang++-22 -S -O2 --cuda-device-only --cuda-gpu-arch=sm_80 -gline-tables-only

// The upper half of the block never comes to the barrier.
extern "C" __global__ void missed(float *x) {
  __shared__ float s[256];
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = x[i];
  if (threadIdx.x < 128) {
    __syncthreads();
    x[i] += s[threadIdx.x + 128];
  }
}

// Each thread reads only what it wrote itself, until the second barrier.
extern "C" __global__ void redundant(float *x, float *y) {
  __shared__ float s[256];
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x];
  s[threadIdx.x] *= 2;
  __syncthreads();
  x[i] = s[255 - threadIdx.x];
}
