//===- NumberFormat.h - Numbers by a format of printf -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// In place of llvm::format and llvm::formatv for numbers with a fraction: a
// program that uses the library may have a locale in which they have a comma.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_NUMBERFORMAT_H
#define PTXPREDICT_SUPPORT_NUMBERFORMAT_H

#include <string>

namespace ptxpredict {

/// What printf makes of one number by a format that takes a double, with a
/// point in every locale.
std::string formatNumber(const char *Format, double Value);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_NUMBERFORMAT_H
