//===- cuda.h - As much of CUDA as the tests need -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

inline __device__ int threadX() { return __nvvm_read_ptx_sreg_tid_x(); }
inline __device__ int threadY() { return __nvvm_read_ptx_sreg_tid_y(); }
inline __device__ int blockX() { return __nvvm_read_ptx_sreg_ctaid_x(); }
inline __device__ int blockWidth() { return __nvvm_read_ptx_sreg_ntid_x(); }
inline __device__ int globalX() { return blockX() * blockWidth() + threadX(); }
#define barrier() __nvvm_bar_sync(0) // at the user's line

// What clang's own code for the host calls.
struct dim3 {
  unsigned x, y, z;
};
typedef struct cudaStream *cudaStream_t;
enum cudaError_t {};
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **,
                                        unsigned long, cudaStream_t);
