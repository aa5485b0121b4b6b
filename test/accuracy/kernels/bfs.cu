//===- bfs.cu - One step of a breadth-first search -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The neighbours of vertex v are those from starts[v] up to starts[v + 1].
// Those of the present level's vertices that have no level yet (-1) get the
// next.
extern "C" __global__ void bfsStep(const unsigned *__restrict__ starts,
                                   const unsigned *__restrict__ neighbours,
                                   int *levels, unsigned *found, int level,
                                   int vertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || levels[v] != level)
    return;
  for (unsigned e = starts[v]; e < starts[v + 1]; ++e)
    if (atomicCAS(&levels[neighbours[e]], -1, level + 1) == -1)
      atomicAdd(found, 1);
}
