//===- KernelDiff.h - What changed between two builds -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Two builds of the same sources may differ in names of registers, in the order
// of blocks and in the lines of their code without any kernel being another.
// So what changed is kept apart from what matters.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_KERNELDIFF_H
#define PTXPREDICT_REVIEW_KERNELDIFF_H

#include "ptxpredict/Review/KernelPairs.h"

namespace ptxpredict {

struct DiffOptions {
  /// Relative changes of times, energies and counts up to this do not matter.
  /// Blocks in another order change the predicted time of compiled kernels by
  /// less (docs/commands/Diff.md), other names by nothing.
  double Noise = 0.01;
  /// A predicted time may rise by this share.
  std::optional<double> MaxRegression;
  /// New findings from this severity on are told by the exit code.
  std::optional<Severity> FailOn;
};

/// What a number is of.
enum class DiffValue : uint8_t {
#define DIFF_VALUE(MEMBER, KEY, LABEL, UNIT) MEMBER,
#include "ptxpredict/Review/DiffValues.def"
  OfClass, ///< instructions of a class
};

/// A number before and after.
struct ValueDiff {
  DiffValue What = DiffValue::OfClass;
  std::string Class;                  ///< of DiffValue::OfClass: "fp32"
  std::optional<Estimate> Base, Head; ///< absent where it is not known
  bool Matters = false;

  /// As the JSON of predictions has it: "spill_bytes".
  StringRef key() const;
  bool isSame() const;
  /// Head over Base, less 1: infinite from 0 to more; nothing if one is absent.
  std::optional<double> change() const;
};

/// A kernel on a device by a model.
struct DeviceDiff {
  std::string Device, Model;
  bool InBase = false, InHead = false; ///< it was predicted for it at all
  TimeLimiter BaseLimiter = TimeLimiter::None, HeadLimiter = TimeLimiter::None;
  bool LimiterMatters = false;
  ValueDiff TimeUs, EnergyJ, Registers, BlocksPerSM, Occupancy;
  bool Matters = false;

  /// By what share the predicted time rises: negative if it falls, infinite if
  /// the device cannot run the kernel any more; nothing without two answers.
  std::optional<double> slowdown() const;
};

/// What became of a finding. One that is the same on both sides is none of
/// these, whatever numbers its message has.
enum class FindingChange { New, Gone, MoreSevere, LessSevere };
StringRef toString(FindingChange C); ///< "new", "gone", "more-severe", …

struct FindingDiff {
  FindingChange What = FindingChange::New;
  FindingRecord Record;        ///< of the head; of the base if it is gone
  std::optional<Severity> Was; ///< its severity in the base, if it was there
  bool Matters = false;
};

/// A kernel before and after.
struct KernelDiff {
  KernelPair Pair;
  bool OtherLaunch = false; ///< grid or block are others
  /// Of the kernel whatever the device.
  std::vector<ValueDiff> Values;
  std::vector<ValueDiff> Mix; ///< executed by a warp, by class
  std::vector<DeviceDiff> Devices;
  std::vector<FindingDiff> Findings;
  bool Matters = false;
};

KernelDiff compareKernels(const KernelRecord &Base, const KernelRecord &Head,
                          const DiffOptions &Options);

/// The comparison of two builds.
struct DiffResult {
  DiffOptions Options;
  Build Base, Head;
  std::vector<KernelDiff> Kernels; ///< in the order of the head
  std::vector<KernelRef> Removed, Added;
  std::vector<Diagnostic> Messages; ///< beside those of inputs

  const KernelRecord &base(const KernelDiff &D) const {
    return kernelAt(Base, D.Pair.Base);
  }
  const KernelRecord &head(const KernelDiff &D) const {
    return kernelAt(Head, D.Pair.Head);
  }
  size_t numChanged() const; ///< pairs with a change that matters
  bool anythingMatters() const;
  /// Where the predicted time rises most; nothing if it rises nowhere.
  struct Worst {
    const KernelDiff *Kernel;
    const DeviceDiff *Device;
    double Slowdown;
  };
  std::optional<Worst> worst() const;
  /// There is a slowdown over DiffOptions::MaxRegression.
  bool exceedsLimit() const;
  /// There is a new or graver finding that DiffOptions::FailOn asks for, also
  /// in a kernel that was added.
  bool hasFailingFinding() const;
};

DiffResult compareBuilds(Build Base, Build Head, const DiffOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_KERNELDIFF_H
