//===- Counters.h - What profilers count of a launch ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_COUNTERS_H
#define PTXPREDICT_LAUNCH_COUNTERS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ptxpredict {

/// A number that profilers can give of a launch, whatever they call it. The
/// names, units and meanings are in Counters.def.
enum class Counter : uint8_t {
#define COUNTER(MEMBER, NAME, UNIT, SCOPE, MEANING) MEMBER,
#include "ptxpredict/Launch/Counters.def"
};

constexpr unsigned NumCounters = 0
#define COUNTER(MEMBER, NAME, UNIT, SCOPE, MEANING) +1
#include "ptxpredict/Launch/Counters.def"
    ;

/// What a counter counts in. Times are in us, shares of 1.
enum class CounterUnit : uint8_t {
#define COUNTER_UNIT(MEMBER, SHOWN, WORDS) MEMBER,
#include "ptxpredict/Launch/Counters.def"
};

/// What a counter is a sum or a mean of: all that the launch did, what one SM
/// did in the mean over the SMs, or one warp in the mean over the warps.
enum class CounterScope : uint8_t { Launch, SM, Warp };

/// Who calls a counter by a name: Nsight Compute (ncu), nvprof as a metric, or
/// nvprof as an event of CUPTI.
enum class Profiler : uint8_t { Ncu, Nvprof, Cupti };

struct CounterInfo {
  StringRef Name; ///< in ptx-predict: "warp_instructions"
  CounterUnit Unit;
  CounterScope Scope;
  StringRef Meaning; ///< in a few words
};

const CounterInfo &infoOf(Counter C);
/// "sectors", "us", "of 1"
StringRef toString(CounterUnit U);
/// "launch", "SM" or "warp"
StringRef toString(CounterScope S);

/// A name under which a file can have a counter: of a profiler, or our own.
struct CounterName {
  StringRef Name;
  Counter Of;
  std::optional<Profiler> By; ///< nothing: our own
  CounterUnit Unit;           ///< of the numbers under this name
  double Factor;              ///< that makes them numbers of the counter
};

/// All of them: those of profilers counter by counter, then our own.
ArrayRef<CounterName> counterNames();
/// The one that is spelled so; null if there is none.
const CounterName *findCounterName(StringRef Name);

/// What makes a number of \p Name one of its counter if \p Word is the unit
/// that stands beside it, such as "Kbyte", "usecond" or "%". An empty word is
/// the unit that such numbers have by themselves. Nothing if the counter cannot
/// have that unit.
std::optional<double> counterScale(const CounterName &Name, StringRef Word);
/// The words that counterScale takes, as a message lists them.
std::string counterWords(const CounterName &Name);

/// How profilers are asked for a counter: "ncu --metrics …, nvprof --metrics
/// …"; empty for one that none has.
std::string howToCollect(Counter C);

/// Reads a number as profilers write it: decimal, with fraction and exponent,
/// perhaps with commas between thousands. Nothing for other text; the result
/// may be negative or not finite.
std::optional<double> parseCounterNumber(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_COUNTERS_H
