//===- OutOfMemory.cpp - What happens when memory is gone -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Nothing here allocates. Without exceptions nobody catches what the standard
// library throws, so that it comes to the terminate handler.
//===----------------------------------------------------------------------===//
#include "OutOfMemory.h"
#include "CommandLine.h"
#include "UnfinishedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <typeinfo>
#include <unistd.h>

using namespace ptxpredict;

[[noreturn]] static void endProgram() {
  static constexpr llvm::StringRef Message =
      "ptx-predict: error: out of memory; choose fewer kernels with --kernel, "
      "or fewer threads with -j\n";
  tool::removeUnfinished();
  (void)!::write(STDERR_FILENO, Message.data(), Message.size());
  ::_exit(tool::NotDone);
}

/// Whether the exception that nobody caught says that something could not be
/// had: memory, a container's size, or a thread.
static bool isShortage() {
  const std::type_info *Type = abi::__cxa_current_exception_type();
  static constexpr llvm::StringRef Shortages[] = {
      "St9bad_alloc", "St20bad_array_new_length", "St12length_error",
      "St12system_error"};
  return Type && llvm::is_contained(Shortages, llvm::StringRef(Type->name()));
}

void tool::endOnOutOfMemory() {
  std::set_new_handler(endProgram);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endProgram(); });
  std::set_terminate([] {
    if (isShortage())
      endProgram();
    std::abort();
  });
}
