//===- Silence.h - Findings that the source asks to leave out ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Both forms say `ptx-predict: ignore[RULE,...] reason`: an annotation of a
// function that the finding lies in, and a comment on its line or alone on the
// line before. Nothing is read before there is a finding.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_PLUGIN_SILENCE_H
#define PTXPREDICT_LIB_PLUGIN_SILENCE_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace llvm {
class DILocation;
class Function;
class Module;
} // namespace llvm

namespace ptxpredict::plugin {

/// What a module and its sources ask to leave out.
class Silence {
public:
  explicit Silence(const llvm::Module &IR) : IR(IR) {}

  /// Whether nothing of that rule is to be reported in the kernel \p F.
  bool covers(const llvm::Function &F, StringRef Rule);
  /// Or at a place, which a finding lies at or is inlined at.
  bool covers(const llvm::DILocation &At, StringRef Rule);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Text; ///< null: not to be read
    std::vector<size_t> LineStarts;
    bool MayIgnore = false; ///< the text has what the comments begin with
  };

  void readAnnotations();
  bool isAnnotated(const void *F, StringRef Rule);
  bool isCommented(const llvm::DILocation &At, StringRef Rule);
  const File &file(const llvm::DILocation &At);
  static StringRef line(const File &F, unsigned Number);

  const llvm::Module &IR;
  bool HasAnnotations = false; ///< they were read
  /// By the function, and by its DISubprogram, which code has that was inlined.
  llvm::DenseMap<const void *, std::vector<StringRef>> Annotations;
  llvm::StringMap<File> Files;
};

} // namespace ptxpredict::plugin

#endif // PTXPREDICT_LIB_PLUGIN_SILENCE_H
