//===- CodeFile.h - Code read once, asked launch by launch ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// For whoever predicts many launches of many files and keeps only what came
// out: a file is read once, and its kernels go through KernelPipeline.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_CODEFILE_H
#define PTXPREDICT_DRIVER_PIPELINE_CODEFILE_H

#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Driver/Pipeline/KernelPipeline.h"
#include <memory>
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

/// A label of a launch that the kernel does not have.
struct LabelWarning {
  std::string Key; ///< as the launch has it
  std::string Text;
};

/// One input: PTX, or characteristics. Any number of threads may ask.
class CodeFile {
public:
  /// Reads the file at \p Path. What is wrong with it, messages() says then.
  CodeFile(StringRef Path, SharedDevices &Devices);

  bool failed() const { return Failed; }
  const DiagnosticEngine &messages() const { return *Diags; }

  /// The mangled names of all kernels.
  std::vector<std::string> kernelNames() const;
  /// The mangled name of the only kernel that \p Glob matches.
  Expected<std::string> kernelName(StringRef Glob) const;

  /// Analyses the only kernel whose name \p Glob matches at \p Launch.
  /// The error says what of the question does not fit, without naming the file.
  /// Where that is an argument, \p ErrorPlace is what the launch says of its
  /// place.
  Expected<std::shared_ptr<const KernelCharacteristics>>
  analyze(StringRef Glob, const LaunchSpec &Launch,
          const CompiledKernel &Compiled, std::vector<LabelWarning> &Warnings,
          SMLoc *ErrorPlace = nullptr);

private:
  /// Of all kernels; with PTX those of \p Graphs.
  std::vector<StringRef>
  names(std::vector<const InstructionGraph *> &Graphs) const;

  std::unique_ptr<DiagnosticEngine> Diags;
  SharedDevices &Devices;
  std::unique_ptr<ParsedInput> Parsed;        ///< null for characteristics
  std::vector<KernelCharacteristics> Kernels; ///< as they were read
  bool Failed = false;
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_CODEFILE_H
