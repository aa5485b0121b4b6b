//===- SourceNames.h - Loops and branches by source line --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A launch may call a loop or a branch "saxpy.cu:28", with the name of the file
// or any longer end of its path. All that a compiler made of the line is meant,
// and what was inlined there.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_SOURCENAMES_H
#define PTXPREDICT_GRAPH_SOURCENAMES_H

#include "ptxpredict/Graph/CFG.h"
#include <map>
#include <string>

namespace ptxpredict {

/// Whether \p Key, "src/saxpy.cu:28", means the line \p Source, which is
/// "/home/u/src/saxpy.cu:28". A column behind the line makes no difference.
bool meansSourceLine(StringRef Key, StringRef Source);

/// The source lines of an instruction, its own and those that it was inlined
/// into, as "k.cu:7"; none without debug information.
std::vector<std::string> sourceLinesOf(const Instruction &I);
/// Those of a loop: where its header begins and where its iterations end.
std::vector<std::string> sourceLinesOf(const Cycle &L);

/// What \p Given has for a source line of \p Of, a loop or an instruction.
template <typename T>
std::optional<double>
lookUpBySource(const std::map<std::string, double, std::less<>> &Given,
               const T &Of) {
  for (const auto &[Key, Value] : Given)
    if (StringRef(Key).contains(':'))
      for (const std::string &Line : sourceLinesOf(Of))
        if (meansSourceLine(Key, Line))
          return Value;
  return std::nullopt;
}

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_SOURCENAMES_H
