//===- SchedClass.cpp - Which latency an instruction has ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

static constexpr StringRef LatencyNames[] = {
#define SCHED_CLASS(NAME, TEXT, MEANING) TEXT,
#include "ptxpredict/Codegen/SchedClasses.def"
};

StringRef ptxpredict::toString(SchedClass L) {
  return LatencyNames[unsigned(L)];
}

std::optional<SchedClass> ptxpredict::parseSchedClass(StringRef Name) {
  for (unsigned N = 0; N != NumSchedClasses; ++N)
    if (LatencyNames[N] == Name)
      return SchedClass(N);
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
  for (const MemoryEffect &E : I.Effects)
    if (E.Access == AccessKind::Async && E.Reads &&
        (E.Space == AddressSpace::Global || E.Space == AddressSpace::Generic ||
         E.Space == AddressSpace::Texture))
      return true;
  return false;
}

static SchedClass ofMemory(const MemoryEffect &E) {
  bool IsAtomic = E.Access == AccessKind::Atomic;
  switch (E.Space) {
  case AddressSpace::Param:
  case AddressSpace::Const:
    return SchedClass::Param;
  case AddressSpace::Shared:
    return IsAtomic ? SchedClass::SharedAtomic : SchedClass::Shared;
  case AddressSpace::Local:
    return SchedClass::Local;
  case AddressSpace::Texture:
    return SchedClass::Texture;
  case AddressSpace::Global:
  case AddressSpace::Generic:
    return IsAtomic ? SchedClass::GlobalAtomic : SchedClass::Global;
  case AddressSpace::Register:
    break;
  }
  return SchedClass::Other;
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

static SchedClass ofArithmetic(const Instruction &I) {
  auto Op = Opcode(I.Opcode);
  bool Divides = isDivisionOrExactRoot(Op);
  switch (I.Class) {
  case OpClass::Int:
    if (Divides)
      return Op == Opcode::Rem ? SchedClass::IntRemainder
                               : SchedClass::IntDivide;
    return Op == Opcode::Mul || Op == Opcode::Mad || Op == Opcode::Madc ||
                   Op == Opcode::Mul24 || Op == Opcode::Mad24
               ? SchedClass::IntMultiply
               : SchedClass::Int;
  case OpClass::Fp16:
    return isFused(Op) ? SchedClass::FP16FMA : SchedClass::FP16;
  case OpClass::Fp32:
    return Divides       ? SchedClass::FP32Divide
           : isFused(Op) ? SchedClass::FP32FMA
                         : SchedClass::FP32;
  case OpClass::Fp64:
    return Divides       ? SchedClass::FP64Divide
           : isFused(Op) ? SchedClass::FP64FMA
                         : SchedClass::FP64;
  case OpClass::Sfu:
    return Divides && !ptx::hasModifier(I.Modifiers, "approx")
               ? SchedClass::FP32Divide
               : SchedClass::SFU;
  case OpClass::Tensor:
    return SchedClass::Tensor;
  case OpClass::Convert:
    return ptx::hasModifier(I.Modifiers, "f64") ? SchedClass::FP64Convert
                                                : SchedClass::Convert;
  case OpClass::Compare:
    return SchedClass::Compare;
  case OpClass::Logic:
    return I.IsCrossLane ? SchedClass::CrossLane
           : isShift(Op) ? SchedClass::Shift
                         : SchedClass::Logic;
  case OpClass::Move:
    return I.IsCrossLane ? SchedClass::CrossLane : SchedClass::Move;
  case OpClass::Store:
    return SchedClass::Store;
  case OpClass::Load: // of nothing: a prefetch
    return I.Defs.empty() ? SchedClass::Store : SchedClass::Other;
  default:
    return SchedClass::Other;
  }
}

SchedClass ptxpredict::schedClassOf(const Instruction &I) {
  if (I.Machine)
    return SchedClass(I.Machine->Class);
  if (I.IsExit)
    return SchedClass::Exit;
  if (I.IsCall)
    return SchedClass::Call;
  if (I.IsTerminator)
    return SchedClass::BranchTaken;
  if (I.IsBlockBarrier)
    return SchedClass::Barrier;
  if (I.IsMemoryBarrier)
    return SchedClass::Fence;
  if (isAsyncCopy(I))
    return Opcode(I.Opcode) == Opcode::CpAsync ? SchedClass::AsyncCopy
                                               : SchedClass::BulkCopy;
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
