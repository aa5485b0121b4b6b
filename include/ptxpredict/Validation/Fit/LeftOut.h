//===- LeftOut.h - Which rows a fit leaves out together ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_LEFTOUT_H
#define PTXPREDICT_VALIDATION_FIT_LEFTOUT_H

#include <string>
#include <tuple>

namespace ptxpredict {

/// What a row is left out with: all rows of its kernel, of its device, or of
/// both. A part that is empty leaves nothing out.
struct LeftOut {
  std::string Kernel, Device;

  /// A row of \p Row goes, too, where this is left out.
  bool covers(const LeftOut &Row) const {
    return (!Kernel.empty() && Kernel == Row.Kernel) ||
           (!Device.empty() && Device == Row.Device);
  }
  /// For reports: "transpose on v100".
  std::string text() const {
    return Kernel + (Kernel.empty() || Device.empty() ? "" : " on ") + Device;
  }
  friend bool operator<(const LeftOut &A, const LeftOut &B) {
    return std::tie(A.Kernel, A.Device) < std::tie(B.Kernel, B.Device);
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_LEFTOUT_H
