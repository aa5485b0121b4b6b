//===- main.cpp - Uses the installed library ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Estimate.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Version.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  auto Sum = ptxpredict::Estimate::known(1) + ptxpredict::Estimate::known(1.5);
  llvm::outs() << "ptx-predict " << PTXPREDICT_VERSION << ": "
               << ptxpredict::shortestDecimal(Sum.Value) << ' '
               << ptxpredict::toString(Sum.Status) << '\n';
}
