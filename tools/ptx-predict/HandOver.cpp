//===- HandOver.cpp - Runs that need LLVM IR go to ptx-predict-ir ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HandOver.h"
#include "ptxpredict/Support/ChildProcess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

using namespace ptxpredict;

static char **Remembered = nullptr;

void tool::rememberArguments(char **Argv) { Remembered = Argv; }

/// Makes standard input give \p Text once more.
static bool refillStandardInput(StringRef Text) {
  int File = memfd_create("stdin", 0);
  if (File < 0)
    return false;
  llvm::raw_fd_ostream OS(File, /*shouldClose=*/false);
  OS << Text;
  OS.flush();
  bool Ok = !OS.has_error() && lseek(File, 0, SEEK_SET) == 0 &&
            dup2(File, STDIN_FILENO) >= 0;
  OS.clear_error();
  close(File);
  return Ok;
}

static std::optional<std::string> findProgram() {
  constexpr StringRef Name = "ptx-predict-ir";
  static char Anchor;
  llvm::SmallString<256> Beside(
      llvm::sys::fs::getMainExecutable(Remembered[0], &Anchor));
  llvm::sys::path::remove_filename(Beside);
  llvm::sys::path::append(Beside, Name);
  if (llvm::sys::fs::can_execute(Beside))
    return Beside.str().str();
  return findOnPath(Name);
}

void tool::handOver(StringRef Path, StringRef Text) {
  const std::optional<std::string> Program = findProgram();
  if (!Program || (Path == "<stdin>" && !refillStandardInput(Text)))
    return;
  execv(Program->c_str(), Remembered);
}
