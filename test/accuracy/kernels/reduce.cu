//===- reduce.cu - Seven ways to sum a vector ------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// All of them write one partial sum for each block.

constexpr int Block = 128; // threads, where a kernel must know it

// A tree whose working threads lie ever further apart: warps diverge.
extern "C" __global__ void reduce1(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0)
      partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

// The same tree with neighbouring threads at work: banks conflict.
extern "C" __global__ void reduce2(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    unsigned left = 2 * stride * t;
    if (left < blockDim.x)
      partial[left] += partial[left + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

// Neighbouring threads add neighbouring elements: no conflicts.
extern "C" __global__ void reduce3(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride)
      partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

// The first addition while loading: half as many blocks.
extern "C" __global__ void reduce4(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * 2 * blockDim.x + t;
  float sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n)
    sum += in[i + blockDim.x];
  partial[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride)
      partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

// The last warp goes on alone, in shared memory but without block barriers.
extern "C" __global__ void reduce5(const float *__restrict__ in,
                                   float *__restrict__ out, int n) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * 2 * blockDim.x + t;
  float sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n)
    sum += in[i + blockDim.x];
  partial[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride >= 32; stride /= 2) {
    if (t < stride)
      partial[t] = sum = sum + partial[t + stride];
    __syncthreads();
  }
  if (t < 32) {
#pragma unroll
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      float other = partial[t + stride];
      __syncwarp();
      partial[t] = sum = sum + other;
      __syncwarp();
    }
    if (t == 0)
      out[blockIdx.x] = sum;
  }
}

// The whole tree unrolled for a known block, the last warp by shuffles.
template <unsigned Threads>
__device__ __forceinline__ float sumOfBlock(float sum, float *partial) {
  unsigned t = threadIdx.x;
  partial[t] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned stride = Threads / 2; stride >= 32; stride /= 2) {
    if (t < stride)
      partial[t] = sum = sum + partial[t + stride];
    if (stride > 32)
      __syncthreads();
  }
  if (t < 32)
#pragma unroll
    for (unsigned delta = 16; delta > 0; delta /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, delta);
  return sum;
}

extern "C" __global__ void __launch_bounds__(Block)
    reduce6(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float partial[Block];
  unsigned i = blockIdx.x * 2 * Block + threadIdx.x;
  float sum = i < n ? in[i] : 0;
  if (i + Block < n)
    sum += in[i + Block];
  sum = sumOfBlock<Block>(sum, partial);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

// As few blocks as fill the device, each thread adding many elements first.
extern "C" __global__ void __launch_bounds__(Block)
    reduce7(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float partial[Block];
  float sum = 0;
  for (unsigned i = blockIdx.x * 2 * Block + threadIdx.x; i < n;
       i += gridDim.x * 2 * Block) {
    sum += in[i];
    if (i + Block < n)
      sum += in[i + Block];
  }
  sum = sumOfBlock<Block>(sum, partial);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
