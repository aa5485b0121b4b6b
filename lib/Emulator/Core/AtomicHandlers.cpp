//===- AtomicHandlers.cpp - Atomic operations on memory -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Lanes take their turns from 0 to 31. Blocks run side by side, so that what
// lies in global memory is changed by the host's atomic instructions.
//===----------------------------------------------------------------------===//
#include "AtomicOperations.h"
#include "Emulator/Memory/Buffers.h"
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

namespace {
enum class AtomicOp : uint8_t {
  And,
  Or,
  Xor,
  Exchange,
  Add,
  Increment,
  Decrement,
  Minimum,
  Maximum,
  CompareAndSwap
};
enum class AtomicType : uint8_t {
  Unsigned,
  Signed,
  Half,
  HalfPair,
  BFloat,
  BFloatPair,
  Single,
  Double
};
/// What Step::Detail holds.
constexpr uint32_t detail(AtomicOp Op, AtomicType Type) {
  return uint32_t(Op) | uint32_t(Type) << 8;
}
/// With it: subnormal numbers of f32 become zero, as they do in global memory
/// but not in shared memory (PTX ISA, atom).
constexpr uint32_t FlushBit = 1 << 16;
} // namespace

static float flushed(float X) {
  return std::fpclassify(X) == FP_SUBNORMAL ? std::copysign(0.0f, X) : X;
}

template <class T>
static T applyFloat(AtomicOp Op, T A, T B) {
  switch (Op) {
  case AtomicOp::Minimum: // a NaN loses against a number
    return std::isnan(A) ? B : std::isnan(B) ? A : B < A ? B : A;
  case AtomicOp::Maximum:
    return std::isnan(A) ? B : std::isnan(B) ? A : A < B ? B : A;
  default:
    return A + B;
  }
}

static uint16_t applyHalf(AtomicOp Op, bool IsBFloat, uint16_t A, uint16_t B) {
  auto Wide = [&](uint16_t X) {
    return double(IsBFloat ? bfloatToFloat(X) : halfToFloat(X));
  };
  // A sum of two halves is exact in double, so that it is rounded once.
  double R = applyFloat(Op, Wide(A), Wide(B));
  if (std::isnan(R))
    return 0x7fff;
  return IsBFloat ? doubleToBFloat(R) : doubleToHalf(R);
}

/// What min, max and add give, which alone depend on the type.
static uint64_t applyTyped(uint32_t Detail, unsigned Bytes, uint64_t Old,
                           uint64_t B) {
  auto Op = AtomicOp(Detail & 0xff);
  auto Type = AtomicType(Detail >> 8 & 0xff);
  switch (Type) {
  case AtomicType::Unsigned:
    return Op == AtomicOp::Add       ? Old + B
           : Op == AtomicOp::Minimum ? std::min(Old, B)
                                     : std::max(Old, B);
  case AtomicType::Signed: {
    int64_t X = llvm::SignExtend64(Old, Bytes * 8),
            Y = llvm::SignExtend64(B, Bytes * 8);
    return Op == AtomicOp::Add
               ? Old + B
               : uint64_t(Op == AtomicOp::Minimum ? std::min(X, Y)
                                                  : std::max(X, Y));
  }
  case AtomicType::Half:
  case AtomicType::BFloat:
    return applyHalf(Op, Type == AtomicType::BFloat, uint16_t(Old),
                     uint16_t(B));
  case AtomicType::HalfPair:
  case AtomicType::BFloatPair: {
    bool IsBFloat = Type == AtomicType::BFloatPair;
    return applyHalf(Op, IsBFloat, uint16_t(Old), uint16_t(B)) |
           uint64_t(
               applyHalf(Op, IsBFloat, uint16_t(Old >> 16), uint16_t(B >> 16)))
               << 16;
  }
  case AtomicType::Single: {
    auto X = llvm::bit_cast<float>(uint32_t(Old)),
         Y = llvm::bit_cast<float>(uint32_t(B));
    bool Flushes = Detail & FlushBit;
    if (Flushes)
      X = flushed(X), Y = flushed(Y);
    float R = applyFloat(Op, X, Y);
    if (std::isnan(R))
      return 0x7fffffff;
    return llvm::bit_cast<uint32_t>(Flushes ? flushed(R) : R);
  }
  case AtomicType::Double:
    return llvm::bit_cast<uint64_t>(
        applyFloat(Op, llvm::bit_cast<double>(Old), llvm::bit_cast<double>(B)));
  }
  return Old;
}

