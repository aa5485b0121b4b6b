// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five versions of attention over 16-bit keys and values: how tiles of keys and values come to shared memory differs, and how the pointers
// to them are advanced. Queries of one head share its keys and values, whichever block has them.
#include <cuda_fp16.h>
#include <stdint.h>

constexpr int Depth = 64, Queries = 64, Keys = 32, Threads = 128;
constexpr int Tile = Keys * Depth; // elements

__device__ void copy16(uint32_t To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To), "l"(From));
}
__device__ void commit() { asm volatile("cp.async.commit_group;"); }
template <int Left>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Left));
}
__device__ void loadMatrix(uint32_t R[4], uint32_t At) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(At));
}
__device__ void loadTransposed(uint32_t R[4], uint32_t At) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(At));
}
__device__ void multiply(float C[4], const uint32_t A[4], uint32_t B0, uint32_t B1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B0), "r"(B1));
}

// Rows of 128 bytes, whose parts of 16 bytes are swizzled.
__device__ uint32_t place(uint32_t Base, int Row, int Part) { return Base + (Row * Depth + (Part ^ (Row & 7)) * 8) * 2; }

template <int Rows>
__device__ void copyTile(uint32_t To, const __half *From) {
#pragma unroll
  for (int N = threadIdx.x; N < Rows * Depth / 8; N += Threads)
    copy16(place(To, N / 8, N % 8), From + N / 8 * Depth + N % 8 * 8);
}

struct State {
  uint32_t Query[Depth / 16][4];
  float Out[Depth / 8][4] = {}, Most[2] = {-1e30f, -1e30f}, Sum[2] = {};

  __device__ void loadQueries(uint32_t At) {
    int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
    for (int D = 0; D < Depth / 16; ++D)
      loadMatrix(Query[D], place(At, Warp * 16 + Lane % 16, D * 2 + Lane / 16));
  }

  __device__ void scores(float S[Keys / 8][4], uint32_t K) {
    int Lane = threadIdx.x % 32;
#pragma unroll
    for (int N = 0; N < Keys / 16; ++N)
#pragma unroll
      for (int D = 0; D < Depth / 16; ++D) {
        uint32_t R[4];
        loadMatrix(R, place(K, N * 16 + Lane % 16, D * 2 + Lane / 16));
        multiply(S[N * 2], Query[D], R[0], R[2]);
        multiply(S[N * 2 + 1], Query[D], R[1], R[3]);
      }
  }

  __device__ void weigh(float S[Keys / 8][4], uint32_t P[Keys / 16][4]) {
#pragma unroll
    for (int J = 0; J < 2; ++J) {
      float New = Most[J];
      for (int N = 0; N < Keys / 8; ++N)
        New = fmaxf(New, fmaxf(S[N][2 * J], S[N][2 * J + 1]));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 1));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 2));
      float Scale = exp2f(Most[J] - New);
      Most[J] = New;
      Sum[J] *= Scale;
      for (int D = 0; D < Depth / 8; ++D)
        Out[D][2 * J] *= Scale, Out[D][2 * J + 1] *= Scale;
    }
#pragma unroll
    for (int N = 0; N < Keys / 8; ++N) {
      for (int E = 0; E < 4; ++E)
        Sum[E / 2] += S[N][E] = exp2f(S[N][E] - Most[E / 2]);
      __half2 Low = __floats2half2_rn(S[N][0], S[N][1]), High = __floats2half2_rn(S[N][2], S[N][3]);
      P[N / 2][N % 2 * 2] = *(uint32_t *)&Low;
      P[N / 2][N % 2 * 2 + 1] = *(uint32_t *)&High;
    }
  }

  __device__ void add(uint32_t P[Keys / 16][4], uint32_t V) {
    int Lane = threadIdx.x % 32;
#pragma unroll
    for (int N = 0; N < Keys / 16; ++N)
#pragma unroll
      for (int D = 0; D < Depth / 16; ++D) {
        uint32_t R[4];
        loadTransposed(R, place(V, N * 16 + Lane % 16, D * 2 + Lane / 16));
        multiply(Out[D * 2], P[N], R[0], R[1]);
        multiply(Out[D * 2 + 1], P[N], R[2], R[3]);
      }
  }

  __device__ void write(__half *To) {
    int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
    for (int J = 0; J < 2; ++J) {
      Sum[J] += __shfl_xor_sync(~0u, Sum[J], 1);
      Sum[J] += __shfl_xor_sync(~0u, Sum[J], 2);
    }
    for (int D = 0; D < Depth / 8; ++D)
      for (int J = 0; J < 2; ++J)
        *(__half2 *)&To[(Warp * 16 + Lane / 4 + 8 * J) * Depth + D * 8 + Lane % 4 * 2] =
            __floats2half2_rn(Out[D][2 * J] / Sum[J], Out[D][2 * J + 1] / Sum[J]);
  }
};

