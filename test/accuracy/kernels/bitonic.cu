//===- bitonic.cu - Bitonic sort in shared memory --------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr unsigned Keys = 512; // of a block, two for each thread

// Sorts each block's keys upwards; the last block's are filled up with keys
// that no key is above.
extern "C" __global__ void __launch_bounds__(Keys / 2)
    bitonicSort(unsigned *data, int n) {
  __shared__ unsigned keys[Keys];
  int first = blockIdx.x * Keys;
  for (unsigned i = threadIdx.x; i < Keys; i += Keys / 2)
    keys[i] = first + i < n ? data[first + i] : 0xffffffff;
  for (unsigned size = 2; size <= Keys; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned i = 2 * threadIdx.x - threadIdx.x % stride;
      bool up = (i & size) == 0;
      unsigned low = keys[i], high = keys[i + stride];
      if ((low > high) == up) {
        keys[i] = high;
        keys[i + stride] = low;
      }
    }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < Keys; i += Keys / 2)
    if (first + i < n)
      data[first + i] = keys[i];
}
