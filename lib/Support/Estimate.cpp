//===- Estimate.cpp - A number and how well it is known -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Estimate.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(Status S) {
  switch (S) {
  case Status::Known:
    return "known";
  case Status::Estimated:
    return "estimated";
  case Status::Assumed:
    return "assumed";
  case Status::Unknown:
    return "unknown";
  }
  llvm_unreachable("all statuses are handled");
}
