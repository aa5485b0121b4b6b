//===- ScaledLanes.h - Lanes' numbers times what nobody knows ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_SCALEDLANES_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_SCALEDLANES_H

#include "ptxpredict/Analysis/Symbolic/Conditions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ptxpredict {
class SymbolicValues;
} // namespace ptxpredict

namespace ptxpredict::counting {

/// What lanes' numbers are multiplied with, as far as nobody knows it.
struct UnknownFactor {
  bool IsOpen = false;              ///< there is one
  const Symbol *Argument = nullptr; ///< that would say it, or a part of it
  const Symbol *Table = nullptr;    ///< whose contents would
};

/// Where lanes' numbers lie that are scaled.
struct ScaledPlaces {
  /// What stands for them, 64 bits, without what is open and the same in all
  /// lanes.
  const Expression *Of = nullptr;
  UnknownFactor Factor;
};

/// Finds values that are lanes' own numbers, scaled by what is the same for a
/// warp: `int(trial * delay[channel])`, the place in an image under a map. An
/// index that each lane loads for itself is none.
///
/// Such lanes lie in their order. Where the factor is a number they lie where
/// it says. Otherwise they are taken to lie side by side: a factor that nobody
/// knows stretches or shortens an array's rows as resampling and delays do,
/// neighbours to neighbours.
class LaneScaler {
public:
  LaneScaler(Expressions &E,
             llvm::function_ref<Decidedness(const Symbol &)> DecidednessOf)
      : E(E), Of(DecidednessOf) {}

  /// Nothing if \p X is no such value.
  std::optional<ScaledPlaces> placesOf(const Expression *X);

private:
  using Ref = const Expression *;
  struct Term {
    Ref Number; ///< an integer of the lane that code and launch decide
    std::optional<double> By;
  };
  /// A sum of terms and of what is the same in all lanes.
  struct Form {
    SmallVector<Term, 2> Terms;
    std::optional<double> Number; ///< without terms, if it is known
    bool isUniform() const { return Terms.empty(); }
  };
  using MaybeForm = std::optional<Form>;

  static MaybeForm sum(const MaybeForm &A, const MaybeForm &B);
  static MaybeForm product(const MaybeForm &A, const MaybeForm &B);
  static MaybeForm otherThanUniform(const MaybeForm &A, const MaybeForm &B);
  MaybeForm ofInteger(Ref X);
  MaybeForm ofSum(Ref X);
  MaybeForm ofProduct(Ref X);
  MaybeForm ofSymbol(const Symbol &S);
  void noteFactor(Ref X);
  Form uniformFloat(Ref X);
  MaybeForm ofFloat(const Instruction &I, const SymbolicValues &V);
  MaybeForm ofOperand(const Instruction &I, unsigned Source,
                      const SymbolicValues &V);

  Expressions &E;
  llvm::function_ref<Decidedness(const Symbol &)> Of;
  unsigned Steps = 0;
  UnknownFactor Unknown;
  bool IsScaled = false; ///< floats or a table's factors are in it
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_SCALEDLANES_H
