//===- LaneLoops.h - Loops over the lanes of a warp -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the families of lane-wise operations are written with. A body is a
// struct with `static void run(const LaneArguments &)`; most are a LaneLoop
// over an operation, a struct with `static D apply(S...)` on one lane.
// laneFunction<Body>() compiles it twice, for any CPU and for one with AVX2 and
// FMA, and gives the one that this CPU runs best. The operation's code is
// inlined into both: `__builtin_fmaf` is an instruction in the second and a
// call of libm in the first. Mark the larger functions that a body calls
// LLVM_ATTRIBUTE_ALWAYS_INLINE: clang flattens one level of calls only.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_LANELOOPS_H
#define PTXPREDICT_LIB_EMULATOR_LANES_LANELOOPS_H

#include "LaneOperation.h"
#include "llvm/ADT/bit.h"
#include <type_traits>
#include <utility>

/// Stands before a loop over the lanes: clang would otherwise unroll it before
/// it thinks of vectors.
#if defined(__clang__)
#define PTXPREDICT_LANE_LOOP _Pragma("clang loop unroll(disable)")
#else
#define PTXPREDICT_LANE_LOOP
#endif

/// What a wide variant is compiled for.
#if defined(__x86_64__)
#define PTXPREDICT_WIDE                                                        \
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"), flatten))
#else
#define PTXPREDICT_WIDE
#endif

namespace ptxpredict::emulator {

/// Stands for the type of a predicate in a loop; an operation sees a bool.
struct Predicate {};

/// 1 << lane. A table, since compilers turn loads from it into vectors even
/// where the CPU cannot shift by a vector.
inline constexpr auto LaneBits = [] {
  std::array<uint32_t, WarpSize> Bits{};
  for (unsigned L = 0; L != WarpSize; ++L)
    Bits[L] = 1u << L;
  return Bits;
}();

/// How a lane's element of type T lies in its operand's array: as Storage.
/// Integers, float and double have their own bits; eight-bit ones lie in 16.
/// A family may specialise it for types of its own.
template <class T>
struct LaneElement {
  using Storage = std::conditional_t<
      sizeof(T) <= 2, uint16_t,
      std::conditional_t<
          sizeof(T) == 4, uint32_t,
          std::conditional_t<sizeof(T) == 8, uint64_t, Bits128>>>;

