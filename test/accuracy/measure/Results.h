//===- Results.h - What was measured, in files ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_RESULTS_H
#define PTXPREDICT_MEASURE_RESULTS_H

#include "KernelCases.h"
#include "ptxpredict/Device/Device.h"

namespace ptxpredict::measure {

/// How a step ended.
struct StepOutcome {
  std::string Name, Group, Status, Detail;
};

/// Everything that was measured so far.
struct Results {
  std::vector<std::pair<std::string, std::string>> Facts;
  std::vector<Record> Benchmarks, Kernels;
  std::vector<StepOutcome> Steps;
  std::vector<KernelCase> Cases; ///< those that were to run

  /// A fact; empty if it is not known.
  StringRef fact(StringRef Name) const;
  unsigned capability() const; ///< 90 for 9.0; 0 if it is not known
  unsigned numGPUs() const;    ///< that the driver has
  /// A kernel's result is wrong.
  bool isAnyWrong() const;
};

/// The device that predictions are made for: \p Asked, or the one whose
/// description names the GPU, or the one that stands for its capability, with
/// \p IsGuess. An error for an unknown name.
Expected<const Device *> findDevice(const Results &R, StringRef Asked,
                                    DeviceRegistry &Registry, bool &IsGuess);

/// Writes facts.csv, steps.csv, results.yaml, kernels.csv and times.yaml, each
/// of them as a whole or not at all. True on error (printed).
bool writeResults(const Results &R, StringRef Folder, StringRef DeviceName);

/// Copies the code, the launch files and what these fill buffers from, of the
/// kernels of \p Steps, into folders of \p Folder. True on error (printed).
bool copyInputs(const Results &R, llvm::ArrayRef<Step> Steps, StringRef Folder);

/// Writes the dataset of the kernels, for `ptx-predict validate`.
void printDataset(const Results &R, StringRef DeviceName, raw_ostream &OS);

/// Writes device.yaml, which the results decide. What there is to say of it;
/// true on error (printed).
bool writeDevice(StringRef Folder, const Device &Base);

/// Writes a file under another name first. True on error (printed).
bool writeFile(StringRef Folder, StringRef Name, StringRef Text);

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_RESULTS_H
