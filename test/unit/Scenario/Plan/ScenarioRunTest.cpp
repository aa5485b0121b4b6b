//===- ScenarioRunTest.cpp - Runs of scenario files -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/ScenarioRun.h"
#include "PlannedScenario.h"
#include "RandomScenario.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <optional>

using namespace ptxpredict;

namespace {

/// A folder with a scenario's files, as long as the test runs.
class ScenarioFolder {
public:
  ScenarioFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("scenario", Folder));
  }
  ~ScenarioFolder() { EXPECT_FALSE(llvm::sys::fs::remove_directories(Folder)); }

  // They take the place of those before.
  void write(const RandomScenario &S) {
    write("scenario.yaml", S.text());
    Options.Path = path("scenario.yaml");
  }
  void write(const RandomSystem &S) {
    write("system.yaml", S.text());
    Options.LinkFiles.clear();
    for (const std::string &Link : S.linkTexts()) {
      const std::string Name =
          "link-" + std::to_string(Options.LinkFiles.size()) + ".yaml";
      write(Name, Link);
      Options.LinkFiles.push_back(path(Name));
    }
  }
  ScenarioOptions Options;

private:
  std::string path(const std::string &Name) const {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }
  void write(const std::string &Name, const std::string &Text) const {
    std::error_code Error;
    llvm::raw_fd_ostream OS(path(Name), Error);
    EXPECT_FALSE(Error) << Name;
    OS << Text;
  }

  llvm::SmallString<128> Folder;
};

/// What is wrong with a run.
std::string messages(const ScenarioRun &Run) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const DiagnosticEngine *D : Run.diagnostics())
    D->print(OS, /*Colors=*/false);
  return Text;
}

struct Texts {
  std::string Sweep, Whole;
  double Seconds = 0; ///< of the first point
};

/// All points as JSON, and the first as a whole.
std::optional<Texts> run(const ScenarioOptions &Options, unsigned Jobs) {
  ScenarioOptions O = Options;
  O.Jobs = Jobs;
  ScenarioRun Run(std::move(O));
  if (!Run.prepare()) {
    ADD_FAILURE() << messages(Run);
    return std::nullopt;
  }
  Texts T;
  const std::vector<ScenarioPoint> Points = Run.runAll();
  llvm::raw_string_ostream Sweep(T.Sweep), Whole(T.Whole);
  printSweepJSON({Run.scenario(), Run.options().Axes, Points, Run.assumptions(),
                  ScenarioObjective::ED},
                 Sweep);
  ScenarioWhole W = Run.runWhole(0);
  T.Seconds = W.Point.Totals.Seconds;
  printScenarioJSON(makeScenarioReport(Run, W), Whole);
  EXPECT_EQ(messages(Run), "");
  return T;
}

TEST(ScenarioRun, GivesTheSameBytesOnAnyNumberOfThreadsAndTwice) {
  constexpr unsigned Num = PTXPREDICT_IS_SANITIZED ? 20 : 2000;
  ScenarioFolder Folder;
  Folder.Options.Axes = {llvm::cantFail(parseScenarioAxis("var:v=1:3"))};
  RandomSystem On;
  for (unsigned N = 0; N != Num; ++N) {
    SCOPED_TRACE("scenario " + std::to_string(N));
    if (N % 10 == 0) { // writing takes longer than running
      RandomNumbers R(N);
      On = randomSystem(R, {});
      Folder.write(On);
    }
    const RandomScenario S = randomScenario(30'000 + N, {}, On);
    Folder.write(S);
    const std::optional<Texts> One = run(Folder.Options, 1);
    const std::optional<Texts> Four = run(Folder.Options, 4);
    ASSERT_TRUE(One && Four) << S.text();
    EXPECT_EQ(One->Sweep, Four->Sweep);
    EXPECT_EQ(One->Whole, Four->Whole);
    EXPECT_GT(One->Seconds, 0);
    ASSERT_FALSE(HasFailure()) << S.text();
  }
}

TEST(ScenarioRun, AnswersAsItsPartsDo) {
  ScenarioFolder Folder;
  for (unsigned N = 0; N != 20; ++N) {
    SCOPED_TRACE("scenario " + std::to_string(N));
    const RandomScenario S = randomScenario(10'000 + N, {});
    Folder.write(S.On);
    Folder.write(S);
    const std::optional<Texts> Run = run(Folder.Options, 1);
    ASSERT_TRUE(Run);
    const PlannedScenario P(S.text(), S.On.text(), S.On.linkTexts());
    EXPECT_EQ(Run->Seconds, P.When.total());
  }
}

} // namespace
