//===- CharacteristicsYAMLDependence.h - Dependence in the file -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// How the file shows what a DependenceSummary has in flat arrays: instructions
// within their blocks, each with its registers. Registers that nothing names
// are left out, and the others numbered anew in their order.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLDEPENDENCE_H
#define PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLDEPENDENCE_H

#include "ptxpredict/Analysis/Dependence/DependenceSummary.h"
#include <optional>

namespace ptxpredict {

struct InstructionRow {
  IssuedInstruction
      Issued; ///< but for the numbers that the others here stand for
  std::vector<uint32_t> Writes, Reads;
  std::optional<int32_t> Argument;
};

struct EdgeRow {
  std::optional<uint32_t> To; ///< nothing: the function ends
  double Share = 0;
};

struct BlockRow {
  double Runs = 0, Both = 0;
  bool IsBranch = false;
  std::vector<EdgeRow> Edges;
  std::vector<InstructionRow> Instructions;
  std::vector<uint32_t> PackedOrder;
};

struct FunctionRow {
  std::string Name;
  double Entries = 1;
  uint32_t NumScoreboards = 0;
  std::vector<IssuedLoop> Loops;
  std::vector<BlockRow> Blocks;
};

FunctionRow rowOf(const FunctionDependence &F);

/// The other way round. Not for rows of which whyWrong says something.
FunctionDependence fromRow(FunctionRow &&Row);

/// What does not fit together, so that no path could be followed; empty if all
/// does.
std::string whyWrong(const FunctionRow &F);
std::string whyWrong(const DependenceSummary &S);

StringRef toString(IssuedInstruction::Copy C); ///< "start-bulk"

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_CHARACTERISTICSYAMLDEPENDENCE_H
