//===- BestNodesTest.cpp - The best number of nodes -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Song, section 5.7-C: E^a D^b over nodes. The more the delay weighs against
// the energy, the shorter is the best run, so that where delay falls with nodes
// the best numbers are in the order E2D, ED, ED2.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Model/ClusterEnergy.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace ptxpredict;

namespace {

constexpr unsigned MostNodes = 20;

struct Objective {
  ScenarioObjective By;
  double EnergyPower, DelayPower;
};
/// Delay weighs more from one to the next.
constexpr Objective Objectives[] = {{ScenarioObjective::Energy, 1, 0},
                                    {ScenarioObjective::E2D, 2, 1},
                                    {ScenarioObjective::ED, 1, 1},
                                    {ScenarioObjective::ED2, 1, 2},
                                    {ScenarioObjective::Time, 0, 1}};

/// 1 to 20 nodes.
std::vector<ScenarioPoint> sweepNodes(ScenarioOptions Options) {
  ScenarioAxis Axis;
  Axis.Name = "nodes";
  for (unsigned N = 1; N <= MostNodes; ++N)
    Axis.Numbers.push_back(N);
  Options.Axes.push_back(std::move(Axis));
  Options.By = &bottleneckModel();
  Options.Jobs = 1;
  ScenarioRun Run(std::move(Options));
  EXPECT_TRUE(Run.prepare());
  std::vector<ScenarioPoint> Points = Run.runAll();
  EXPECT_FALSE(Run.hasErrors());
  return Points;
}

/// The index of the least E^a D^b, by looking at all.
size_t bruteForce(ArrayRef<ScenarioPoint> Points, const Objective &O) {
  size_t Best = 0;
  auto Of = [&](size_t N) {
    const ScenarioTotals &T = Points[N].Totals;
    return energyDelay(T.Energy.totalJ(), T.Seconds, O.EnergyPower,
                       O.DelayPower);
  };
  for (size_t N = 1; N != Points.size(); ++N)
    if (Of(N) < Of(Best))
      Best = N;
  return Best;
}

/// Checks all objectives; the best number of nodes of each.
std::vector<size_t> checkBest(ArrayRef<ScenarioPoint> Points) {
  bool Falls = true;
  for (size_t N = 1; N != Points.size(); ++N)
    Falls &= Points[N].Totals.Seconds < Points[N - 1].Totals.Seconds;
  std::vector<size_t> Best;
  for (const Objective &O : Objectives) {
    const std::optional<BestPoint> B = findBest(Points, O.By);
    EXPECT_TRUE(B);
    if (!B)
      return {};
    EXPECT_EQ(B->Best, bruteForce(Points, O));
    if (!Best.empty()) {
      EXPECT_LE(Points[B->Best].Totals.Seconds,
                Points[Best.back() - 1].Totals.Seconds);
      if (Falls) {
        EXPECT_LE(Best.back(), B->Best + 1);
      }
    }
    Best.push_back(B->Best + 1);
  }
  return Best;
}

TEST(BestNodes, OfAReductionOnKeeneland) {
  ScenarioOptions Options;
  Options.Path = PTXPREDICT_SOURCE_DIR "/docs/examples/scenario/reduction.yaml";
  const std::vector<ScenarioPoint> Points = sweepNodes(std::move(Options));
  ASSERT_EQ(Points.size(), size_t(MostNodes));
  EXPECT_EQ(Points.back().Totals.NumGPUs, 60u);
  const std::vector<size_t> Best = checkBest(Points);
  // Within the sweep: neither all nor one.
  ASSERT_EQ(Best.size(), 5u);
  EXPECT_GT(Best[1], 1u);
  EXPECT_LT(Best[1], Best[2]);
  EXPECT_LT(Best[2], Best[3]);
  EXPECT_LT(Best[3], size_t(MostNodes));
}

/// A folder that goes away with everything in it.
class Folder {
public:
  Folder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("best-nodes", Path));
  }
  ~Folder() { EXPECT_FALSE(llvm::sys::fs::remove_directories(Path)); }
  std::string write(StringRef Name, StringRef Text) const {
    llvm::SmallString<128> File(Path);
    llvm::sys::path::append(File, Name);
    std::error_code Error;
    llvm::raw_fd_ostream OS(File, Error);
    EXPECT_FALSE(Error);
    OS << Text;
    return File.str().str();
  }

private:
  llvm::SmallString<128> Path;
};

// Work that all share, work that nobody shares, and what grows with their
// number, on nodes of random powers; by (5.15) as well.
TEST(BestNodes, OfRandomMachines) {
  const Folder In;
  std::mt19937 Random(35);
  auto Any = [&](double From, double To) {
    return std::uniform_real_distribution<double>(From, To)(Random);
  };
  unsigned Interior = 0;
  for (unsigned Case = 0; Case != 200; ++Case) {
    const unsigned GPUs = unsigned(Any(1, 9));
    const double BaseW = Any(0, 400), IdleW = Any(0, 80),
                 KernelW = Any(80, 600);
    const double Shared = Any(0.01, 2), Serial = Any(0, 0.2);
    const double Growing = Case % 2 ? Any(0, 0.01) : 0;
    ScenarioOptions Options;
    Options.SystemName = In.write(
        "system.yaml",
        "schema: ptx-predict/system\nversion: 1\nname: made\n"
        "description: for tests\nsource: made up\nnodes:\n- name: node\n"
        "  gpus: [{name: gpu, device: v100, labels: {worker: 1}, count: " +
            std::to_string(GPUs) + ", idle_w: " + shortestDecimal(IdleW) +
            "}]\n  base_w: " + shortestDecimal(BaseW) + "\n");
    Options.Path = In.write(
        "app.yaml",
        "schema: ptx-predict/scenario\nversion: 1\nlaunch_us: 0\n"
        "kernels: {k: {time_us: 1e6 * " +
            shortestDecimal(Shared) +
            " / size, power_w: " + shortestDecimal(KernelW) +
            "}}\nprocesses:\n- label: worker\n  operations: [{delay: " +
            shortestDecimal(Serial) + " + " + shortestDecimal(Growing) +
            " * log2(size)}, {launch: k}, sync]\n");
    const std::vector<ScenarioPoint> Points = sweepNodes(std::move(Options));
    for (const auto &[N, P] : llvm::enumerate(Points)) {
      const double Size = double(N + 1) * GPUs;
      const double Wait = Serial + Growing * std::log2(Size);
      const double Kernel = Shared / Size;
      ClusterNode Node;
      Node.GPUWatts.assign(GPUs, meanGPUWatts(IdleW, KernelW, Wait, Kernel));
      Node.HostIdleW = BaseW;
      const double Seconds = gpuSeconds(Wait, Kernel);
      const double Joules = clusterEnergy(N + 1, Node, Seconds);
      EXPECT_NEAR(P.Totals.Seconds, Seconds, 1e-9 * Seconds);
      EXPECT_NEAR(P.Totals.Energy.totalJ(), Joules, 1e-9 * Joules);
    }
    const std::vector<size_t> Best = checkBest(Points);
    ASSERT_EQ(Best.size(), 5u);
    Interior += Best[2] > 1 && Best[2] < MostNodes;
  }
  EXPECT_GT(Interior, 50u);
}

} // namespace
