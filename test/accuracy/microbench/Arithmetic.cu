//===- Arithmetic.cu - Latency and rate of instructions ---------*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "Operations.h"

using namespace microbench;

namespace {

constexpr int Rounds = 64, Unroll = 32, Chains = 8;

/// One warp, each instruction waiting for the one before.
template <typename Operation>
__global__ void latencyKernel(Span *Spans, typename Operation::Value *Out,
                              typename Operation::Value A,
                              typename Operation::Value B) {
  typename Operation::Value X = A + threadIdx.x;
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < Unroll; ++J)
      Operation::step(X, A, B);
  end(Spans);
  Out[threadIdx.x] = X;
}

/// A full SM, with so many chains in a thread.
template <typename Operation, int NumChains>
__global__ void rateKernel(Span *Spans, typename Operation::Value *Out,
                           typename Operation::Value A,
                           typename Operation::Value B) {
  typename Operation::Value X[NumChains];
#pragma unroll
  for (int C = 0; C < NumChains; ++C)
    X[C] = A + threadIdx.x + C;
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < Unroll / 4; ++J)
#pragma unroll
      for (int C = 0; C < NumChains; ++C)
        Operation::step(X[C], A, B);
  end(Spans);
  typename Operation::Value Sum = X[0];
#pragma unroll
  for (int C = 1; C < NumChains; ++C)
    Sum = Sum + X[C];
  Out[threadIdx.x] = Sum;
}

template <int NumChains>
__global__ void tensorKernel(Span *Spans, float *Out, unsigned A) {
  TensorSums X[NumChains];
#pragma unroll
  for (int C = 0; C < NumChains; ++C)
    X[C] = {{float(threadIdx.x), 1, 2, 3}};
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < Unroll / 4; ++J)
#pragma unroll
      for (int C = 0; C < NumChains; ++C)
        tensorStep(X[C], A);
  end(Spans);
  float Sum = 0;
#pragma unroll
  for (int C = 0; C < NumChains; ++C)
    Sum += X[C].D[0] + X[C].D[1] + X[C].D[2] + X[C].D[3];
  Out[threadIdx.x] = Sum;
}

template <typename Operation>
void runLatency(Bench &B) {
  Buffer<typename Operation::Value> Out(32);
  Taken T = measure(1, [&](Span *Spans) {
    latencyKernel<Operation><<<1, 32>>>(Spans, Out.get(), 3, 5);
  });
  B.add(std::string("latency.") + Operation::Name, "cycles",
        T.Cycles / (Rounds * Unroll * Operation::Instructions), T.CoreMHz);
}

template <typename Operation>
void runRate(Bench &B) {
  constexpr int Threads = 1024;
  Buffer<typename Operation::Value> Out(Threads);
  Taken T = measure(B.sms(), [&](Span *Spans) {
    rateKernel<Operation, Chains><<<B.sms(), Threads>>>(Spans, Out.get(), 3, 5);
  });
  double Lanes = double(Rounds) * (Unroll / 4) * Chains *
                 Operation::Instructions * Threads;
  B.add(std::string("rate.") + Operation::Name, "lanes/cycle", Lanes / T.Cycles,
        T.CoreMHz);
}

} // namespace

/// Multiplications of floats and integer additions and logic in turn, which two
/// kinds of lanes and all schedulers can share.
static __global__ void issueKernel(Span *Spans, unsigned *Out, unsigned A,
                                   unsigned B) {
  unsigned X = A + threadIdx.x;
  float F = float(X), G = float(X + B);
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < Unroll; ++J) {
      asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(F));
      asm volatile("add.u32 %0, %0, %1;" : "+r"(X) : "r"(A));
      asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(G));
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(X) : "r"(B));
    }
  end(Spans);
  Out[threadIdx.x] = X + unsigned(F) + unsigned(G);
}

void microbench::runLatencies(Bench &B) {
  runLatency<FP32>(B);
  runLatency<Int>(B);
  runLatency<IntMultiply>(B);
  runLatency<FP64>(B);
  runLatency<FP16>(B);
  runLatency<SFU>(B);
  runLatency<Convert>(B);
  runLatency<Shuffle>(B);
  if (tensorMultiplyAdds(B.capability()) == 0)
    return;
  Buffer<float> Out(32);
  Taken T = measure(
      1, [&](Span *Spans) { tensorKernel<1><<<1, 32>>>(Spans, Out.get(), 0); });
  B.add("latency.tensor", "cycles", T.Cycles / (Rounds * (Unroll / 4)),
        T.CoreMHz);
}

void microbench::runThroughputs(Bench &B) {
  runRate<FP32>(B);
  runRate<Int>(B);
  runRate<IntMultiply>(B);
  runRate<FP64>(B);
  runRate<FP16>(B);
  runRate<SFU>(B);
  runRate<Convert>(B);
  runRate<Shuffle>(B);
  Buffer<unsigned> Words(1024);
  Taken T = measure(B.sms(), [&](Span *Spans) {
    issueKernel<<<B.sms(), 1024>>>(Spans, Words.get(), 3, 5);
  });
  B.add("rate.issue", "warp instructions/cycle",
        double(Rounds) * Unroll * 4 * 32 / T.Cycles, T.CoreMHz);

  const int MultiplyAdds = tensorMultiplyAdds(B.capability());
  if (MultiplyAdds == 0)
    return;
  constexpr int Threads = 512, TensorChains = 4;
  Buffer<float> Out(1024);
  T = measure(B.sms(), [&](Span *Spans) {
    tensorKernel<TensorChains><<<B.sms(), Threads>>>(Spans, Out.get(), 0);
  });
  double Steps = double(Rounds) * (Unroll / 4) * TensorChains * (Threads / 32);
  B.add("rate.tensor_f16", "multiply-adds/cycle",
        Steps * MultiplyAdds / T.Cycles, T.CoreMHz);
}
