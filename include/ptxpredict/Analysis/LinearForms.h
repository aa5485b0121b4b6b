//===- LinearForms.h - Register values as functions of the lane -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_LINEARFORMS_H
#define PTXPREDICT_ANALYSIS_LINEARFORMS_H

#include "ptxpredict/Graph/CFG.h"
#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// A thread of a block, with its place in its warp and the warp's in the block.
struct ThreadIndex {
  uint64_t X = 0, Y = 0, Z = 0, Lane = 0, Warp = 0;
};

/// What is known of an integer value in the threads of a block:
///   sum over the dimensions of Stride*index, plus Base, plus U
/// where U is unknown, the same in all lanes of a warp, and a multiple of
/// Align. 32-bit results are taken not to wrap unless all operands are
/// constant.
struct LinearForm {
  enum class Kind : uint8_t {
    Unvisited, ///< not reached yet
    Linear,    ///< as above
    Varying    ///< may differ between lanes in an unknown way
  };
  /// What the value was computed from; a set of bits.
  enum Source : uint8_t {
    FromIndex = 1,     ///< a thread, lane, warp or block index
    FromParameter = 2, ///< a parameter without a known value
    FromMemory = 4     ///< loaded data, another lane's value, a call's result
  };
  enum Dimension { X, Y, Z, Lane, Warp };
  using Strides = std::array<int64_t, 5>;

  Kind Which = Kind::Unvisited;
  uint8_t Sources = 0;
  /// Dimensions (a bit for each) whose stride contains an unknown factor.
  uint8_t Unknown = 0;
  /// Rows of the block are whole warps, so y and z are the same in all lanes.
  bool RowsAreWarps = false;
  uint64_t Align = 0; ///< 0: no U
  int64_t Base = 0;
  Strides Stride{};

  bool isLinear() const { return Which == Kind::Linear; }
  bool varies(Dimension D) const {
    return Stride[D] != 0 || (Unknown >> D & 1);
  }
  /// No unknown part: the value follows from the thread index.
  bool isExact() const { return isLinear() && Align == 0 && Unknown == 0; }
  /// The same in all lanes of a warp.
  bool isUniform() const {
    return isLinear() && !varies(X) && !varies(Lane) &&
           (RowsAreWarps || (!varies(Y) && !varies(Z)));
  }
  bool isConstant() const { return isExact() && Stride == Strides{}; }
  int64_t at(const ThreadIndex &T) const {
    return Base + Stride[X] * int64_t(T.X) + Stride[Y] * int64_t(T.Y) +
           Stride[Z] * int64_t(T.Z) + Stride[Lane] * int64_t(T.Lane) +
           Stride[Warp] * int64_t(T.Warp);
  }
  bool operator==(const LinearForm &O) const {
    return Which == O.Which && Sources == O.Sources && Unknown == O.Unknown &&
           RowsAreWarps == O.RowsAreWarps && Align == O.Align &&
           Base == O.Base && Stride == O.Stride;
  }

  static LinearForm constant(int64_t V) {
    LinearForm F;
    F.Which = Kind::Linear;
    F.Base = V;
    return F;
  }
  static LinearForm uniform(uint64_t Align, uint8_t Sources) {
    LinearForm F = constant(0);
    F.Align = Align;
    F.Sources = Sources;
    return F;
  }
  static LinearForm varying(uint8_t Sources) {
    LinearForm F;
    F.Which = Kind::Varying;
    F.Sources = Sources;
    return F;
  }
};

/// The forms of all values of a graph at one launch: a forward data-flow
/// analysis over a lattice of small height. Pointer parameters are taken to be
/// aligned to 256 bytes (the premise of docs/Predict.md).
class LinearForms {
public:
  LinearForms(const InstructionGraph &G, const LaunchConfig &Launch,
              const ControlFlow &CF);

  const LinearForm &of(const Value *V) const { return Forms[V->Id]; }
  /// A register, immediate, special register or address as a form.
  LinearForm of(const Operand &O) const;
  const LaunchConfig &launch() const { return Launch; }

private:
  LinearForm evaluate(const Instruction &I) const;
  LinearForm special(StringRef Name) const;
  /// What \p D gets of a whole special register: `mov.v4.u32 {…}, %tid`.
  std::optional<LinearForm> specialElement(const Instruction &I,
                                           const Value *D) const;
  LinearForm parameterLoad(const Instruction &I) const;
  LinearForm join(const Instruction &Phi) const;
  LinearForm arithmetic(const Instruction &I) const;
  std::optional<LinearForm> scaledWarp(const Instruction &And) const;
  bool isThreadOfBlock(const LinearForm &F) const;
  bool isThreadInWarps(const LinearForm &F) const;

  const InstructionGraph &G;
  const LaunchConfig &Launch;
  Uniformity Lanes;
  std::vector<LinearForm> Forms; ///< by value id
};

/// Calls \p Fn(ThreadIndex, EndsWarp) for the threads of a block, warp by warp.
/// No device has blocks of more than 1024 threads; of a larger one the first
/// 4096 are looked at.
template <typename FnT>
void forEachThread(const Dim3 &Block, FnT Fn) {
  uint64_t Count = std::min<uint64_t>(Block.count(), 4096);
  ThreadIndex T;
  for (uint64_t N = 0; N != Count; ++N) {
    T.Lane = N % WarpSize, T.Warp = N / WarpSize;
    Fn(T, T.Lane + 1 == WarpSize || N + 1 == Count);
    if (++T.X == Block.X) {
      T.X = 0;
      if (++T.Y == Block.Y)
        T.Y = 0, ++T.Z;
    }
  }
}

/// Whether results of \p I differ between the lanes of a warp even when its
/// operands do not: thread and lane indices, loads from local memory, atomics.
bool isDivergenceSource(const Instruction &I, const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_LINEARFORMS_H
