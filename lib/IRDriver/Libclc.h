//===- Libclc.h - Where the functions of OpenCL C are -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_IRDRIVER_LIBCLC_H
#define PTXPREDICT_LIB_IRDRIVER_LIBCLC_H

#include "ptxpredict/Support/LLVM.h"
#include <optional>
#include <string>

namespace ptxpredict {

/// The name of libclc's bitcode for NVIDIA's OpenCL.
inline constexpr StringRef LibclcName = "nvptx64--nvidiacl.bc";

/// Folders in which packages of distributions put libclc.
ArrayRef<StringRef> libclcFolders();

/// The path of libclc's bitcode: beside \p Clang, a compiler's path, in
/// `lib/clc` and `share/clc` of the folder above its own, then the same where
/// that is a link to, then in \p Folders. Nothing if it is in none.
std::optional<std::string>
findLibclc(StringRef Clang, ArrayRef<StringRef> Folders = libclcFolders());

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_IRDRIVER_LIBCLC_H
