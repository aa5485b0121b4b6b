//===- ProgressLine.cpp - How far a long run is ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProgressLine.h"
#include "CapturedRun.h"
#include "CommandLine.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::tool;

ProgressLine::ProgressLine(bool IsQuiet)
    : Enabled(!IsQuiet && errorsAreWatched()) {}

void ProgressLine::update(StringRef What, uint64_t Done, uint64_t All,
                          StringRef Units) {
  using namespace std::chrono;
  if (const CapturedRun *Run = CapturedRun::current(); Run && Run->Progress)
    Run->Progress(Done, All);
  if (!Enabled)
    return;
  auto Now = steady_clock::now();
  if (What != Current || !Started)
    Current = What.str(), Started = Now;
  double Seconds = duration<double>(Now - *Started).count();
  if (Seconds < 1)
    return;
  raw_ostream &OS = llvm::errs();
  OS << "\r\x1b[K" << printable(What.take_front(40)) << ": " << Done << " of "
     << All << ' ' << Units;
  if (Done != 0)
    OS << ", "
       << uint64_t(std::ceil(Seconds / double(Done) * double(All - Done)))
       << " s left";
  IsShown = true;
}

void ProgressLine::clear() {
  if (IsShown)
    llvm::errs() << "\r\x1b[K";
  IsShown = false;
}
