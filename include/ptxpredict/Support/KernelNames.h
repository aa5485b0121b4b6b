//===- KernelNames.h - The names by which a kernel is chosen ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_KERNELNAMES_H
#define PTXPREDICT_SUPPORT_KERNELNAMES_H

#include "ptxpredict/Support/OwnedGlob.h"
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
  bool matches(const OwnedGlob &Glob) const;
};

/// "no kernel matches 'absent'; there are one_add, two_muls", or with the
/// nearest name.
std::string noKernelMatches(StringRef Glob, ArrayRef<KernelNames> Kernels);

/// \p Name, in names that only one file has, without what compilers make of
/// that file's path or text:
/// "_ZN37_GLOBAL__N__8c1f02ab_4_k_cu_1f2e3d4c6kernelE" without its two hashes.
std::string withoutFileHashes(StringRef Name);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_KERNELNAMES_H
