//===- UnfinishedFile.cpp - A result that is not whole yet ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UnfinishedFile.h"
#include <atomic>
#include <csignal>
#include <initializer_list>
#include <unistd.h>

using namespace ptxpredict;

static std::atomic<const char *> Unfinished{nullptr};
static_assert(std::atomic<const char *>::is_always_lock_free,
              "signal handlers read it");

void tool::noteUnfinished(const char *Path) { Unfinished = Path; }

void tool::removeUnfinished() {
  if (const char *Path = Unfinished)
    (void)::unlink(Path);
}

/// Ends the program as the signal would have done by itself.
static void endBySignal(int Signal) {
  tool::removeUnfinished();
  (void)::signal(Signal, SIG_DFL);
  (void)::raise(Signal);
}

void tool::removeUnfinishedOnSignals() {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction Action = {};
    if (::sigaction(Signal, nullptr, &Action) != 0 ||
        Action.sa_handler == SIG_IGN)
      continue;
    Action = {};
    Action.sa_handler = endBySignal;
    (void)::sigaction(Signal, &Action, nullptr);
  }
}
