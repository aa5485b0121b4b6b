//===- CodeFile.h - Code read once, asked launch by launch ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// For whoever predicts many launches of many files and keeps only what came
// out: a file is read once, a kernel analysed once for each launch, and made
// ready once for each device; then every clock is a question of a microsecond.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_CODEFILE_H
#define PTXPREDICT_DRIVER_PIPELINE_CODEFILE_H

#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/Power.h"
#include <mutex>

namespace ptxpredict {

/// Devices that any number of threads may ask for.
class SharedDevices {
public:
  /// \p Registry must outlive it and not be used by others meanwhile.
  explicit SharedDevices(DeviceRegistry &Registry) : Registry(Registry) {}

  Expected<const Device *> find(StringRef Name);

private:
  DeviceRegistry &Registry;
  std::mutex Mutex;
};

/// What a compiler made of a thread, as far as somebody knows it.
struct CompiledResources {
  std::optional<unsigned> Registers;
  std::optional<double> SpillBytes, SpillLoadBytes;
};

/// One input: PTX, or characteristics. Any number of threads may ask.
class CodeFile {
public:
  /// Reads the file at \p Path. What is wrong with it, messages() says then.
  CodeFile(StringRef Path, SharedDevices &Devices);

  bool failed() const { return Failed; }
  const DiagnosticEngine &messages() const { return *Diags; }

  /// Analyses the only kernel whose name \p Glob matches at \p Launch.
  /// What \p Known has holds for each thread. The error says what of the
  /// question does not fit, without naming the file. \p Warnings: labels that
  /// the kernel does not have.
  Expected<KernelCharacteristics> analyze(StringRef Glob,
                                          const LaunchSpec &Launch,
                                          const CompiledResources &Known,
                                          std::vector<std::string> &Warnings);

private:
  std::unique_ptr<DiagnosticEngine> Diags;
  SharedDevices &Devices;
  std::unique_ptr<ParsedInput> Parsed;        ///< null for characteristics
  std::vector<KernelCharacteristics> Kernels; ///< as they were read
  bool Failed = false;
};

/// A kernel at its launch on a device, ready for several models; refers to all
/// of them. Any number of threads may ask.
class ReadyKernel {
public:
  ReadyKernel(const KernelCharacteristics &K, const Device &D,
              ArrayRef<const Model *> Models, const ModelOptions &Options);
  ~ReadyKernel();

  size_t numModels() const { return Models.size(); }
  /// Everything that the N-th model says, with power.
  Prediction predict(size_t N, const DevicePoint &At) const;
  /// The same in numbers alone, in well under a microsecond; nothing where
  /// predict() has no time.
  std::optional<PointPrediction> at(size_t N, const DevicePoint &At) const {
    return Models[N]->at(At);
  }

private:
  struct Launch;
  ModelOptions Options;
  std::unique_ptr<Launch> OfLaunch;
  PreparedPower Power;
  std::vector<std::unique_ptr<PreparedModel>> Models;
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_CODEFILE_H
