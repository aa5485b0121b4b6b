//===- Operations.h - Instructions to measure ------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each operation is a chain: its result is its next operand. Instructions that
// an assembler could join with the next one come in pairs of which it cannot.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MICROBENCH_OPERATIONS_H
#define PTXPREDICT_MICROBENCH_OPERATIONS_H

#include <cstdint>

namespace microbench {

// NAME of results, what a lane holds, instructions of one step, and the step.
#define OPERATION(TYPE, NAME, VALUE, STEPS, CODE)                              \
  struct TYPE {                                                                \
    using Value = VALUE;                                                       \
    static constexpr const char *Name = NAME;                                  \
    static constexpr int Instructions = STEPS;                                 \
    static __device__ void step(Value &X, Value A, Value B) { CODE; }          \
  };

OPERATION(FP32, "fp32", float, 1,
          asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(X) : "f"(A), "f"(B)))
// Two additions would become one of three operands.
OPERATION(Int, "int", unsigned, 2,
          asm volatile(
              "add.u32 %0, %0, %1;\n\txor.b32 %0, %0, %2;" : "+r"(X) : "r"(A),
              "r"(B)))
OPERATION(IntMultiply, "int_multiply", unsigned, 1,
          asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(X) : "r"(A), "r"(B)))
OPERATION(FP64, "fp64", double, 1,
          asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(X) : "d"(A), "d"(B)))
OPERATION(FP16, "fp16", unsigned, 1,
          asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(X) : "r"(A),
                       "r"(B)))
OPERATION(SFU, "sfu", float, 1, (void)A; (void)B;
          asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(X)))
OPERATION(Convert, "convert", unsigned, 2, (void)A; (void)B;
          asm volatile("{ .reg .f32 f; cvt.rn.f32.s32 f, %0; "
                       "cvt.rni.s32.f32 %0, f; }" : "+r"(X)))
OPERATION(Shuffle, "shuffle", unsigned, 1, (void)A; (void)B; asm volatile(
              "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(X)))

#undef OPERATION

/// The sums of a lane of a matrix multiplication.
struct TensorSums {
  float D[4];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ inline void tensorStep(TensorSums &X, unsigned A) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
               "{%0, %1, %2, %3};"
               : "+f"(X.D[0]), "+f"(X.D[1]), "+f"(X.D[2]), "+f"(X.D[3])
               : "r"(A));
}
#elif __CUDA_ARCH__ >= 750
__device__ inline void tensorStep(TensorSums &X, unsigned A) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
               : "+f"(X.D[0]), "+f"(X.D[1]), "+f"(X.D[2]), "+f"(X.D[3])
               : "r"(A));
}
#else
__device__ inline void tensorStep(TensorSums &, unsigned) {}
#endif

/// Multiply-adds of one step on a device of that compute capability (75 for
/// 7.5); 0 where there is no such instruction.
constexpr int tensorMultiplyAdds(int Capability) {
  return Capability >= 80 ? 16 * 8 * 16 : Capability >= 75 ? 16 * 8 * 8 : 0;
}

} // namespace microbench

#endif // PTXPREDICT_MICROBENCH_OPERATIONS_H
