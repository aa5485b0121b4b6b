//===- OpenReason.cpp - What leaves a count open --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Access/OpenReason.h"

using namespace ptxpredict;

static constexpr StringRef Texts[] = {
#define OPEN_REASON(Enumerator, Text, Meaning) Text,
#include "ptxpredict/Analysis/Access/OpenReasons.def"
};

StringRef ptxpredict::toString(OpenReason R) { return Texts[unsigned(R)]; }

OpenReason ptxpredict::reasonOf(Symbol::ReasonTy R) {
  switch (R) {
  case Symbol::ReasonTy::None:
    return OpenReason::Value;
  case Symbol::ReasonTy::Load:
    return OpenReason::Load;
  case Symbol::ReasonTy::Atomic:
    return OpenReason::Atomic;
  case Symbol::ReasonTy::CrossLane:
    return OpenReason::CrossLane;
  case Symbol::ReasonTy::Call:
    return OpenReason::Call;
  case Symbol::ReasonTy::Argument:
    return OpenReason::Argument;
  case Symbol::ReasonTy::Float:
    return OpenReason::Float;
  case Symbol::ReasonTy::Special:
    return OpenReason::Special;
  case Symbol::ReasonTy::Loop:
    return OpenReason::Loop;
  case Symbol::ReasonTy::Merge:
    return OpenReason::Merge;
  case Symbol::ReasonTy::TooLarge:
    return OpenReason::TooLarge;
  case Symbol::ReasonTy::Undefined:
    return OpenReason::Undefined;
  case Symbol::ReasonTy::Other:
    return OpenReason::Other;
  }
  return OpenReason::Other;
}
