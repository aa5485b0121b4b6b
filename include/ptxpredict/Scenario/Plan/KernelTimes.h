//===- KernelTimes.h - How long a scenario's kernels take -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_KERNELTIMES_H
#define PTXPREDICT_SCENARIO_PLAN_KERNELTIMES_H

#include "ptxpredict/Driver/Pipeline/CodeFile.h"
#include "ptxpredict/Scenario/Plan/ScenarioFile.h"
#include "ptxpredict/Scenario/System/System.h"
#include <mutex>

namespace ptxpredict {

/// What one launch of a kernel takes on a GPU.
struct KernelTime {
  double Seconds = 0;
  std::optional<double> Watts; ///< of the board meanwhile; nobody knows: empty
};

/// How kernels are predicted.
struct KernelTimeOptions {
  const Model *By = nullptr;
  ModelOptions Options;
  /// The folder that code lies relative to; empty for the present one.
  std::string Folder;
  std::string Project; ///< as of projectRoot(): all code must lie in it
};

/// The times of a scenario's kernels. A kernel is analysed once for each launch
/// and predicted once for each device, however many points and processes ask.
/// Any number of threads may ask.
class KernelTimes {
public:
  /// \p S and \p Devices outlive it.
  KernelTimes(const Scenario &S, KernelTimeOptions Options,
              SharedDevices &Devices)
      : S(S), Options(std::move(Options)), Devices(Devices) {}

  /// Reads the code of all kernels. True on error: reported in \p Diags, the
  /// scenario's, where a kernel is not there; messages() has those of code.
  bool read(DiagnosticEngine &Diags);
  /// Messages of the files of code.
  std::vector<const DiagnosticEngine *> messages() const;

  /// The kernel of that index on \p GPU, where names have the values of
  /// \p Slots. \p Place: of what is wrong where there is no answer. Code is
  /// predicted at \p CoreMHz; 0: at the clock that the board chooses.
  Expected<KernelTime> find(unsigned Kernel, const SystemComponent &GPU,
                            ArrayRef<double> Slots, SMLoc &Place,
                            double CoreMHz = 0);

  /// What the analyses assumed, each once: "saxpy: n is not known…".
  std::vector<std::string> assumptions() const;

private:
  using Key = std::pair<std::vector<uint64_t>, const void *>;

  Expected<std::vector<double>> values(const ScenarioKernel &K,
                                       ArrayRef<double> Slots, SMLoc &Place);
  Expected<LaunchSpec> launchOf(const ScenarioKernel &K,
                                ArrayRef<double> Values);
  Expected<KernelTime> predict(unsigned Kernel, const SystemComponent &GPU,
                               ArrayRef<double> Values, double CoreMHz);
  Expected<KernelTime> byLittlesLaw(const ScenarioKernel &K,
                                    const SystemComponent &GPU,
                                    ArrayRef<double> Values);
  Expected<std::shared_ptr<const KernelCharacteristics>>
  analyze(unsigned Kernel, ArrayRef<double> Values);

  const Scenario &S;
  KernelTimeOptions Options;
  SharedDevices &Devices;
  std::map<std::string, std::unique_ptr<CodeFile>> Files; ///< by path
  std::vector<CodeFile *> Code;                           ///< by kernel

  mutable std::mutex Mutex; ///< of what follows
  std::map<Key, KernelTime> Times;
  std::map<Key, std::shared_ptr<const KernelCharacteristics>> Analyses;
  std::vector<std::string> Assumed;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_KERNELTIMES_H
