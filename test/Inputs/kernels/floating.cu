//===- floating.cu - Single and double precision arithmetic ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// A Newton iteration for all rounding modes of the basic operations.
extern "C" __global__ void roundings(const float *a, const float *b, float *out,
                                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i], y = b[i];
  float s =
      __fadd_rn(x, y) + __fadd_rz(x, y) + __fadd_ru(x, y) + __fadd_rd(x, y);
  s += __fsub_rz(x, y) * __fmul_ru(x, y) - __fmul_rd(x, s);
  s = __fmaf_rn(s, x, y) + __fmaf_rz(s, x, y) + __fmaf_ru(s, x, y);
  s += __fdiv_rn(x, y) + __fdiv_ru(x, y) + __frcp_rn(s) + __frcp_rz(s);
  s += __fsqrt_rn(x) + __fsqrt_rd(y) + __saturatef(s) + __fdividef(x, y);
  asm("add.rn.ftz.f32 %0, %0, %1;" : "+f"(s) : "f"(x));
  asm("mul.rn.ftz.sat.f32 %0, %0, %1;" : "+f"(s) : "f"(x));
  asm("fma.rn.ftz.sat.f32 %0, %0, %1, %2;" : "+f"(s) : "f"(x), "f"(y));
  asm("mad.rn.f32 %0, %0, %1, %2;" : "+f"(s) : "f"(x), "f"(y));
  asm("div.full.f32 %0, %0, %1;" : "+f"(s) : "f"(x));
  asm("div.approx.ftz.f32 %0, %0, %1;" : "+f"(s) : "f"(y));
  asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(s));
  asm("sqrt.approx.ftz.f32 %0, %0;" : "+f"(s));
  asm("neg.ftz.f32 %0, %0;" : "+f"(s));
  asm("copysign.f32 %0, %1, %0;" : "+f"(s) : "f"(y));
  out[i] = s;
}

// The special function unit: a hash of approximate functions.
extern "C" __global__ void specialFunctions(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i], tangent = x;
  float s = __sinf(x) + __cosf(x) + exp2f(x) + __log2f(x) + __expf(x) +
            __logf(x) + __powf(x, 1.5f) + rsqrtf(x) + __tanf(x);
#if __CUDA_ARCH__ >= 750
  asm("tanh.approx.f32 %0, %0;" : "+f"(tangent));
#endif
  asm("sin.approx.ftz.f32 %0, %0;" : "+f"(s));
  asm("cos.approx.ftz.f32 %0, %0;" : "+f"(s));
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(s));
  asm("lg2.approx.ftz.f32 %0, %0;" : "+f"(s));
  asm("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(s));
  out[i] = s + tangent;
}

// Accurate functions of the device library: reductions, branches, local memory.
extern "C" __global__ void libraryFunctions(const float *a, const double *d,
                                            float *out, double *dout, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i];
  out[i] = sinf(x) + powf(x, 0.3f) + erff(x) + tgammaf(x) + fmodf(x, 3.0f);
  double y = d[i];
  dout[i] = exp(y) + log(y) + sin(y) + sqrt(y) + 1.0 / y;
}

// Double precision: a compensated dot product.
extern "C" __global__ void compensatedDot(const double *a, const double *b,
                                          double *out, int n) {
  double high = 0.0, low = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    double p = __dmul_rn(a[i], b[i]);
    double e = __fma_rn(a[i], b[i], -p);
    double t = __dadd_rn(high, p);
    double z = __dsub_rn(t, high);
    low += (high - (t - z)) + (p - z) + e;
    high = t;
  }
  double r = high + low, inverse, root;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(r));
  asm("rsqrt.approx.f64 %0, %1;" : "=d"(root) : "d"(r));
  asm("div.rz.f64 %0, %0, %1;" : "+d"(r) : "d"(inverse));
  asm("rcp.rp.f64 %0, %0;" : "+d"(r));
  asm("sqrt.rm.f64 %0, %0;" : "+d"(r));
  asm("mad.rp.f64 %0, %0, %1, %2;" : "+d"(r) : "d"(root), "d"(high));
  r = fmin(fabs(r), fmax(low, root)) - copysign(r, high);
  out[blockIdx.x * blockDim.x + threadIdx.x] = __dadd_rd(r, __dadd_ru(r, 0.5));
}

// Minimum, maximum and classification: the range of an array without NaNs.
extern "C" __global__ void range(const float *a, float2 *out, unsigned *odd,
                                 int n) {
  float low = __int_as_float(0x7f800000), high = -low;
  unsigned count = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float x = a[i];
    unsigned subnormal, notNumber, finite;
    asm("{ .reg .pred p;\n\t testp.subnormal.f32 p, %1;\n\t"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(subnormal)
        : "f"(x));
    asm("{ .reg .pred p;\n\t testp.notanumber.f32 p, %1;\n\t"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(notNumber)
        : "f"(x));
    asm("{ .reg .pred p;\n\t testp.finite.f64 p, %1;\n\t"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(finite)
        : "d"(static_cast<double>(x)));
    count += subnormal + notNumber + !finite;
    low = fminf(low, x);
    high = fmaxf(high, fabsf(x));
#if __CUDA_ARCH__ >= 800
    asm("min.NaN.f32 %0, %0, %1;" : "+f"(low) : "f"(x));
#endif
#if __CUDA_ARCH__ >= 860
    asm("max.xorsign.abs.f32 %0, %0, %1;" : "+f"(high) : "f"(x));
#endif
#if __CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200
    asm("min.f32 %0, %0, %1, %2;" : "+f"(low) : "f"(x), "f"(high));
#endif
  }
  out[threadIdx.x] = make_float2(low, high);
  odd[threadIdx.x] = count;
}

// A five-point stencil whose row length is known, hence unrolled in part.
extern "C" __global__ void __launch_bounds__(256, 2)
    stencil5(const float *__restrict__ in, float *__restrict__ out, int width,
             int height) {
  int x = blockIdx.x * 32 + threadIdx.x % 32 + 1;
  int y = blockIdx.y * 8 + threadIdx.x / 32 + 1;
  if (x >= width - 1 || y >= height - 1)
    return;
  const float *p = in + y * width + x;
  out[y * width + x] =
      0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-width] + p[width]);
}

#if __CUDA_ARCH__ >= 1000
// Packed single precision, two elements an instruction.
extern "C" __global__ void packedAxpy(const float2 *x, float2 *y, float2 a,
                                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long px, py, pa;
  asm("mov.b64 %0, {%1, %2};" : "=l"(px) : "f"(x[i].x), "f"(x[i].y));
  asm("mov.b64 %0, {%1, %2};" : "=l"(py) : "f"(y[i].x), "f"(y[i].y));
  asm("mov.b64 %0, {%1, %2};" : "=l"(pa) : "f"(a.x), "f"(a.y));
  asm("fma.rn.f32x2 %0, %1, %2, %0;\n\t"
      "add.rn.ftz.f32x2 %0, %0, %1;\n\t"
      "mul.rz.f32x2 %0, %0, %2;\n\t"
      "sub.rn.f32x2 %0, %0, %1;"
      : "+l"(py)
      : "l"(pa), "l"(px));
  asm("mov.b64 {%0, %1}, %2;" : "=f"(y[i].x), "=f"(y[i].y) : "l"(py));
}
#endif
