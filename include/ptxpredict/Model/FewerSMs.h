//===- FewerSMs.h - Where fewer SMs do, and how to ask for them -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, PhD thesis, 2012, 3.3, 3.5, 5.5 and chapter 4, with any model.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_FEWERSMS_H
#define PTXPREDICT_MODEL_FEWERSMS_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The share of the time that may be lost, of the SMs that must be saved, and
/// of the energy that is worth a word.
constexpr double MostTimeLost = 0.02, LeastExcess = 0.1,
                 LeastEnergySaved = 0.01;

/// What fewer SMs change.
struct FewerSMs {
  unsigned All = 0;    ///< at the point in question
  unsigned SMs = 0;    ///< in their place
  double TimeLost = 0; ///< share of the time
  /// The share of the energy; nothing where no power is predicted.
  std::optional<double> EnergySaved;
  /// The same if SMs without blocks drew nothing: P(n) = P(all) * n / all.
  double GatedSaved = 0;
};

/// What \p SMs, at least one and fewer than at \p At, change. Nothing where the
/// model has no answer.
std::optional<FewerSMs> useOfSMs(const PreparedModel &Ready,
                                 const DevicePoint &At,
                                 const ModelOptions &Options, unsigned SMs);

/// The fewest SMs that lose no more than MostTimeLost. Nothing where that saves
/// less than LeastExcess of the SMs, or less than LeastEnergySaved as far as
/// power is predicted, or where SMs get no block at \p At already. Less of a
/// device makes no kernel faster: the search is by halves.
std::optional<FewerSMs> findFewerSMs(const PreparedModel &Ready,
                                     const DevicePoint &At,
                                     const ModelOptions &Options);

/// What the models of the thesis say of SMs; nothing where one has no answer.
struct CoreAdvice {
  std::optional<double> Optimal; ///< (63), Optimal_cores of ipp
  std::optional<double> Best;    ///< (62), Best_cores of ipp
  std::optional<double> Advised; ///< (88), Advice_cores of throughput

  /// By their published names.
  std::vector<std::pair<StringRef, double>> byName() const;
};
CoreAdvice adviseCores(const KernelOnDevice &On, const DevicePoint &At,
                       const ModelOptions &Options);
/// "Optimal_cores 20, Best_cores 21, Advice_cores 13"; empty if there is none.
std::string coreAdviceText(const CoreAdvice &A);

/// How a program gets so many SMs today.
struct SMRequest {
  unsigned All = 0; ///< of the device
  /// SMs of the smallest green context that is large enough; nothing where the
  /// device's file knows of none, or that would be all SMs.
  std::optional<unsigned> GreenContext;
  /// CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, from compute capability 7.0 on.
  std::optional<unsigned> MPSPercent;
  unsigned Left = 0; ///< SMs for another kernel
};
SMRequest requestSMs(const Device &D, unsigned SMs);
/// "a green context of 64 SMs, or CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=60, leaves
/// 44 SMs (41 %) to another kernel"
std::string requestText(const SMRequest &R);

/// Chapter 4's choice of \p Active SMs (OptimalCores.h). Empty where the
/// device's file has no sms_per_tpc.
std::vector<unsigned> preferredSMs(const Device &D, unsigned Active);
/// "0, 7, 8", and what the rule rests on.
std::string placementText(const Device &D, unsigned Active);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_FEWERSMS_H
