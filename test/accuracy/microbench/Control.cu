//===- Control.cu - Barriers, branches, atomics, blocks ---------*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Bench.h"

using namespace microbench;

namespace {

constexpr int Rounds = 1024;

__global__ void barrierKernel(Span *Spans) {
  begin(Spans);
#pragma unroll 8
  for (int I = 0; I < Rounds; ++I)
    asm volatile("bar.sync 0;" ::: "memory");
  end(Spans);
}

/// Two paths of one instruction; lanes that differ in \p Bit take different
/// ones.
__global__ void branchKernel(Span *Spans, unsigned *Out, unsigned Bit) {
  unsigned X = threadIdx.x, Y = 1;
  const bool Other = (threadIdx.x & Bit) != 0;
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I) {
    if (Other)
      asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0xffffffff; @p bra "
                   "DONE; mad.lo.u32 %0, %0, %1, %1; DONE: }"
                   : "+r"(X)
                   : "r"(Y));
    else
      asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0xffffffff; @p bra "
                   "DONE; mad.lo.u32 %0, %0, %1, %0; DONE: }"
                   : "+r"(X)
                   : "r"(Y));
    Y ^= X & 1;
  }
  end(Spans);
  Out[threadIdx.x] = X + Y;
}

/// Each lane adds to a word \p Stride words from its neighbour's, and each warp
/// to words of its own if there is one.
__global__ void globalAtomicKernel(Span *Spans, unsigned *Words,
                                   unsigned Stride, unsigned WarpStride) {
  const unsigned Warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned *At = Words + threadIdx.x % 32 * Stride + Warp * WarpStride;
  begin(Spans);
#pragma unroll 4
  for (int I = 0; I < Rounds; ++I)
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(At), "r"(threadIdx.x)
                 : "memory");
  __threadfence(); // until all have been done
  end(Spans);
}

__global__ void sharedAtomicKernel(Span *Spans, unsigned *Out,
                                   unsigned Stride) {
  __shared__ unsigned Words[1024];
  Words[threadIdx.x % 1024] = 0;
  unsigned At =
      unsigned(__cvta_generic_to_shared(Words)) + threadIdx.x % 32 * Stride * 4;
  begin(Spans);
#pragma unroll 4
  for (int I = 0; I < Rounds; ++I)
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(At), "r"(threadIdx.x)
                 : "memory");
  __threadfence(); // until all have been done
  end(Spans);
  Out[threadIdx.x] = Words[threadIdx.x % 1024];
}

__global__ void emptyKernel() {}

/// So much work a block, whatever the grid.
__global__ void workKernel(float *Out, float A) {
  float X = float(threadIdx.x);
#pragma unroll 1
  for (int I = 0; I < 4096; ++I)
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(X) : "f"(A));
  Out[threadIdx.x] = X;
}

} // namespace

void microbench::runControl(Bench &B) {
  for (unsigned Warps = 1; Warps <= 32; Warps *= 2) {
    Taken T = measure(
        1, [&](Span *Spans) { barrierKernel<<<1, 32 * Warps>>>(Spans); });
    B.add("cycles.barrier." + std::to_string(Warps) + "warps", "cycles",
          T.Cycles / Rounds, T.CoreMHz);
    if (Warps == 32)
      B.add("cycles.barrier", "cycles/warp", T.Cycles / Rounds / Warps,
            T.CoreMHz);
  }
  Buffer<unsigned> Out(1024);
  Taken Together = measure(
      1, [&](Span *Spans) { branchKernel<<<1, 32>>>(Spans, Out.get(), 32); });
  Taken Apart = measure(
      1, [&](Span *Spans) { branchKernel<<<1, 32>>>(Spans, Out.get(), 1); });
  B.add("cycles.divergent_branch", "cycles",
        (Apart.Cycles - Together.Cycles) / Rounds, Apart.CoreMHz);
}

void microbench::runAtomics(Bench &B) {
  constexpr unsigned Threads = 256;
  const unsigned Blocks = B.sms(), Warps = Blocks * Threads / 32;
  Buffer<unsigned> Words(size_t(Warps) * 32);
  auto Global = [&](const char *Name, unsigned Stride, unsigned WarpStride) {
    Taken T = measure(Blocks, [&](Span *Spans) {
      globalAtomicKernel<<<Blocks, Threads>>>(Spans, Words.get(), Stride,
                                              WarpStride);
    });
    B.add(Name, "cycles/request", T.Cycles / (double(Rounds) * Warps),
          T.CoreMHz);
  };
  Global("cycles.atomic.global.same", 0, 0);
  Global("cycles.atomic.global.same_per_warp", 0, 32);
  Global("cycles.atomic.global.distinct", 1, 32);
  Buffer<unsigned> Out(1024);
  for (unsigned Stride : {0u, 1u}) {
    Taken T = measure(1, [&](Span *Spans) {
      sharedAtomicKernel<<<1, 1024>>>(Spans, Out.get(), Stride);
    });
    B.add(Stride ? "cycles.atomic.shared.distinct"
                 : "cycles.atomic.shared.same",
          "cycles/request", T.Cycles / (Rounds * 32), T.CoreMHz);
  }
}

void microbench::runDispatch(Bench &B) {
  // The difference of two grids, so that starting the kernel is not in it.
  const unsigned Few = 1 << 17, Many = 1 << 20;
  double Short = milliseconds([&] { emptyKernel<<<Few, 32>>>(); });
  double Long = milliseconds([&] { emptyKernel<<<Many, 32>>>(); });
  double PerUs = (Many - Few) / ((Long - Short) * 1000);
  double MHz = coreMHz();
  B.add("rate.dispatch", "blocks/cycle", PerUs / MHz, MHz);

  constexpr int Launches = 2000;
  double Ms = milliseconds([&] {
    for (int I = 0; I < Launches; ++I)
      emptyKernel<<<1, 32>>>();
  });
  B.add("time.launch", "us", Ms * 1000 / Launches, MHz);

  // Blocks of which an SM holds one more than before, up to a second round.
  constexpr unsigned Threads = 512;
  Buffer<float> Out(1024);
  const unsigned PerSM =
      unsigned(B.Properties.maxThreadsPerMultiProcessor) / Threads;
  for (unsigned Blocks = 1; Blocks <= 2 * PerSM + 1; ++Blocks) {
    Ms = milliseconds(
        [&] { workKernel<<<Blocks * B.sms(), Threads>>>(Out.get(), 1.5F); });
    B.add("time.waves." + std::to_string(Blocks) + "blocks", "us", Ms * 1000,
          MHz);
  }
  Ms = milliseconds(
      [&] { workKernel<<<PerSM * B.sms() + 1, Threads>>>(Out.get(), 1.5F); });
  B.add("time.waves.one_block_more", "us", Ms * 1000, MHz);
}
