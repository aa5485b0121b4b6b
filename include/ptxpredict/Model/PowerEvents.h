//===- PowerEvents.h - What learned power is learned from -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_POWEREVENTS_H
#define PTXPREDICT_MODEL_POWEREVENTS_H

#include "ptxpredict/Model/Counted.h"

namespace ptxpredict {

enum class PowerEvent : uint8_t {
#define POWER_EVENT(MEMBER, NAME, UNIT, INMLR, MEANING) MEMBER,
#include "ptxpredict/Model/PowerEvents.def"
};

constexpr unsigned NumPowerEvents = 0
#define POWER_EVENT(MEMBER, NAME, UNIT, INMLR, MEANING) +1
#include "ptxpredict/Model/PowerEvents.def"
    ;

/// What PowerEvents.def says of an event.
struct PowerEventInfo {
  StringRef Name, Unit; ///< "l2_read", "sectors"
  bool IsInMLR;
  StringRef Meaning;
};

const PowerEventInfo &infoOf(PowerEvent E);
/// In the order of PowerEvents.def.
ArrayRef<StringRef> powerEventNames();
std::optional<PowerEvent> findPowerEvent(StringRef Name);

/// A number for each event of a launch; nothing where nothing says it.
using PowerEventCounts = std::array<std::optional<Estimate>, NumPowerEvents>;

/// The events of \p On from what profilers would count of it, or did.
PowerEventCounts countPowerEvents(const KernelOnDevice &On);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_POWEREVENTS_H
