//===- Bottleneck.h - The equations of our own model ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel takes as long as the resource that it keeps busy longest, or as its
// warps wait, joined by a smooth maximum. docs/models/Bottleneck.md has the
// equations and says which measurements they stand on.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BOTTLENECK_H
#define PTXPREDICT_MODEL_BOTTLENECK_H

#include "ptxpredict/Model/TimeLimiter.h"
#include <array>

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef BottleneckName = "bottleneck";

/// What work takes turns at.
enum class BottleneckResource : uint8_t {
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  MEMBER,
#include "ptxpredict/Model/BottleneckTerms.def"
};
constexpr unsigned NumBottleneckResources =
    unsigned(BottleneckResource::Latency) + 1;

/// "issue", "fp32", …: what T_, N_, R_ and Share_ are followed by.
StringRef toString(BottleneckResource R);
/// What people call it: "device memory".
StringRef plainNameOf(BottleneckResource R);
/// The limiter of a kernel that the resource takes most of the time of.
TimeLimiter limiterOf(BottleneckResource R);

/// A number for each resource.
template <typename T>
struct ByResource : std::array<T, NumBottleneckResources> {
  T &of(BottleneckResource R) { return (*this)[unsigned(R)]; }
  const T &of(BottleneckResource R) const { return (*this)[unsigned(R)]; }
};

/// What the equations take. Units and meanings: BottleneckTerms.def.
struct BottleneckInputs {
#define BOTTLENECK_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/BottleneckTerms.def"
  bool HasWaves = true;    ///< blocks are whole, and so are rounds of them
  bool HasDrain = true;    ///< the last blocks have an SM's end for themselves
  bool HasMeetings = true; ///< warps wait at barriers for others' work
  /// Of a warp in the mean, in the resource's unit.
  ByResource<double> Demand{};
  /// The same of a warp of the heaviest blocks, if there are any.
  ByResource<double> HeaviestDemand{};
  /// In a core cycle; where it is 0 or not finite, nothing is waited for.
  ByResource<double> Rate{};

  bool operator==(const BottleneckInputs &O) const;
};

/// What they give.
struct BottleneckResult {
#define BOTTLENECK_RESULT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/BottleneckTerms.def"
  ByResource<double> Times{}; ///< core cycles that each alone takes
  /// The heaviest blocks decide the longest of them.
  bool WaitsForHeaviest = false;
  double TimeUs = 0; ///< of the kernel alone
};

/// How much of the time resources are. Refers to both that it is of.
class BottleneckShares {
public:
  BottleneckShares(const BottleneckResult &R, const BottleneckInputs &In);

  /// From 0 to 1; of all resources together 1 (0 where nothing takes any time).
  double of(BottleneckResource Of) const;
  /// The resource with the largest share, of equal ones the first.
  BottleneckResource largest() const;

private:
  double ofFull(BottleneckResource Of) const;

  const BottleneckResult &R;
  const BottleneckInputs &In;
  bool IsAny;                       ///< something takes a time, and it ends
  double Full = 0;                  ///< cycles until SMs drain
  double Memory = 0, Bandwidth = 0; ///< of those together
};

/// Evaluates the equations.
BottleneckResult evaluateBottleneck(const BottleneckInputs &In);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BOTTLENECK_H
