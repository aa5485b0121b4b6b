//===- DoubleRoles.h - What instructions do with doubles --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to lib/Analysis.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_DOUBLEROLES_H
#define PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_DOUBLEROLES_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/ISA/PTXOpcode.h"

namespace ptxpredict::doubles {

/// What an instruction does with doubles.
enum class Role : uint8_t {
  Widening,    ///< makes a double of a float
  FromInteger, ///< makes a double of an integer
  Constant,    ///< a number, or one out of a table of them
  Arithmetic,  ///< doubles in, a double out
  Narrowing,   ///< makes something narrower of a double
  Comparison,  ///< of doubles
  Transit,     ///< a phi, selection or move: whatever goes in comes out
  Unpack,      ///< takes a double apart
  Pack,        ///< puts one together
  Bits,        ///< works on integers, perhaps on pieces of a double
  Argument,    ///< stores an argument of a call
  Result,      ///< loads what a call returned
  Call,
  Floats, ///< works on floats, or makes a predicate: no concern
  Other   ///< anything else, to which a double is known
};

Role roleOf(const Instruction &I);

/// Takes part in the work of which the classes are found.
bool isWork(Role R);
/// Arithmetic, comparisons and conversions.
bool isDoubleWork(Role R);
/// What comes in is pieces of doubles; where these come from counts alone.
bool takesPieces(Role R);

/// The last two parts of `.rn.ftz.f32.f64`: to what, from what.
std::pair<StringRef, StringRef> conversion(StringRef Modifiers);

/// The variable of a call's argument or result; null for another access.
const Variable *parameterOf(const Instruction &I);

} // namespace ptxpredict::doubles

#endif // PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_DOUBLEROLES_H
