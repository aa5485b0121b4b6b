//===- lu.cu - LU decomposition of panels ----------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Block = 64;

// Decomposes one panel a block, `rows` x `columns`, row by row, in place, with
// the greatest element of each column as its pivot. L has ones on its
// diagonal; pivots[c] is the row that was exchanged with row c.
extern "C" __global__ void __launch_bounds__(Block)
    luPanel(double *panels, int *pivots, int rows, int columns) {
  __shared__ double sizes[Block];
  __shared__ int places[Block];
  double *panel = panels + static_cast<long long>(blockIdx.x) * rows * columns;
  int t = threadIdx.x;
  for (int c = 0; c < columns; ++c) {
    double size = -1;
    int place = c;
    for (int r = c + t; r < rows; r += Block) {
      double candidate = fabs(panel[r * columns + c]);
      if (candidate > size) {
        size = candidate;
        place = r;
      }
    }
    sizes[t] = size;
    places[t] = place;
    __syncthreads();
    for (int stride = Block / 2; stride > 0; stride /= 2) {
      if (t < stride &&
          (sizes[t + stride] > sizes[t] ||
           (sizes[t + stride] == sizes[t] && places[t + stride] < places[t]))) {
        sizes[t] = sizes[t + stride];
        places[t] = places[t + stride];
      }
      __syncthreads();
    }
    int pivot = places[0];
    if (t == 0)
      pivots[blockIdx.x * columns + c] = pivot;
    if (pivot != c)
      for (int j = t; j < columns; j += Block) {
        double value = panel[c * columns + j];
        panel[c * columns + j] = panel[pivot * columns + j];
        panel[pivot * columns + j] = value;
      }
    __syncthreads();
    double diagonal = panel[c * columns + c];
    for (int r = c + 1 + t; r < rows; r += Block) {
      double factor = panel[r * columns + c] / diagonal;
      panel[r * columns + c] = factor;
      for (int j = c + 1; j < columns; ++j)
        panel[r * columns + j] =
            fma(-factor, panel[c * columns + j], panel[r * columns + j]);
    }
    __syncthreads();
  }
}