/// The new value of a place that holds \p Old.
static uint64_t apply(uint32_t Detail, unsigned Bytes, uint64_t Old, uint64_t B,
                      uint64_t C) {
  switch (AtomicOp(Detail & 0xff)) {
  case AtomicOp::And:
    return Old & B;
  case AtomicOp::Or:
    return Old | B;
  case AtomicOp::Xor:
    return Old ^ B;
  case AtomicOp::Exchange:
    return B;
  case AtomicOp::CompareAndSwap:
    return Old == B ? C : Old;
  case AtomicOp::Increment:
    return Old >= B ? 0 : Old + 1;
  case AtomicOp::Decrement:
    return Old == 0 || Old > B ? B : Old - 1;
  case AtomicOp::Add:
  case AtomicOp::Minimum:
  case AtomicOp::Maximum:
    return applyTyped(Detail, Bytes, Old, B);
  }
  return Old;
}

namespace {
/// One lane's operation on the place that it names.
template <class ValueT>
struct LaneAtomic {
  uint8_t *Place;
  uint32_t Detail;  ///< as of the step
  bool IsShared;    ///< or local: no other host thread meets the place
  ValueT B, C = {}; ///< operands behind the address
};
} // namespace

/// What was there. \p Changes is set where that does not stay.
template <class T>
static uint64_t update(const LaneAtomic<uint64_t> &A, bool &Changes) {
  auto *At = reinterpret_cast<T *>(A.Place);
  T Old, New;
  if (A.IsShared) {
    Old = *At;
    *At = New = T(apply(A.Detail, sizeof(T), Old, A.B, A.C));
  } else {
    Old = __atomic_load_n(At, __ATOMIC_SEQ_CST);
    do
      New = T(apply(A.Detail | FlushBit, sizeof(T), Old, A.B, A.C));
    while (!__atomic_compare_exchange_n(At, &Old, New, /*weak=*/true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  }
  Changes |= New != Old;
  return Old;
}

static Bits128 updateWide(WarpMachine &W, const LaneAtomic<Bits128> &A,
                          bool &Changes) {
  std::lock_guard<std::mutex> Lock(W.Block.R.WideAtomics);
  Bits128 Old;
  memcpy(&Old, A.Place, sizeof Old);
  bool IsExchange = AtomicOp(A.Detail & 0xff) == AtomicOp::Exchange;
  if (IsExchange || (Old.Low == A.B.Low && Old.High == A.B.High))
    memcpy(A.Place, IsExchange ? &A.B : &A.C, sizeof Old);
  Changes |= memcmp(A.Place, &Old, sizeof Old) != 0;
  return Old;
}

static Outcome runAtomic(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Located At;
  if (!locate(W, S,
              {S.Address, S.Space, S.BytesPerLane, /*Writes=*/true, Lanes}, At))
    return Outcome::Stop;
  account(W, S, At, SharedAccess::Atomic);
  unsigned Elements = S.BytesPerLane / S.ElementBytes;
  bool IsCas = AtomicOp(S.Detail & 0xff) == AtomicOp::CompareAndSwap;
  bool Changes = false;
  for (unsigned E = 0; E != Elements; ++E) {
    alignas(16) char Out[WarpSize * sizeof(Bits128)];
    forEachLane(At.Lanes, [&](unsigned L) {
      uint8_t *Place = At.host(L) + size_t(E) * S.ElementBytes;
      bool IsShared = At.Shared >> L & 1 || At.Local >> L & 1;
      if (S.ElementBytes == 16) {
        LaneAtomic<Bits128> A = {Place, S.Detail, IsShared, {}, {}};
        memcpy(&A.B, static_cast<const Bits128 *>(W.array(S.Sources[0])) + L,
               16);
        if (IsCas)
          memcpy(&A.C, static_cast<const Bits128 *>(W.array(S.Sources[1])) + L,
                 16);
        Bits128 Old = updateWide(W, A, Changes);
        memcpy(Out + L * sizeof Old, &Old, sizeof Old);
        return;
      }
      const LaneAtomic<uint64_t> A = {Place, S.Detail, IsShared,
                                      W.value(S.Sources[E], L),
                                      IsCas ? W.value(S.Sources[1], L) : 0};
      uint64_t Old = S.ElementBytes == 2   ? update<uint16_t>(A, Changes)
                     : S.ElementBytes == 4 ? update<uint32_t>(A, Changes)
                                           : update<uint64_t>(A, Changes);
      memcpy(Out + size_t(L) * S.ElementBytes, &Old, S.ElementBytes);
    });
    if (E < S.NumDests)
      W.write(S.Dests[E], Out, At.Lanes);
  }
  if (!Changes) // as one that does not get a lock
    W.noteSpin();
  return Outcome::Next;
}

namespace {
struct AtomicForm {
  AtomicOp Op;
  AtomicType Type;
  unsigned Bytes; ///< of an element
};
} // namespace

/// The operation and the type that the modifiers name.
static std::optional<AtomicForm> findForm(StringRef Modifiers) {
  static constexpr std::pair<StringRef, AtomicOp> Ops[] = {
      {"and", AtomicOp::And},     {"or", AtomicOp::Or},
      {"xor", AtomicOp::Xor},     {"exch", AtomicOp::Exchange},
      {"add", AtomicOp::Add},     {"inc", AtomicOp::Increment},
      {"min", AtomicOp::Minimum}, {"dec", AtomicOp::Decrement},
      {"max", AtomicOp::Maximum}, {"cas", AtomicOp::CompareAndSwap}};
  static constexpr std::pair<StringRef, std::pair<AtomicType, unsigned>>
      Types[] = {{"u32", {AtomicType::Unsigned, 4}},
                 {"s32", {AtomicType::Signed, 4}},
                 {"b32", {AtomicType::Unsigned, 4}},
                 {"u64", {AtomicType::Unsigned, 8}},
                 {"s64", {AtomicType::Signed, 8}},
                 {"b64", {AtomicType::Unsigned, 8}},
                 {"b16", {AtomicType::Unsigned, 2}},
                 {"b128", {AtomicType::Unsigned, 16}},
                 {"f16", {AtomicType::Half, 2}},
                 {"f16x2", {AtomicType::HalfPair, 4}},
                 {"bf16", {AtomicType::BFloat, 2}},
                 {"bf16x2", {AtomicType::BFloatPair, 4}},
                 {"f32", {AtomicType::Single, 4}},
                 {"f64", {AtomicType::Double, 8}}};
  for (auto [OpName, Op] : Ops)
    for (auto [TypeName, Type] : Types)
      if (hasModifier(Modifiers, OpName) && hasModifier(Modifiers, TypeName))
        return AtomicForm{Op, Type.first, Type.second};
  return std::nullopt;
}

std::optional<ReductionForm> emulator::findReduction(StringRef Modifiers) {
  std::optional<AtomicForm> F = findForm(Modifiers);
  if (!F || F->Bytes > 8 || F->Op == AtomicOp::Exchange ||
      F->Op == AtomicOp::CompareAndSwap)
    return std::nullopt;
  return ReductionForm{detail(F->Op, F->Type), F->Bytes};
}

void emulator::reduceInto(uint8_t *Place, const ReductionForm &Form,
                          uint64_t Value, bool IsShared) {
  bool Changes = false;
  const LaneAtomic<uint64_t> A = {Place, Form.Detail, IsShared, Value, 0};
  Form.Bytes == 2   ? update<uint16_t>(A, Changes)
  : Form.Bytes == 4 ? update<uint32_t>(A, Changes)
                    : update<uint64_t>(A, Changes);
}

Handler emulator::atomicHandler(Opcode Op, Step &S) {
  if (Op != Opcode::Atom && Op != Opcode::Red)
    return nullptr;
  std::optional<AtomicForm> F = findForm(S.I->Modifiers);
  if (!F || !S.BytesPerLane || !S.NumSources)
    return nullptr;
  S.Detail = detail(F->Op, F->Type);
  S.ElementBytes = uint8_t(F->Bytes);
  // A vector must have as many elements as the mnemonic says.
  unsigned Elements = S.BytesPerLane / S.ElementBytes;
  if (S.NumSources < (F->Op == AtomicOp::CompareAndSwap ? 2 : Elements) ||
      S.NumDests > Elements)
    return nullptr;
  if (S.Order == MemoryOrder::Weak)
    S.Order = MemoryOrder::Relaxed;
  return runAtomic;
}
