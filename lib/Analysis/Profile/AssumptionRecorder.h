//===- AssumptionRecorder.h - What a walk takes for granted -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_ASSUMPTIONRECORDER_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_ASSUMPTIONRECORDER_H

#include "PreparedProgram.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace ptxpredict::counting {

/// Listens to the walk and notes what is assumed where nothing decides, each
/// assumption once.
class AssumptionRecorder {
public:
  void noteBranch(const Guard &G);
  void noteLoop(const Region &R);
  /// Notes that nothing wraps in the bounds of a loop.
  void noteBounds(const Region &R);
  /// Notes that a lane's stride contains a parameter, if it does.
  void noteStride(const Instruction &I, const Access &M);
  /// Notes that lanes are taken to lie side by side where nobody knows how far
  /// they are apart, if they are.
  void noteScale(const Instruction &I, const Access &M);
  /// Notes that the size of a bulk copy is a guess, if it is one, and that its
  /// box lies inside of its tensor, if nobody knows where.
  void noteCopy(const Instruction &I, const Access &M);

  /// By line.
  std::vector<Assumption> take();

private:
  void assume(Assumption A);
  /// What an argument would decide.
  void assumeOfArgument(AssumptionKind Kind, const Symbol &Parameter,
                        const char *Value, unsigned Line);
  void assumeTripCount(const Region &R, std::string Value, bool IsNumber);

  llvm::DenseSet<const void *> Noted;
  llvm::StringSet<> Assumed; ///< by option
  std::vector<Assumption> All;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_ASSUMPTIONRECORDER_H
