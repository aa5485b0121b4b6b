//===- attention.cu - Attention without the matrix of scores ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Size = 32;               // of a head
constexpr int Parts = 8;               // threads that share one query
constexpr int Own = Size / Parts;      // elements of each of them
constexpr int Queries = 16, Keys = 32; // of a block; of a tile
constexpr int Block = Queries * Parts;

// softmax(Q K^T / sqrt(Size)) V for heads of `length` rows each. Keys and
// values come in tiles; what was summed so far is scaled down whenever a
// greater score turns up.
extern "C" __global__ void __launch_bounds__(Block)
    flashAttention(const float *__restrict__ q, const float *__restrict__ k,
                   const float *__restrict__ v, float *__restrict__ out,
                   int length, float scale) {
  __shared__ __align__(16) float keys[Keys][Size];
  __shared__ __align__(16) float values[Keys][Size];
  int part = threadIdx.x % Parts;
  int query = blockIdx.x * Queries + threadIdx.x / Parts;
  int head = blockIdx.y * length;
  float4 mine = make_float4(0, 0, 0, 0);
  if (query < length)
    mine = *(const float4 *)&q[(head + query) * Size + part * Own];
  float greatest = __int_as_float(0xff800000), total = 0;
  float4 sum = make_float4(0, 0, 0, 0);

  for (int begin = 0; begin < length; begin += Keys) {
    int count = min(Keys, length - begin);
    __syncthreads();
    for (int i = threadIdx.x; i < count * Parts; i += Block) {
      int row = i / Parts, column = i % Parts * Own;
      int from = (head + begin + row) * Size + column;
      *(float4 *)&keys[row][column] = *(const float4 *)&k[from];
      *(float4 *)&values[row][column] = *(const float4 *)&v[from];
    }
    __syncthreads();
    for (int j = 0; j < count; ++j) {
      float4 key = *(const float4 *)&keys[j][part * Own];
      float score =
          fmaf(mine.x, key.x,
               fmaf(mine.y, key.y, fmaf(mine.z, key.z, mine.w * key.w)));
#pragma unroll
      for (int mask = Parts / 2; mask > 0; mask /= 2)
        score += __shfl_xor_sync(0xffffffff, score, mask);
      score *= scale;
      float raised = fmaxf(greatest, score);
      float keep = __expf(greatest - raised);
      float weight = __expf(score - raised);
      greatest = raised;
      total = fmaf(total, keep, weight);
      float4 value = *(const float4 *)&values[j][part * Own];
      sum.x = fmaf(weight, value.x, sum.x * keep);
      sum.y = fmaf(weight, value.y, sum.y * keep);
      sum.z = fmaf(weight, value.z, sum.z * keep);
      sum.w = fmaf(weight, value.w, sum.w * keep);
    }
  }
  if (query < length) {
    float inverse = __fdividef(1.0f, total);
    *(float4 *)&out[(head + query) * Size + part * Own] = make_float4(
        sum.x * inverse, sum.y * inverse, sum.z * inverse, sum.w * inverse);
  }
}
