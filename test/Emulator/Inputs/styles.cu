//===- styles.cu - Loops as different people write them --------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Pointers that move, counters of other widths, that count down, in halves, by
// two at once, with tails.
//===----------------------------------------------------------------------===//

extern "C" __global__ void pointers(const float *x, float *y, int n) {
  const float *p = x + blockIdx.x * blockDim.x + threadIdx.x, *e = x + n;
  float s = 0;
  while (p < e) {
    s += *p;
    p += gridDim.x * blockDim.x;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void countdown(const int *len, const float *x, float *y) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, l = threadIdx.x & 31;
  int n = len[w];
  float s = 0;
  const float *p = x + l;
  while (n-- > 0) {
    s += *p;
    p += 32;
  }
  y[w * 32 + l] = s;
}

extern "C" __global__ void listsOfRows(const int *outer, const int *inner,
                                       const float *x, float *y) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  float s = 0;
  for (int i = outer[w]; i < outer[w + 1]; i++)
    for (int j = inner[i] + l; j < inner[i + 1]; j += 32)
      s += x[j];
  y[w * 32 + l] = s;
}

extern "C" __global__ void shortCounter(const unsigned short *len,
                                        const float *x, float *y) {
  unsigned short n = len[blockIdx.x];
  float s = 0;
  for (unsigned short i = threadIdx.x; i < n; i += 64)
    s += x[i];
  y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void searchThenStop(const int *x, int *y, int n) {
  int i = threadIdx.x, found = -1;
  do {
    if (x[i] == 77) {
      found = i;
      break;
    }
    i += blockDim.x;
  } while (i < n);
  y[blockIdx.x * blockDim.x + threadIdx.x] = found;
}

extern "C" __global__ void twoSums(const int *rows, const float *__restrict__ v,
                                   float *y) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  int b = rows[w], e = rows[w + 1];
  float s = 0, t = 0;
  int j = b + l;
  for (; j + 32 < e; j += 64) {
    s += v[j];
    t += v[j + 32];
  }
  if (j < e)
    s += v[j];
  y[w * 32 + l] = s + t;
}

extern "C" __global__ void fourAtOnce(const int *__restrict__ len,
                                      const float *__restrict__ x, float *y,
                                      int pitch) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  float s = 0;
  const float *r = x + (size_t)w * pitch;
  int n = len[w], n4 = n >> 2;
  for (int i = l; i < n4; i += 32) {
    float4 v = reinterpret_cast<const float4 *>(r)[i];
    s += v.x + v.y + v.z + v.w;
  }
  for (int i = (n4 << 2) + l; i < n; i += 32)
    s += r[i];
  y[w * 32 + l] = s;
}

extern "C" __global__ void slicedRows(const int *__restrict__ slice,
                                      const int *__restrict__ cols,
                                      const float *__restrict__ vals,
                                      const float *__restrict__ x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x, sl = r / 32, l = r % 32;
  float s = 0;
  for (int k = slice[sl] + l; k < slice[sl + 1]; k += 32)
    s += vals[k] * x[cols[k]];
  y[r] = s;
}

extern "C" __global__ void rowOfEight(const int *__restrict__ rows,
                                      const int *__restrict__ cols,
                                      const float *__restrict__ vals,
                                      const float *__restrict__ x, float *y) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, r = t / 8, l = t % 8;
  float s = 0;
  for (int j = rows[r] + l; j < rows[r + 1]; j += 8)
    s += vals[j] * x[cols[j]];
  for (int o = 4; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o, 8);
  if (l == 0)
    y[r] = s;
}

extern "C" __global__ void triplets(const int *__restrict__ ri,
                                    const int *__restrict__ ci,
                                    const float *__restrict__ v,
                                    const float *__restrict__ x, float *y,
                                    int nnz) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nnz;
       i += gridDim.x * blockDim.x)
    atomicAdd(&y[ri[i]], v[i] * x[ci[i]]);
}

extern "C" __global__ void softmaxOfRow(const int *__restrict__ len,
                                        const float *__restrict__ x,
                                        float *__restrict__ y, int pitch) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  int n = len[w];
  const float *r = x + w * pitch;
  float *o = y + w * pitch;
  float m = -1e30f, s = 0;
  for (int i = l; i < n; i += 32)
    m = fmaxf(m, r[i]);
  for (int d = 16; d; d >>= 1)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  for (int i = l; i < n; i += 32)
    s += __expf(r[i] - m);
  for (int d = 16; d; d >>= 1)
    s += __shfl_xor_sync(~0u, s, d);
  for (int i = l; i < n; i += 32)
    o[i] = __expf(r[i] - m) / s;
}

extern "C" __global__ void belowDiagonal(const float *__restrict__ a, float *y,
                                         int n) {
  int c = blockIdx.x;
  float s = 0;
  for (int r = c + 1 + threadIdx.x; r < n; r += blockDim.x)
    s += a[r * n + c];
  y[c * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void triangleByRoot(const float *x, float *y, int n) {
  int k = blockIdx.x;
  int i = (int)((sqrtf(8.0f * k + 1) - 1) / 2);
  int j = k - i * (i + 1) / 2;
  float s = 0;
  for (int t = threadIdx.x; t < 16 * (i + 1); t += blockDim.x)
    s += x[t + j];
  y[k * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void clippedWhile(const float *x, float *y, int n,
                                        int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lo = i - r;
  if (lo < 0)
    lo = 0;
  int hi = i + r + 1;
  if (hi > n)
    hi = n;
  float s = 0;
  while (lo != hi)
    s += x[lo++];
  y[i] = s;
}

extern "C" __global__ void lowerBound(const int *keys, const int *q, int *y,
                                      int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, v = q[t];
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (keys[mid] < v)
      lo = mid + 1;
    else
      hi = mid;
  }
  y[t] = lo;
}

extern "C" __global__ void lastIsShort(const float *x, float *y, int n) {
  int first = blockIdx.x * 200, last = min(first + 200, n);
  float s = 0;
  for (int i = first + threadIdx.x; i < last; i += blockDim.x)
    s += x[i];
  y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void longSteps(const float *x, float *y, long long n,
                                     long long step) {
  float s = 0;
  for (long long i = threadIdx.x; i < n; i += step)
    s += x[i];
  y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