__device__ char *sharedBytes() {
  extern __shared__ __align__(128) char Shared[];
  return Shared;
}
__device__ uint32_t sharedMemory() { return (uint32_t)__cvta_generic_to_shared(sharedBytes()); }

#define KERNEL(NAME)                                                                                                                           \
  extern "C" __global__ void __launch_bounds__(Threads)                                                                                        \
      NAME(const __half *Q, const __half *K, const __half *V, __half *O, int NumQueries, int NumKeys)

// One buffer; pointers advance with the loop.
KERNEL(oneBuffer) {
  int PerHead = (NumQueries + Queries - 1) / Queries, Head = blockIdx.x / PerHead, Block = blockIdx.x % PerHead;
  Q += (Head * NumQueries + Block * Queries) * Depth;
  O += (Head * NumQueries + Block * Queries) * Depth;
  K += Head * NumKeys * Depth;
  V += Head * NumKeys * Depth;
  uint32_t AtQ = sharedMemory(), AtK = AtQ + Queries * Depth * 2, AtV = AtK + Tile * 2;
  State S;
  copyTile<Queries>(AtQ, Q);
  commit();
  wait<0>();
  __syncthreads();
  S.loadQueries(AtQ);
  for (int N = 0; N < NumKeys / Keys; ++N, K += Tile, V += Tile) {
    copyTile<Keys>(AtK, K);
    copyTile<Keys>(AtV, V);
    commit();
    wait<0>();
    __syncthreads();
    float Scores[Keys / 8][4] = {};
    uint32_t P[Keys / 16][4];
    S.scores(Scores, AtK);
    S.weigh(Scores, P);
    S.add(P, AtV);
    __syncthreads();
  }
  S.write(O);
}

// Two buffers for keys, which are copied while the tile before is used; the pointer advances where there is a next tile.
KERNEL(twoBuffers) {
  int PerHead = (NumQueries + Queries - 1) / Queries, Head = blockIdx.x / PerHead, Block = blockIdx.x % PerHead;
  Q += (Head * NumQueries + Block * Queries) * Depth;
  O += (Head * NumQueries + Block * Queries) * Depth;
  K += Head * NumKeys * Depth;
  V += Head * NumKeys * Depth;
  uint32_t AtQ = sharedMemory(), AtK = AtQ + Queries * Depth * 2, AtV = AtK + 2 * Tile * 2;
  int Number = (NumKeys + Keys - 1) / Keys;
  State S;
  copyTile<Queries>(AtQ, Q);
  commit();
  wait<0>();
  __syncthreads();
  S.loadQueries(AtQ);
  auto LoadKeys = [&](int N) {
    if (N < Number) {
      copyTile<Keys>(AtK + N % 2 * Tile * 2, K);
      K += Tile;
    }
    commit();
  };
  LoadKeys(0);
  for (int N = 0; N < Number; ++N) {
    __syncthreads();
    copyTile<Keys>(AtV, V);
    V += Tile;
    commit();
    wait<1>();
    __syncthreads();
    float Scores[Keys / 8][4] = {};
    uint32_t P[Keys / 16][4];
    S.scores(Scores, AtK + N % 2 * Tile * 2);
    LoadKeys(N + 1);
    S.weigh(Scores, P);
    wait<1>();
    __syncthreads();
    S.add(P, AtV);
  }
  S.write(O);
}

