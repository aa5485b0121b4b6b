//===- DoublePromotions.h - Floats that become doubles and back -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A constant without its `f`, or a function that takes doubles, makes a double
// of every float that it meets. What comes out is rounded to a float again.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DEPENDENCE_DOUBLEPROMOTIONS_H
#define PTXPREDICT_ANALYSIS_DEPENDENCE_DOUBLEPROMOTIONS_H

#include "ptxpredict/Graph/CFG.h"

namespace ptxpredict {

/// Work on doubles that belongs together by its data flow.
struct DoublePromotion {
  /// Arithmetic, comparisons and conversions of doubles, in the order of the
  /// code: what would be work on floats.
  std::vector<const Instruction *> Instructions;
  /// Calls that take part in it, of functions whose code is there.
  std::vector<const Instruction *> Calls;
  /// What it ends in, rounded to a float; null where doubles are compared, or
  /// become integers, alone.
  const Instruction *Rounding = nullptr;
};

/// The promotions of \p G, by their first instruction. Floats go in, widened,
/// with constants and integers. Nothing but floats, integers and comparisons
/// comes out. The data flow is followed through phis, selections, the bits of
/// doubles, calls of functions that take nothing but numbers, and tables of
/// constants.
///
/// None where somebody wants the precision:
/// - a double is loaded, stored, passed or otherwise known outside of the work;
/// - a loop carries one on;
/// - a float is added to the constant 0, with which a sum begins;
/// - floats meet as doubles twice or more: that takes casts.
///
/// Cost is linear in the code.
std::vector<DoublePromotion> findDoublePromotions(const InstructionGraph &G,
                                                  const ControlFlow &CF);

/// An arithmetic instruction, comparison or conversion of doubles.
bool isDoubleWork(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DEPENDENCE_DOUBLEPROMOTIONS_H
