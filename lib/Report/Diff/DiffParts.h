//===- DiffParts.h - What several forms of a comparison say -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_DIFF_DIFFPARTS_H
#define PTXPREDICT_LIB_REPORT_DIFF_DIFFPARTS_H

#include "ptxpredict/Report/Diff/DiffReport.h"

namespace ptxpredict {

/// Something that has a value before and after.
struct DiffRow {
  std::string Where; ///< "v100", or empty of the kernel whatever the device
  std::string What;  ///< "time"
  std::string Before, After;
  std::string Change; ///< "+3.2 %"; empty if it has none
  bool Matters = false;
};

/// "+3.2 %", "-41 %"; "" for nothing and for what has no relative change.
std::string changeText(std::optional<double> Change);
/// The same of the predicted time; also that the device cannot run the kernel
/// any more.
std::string slowdownText(const DeviceDiff &At);
/// "20 us", or "20 us -> 31 us" with \p Arrow between if they differ.
std::string beforeAfter(const ValueDiff &V, StringRef Arrow);

/// What changed, the times first, which are there even if they are the same;
/// \p All: also what does not matter.
std::vector<DiffRow> diffRows(const KernelDiff &D, bool All);

/// "v100", with the model if the kernel has answers of several.
std::string deviceText(const KernelDiff &D, const DeviceDiff &At);

/// How it was found, where not by its file and name: "was old, similar by 84
/// %"; else empty.
std::string pairText(const DiffResult &R, const KernelDiff &D);
/// "a.ptx", or "a.ptx -> b.ptx"
std::string pathsText(const DiffResult &R, const KernelDiff &D,
                      StringRef Arrow);

/// "no change that matters in 12 kernels", or "2 of 12 kernels changed, 1
/// added, 1 removed".
std::string diffHeadline(const DiffResult &R);
/// "slowest: K, +3.2 % on v100, over the limit of 3 %"; empty if nothing gets
/// slower by more than noise.
std::string worstText(const DiffResult &R);

/// Kernels that are to be shown, all or those with a change that matters, the
/// most slowed down first.
std::vector<const KernelDiff *> shownKernels(const DiffResult &R, bool All);

/// Those that are to be shown: all, or those that matter.
std::vector<const FindingDiff *> shownFindings(const KernelDiff &D, bool All);
/// "new warning", "now error, was warning", "gone"
std::string stateText(const FindingDiff &F);
/// "k.cu:3:4", the kernel's input if there is no line.
std::string placeText(const FindingLocation &Where);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_DIFF_DIFFPARTS_H
