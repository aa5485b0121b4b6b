//===- LocalFunctions.h - Subroutines that are functions --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Most subroutines are cloned where they are called. Those that call themselves
// cannot be, and those that would make too much code are not: they are
// functions with a graph, a frame and a call interface of their own.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_LOCALFUNCTIONS_H
#define PTXPREDICT_LIB_FRONTEND_SASS_LOCALFUNCTIONS_H

#include "TextCode.h"

namespace ptxpredict {
class InstructionGraph;
} // namespace ptxpredict

namespace ptxpredict::sass {

/// Clones are no deeper in one another.
constexpr unsigned MaxCloneDepth = 8;

/// What a function takes and gives back, as machine registers by number.
struct CallInterface {
  /// Else a call of it is one of unknown code.
  bool IsKnown = false;
  std::vector<unsigned> Arguments, Results;
  /// R1 leads to a frame of its own. As an argument it is where the caller's
  /// begins, in which further arguments lie.
  bool HasFrame = false;

  /// Those that are the registers that they are for the caller.
  std::vector<unsigned> ownArguments() const;
  bool takesStack() const;
};

struct LocalFunction {
  uint64_t Entry = 0;
  InstructionGraph *Graph = nullptr;
  CallInterface Interface;
};

/// Those of one text section.
class LocalFunctions {
public:
  LocalFunctions() = default;
  explicit LocalFunctions(TextCode &Code);

  bool empty() const { return Functions.empty(); }
  MutableArrayRef<LocalFunction> all() { return Functions; }
  /// The one whose entry is \p Entry; null if there is none.
  const LocalFunction *at(uint64_t Entry) const;
  /// Finds their interfaces, unless they are there.
  void findInterfaces(TextCode &Code);

private:
  std::vector<LocalFunction> Functions; ///< by entry
  bool HasInterfaces = false;
};

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_LOCALFUNCTIONS_H
