//===- KernelPipeline.h - From one kernel to predictions --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The one way from a kernel, in code or as characteristics that were read, to
// what models say of it. A kernel is analysed once for each launch and made
// ready once for each device; then every clock is a question of a microsecond.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_KERNELPIPELINE_H
#define PTXPREDICT_DRIVER_PIPELINE_KERNELPIPELINE_H

#include "ptxpredict/Driver/Pipeline/CompiledKernel.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/Model/LearnedPower.h"
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/SustainedClock.h"

namespace ptxpredict {

/// What a kernel is analysed at.
struct AnalysisRequest {
  LaunchSpec Launch;
  const KernelProfile *Profile = nullptr; ///< its counts, if there are any
  /// What a profiler counted, and on which device; null without.
  const KernelCounters *Counters = nullptr;
  const Device *CountedOn = nullptr;
  CompiledKernel Compiled;
  std::optional<uint64_t> WorkLimit = std::nullopt; ///< as in analyzeKernel()
  /// Nobody asked for a device: the representative is noted as an assumption.
  bool DeviceIsAssumed = false;
};

/// The analysis of one kernel, at any number of launches. Holds the bodies of
/// its code as long as it lives. Any number of threads may ask.
class KernelPipeline {
public:
  /// Of code. \p Representative: the device that stands for its target.
  KernelPipeline(const InstructionGraph &Kernel, const Device &Representative);
  /// Of characteristics that were read, which are fixed at their launch.
  KernelPipeline(const KernelCharacteristics &Read,
                 const Device &Representative);

  /// The code could not be lowered (reported); nothing can be asked then.
  bool failed() const { return Bodies && Bodies->failed(); }

  /// Everything that models may know. What it returns is complete, so that
  /// everybody may share it. Never null.
  std::shared_ptr<const KernelCharacteristics>
  analyze(const AnalysisRequest &Request) const;

private:
  const InstructionGraph *Kernel = nullptr;    ///< null without code
  const KernelCharacteristics *Read = nullptr; ///< null with it
  const Device &Representative;
  std::optional<HeldBodies> Bodies;
};

/// A kernel at its launch on a device, ready for several models; refers to all
/// of them. Any number of threads may ask.
class ReadyKernel {
public:
  ReadyKernel(KernelOnDevice Place, ArrayRef<const Model *> Models,
              const ModelOptions &Options);

  const KernelOnDevice &place() const { return Place; }
  const PreparedPower &power() const { return Power; }
  /// Everything that the N-th model says, with power. Its clock may be lower
  /// than that of \p At where there is a limit of power.
  Prediction predict(size_t N, const DevicePoint &At) const;
  /// \p At with the clock that its limit of power leaves, and without the
  /// limit.
  DevicePoint settled(size_t N, const DevicePoint &At) const;
  /// The same in numbers alone at the clock of \p At, in well under a
  /// microsecond; nothing where predict() has no time.
  std::optional<PointPrediction> at(size_t N, const DevicePoint &At) const {
    return Models[N]->at(At);
  }

private:
  std::optional<SustainedClock> clockOf(size_t N, const DevicePoint &At) const;

  KernelOnDevice Place;
  ModelOptions Options;
  PreparedPower Power;
  std::optional<LearnedPower> Learned; ///< where a regression is the device's
  std::vector<std::unique_ptr<PreparedModel>> Models;
  // What is said of the launch, whatever the model.
  std::string Refusal; ///< why it cannot start; empty if it can
  std::vector<std::string> LaunchNotes;
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_KERNELPIPELINE_H
