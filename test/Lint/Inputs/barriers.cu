// Barriers that threads of a block miss, each kernel with its fix behind it, and barriers that order nothing.

extern "C" {

// Half of the block, known whatever the launch.
__global__ void half_defect(float *x) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 128) {
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x + 1];
  }
}
__global__ void half_fixed(float *x) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 128)
    x[threadIdx.x] = s[threadIdx.x + 1];
}

// Lanes of one warp.
__global__ void lanes_defect(float *x) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  if ((threadIdx.x & 31) < 20) {
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x + 1];
  }
}
__global__ void lanes_fixed(float *x) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if ((threadIdx.x & 31) < 20)
    x[threadIdx.x] = s[threadIdx.x + 1];
}

// Each warp goes its own way as a whole.
__global__ void warps_defect(float *x) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x / 32 % 2 == 0) {
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x + 32];
  }
}
__global__ void warps_fixed(float *x) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x / 32 % 2 == 0)
    x[threadIdx.x] = s[threadIdx.x + 32];
}

// Threads beyond the data return.
__global__ void guard_defect(float *x, int n) {
  __shared__ float s[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void guard_fixed(float *x, int n) {
  __shared__ float s[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    x[i] = s[blockDim.x - 1 - threadIdx.x];
}

// A loop whose count differs from thread to thread.
__global__ void loop_defect(float *x, int n) {
  __shared__ float s[1024];
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}
__global__ void loop_fixed(float *x, int n) {
  __shared__ float s[1024];
  for (unsigned first = blockIdx.x * blockDim.x; first < n; first += blockDim.x * gridDim.x) {
    unsigned i = first + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n)
      x[i] = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}

// Loaded data decide.
__global__ void data_defect(float *x) {
  __shared__ float s[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  if (x[i] > 0) {
    __syncthreads();
    x[i] = s[blockDim.x - 1 - threadIdx.x];
  }
}
__global__ void data_fixed(float *x) {
  __shared__ float s[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  if (x[i] > 0)
    x[i] = s[blockDim.x - 1 - threadIdx.x];
}

// In a function that is called.
static __device__ __attribute__((noinline)) float exchange(float *s, float v) {
  s[threadIdx.x] = v;
  __syncthreads();
  float w = s[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return w;
}
__global__ void call_defect(float *x) {
  __shared__ float s[1024];
  if (threadIdx.x < 64)
    x[threadIdx.x] = exchange(s, x[threadIdx.x]);
}
__global__ void call_fixed(float *x) {
  __shared__ float s[1024];
  float w = exchange(s, x[threadIdx.x]);
  if (threadIdx.x < 64)
    x[threadIdx.x] = w;
}

// Conditions on which a block agrees.
__global__ void uniform(float *x, int n, int m) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[threadIdx.x];
  if (blockIdx.x < n)
    __syncthreads();
  if (m > 3)
    __syncthreads();
  if (threadIdx.x < blockDim.x)
    __syncthreads();
  if (x[0] > 0)
    __syncthreads();
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    s[threadIdx.x] += s[threadIdx.x + k];
  }
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
}
