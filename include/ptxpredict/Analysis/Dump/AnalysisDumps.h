//===- AnalysisDumps.h - Static counts as text ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Records of one line, a word and `key=value` pairs, below a line for each
// function (docs/internals/Analysis.md, "Dumps").
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DUMP_ANALYSISDUMPS_H
#define PTXPREDICT_ANALYSIS_DUMP_ANALYSISDUMPS_H

#include "ptxpredict/Analysis/Profile/StaticProfile.h"

namespace ptxpredict {

/// --dump=uniformity: values that differ between the lanes of a warp, and
/// branches, by LLVM's algorithm and by the values' expressions. \p V, which is
/// the kernel's, and \p Counts are of the launch.
void printUniformity(const SymbolicValues &V, const StaticProfile &Counts,
                     const LaunchConfig &Launch, raw_ostream &OS);

/// --dump=frequency: how often loops and blocks run.
void printFrequency(const SymbolicValues &V, const StaticProfile &Counts,
                    const LaunchConfig &Launch, raw_ostream &OS);

/// --dump=dependence: what limits a warp by itself, with one cycle for each
/// instruction: recurrences of loops, parallelism of blocks.
void printDependence(const SymbolicValues &V, const StaticProfile &Counts,
                     const LaunchConfig &Launch, raw_ostream &OS);

/// --dump=memory: what the requests of memory instructions cost.
void printMemory(const SymbolicValues &V, const StaticProfile &Counts,
                 const LaunchConfig &Launch, raw_ostream &OS);

/// --dump=forms: what becomes of each instruction.
void printForms(const SymbolicValues &V, const StaticProfile &Counts,
                const LaunchConfig &Launch, raw_ostream &OS);

/// --dump=roles: warps of a block with work of their own, and the mbarriers at
/// which they meet.
void printRoles(const SymbolicValues &V, const StaticProfile &Counts,
                const LaunchConfig &Launch, raw_ostream &OS);

/// --dump=locality: which bytes of global memory the launch touches, and how
/// much of that again.
void printLocality(const SymbolicValues &V, const StaticProfile &Counts,
                   const LaunchConfig &Launch, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DUMP_ANALYSISDUMPS_H
