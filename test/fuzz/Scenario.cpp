//===- Scenario.cpp - Systems and scenarios as inputs of the fuzzer -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An input of both targets is of two files, with a separator between them.
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

/// Tasks of a plan: more reach nothing else.
static constexpr size_t FewTasks = 20'000;

/// Reads a printed thing again, which must give the same text.
template <typename T, typename ReadT, typename PrintT>
static void checkPrinted(const T &Read, ReadT ReadAgain, PrintT Print,
                         const char *What) {
  std::string First, Second;
  llvm::raw_string_ostream FirstOS(First), SecondOS(Second);
  Print(Read, FirstOS);
  auto Diags = fuzz::makeEngine(First, "printed.yaml");
  const std::unique_ptr<T> Again = ReadAgain(*Diags);
  fuzz::check(Again != nullptr, Twine(What) + ": what is printed is none");
  Print(*Again, SecondOS);
  fuzz::check(First == Second, Twine(What) + ": printed twice it differs");
}

bool fuzz::runSystem(StringRef Text) {
  SmallVector<StringRef, 3> Parts = splitParts(Text);
  DeviceRegistry Devices;
  LinkRegistry Links;
  if (Parts.size() > 1) {
    auto Diags = makeEngine(Parts[1], "link.yaml");
    std::unique_ptr<Link> L = parseLink(*Diags);
    check(!L == Diags->hasErrors(), "a link: an error without a message, or a "
                                    "message without an error");
    if (L) {
      checkPrinted(*L, parseLink, printLink, "a link");
      auto Added = makeEngine(Parts[1], "link.yaml");
      Links.addFile(*Added);
    }
  }
  auto Diags = makeEngine(Parts[0], "system.yaml");
  const SystemParts Known{Devices, Links};
  std::unique_ptr<System> S = parseSystem(*Diags, Known);
  check(!S == Diags->hasErrors(), "a system: an error without a message, or a "
                                  "message without an error");
  if (!S)
    return false;
  checkPrinted(
      *S, [&](DiagnosticEngine &D) { return parseSystem(D, Known); },
      printSystem, "a system");
  return true;
}

/// Whether all of its numbers can be printed.
static bool isPossible(const ScenarioTotals &T) {
  return std::isfinite(T.Seconds) && T.Seconds >= 0 &&
         std::isfinite(T.Energy.totalJ()) && T.FailureChance >= 0 &&
         T.FailureChance <= 1;
}

bool fuzz::runScenario(StringRef Text) {
  SmallVector<StringRef, 3> Parts = splitParts(Text);
  auto Diags = makeEngine(Parts[0], "scenario.yaml");
  Scenario S;
  const bool Failed = parseScenario(*Diags, S);
  check(Failed == Diags->hasErrors(), "a scenario: an error without a message, "
                                      "or a message without an error");
  if (Failed || Parts.size() < 2)
    return false;
  for (const ScenarioKernel &K : S.Kernels)
    if (K.By == ScenarioKernel::TimeBy::Code)
      return false; // nothing else is read
  DeviceRegistry Registry;
  LinkRegistry Links;
  auto SystemDiags = makeEngine(Parts[1], "system.yaml");
  const std::unique_ptr<System> On =
      parseSystem(*SystemDiags, {Registry, Links});
  if (!On)
    return false;
  SharedDevices Devices(Registry);
  KernelTimes Kernels(S, {&bottleneckModel(), {}, "", ""}, Devices);
  SystemLayout Layout(*On);
  PlanRequest Request;
  Request.MaxTasks = FewTasks;
  const Plan P = makePlan(S, Layout, Kernels, Request);
  for (const PlanError &E : P.Errors)
    check(!E.Text.empty(), "an error that says nothing");
  if (!P.Errors.empty())
    return false;
  const Timeline T = simulate(P.Graph);
  if (!T.Stuck.empty()) {
    check(!findCycle(P.Graph, T.Stuck).empty(), "nobody waits for whom");
    return false;
  }
  check(isPossible(totalsOf(S, Layout, P, T)), "a result that cannot be");
  return true;
}
