//===- LinearForms.h - Register values as functions of the lane -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_LINEARFORMS_H
#define PTXPREDICT_ANALYSIS_LINEARFORMS_H

#include "ptxpredict/Graph/CFG.h"
#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// What is known of an integer value in the lanes of one warp:
///   Tid[0]*tid.x + Tid[1]*tid.y + Tid[2]*tid.z + Base + U
/// where U is the same in all lanes, unknown, and a multiple of Align. 32-bit
/// results are taken not to wrap unless all operands are constant.
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

  Kind Which = Kind::Unvisited;
  uint8_t Sources = 0;
  uint64_t Align = 0; ///< 0: no U
  int64_t Base = 0;
  std::array<int64_t, 3> Tid{};

  bool isLinear() const { return Which == Kind::Linear; }
  /// No unknown part: the value follows from the thread index.
  bool isExact() const { return isLinear() && Align == 0; }
  bool isUniform() const { return isLinear() && Tid == decltype(Tid){}; }
  bool isConstant() const { return isUniform() && isExact(); }
  int64_t at(uint64_t X, uint64_t Y, uint64_t Z) const {
    return Base + Tid[0] * int64_t(X) + Tid[1] * int64_t(Y) +
           Tid[2] * int64_t(Z);
  }
  bool operator==(const LinearForm &O) const {
    return Which == O.Which && Sources == O.Sources && Align == O.Align &&
           Base == O.Base && Tid == O.Tid;
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
  LinearForm parameterLoad(const Instruction &I) const;
  LinearForm join(const Instruction &Phi) const;
  LinearForm arithmetic(const Instruction &I) const;

  const InstructionGraph &G;
  const LaunchConfig &Launch;
  Uniformity Lanes;
  std::vector<LinearForm> Forms; ///< by value id
};

/// Calls \p Fn(X, Y, Z, EndsWarp) for the threads of a block, warp by warp. No
/// device has blocks of more than 1024 threads; of a larger one the first 4096
/// are looked at.
template <typename FnT>
void forEachThread(const Dim3 &Block, FnT Fn) {
  uint64_t Left = std::min<uint64_t>(Block.count(), 4096), Lane = 0;
  for (uint64_t Z = 0; Z != Block.Z; ++Z)
    for (uint64_t Y = 0; Y != Block.Y; ++Y)
      for (uint64_t X = 0; X != Block.X; ++X) {
        if (Left == 0)
          return;
        --Left;
        bool EndsWarp = ++Lane % 32 == 0 || Left == 0;
        Fn(X, Y, Z, EndsWarp);
      }
}

/// Whether results of \p I differ between the lanes of a warp even when its
/// operands do not: thread and lane indices, loads from local memory, atomics.
bool isDivergenceSource(const Instruction &I, const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_LINEARFORMS_H
