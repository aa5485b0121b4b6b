// The sum of two matrices, tile by tile, whose tensor maps lie in a structure
// with its sizes. tensor-maps.nvcc.ptx and tensor-maps.clang.ptx are what
// nvcc 13 and clang 22 make of it:
//   nvcc -arch=sm_90 -ptx -o tensor-maps.nvcc.ptx tensor-maps.cu
//   clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -g
//     -Xclang -debug-info-kind=constructor -fno-verbose-asm -nocudainc
//     -nocudalib -S -o tensor-maps.clang.ptx tensor-maps.cu
#ifdef __clang__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __grid_constant__ __attribute__((grid_constant))
#define THREAD unsigned(__nvvm_read_ptx_sreg_tid_x())
#define BLOCK unsigned(__nvvm_read_ptx_sreg_ctaid_x())
#define SYNC __nvvm_bar_sync(0)
#define SHARED(P)                                                              \
  unsigned((unsigned long long)(__attribute__((address_space(3))) void *)(P))
#else
#define THREAD threadIdx.x
#define BLOCK blockIdx.x
#define SYNC __syncthreads()
#define SHARED(P) unsigned(__cvta_generic_to_shared(P))
#endif

struct alignas(64) TensorMap { // CUtensorMap
  unsigned long long opaque[16];
};

struct Problem {
  float *out;
  int rows;
  TensorMap map_a, map_b;
  int columns;
};

constexpr int TileRows = 8, TileColumns = 32;

static __device__ void load(unsigned To, const TensorMap &Map, int X, int Y,
                            unsigned Barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile."
      "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(To),
      "l"(&Map), "r"(X), "r"(Y), "r"(Barrier)
      : "memory");
}

/// A block for each TileRows rows, a warp for each of them.
extern "C" __global__ void addMatrices(const __grid_constant__ Problem p) {
  __shared__ alignas(128) float A[TileRows * TileColumns],
      B[TileRows * TileColumns];
  __shared__ alignas(8) unsigned long long Barrier;
  const unsigned Full = SHARED(&Barrier);
  const int Row = BLOCK * TileRows + THREAD / TileColumns;
  const int Tiles = (p.columns + TileColumns - 1) / TileColumns;
  if (THREAD == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(Full)
                 : "memory");
  SYNC;
#pragma unroll 1
  for (int K = 0; K < Tiles; ++K) {
    if (THREAD == 0) {
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(Full),
          "r"(int(sizeof A + sizeof B))
          : "memory");
      load(SHARED(A), p.map_a, K * TileColumns, BLOCK * TileRows, Full);
      load(SHARED(B), p.map_b, K * TileColumns, BLOCK * TileRows, Full);
    }
    asm volatile("{\n.reg .pred p;\n"
                 "Poll: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra Poll;\n}" ::"r"(Full),
                 "r"(K & 1)
                 : "memory");
    const int Column = K * TileColumns + THREAD % TileColumns;
    if (Row < p.rows && Column < p.columns)
      p.out[Row * p.columns + Column] = A[THREAD] + B[THREAD];
    SYNC;
  }
}
