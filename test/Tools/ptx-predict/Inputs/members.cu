// Rows of a matrix, summed and scaled: a kernel with a structure for its
// parameter. members.ptx and members.ll are what nvcc 13 and clang 22 make of it:
//   nvcc -arch=sm_80 -ptx -o members.ptx members.cu
//   clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -O2 -g
//     -Xclang -debug-info-kind=constructor -fno-discard-value-names
//     -nocudainc -nocudalib -S -emit-llvm -o members.ll members.cu
#ifdef __clang__
#define __global__ __attribute__((global))
#define THREAD unsigned(__nvvm_read_ptx_sreg_tid_x())
#define BLOCK unsigned(__nvvm_read_ptx_sreg_ctaid_x())
#define THREADS unsigned(__nvvm_read_ptx_sreg_ntid_x())
#else
#define THREAD threadIdx.x
#define BLOCK blockIdx.x
#define THREADS blockDim.x
#endif

struct Shape {
  unsigned n;
  float scale;
  int stride[2];
};
struct Data {
  float *y;
  const float *x;
};
struct Params : Data {
  Shape shape;
  short flag;
};

extern "C" __global__ void scaleRows(Params p, unsigned rows) {
  unsigned i = BLOCK * THREADS + THREAD;
  if (i >= rows)
    return;
  float s = 0;
#pragma unroll 1
  for (unsigned k = 0; k < p.shape.n; ++k)
    s += p.x[i * p.shape.stride[1] + k * p.shape.stride[0]];
  if (p.flag)
    s *= p.shape.scale;
  p.y[i] = s;
}
