// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose bounds are no numbers in the code. ptx/bounds.nvcc.ptx and ptx/bounds.clang.ptx are made of it:
//   nvcc -ptx -arch=sm_80 -o ptx/bounds.nvcc.ptx bounds.cu
//   clang-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -O3 -S -o ptx/bounds.clang.ptx bounds.cu
extern "C" __global__ void logBound(float *out, const float *in, int n) {
  int levels = (int)log2f((float)n);
  float s = 0;
  for (int i = 0; i < levels; ++i)
    s += in[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = s;
}
extern "C" __global__ void windowSum(float *out, const float *in, const int *center, int h) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = center[t];
  float s = 0;
  for (int y = v - h; y <= v + h; ++y)
    s += in[y];
  out[t] = s;
}
extern "C" __global__ void clampedWindow(float *out, const float *in, const int *center, int h, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = center[t];
  float s = 0;
  for (int y = max(v - h, 0); y <= min(v + h, n - 1); ++y)
    s += in[y];
  out[t] = s;
}
extern "C" __global__ void triangular(float *out, const float *in, const int *last, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i0 = last[t];
  float s = 0;
  for (int i = 1; i <= n; ++i)
    for (int k = i0 - i + 1; k <= i0; ++k)
      s += in[k] * i;
  out[t] = s;
}
extern "C" __global__ void segment(float *out, const float *in, const unsigned *start, unsigned w) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned b = start[t];
  float s = 0;
  for (unsigned j = b; j < b + w; ++j)
    s += in[j];
  out[t] = s;
}
extern "C" __global__ void window2d(float *out, const float *in, const short *cx, const short *cy, int h, int pitch) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int vx = cx[t], vy = cy[t];
  float s = 0;
  for (int y = vy - h; y <= vy + h; ++y)
    for (int x = vx - h; x <= vx + h; ++x)
      s += in[y * pitch + x];
  out[t] = s;
}
extern "C" __global__ void smallWindow(float *out, const float *in, const int *center, int h) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = center[t] & 1023;
  float s = 0;
  for (int y = v - h; y <= v + h; ++y)
    s += in[y & 511];
  out[t] = s;
}
