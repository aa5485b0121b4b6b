//===- Latency.cpp - Which latency an instruction has ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Latency.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

static constexpr StringRef LatencyNames[] = {
#define LATENCY(NAME, TEXT, MEANING) TEXT,
#include "ptxpredict/Analysis/Latencies.def"
};

StringRef ptxpredict::toString(Latency L) { return LatencyNames[unsigned(L)]; }

std::optional<Latency> ptxpredict::parseLatency(StringRef Name) {
  for (unsigned N = 0; N != NumLatencies; ++N)
    if (LatencyNames[N] == Name)
      return Latency(N);
  return std::nullopt;
}

/// What reads for its result; null if nothing does.
static const MemoryEffect *effectRead(const Instruction &I) {
  for (const MemoryEffect &E : I.Effects)
    if (E.Reads && E.Access != AccessKind::Prefetch)
      return &E;
  return nullptr;
}

static bool isAsyncCopy(const Instruction &I) {
  return llvm::any_of(I.Effects, [](const MemoryEffect &E) {
    return E.Access == AccessKind::Async && E.Reads &&
           (E.Space == AddressSpace::Global ||
            E.Space == AddressSpace::Generic ||
            E.Space == AddressSpace::Texture);
  });
}

static Latency ofMemory(const MemoryEffect &E) {
  bool IsAtomic = E.Access == AccessKind::Atomic;
  switch (E.Space) {
  case AddressSpace::Param:
  case AddressSpace::Const:
    return Latency::Param;
  case AddressSpace::Shared:
    return IsAtomic ? Latency::SharedAtomic : Latency::Shared;
  case AddressSpace::Local:
    return Latency::Local;
  case AddressSpace::Texture:
    return Latency::Texture;
  case AddressSpace::Global:
  case AddressSpace::Generic:
    return IsAtomic ? Latency::GlobalAtomic : Latency::Global;
  case AddressSpace::Register:
    break;
  }
  return Latency::Other;
}

static bool isDivisionOrExactRoot(Opcode Op) {
  return Op == Opcode::Div || Op == Opcode::Rem || Op == Opcode::Rcp ||
         Op == Opcode::Sqrt;
}

static bool isFused(Opcode Op) {
  return Op == Opcode::Fma || Op == Opcode::Mad;
}

static bool isShift(Opcode Op) {
  return Op == Opcode::Shl || Op == Opcode::Shr || Op == Opcode::Shf ||
         Op == Opcode::Bfe || Op == Opcode::Bfi;
}

static Latency ofArithmetic(const Instruction &I) {
  auto Op = Opcode(I.Opcode);
  bool Divides = isDivisionOrExactRoot(Op);
  switch (I.Class) {
  case OpClass::Int:
    if (Divides)
      return Op == Opcode::Rem ? Latency::IntRemainder : Latency::IntDivide;
    return Op == Opcode::Mul || Op == Opcode::Mad || Op == Opcode::Madc ||
                   Op == Opcode::Mul24 || Op == Opcode::Mad24
               ? Latency::IntMultiply
               : Latency::Int;
  case OpClass::Fp16:
    return isFused(Op) ? Latency::FP16FMA : Latency::FP16;
  case OpClass::Fp32:
    return Divides       ? Latency::FP32Divide
           : isFused(Op) ? Latency::FP32FMA
                         : Latency::FP32;
  case OpClass::Fp64:
    return Divides       ? Latency::FP64Divide
           : isFused(Op) ? Latency::FP64FMA
                         : Latency::FP64;
  case OpClass::Sfu:
    return Divides && !ptx::hasModifier(I.Modifiers, "approx")
               ? Latency::FP32Divide
               : Latency::SFU;
  case OpClass::Tensor:
    return Latency::Tensor;
  case OpClass::Convert:
    return ptx::hasModifier(I.Modifiers, "f64") ? Latency::FP64Convert
                                                : Latency::Convert;
  case OpClass::Compare:
    return Latency::Compare;
  case OpClass::Logic:
    return I.IsCrossLane ? Latency::CrossLane
           : isShift(Op) ? Latency::Shift
                         : Latency::Logic;
  case OpClass::Move:
    return I.IsCrossLane ? Latency::CrossLane : Latency::Move;
  case OpClass::Store:
    return Latency::Store;
  case OpClass::Load: // of nothing: a prefetch
    return I.Defs.empty() ? Latency::Store : Latency::Other;
  default:
    return Latency::Other;
  }
}

Latency ptxpredict::latencyOf(const Instruction &I) {
  if (I.IsExit)
    return Latency::Exit;
  if (I.IsCall)
    return Latency::Call;
  if (I.IsTerminator)
    return Latency::BranchTaken;
  if (I.IsBlockBarrier)
    return Latency::Barrier;
  if (I.IsMemoryBarrier)
    return Latency::Fence;
  if (isAsyncCopy(I))
    return Latency::AsyncCopy;
  if (!I.Defs.empty())
    if (const MemoryEffect *E = effectRead(I))
      return ofMemory(*E);
  return ofArithmetic(I);
}

bool ptxpredict::isLongLoad(const Instruction &I) {
  if (isAsyncCopy(I))
    return true;
  const MemoryEffect *E = I.Defs.empty() ? nullptr : effectRead(I);
  return E &&
         (E->Space == AddressSpace::Global ||
          E->Space == AddressSpace::Generic ||
          E->Space == AddressSpace::Local || E->Space == AddressSpace::Texture);
}

bool ptxpredict::isSharedLoad(const Instruction &I) {
  const MemoryEffect *E =
      I.Defs.empty() || isAsyncCopy(I) ? nullptr : effectRead(I);
  return E && E->Space == AddressSpace::Shared;
}
