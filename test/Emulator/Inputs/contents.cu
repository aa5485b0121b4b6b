// Kernels whose branches, trip counts and addresses follow from what is in
// memory when they start: the launch file says what that is.

// CSR: a thread a row.
extern "C" __global__ void spmvScalar(const unsigned *starts, const unsigned *columns, const float *values,
                                      const float *x, float *y, unsigned rows) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (unsigned j = starts[row]; j < starts[row + 1]; ++j)
    sum += values[j] * x[columns[j]];
  y[row] = sum;
}

// CSR: a warp a row.
extern "C" __global__ void spmvVector(const int *starts, const int *columns, const float *values, const float *x,
                                      float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = starts[row] + lane; j < starts[row + 1]; j += 32)
    sum += values[j] * x[columns[j]];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}

// To and from places that an index names.
extern "C" __global__ void gatherScatter(const unsigned *from, const unsigned *to, const float *x, float *y,
                                         unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[to[i]] = x[from[i]];
}

// A branch on what was loaded; small types.
extern "C" __global__ void classify(const unsigned char *kinds, const short *weights, unsigned *counts, float *out,
                                    unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (kinds[i] < 3)
    atomicAdd(&counts[kinds[i]], 1u);
  else if (weights[i] < 0)
    out[i] = float(weights[i]);
}

// Dedispersion: every channel is read with a delay of its own.
extern "C" __global__ void dedisperse(const float *in, const unsigned *delays, float *out, unsigned channels,
                                      unsigned samples) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, dm = blockIdx.y;
  float sum = 0;
  for (unsigned c = 0; c < channels; ++c)
    sum += in[c * samples + t + delays[dm * channels + c]];
  out[dm * gridDim.x * blockDim.x + t] = sum;
}

// Persistent: a list says which tiles a block has; -1 ends it.
extern "C" __global__ void scheduled(const int *list, const float *in, float *out, int width) {
  for (int k = blockIdx.x * width;; ++k) {
    int tile = list[k];
    if (tile < 0)
      return;
    out[tile * blockDim.x + threadIdx.x] = in[tile * blockDim.x + threadIdx.x];
  }
}

// The loop's bound is in memory, the same for all.
extern "C" __global__ void loadedBound(const unsigned *bound, const float *in, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = *bound;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k)
    sum += in[i * n + k];
  out[i] = sum;
}

// A block a segment, by pairs of bounds.
extern "C" __global__ void segmentSum(const int2 *segments, const float *in, float *out) {
  __shared__ float part[64];
  int2 s = segments[blockIdx.x];
  float sum = 0;
  for (int i = s.x + threadIdx.x; i < s.y; i += blockDim.x)
    sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 64; ++i)
      sum += part[i];
    out[blockIdx.x] = sum;
  }
}

// A place that names a place.
extern "C" __global__ void chained(const unsigned *first, const unsigned *second, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[second[first[second[i]]]];
}

// What the kernel writes is not what the launch file says.
extern "C" __global__ void rewritten(unsigned *next, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[next[i]];
  next[i] = i;
}

// Counts that run to their own places, and one that is the same everywhere.
extern "C" __global__ void orderly(const unsigned *index, const unsigned *step, const float *x, float *y,
                                   unsigned n) {
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x * step[i])
    sum += x[index[i]];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Who draws which size depends on the timing, but no size is below or above all of them.
extern "C" __global__ void drawn(const unsigned *sizes, unsigned *next, const float *in, float *out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, n = sizes[atomicAdd(next, 1u)];
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < n; ++k)
    sum += in[k * 64 + t];
  out[t] = sum;
}
