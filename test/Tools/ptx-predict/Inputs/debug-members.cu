// A kernel with all kinds of members in its parameter. debug-members-nvcc.ptx
// and debug-members-clang.ptx are what nvcc 13 and clang 22 make of it:
//   nvcc -arch=sm_80 -G -ptx -o debug-members-nvcc.ptx debug-members.cu
//   clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -O2 -g
//     -Xclang -debug-info-kind=constructor -fno-verbose-asm -nocudainc
//     -nocudalib -S -o debug-members-clang.ptx debug-members.cu
#ifdef __clang__
#define __global__ __attribute__((global))
#define THREAD unsigned(__nvvm_read_ptx_sreg_tid_x())
#else
#define THREAD threadIdx.x
#endif

enum class Mode : unsigned short { Plain, Scaled };
template <class T>
struct Pair {
  T first, second;
};
namespace demo {
struct Data {
  float *y;
  const float *__restrict__ x;
};
struct Params : Data {
  union {
    int bits;
    float scale;
  };
  struct {
    unsigned n;
    Pair<double> shift;
  };
  unsigned low : 3, high : 5;
  Mode mode;
  signed char tag;
  bool on;
  long long stride[2][3];
  static const int Version = 3;
};

template <int N>
__global__ void sumRows(const Params p, volatile unsigned rows) {
  unsigned i = THREAD;
  if (i >= rows)
    return;
  float s = float(p.shift.second);
#pragma unroll 1
  for (unsigned k = 0; k < p.n; ++k)
    s += p.x[i * p.stride[1][2] + k * p.stride[0][1]];
  if (p.mode == Mode::Scaled && p.on)
    s *= p.scale;
  p.y[i] = s + p.tag + N;
}
template __global__ void sumRows<2>(const Params p, volatile unsigned rows);
} // namespace demo
