//===- control_flow.cu - Branches, calls and the stack ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// A byte-code interpreter: a dense switch becomes an indirect branch.
extern "C" __global__ void interpret(const int *code, int length, int *out) {
  int accumulator = threadIdx.x, i = 0;
  while (i < length) {
    switch (code[i++]) {
    case 0:
      accumulator += code[i++];
      break;
    case 1:
      accumulator *= 3;
      break;
    case 2:
      accumulator ^= accumulator >> 5;
      break;
    case 3:
      accumulator = out[accumulator & 1023];
      break;
    case 4:
      if (accumulator > 0)
        i = code[i];
      else
        ++i;
      break;
    case 5:
      accumulator = -accumulator;
      break;
    case 6:
      out[threadIdx.x] = accumulator;
      break;
    case 7:
      return;
    case 8:
      accumulator = __popc(accumulator);
      break;
    default:
      accumulator = ~accumulator;
    }
  }
  out[threadIdx.x] = accumulator;
}

// Recursion: a call graph with a cycle.
__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

extern "C" __global__ void recurse(int *out, int m) {
  out[threadIdx.x] = ackermann(m, threadIdx.x & 3);
}

// Structures by value, in both directions.
struct Ray {
  float3 origin;
  float3 direction;
  float limit;
};

__device__ __noinline__ Ray reflect(Ray ray, float3 normal) {
  float d = ray.direction.x * normal.x + ray.direction.y * normal.y +
            ray.direction.z * normal.z;
  ray.direction.x -= 2.0f * d * normal.x;
  ray.direction.y -= 2.0f * d * normal.y;
  ray.direction.z -= 2.0f * d * normal.z;
  return ray;
}

extern "C" __global__ void bounce(Ray *rays, const float3 *normals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    rays[i] = reflect(rays[i], normals[i]);
}

// Function pointers in a table.
using Operation = float (*)(float, float);
__device__ float addition(float a, float b) { return a + b; }
__device__ float product(float a, float b) { return a * b; }
__device__ __noinline__ float hypotenuse(float a, float b) {
  return sqrtf(a * a + b * b);
}
__device__ Operation operations[] = {addition, product, hypotenuse};

extern "C" __global__ void callThroughTable(const float *in, float *out,
                                            int which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = operations[which](in[i], out[i]);
}

// Virtual functions.
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Disc : Shape {
  float radius;
  __device__ explicit Disc(float r) : radius(r) {}
  __device__ float area() const override {
    return 3.14159265f * radius * radius;
  }
};
struct Box : Shape {
  float width, height;
  __device__ Box(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
};

extern "C" __global__ void areas(float *out, int n) {
  Disc disc(out[0]);
  Box box(out[1], out[2]);
  const Shape *shape = threadIdx.x & 1 ? static_cast<Shape *>(&disc) : &box;
  out[threadIdx.x] = shape->area();
}

// Nested loops with several exits, a guarded return and a block exit.
extern "C" __global__ void search(const int *matrix, int rows, int columns,
                                  int wanted, int2 *out) {
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    for (int c = 0; c < columns; ++c) {
      int v = matrix[r * columns + c];
      if (v == wanted) {
        *out = make_int2(r, c);
        return;
      }
      if (v > wanted)
        break;
      if (v < 0)
        asm volatile("exit;");
    }
  }
}

// An irreducible region: two entries into one loop.
extern "C" __global__ void irreducible(int *out, int n, int start) {
  int i = 0, s = threadIdx.x;
  if (start)
    goto middle;
top:
  s = s * 5 + 1;
middle:
  s ^= i;
  if (++i < n)
    goto top;
  out[threadIdx.x] = s;
}

// A stack array whose size the launch decides.
extern "C" __global__ void dynamicStack(int *out, int n) {
  int *scratch =
      static_cast<int *>(__builtin_alloca(n * static_cast<int>(sizeof(int))));
  for (int i = 0; i < n; ++i)
    scratch[i] = i * threadIdx.x;
  int s = 0;
  for (int i = n; i-- > 0;)
    s = s * 3 + scratch[i];
  out[threadIdx.x] = s;
}

// Templates: mangled names, loops unrolled by a parameter.
template <typename T, int Width>
__global__ void __launch_bounds__(128, 4)
    convolve(const T *__restrict__ in, const T *__restrict__ taps, T *out,
             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
#pragma unroll
  for (int k = 0; k < Width; ++k)
    if (i + k < n)
      sum += in[i + k] * taps[k];
  out[i] = sum;
}
template __global__ void convolve<float, 5>(const float *, const float *,
                                            float *, int);
template __global__ void convolve<double, 3>(const double *, const double *,
                                             double *, int);
