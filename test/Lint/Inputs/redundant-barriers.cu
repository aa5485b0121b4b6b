// Barriers that order nothing, each kernel with a twin whose barriers are all needed.

extern "C" {

// A thread reads only what it wrote itself.
__global__ void own_redundant(float *x) {
  __shared__ float s[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = s[threadIdx.x] * 2;
}
__global__ void own_needed(float *x) {
  __shared__ float s[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = s[threadIdx.x ^ 1] * 2;
}

// Two arrays.
__global__ void arrays_redundant(float *x, const float *y) {
  __shared__ float s[256], t[256];
  s[threadIdx.x] = x[threadIdx.x];
  t[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  float a = s[255 - threadIdx.x];
  __syncthreads(); // both sides only read
  x[threadIdx.x] = a + t[255 - threadIdx.x];
}
__global__ void arrays_needed(float *x, const float *y) {
  __shared__ float s[256], t[256];
  s[threadIdx.x] = x[threadIdx.x];
  t[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  float a = s[255 - threadIdx.x];
  __syncthreads();
  s[threadIdx.x] = a + t[255 - threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x / 2];
}

// At the end.
__global__ void last_redundant(float *x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[255 - threadIdx.x];
  __syncthreads();
}

// The same again: one of two.
__global__ void twice_redundant(float *x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  __syncthreads();
  x[threadIdx.x] = s[255 - threadIdx.x];
}

// Around a loop: what is written in the next iteration was read in this one.
__global__ void loop_needed(float *x, int n) {
  __shared__ float s[256];
  float a = 0;
  for (int k = 0; k < n; ++k) {
    s[threadIdx.x] = x[k * 256 + threadIdx.x];
    __syncthreads();
    a += s[255 - threadIdx.x];
    __syncthreads();
  }
  x[threadIdx.x] = a;
}
// The barrier at the end of an iteration comes before the one in the middle of the next.
__global__ void loop_redundant(float *x, int n) {
  __shared__ float s[256], t[256];
  float a = 0;
  for (int k = 0; k < n; ++k) {
    s[threadIdx.x] = x[k * 256 + threadIdx.x];
    __syncthreads();
    t[threadIdx.x] = s[255 - threadIdx.x];
    __syncthreads();
    a += t[255 - threadIdx.x];
    __syncthreads();
  }
  x[threadIdx.x] = a;
}

// Through global memory.
__global__ void global_needed(float *x, float *y) {
  x[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = x[255 - threadIdx.x];
}
__global__ void global_redundant(float *x, float *y, float *z) {
  x[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  z[threadIdx.x] = y[255 - threadIdx.x];
}

// Somebody waits for another block.
__global__ void flag_needed(volatile int *flag, float *x) {
  if (threadIdx.x == 0)
    while (*flag == 0)
      ;
  __syncthreads();
  x[threadIdx.x] = 1;
}
}
