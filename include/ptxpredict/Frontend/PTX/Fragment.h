//===- Fragment.h - PTX statements among other code -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_PTX_FRAGMENT_H
#define PTXPREDICT_FRONTEND_PTX_FRAGMENT_H

#include "ptxpredict/Graph/GraphBuilder.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/Support/Error.h"

namespace ptxpredict::ptx {

/// The place that all instructions of a fragment have in the graph.
struct FragmentLocation {
  unsigned Line = 0; ///< in the input, 0 if nobody knows it
  const SourceLocation *Source = nullptr;
};

/// What a fragment may name besides what it declares.
struct FragmentNames {
  struct Register {
    StringRef Name; ///< such as "%0"
    ScalarType Type = ScalarType::B32;
  };
  std::vector<Register> Registers;
  std::vector<const ptxpredict::Variable *> Variables;
  /// Heads, with a parent if the module has their code.
  std::vector<const InstructionGraph *> Functions;
};

/// Statements that are written into another front end's code, as inline
/// assembly is. Parsed once, they can be lowered again and again.
class Fragment {
public:
  /// Parses \p Text, which may be anything that stands in a function's braces.
  /// The graph's names point to a copy of it in \p M. The error is
  /// "LINE:COLUMN: MESSAGE", counted in \p Text from 1.
  static llvm::Expected<std::unique_ptr<Fragment>>
  parse(StringRef Text, const FragmentNames &Names, Module &M);
  ~Fragment();

  /// Appends the instructions. The registers stand in the order of
  /// FragmentNames::Registers. What follows falls out of the statements' end.
  /// True if they cannot be lowered; some may be appended by then.
  bool lower(GraphBuilder &B, ArrayRef<unsigned> Registers,
             const FragmentLocation &At);

private:
  struct Impl;
  explicit Fragment(std::unique_ptr<Impl> State);
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_FRONTEND_PTX_FRAGMENT_H
