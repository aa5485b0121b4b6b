//===- randomwalk.cu - Walks that end at different times -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Walks on a grid from the middle of a square until its edge or `limit` steps,
// and says where to and how many steps it took. The random numbers are George
// Marsaglia's xorshift with 32 bits ("Xorshift RNGs", 2003).
extern "C" __global__ void randomWalk(const unsigned *__restrict__ seeds,
                                      int2 *__restrict__ ends,
                                      unsigned *__restrict__ steps, int n,
                                      int edge, unsigned limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = seeds[i], taken = 0;
  int x = 0, y = 0;
  while (taken < limit && abs(x) < edge && abs(y) < edge) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    switch (state >> 30) {
    case 0:
      ++x;
      break;
    case 1:
      --x;
      break;
    case 2:
      y += 1 + (x & 1); // steps of different length, or all would be alike
      break;
    default:
      y -= 1 + (x & 1);
    }
    ++taken;
  }
  ends[i] = make_int2(x, y);
  steps[i] = taken;
}
