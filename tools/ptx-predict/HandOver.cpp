//===- HandOver.cpp - Runs that need LLVM IR go to ptx-predict-ir ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HandOver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
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

void tool::handOver(StringRef Path, StringRef Text) {
  static char Anchor;
  llvm::SmallString<256> Program(
      llvm::sys::fs::getMainExecutable(Remembered[0], &Anchor));
  llvm::sys::path::remove_filename(Program);
  llvm::sys::path::append(Program, "ptx-predict-ir");
  if (!llvm::sys::fs::can_execute(Program))
    return;
  if (Path == "<stdin>" && !refillStandardInput(Text))
    return;
  execv(Program.c_str(), Remembered);
}