  LLVM_ATTRIBUTE_ALWAYS_INLINE static T load(const Storage *From,
                                             unsigned Lane) {
    if constexpr (std::is_integral_v<T>)
      return T(From[Lane]);
    else
      return llvm::bit_cast<T>(From[Lane]);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void store(Storage *To, unsigned Lane,
                                                 T Value) {
    if constexpr (std::is_integral_v<T>)
      // Signed bytes are extended.
      To[Lane] = Storage(std::common_type_t<T, short>(Value));
    else
      To[Lane] = llvm::bit_cast<Storage>(Value);
  }
};

template <>
struct LaneElement<Predicate> {
  using Storage = uint32_t;
  LLVM_ATTRIBUTE_ALWAYS_INLINE static bool load(const uint32_t *From,
                                                unsigned Lane) {
    return (*From & LaneBits[Lane]) != 0;
  }
};

template <class T>
using LaneStorage = typename LaneElement<T>::Storage;

/// The mask of the lanes where Op's result, a bool, is true.
template <class Op, class... S>
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t
maskOf(const LaneStorage<S> *__restrict... Source) {
  uint32_t Mask = 0;
  PTXPREDICT_LANE_LOOP
  for (unsigned L = 0; L != WarpSize; ++L)
    Mask |=
        LaneBits[L] & -uint32_t(Op::apply(LaneElement<S>::load(Source, L)...));
  return Mask;
}

/// Dest[0] = Op(Source[0], …) in each lane. D and S are the types of one
/// element: integers, float, double, Bits128, Predicate or the family's own.
template <class Op, class D, class... S>
struct LaneLoop {
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void run(const LaneArguments &A) {
    runOn(A, std::index_sequence_for<S...>());
  }

private:
  template <size_t... I>
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void runOn(const LaneArguments &A,
                                                 std::index_sequence<I...>) {
    loop(static_cast<LaneStorage<D> *>(A.Dest[0]),
         static_cast<const LaneStorage<S> *>(A.Source[I])...);
  }
  // The parameters are the place where __restrict survives inlining.
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void
  loop(LaneStorage<D> *__restrict Dest,
       const LaneStorage<S> *__restrict... Source) {
    if constexpr (std::is_same_v<D, Predicate>) {
      *Dest = maskOf<Op, S...>(Source...);
    } else {
      PTXPREDICT_LANE_LOOP
      for (unsigned L = 0; L != WarpSize; ++L)
        LaneElement<D>::store(Dest, L,
                              Op::apply(LaneElement<S>::load(Source, L)...));
    }
  }
};

/// Whether laneFunction gives wide variants: at first, whether this CPU runs
/// them. Tests switch them off.
bool &wideLanes();

template <class Body>
void runBaseline(const LaneArguments &A) {
  Body::run(A);
}

/// All of Body is inlined, so that no function of another file is compiled for
/// this CPU.
template <class Body>
PTXPREDICT_WIDE void runWide(const LaneArguments &A) {
  Body::run(A);
}

/// The variant of Body that this CPU runs best.
template <class Body>
LaneFunction laneFunction() {
  return wideLanes() ? runWide<Body> : runBaseline<Body>;
}

/// laneFunction of a LaneLoop.
template <class Op, class D, class... S>
LaneFunction laneLoop() {
  return laneFunction<LaneLoop<Op, D, S...>>();
}

/// A type as a value.
template <class T>
struct TypeTag {
  using Type = T;
};

/// F(TypeTag<T>()) for the integer that the type modifier \p Type ("u16",
/// "s32", "b64", …) of 16, 32 or 64 bits names; bits are unsigned. Null for
/// others.
template <class Fn>
LaneFunction forIntegerType(StringRef Type, Fn F) {
  if (Type == "u32" || Type == "b32")
    return F(TypeTag<uint32_t>());
  if (Type == "s32")
    return F(TypeTag<int32_t>());
  if (Type == "u64" || Type == "b64")
    return F(TypeTag<uint64_t>());
  if (Type == "s64")
    return F(TypeTag<int64_t>());
  if (Type == "u16" || Type == "b16")
    return F(TypeTag<uint16_t>());
  if (Type == "s16")
    return F(TypeTag<int16_t>());
  return nullptr;
}

/// An instruction's modifiers, from which a family takes what it knows. If
/// some are left, the instruction is not covered.
class LaneModifiers {
public:
  explicit LaneModifiers(StringRef Modifiers) {
    Modifiers.consume_front(".");
    if (!Modifiers.empty())
      Modifiers.split(Parts, '.');
  }
  bool empty() const { return Parts.empty(); }
  size_t size() const { return Parts.size(); }
  /// The I-th of those that are left, in the order of the text, without its
  /// dot; empty if there are not so many.
  StringRef operator[](size_t I) const {
    return I < Parts.size() ? Parts[I] : StringRef();
  }
  /// Takes the first modifier \p Name away; false if there is none.
  bool take(StringRef Name) {
    auto *At = llvm::find(Parts, Name);
    if (At == Parts.end())
      return false;
    Parts.erase(At);
    return true;
  }
  /// Takes the first (or last) modifier away and returns it; empty if there is
  /// none.
  StringRef takeFront() {
    StringRef Part = (*this)[0];
    if (!Parts.empty())
      Parts.erase(Parts.begin());
    return Part;
  }
  StringRef takeBack() { return Parts.empty() ? "" : Parts.pop_back_val(); }

private:
  SmallVector<StringRef, 8> Parts;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_LANELOOPS_H
