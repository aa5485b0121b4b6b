//===- KernelNames.h - The names by which a kernel is chosen ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_KERNELNAMES_H
#define PTXPREDICT_SUPPORT_KERNELNAMES_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/GlobPattern.h"
#include <array>
#include <string>

namespace ptxpredict {

/// What `--kernel` and a launch file's `kernel:` are matched against. All are
/// equal for a name that is not mangled.
struct KernelNames {
  std::string Mangled;   ///< "_Z6kernelIfEvPT_"
  std::string Demangled; ///< "void kernel<float>(float*)"
  std::string Signature; ///< "kernel<float>(float*)"
  std::string Short;     ///< "kernel<float>"

  explicit KernelNames(StringRef Mangled);

  std::array<StringRef, 4> all() const {
    return {Mangled, Demangled, Signature, Short};
  }
  bool matches(const llvm::GlobPattern &Glob) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_KERNELNAMES_H
