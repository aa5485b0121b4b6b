//===- SourceTexts.h - Sources that debug data name -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_SOURCETEXTS_H
#define PTXPREDICT_DRIVER_INPUTS_SOURCETEXTS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace ptxpredict {

/// Whether that is the name of a file of source code.
bool isSourceName(StringRef Path);

/// Reads sources once. What it returns lives as long as it does. Any number of
/// threads may ask.
class SourceTexts {
public:
  /// The source at \p Path, in \p Root if the path is relative and that is not
  /// empty, else from where debug data say or from beside \p Input; empty if
  /// there is none, and for what is no source by its name, links followed:
  /// debug data may name any file, and a report that shows some of it may be
  /// passed on.
  StringRef find(StringRef Path, StringRef Input, StringRef Root = {});

private:
  std::mutex Mutex; // of Texts
  /// By path and input; null where there is none.
  std::map<std::pair<std::string, std::string>,
           std::unique_ptr<llvm::MemoryBuffer>>
      Texts;

  StringRef findAt(StringRef Path, StringRef Input);
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_SOURCETEXTS_H