// Three stages for both, filled by a prologue; the ring's place is counted round.
KERNEL(threeStages) {
  int Head = blockIdx.y, Block = blockIdx.x;
  Q += (Head * NumQueries + Block * Queries) * Depth;
  O += (Head * NumQueries + Block * Queries) * Depth;
  K += Head * NumKeys * Depth;
  V += Head * NumKeys * Depth;
  uint32_t AtQ = sharedMemory(), Ring = AtQ + Queries * Depth * 2;
  int Number = NumKeys / Keys, Next = 0, Write = 0, Read = 0;
  State S;
  copyTile<Queries>(AtQ, Q);
  auto Fill = [&] {
    if (Next < Number) {
      copyTile<Keys>(Ring + Write * 2 * Tile * 2, K);
      copyTile<Keys>(Ring + Write * 2 * Tile * 2 + Tile * 2, V);
      K += Tile;
      V += Tile;
      ++Next;
      Write = Write == 2 ? 0 : Write + 1;
    }
    commit();
  };
  Fill();
  Fill();
  for (int N = 0; N < Number; ++N) {
    wait<1>();
    __syncthreads();
    Fill();
    if (N == 0)
      S.loadQueries(AtQ);
    float Scores[Keys / 8][4] = {};
    uint32_t P[Keys / 16][4];
    S.scores(Scores, Ring + Read * 2 * Tile * 2);
    S.weigh(Scores, P);
    S.add(P, Ring + Read * 2 * Tile * 2 + Tile * 2);
    Read = (Read + 1) % 3;
  }
  S.write(O);
}

// Four query heads share the keys of one; a query sees no later key.
KERNEL(groupedCausal) {
  int PerHead = NumQueries / Queries, Head = blockIdx.x / PerHead, Block = PerHead - 1 - blockIdx.x % PerHead;
  Q += (Head * NumQueries + Block * Queries) * Depth;
  O += (Head * NumQueries + Block * Queries) * Depth;
  K += Head / 4 * NumKeys * Depth;
  V += Head / 4 * NumKeys * Depth;
  uint32_t AtQ = sharedMemory(), AtK = AtQ + Queries * Depth * 2, AtV = AtK + 2 * Tile * 2;
  int Number = min((Block + 1) * Queries, NumKeys) / Keys;
  State S;
  copyTile<Queries>(AtQ, Q);
  copyTile<Keys>(AtK, K);
  commit();
  for (int N = 0; N < Number; ++N) {
    __syncthreads();
    copyTile<Keys>(AtV, V + N * Tile);
    commit();
    wait<1>();
    __syncthreads();
    if (N == 0)
      S.loadQueries(AtQ);
    float Scores[Keys / 8][4] = {};
    uint32_t P[Keys / 16][4];
    S.scores(Scores, AtK + (N & 1) * Tile * 2);
    if (N + 1 < Number)
      copyTile<Keys>(AtK + ((N + 1) & 1) * Tile * 2, K + (N + 1) * Tile);
    commit();
    S.weigh(Scores, P);
    wait<1>();
    __syncthreads();
    S.add(P, AtV);
  }
  S.write(O);
}

// The next tile waits in registers; behind the last one it is read again.
KERNEL(throughRegisters) {
  int Head = blockIdx.y, Block = blockIdx.x;
  Q += (Head * NumQueries + Block * Queries) * Depth;
  O += (Head * NumQueries + Block * Queries) * Depth;
  uint32_t AtQ = sharedMemory(), AtK = AtQ + Queries * Depth * 2, AtV = AtK + Tile * 2;
  const uint4 *K4 = (const uint4 *)(K + Head * NumKeys * Depth), *V4 = (const uint4 *)(V + Head * NumKeys * Depth);
  int Number = NumKeys / Keys;
  State S;
  copyTile<Queries>(AtQ, Q);
  commit();
  wait<0>();
  uint4 NextK[2], NextV[2];
  for (int N = 0; N < 2; ++N) {
    NextK[N] = K4[threadIdx.x + N * Threads];
    NextV[N] = V4[threadIdx.x + N * Threads];
  }
  __syncthreads();
  S.loadQueries(AtQ);
  for (int T = 0; T < Number; ++T) {
    for (int N = 0; N < 2; ++N) {
      int I = threadIdx.x + N * Threads;
      *(uint4 *)(sharedBytes() + (place(AtK, I / 8, I % 8) - AtQ)) = NextK[N];
      *(uint4 *)(sharedBytes() + (place(AtV, I / 8, I % 8) - AtQ)) = NextV[N];
    }
    __syncthreads();
    int Ahead = min(T + 1, Number - 1);
    for (int N = 0; N < 2; ++N) {
      NextK[N] = K4[Ahead * Tile / 8 + threadIdx.x + N * Threads];
      NextV[N] = V4[Ahead * Tile / 8 + threadIdx.x + N * Threads];
    }
    float Scores[Keys / 8][4] = {};
    uint32_t P[Keys / 16][4];
    S.scores(Scores, AtK);
    S.weigh(Scores, P);
    S.add(P, AtV);
    __syncthreads();
  }
  S.write(O);
}
