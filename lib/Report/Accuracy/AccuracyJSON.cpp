//===- AccuracyJSON.cpp - How far predictions are off, as JSON ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Accuracy/AccuracyReport.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// The keys of counts, by MeasuredCount.
static constexpr StringRef CountKeys[NumMeasuredCounts] = {
    "instructions", "dram_sectors", "l2_sectors", "shared_wavefronts"};

namespace {

class AccuracyWriter {
public:
  AccuracyWriter(const ValidationReport &R, JSONWriter &J) : R(R), J(J) {}

  void write(const AccuracyViewOptions &Options);

private:
  void rows(const ValidatedDataset &D);
  void accuracy(const Accuracy &A);
  void refit(const RefitResult &F);
  void power(const FittedPower &F);
  void group(StringRef Kind, const AccuracyGroup &G);
  void errors(const ErrorSummary &E);
  void ranks(const Accuracy &A, size_t Model);
  void set(const RankedSet &S);
  void worst(const Accuracy &A, size_t Model);
  /// Adds \p Key unless there is nothing to say.
  void optionalText(StringRef Key, StringRef Text) {
    if (!Text.empty())
      J.text(Key, Text);
  }

  const ValidationReport &R;
  JSONWriter &J;
};

} // namespace

void AccuracyWriter::rows(const ValidatedDataset &D) {
  J.attributeObject("rows", [&] {
    J.attribute("predicted", D.numPredicted());
    J.attribute("no_code", D.NoCode);
    J.attribute("no_counters", D.NoCounters);
    J.attribute("failed", D.Failed);
    J.attribute("left_out", D.Rows.LeftOut);
    J.attribute("other_devices", D.Rows.NoDevice);
    J.attribute("other_kernels", D.Rows.NoKernel);
    J.attribute("not_asked", D.Rows.NotAsked);
    J.attribute("too_short", D.Rows.LaunchBound);
    J.attribute("not_drawn", D.Rows.NotDrawn);
  });
}

void AccuracyWriter::errors(const ErrorSummary &E) {
  J.attribute("rows", E.Rows);
  J.number("mape", E.MAPE);
  J.number("median", E.Median);
  J.number("factor", E.Factor);
  J.number("bias", E.Bias);
  J.attribute("closed_rows", E.Closed);
  J.number("coverage", E.Coverage);
  J.attribute("power_rows", E.PowerRows);
  J.number("power_mape", E.PowerMAPE);
  J.number("power_coverage", E.PowerCoverage);
}

void AccuracyWriter::group(StringRef Kind, const AccuracyGroup &G) {
  J.object([&] {
    J.attribute("of", Kind);
    optionalText("device", G.Device);
    optionalText("kernel", G.Kernel);
    optionalText("kind", G.Kind);
    optionalText("apart", G.Apart);
    J.attribute("rows", G.Rows);
    J.number("least_us", G.LeastUs);
    J.number("most_us", G.MostUs);
    J.attributeArray("models", [&] {
      for (size_t M = 0; M != R.numShown(); ++M)
        J.object([&] {
          J.text("model", R.Models[M]);
          errors(G.Models[M]);
        });
    });
  });
}

void AccuracyWriter::ranks(const Accuracy &A, size_t Model) {
  const RankSummary &S = A.Ranks[Model], &K = A.KernelRanks[Model];
  J.object([&] {
    J.text("model", R.Models[Model]);
    J.attribute("sets", S.Sets);
    J.number("mean_spearman", S.MeanSpearman);
    J.number("least_spearman", S.LeastSpearman);
    J.attribute("ranked_rows", S.RankedRows);
    J.attribute("tied_rows", S.Tied);
    J.number("mean_regret", S.MeanRegret);
    J.number("most_regret", S.MostRegret);
    J.attribute("sets_of_more_than_10", S.Regret10Sets);
    J.number("mean_regret_of_10", S.MeanRegret10);
    J.number("most_regret_of_10", S.MostRegret10);
    J.attribute("pairs", S.Pairs);
    J.attribute("right_pairs", S.RightPairs);
    J.attribute("tied_pairs", S.TiedPairs);
    J.attribute("kernel_sets", K.Sets);
    J.number("mean_kernel_spearman", K.MeanSpearman);
    J.number("least_kernel_spearman", K.LeastSpearman);
    J.attribute("scaling_rows", A.Scaling[Model].Rows);
    J.number("scaling_error", A.Scaling[Model].Value);
    J.attributeArray("counts", [&] {
      for (unsigned C = 0; C != NumMeasuredCounts; ++C)
        if (const MeanOf &Of = A.Counts[Model][C]; Of.Rows != 0)
          J.object([&] {
            J.attribute("count", CountKeys[C]);
            J.attribute("rows", Of.Rows);
            J.number("median_error", Of.Value);
          });
    });
    J.attributeArray("limiters", [&] {
      for (const auto &[Limiter, E] : A.Limiters[Model])
        J.object([&, &OfLimiter = E, Name = toString(Limiter)] {
          J.text("limiter", Name);
          errors(OfLimiter);
        });
    });
  });
}

void AccuracyWriter::set(const RankedSet &S) {
  J.object([&] {
    J.text("set", S.Name);
    J.attribute("rows", S.Rows);
    J.number("best_us", S.BestUs);
    J.attributeArray("models", [&] {
      for (size_t M = 0; M != R.numShown(); ++M)
        if (const SetRanking &K = S.Models[M]; K.Rows != 0)
          J.object([&] {
            J.text("model", R.Models[M]);
            J.attribute("rows", K.Rows);
            if (K.Spearman)
              J.number("spearman", *K.Spearman);
            J.attribute("tied_rows", K.Tied);
            J.number("regret", K.Regret);
            if (K.Regret10)
              J.number("regret_of_10", *K.Regret10);
            J.attribute("pairs", K.Pairs);
            J.attribute("right_pairs", K.RightPairs);
            J.attribute("tied_pairs", K.TiedPairs);
          });
    });
  });
}

void AccuracyWriter::worst(const Accuracy &A, size_t Model) {
  for (const WorstRow &W : A.Worst[Model]) {
    const ValidatedPoint &P = R.Points[W.Point];
    const ModelAnswer &Answer = P.Answers[Model];
    J.object([&] {
      J.text("model", R.Models[Model]);
      J.attribute("line", P.Line);
      J.text("kernel", P.Kernel->Name);
      J.text("device", P.Device);
      optionalText("set", P.Set);
      J.number("measured_us", P.TimeUs);
      J.estimate("predicted_us", *Answer.TimeUs);
      J.number("ratio", W.Ratio);
      J.text("limiter", toString(Answer.Limiter));
    });
  }
}

void AccuracyWriter::accuracy(const Accuracy &A) {
  J.attributeArray("groups", [&] {
    if (A.All.Rows != 0)
      group("all", A.All);
    if (A.Default)
      group("default", *A.Default);
    for (const AccuracyGroup &G : A.DefaultDevices)
      group("default of a device", G);
    for (const AccuracyGroup &G : A.Devices)
      group("device", G);
    for (const AccuracyGroup &G : A.Kernels)
      group("kernel", G);
    for (const AccuracyGroup &G : A.Kinds)
      group("kind", G);
    for (const AccuracyGroup &G : A.DeviceKernels)
      group("device and kernel", G);
    for (const AccuracyGroup &G : A.Apart)
      group("apart", G);
  });
  J.attributeArray("models", [&] {
    for (size_t M = 0; M != R.numShown(); ++M)
      ranks(A, M);
  });
  if (!R.Removed.empty())
    J.attributeArray("ablation", [&] {
      for (const RemovedPart &P : ablationOf(R, A))
        J.object([&] {
          optionalText("without", P.Part);
          J.attribute("rows", P.Rows);
          J.number("mape", P.MAPE);
          J.number("median", P.Median);
          J.number("mean_spearman", P.Spearman);
        });
    });
}

void AccuracyWriter::refit(const RefitResult &F) {
  J.attributeObject("refit", [&] {
    J.text("by", toString(R.Refit));
    J.attribute("groups", F.Groups);
    J.attribute("fitted_rows", F.FittedRows);
    J.attributeArray("parameters", [&] {
      for (const RefittedParameter &P : F.Parameters)
        J.object([&] {
          J.text("parameter", P.Key);
          J.number("sigma", P.Sigma);
          J.number("all", P.All);
          J.number("least", P.Least);
          J.text("least_without", P.LeastWithout);
          J.number("most", P.Most);
          J.text("most_without", P.MostWithout);
        });
    });
  });
}

/// By the keys of device files.
void AccuracyWriter::power(const FittedPower &F) {
  const PowerParameters &P = F.Parameters;
  J.object([&] {
    J.text("device", F.On->Name);
    J.attribute("fitted_rows", F.Rows);
    J.attributeObject("parameters", [&] {
      J.number("leakage", P.LeakageW);
      J.number("activation", P.ActivationW);
      J.number("memory_clock", P.MemoryClockW);
      J.number("const_sm", P.ConstSMW);
      static constexpr StringRef Keys[] = {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING) KEY "_max",
#include "ptxpredict/Device/PowerUnits.def"
      };
      for (auto [N, Key] : llvm::enumerate(Keys))
        if (F.Has[N])
          J.number(Key, P.Units[N].MaxW);
      J.number("voltage_knee", P.VoltageKnee);
      J.number("voltage_slope", P.VoltageSlope);
      J.number("voltage_steep_knee", P.VoltageSteepKnee);
      J.number("voltage_steep_slope", P.VoltageSteepSlope);
      J.number("voltage_floor", P.VoltageFloor);
      J.number("bounds", P.Bounds);
    });
  });
}

void AccuracyWriter::write(const AccuracyViewOptions &Options) {
  J.object([&] {
    J.header(ValidationSchemaName, ValidationSchemaVersion);
    J.attributeArray("datasets", [&] {
      for (unsigned N = 0; N != R.Datasets.size(); ++N) {
        const ValidatedDataset &D = R.Datasets[N];
        // Of a profile every kernel is asked for.
        Accuracy A = computeAccuracy(
            R, N,
            R.Datasets[N].IsProfile ? R.Datasets[N].NumPoints : Options.Worst);
        J.object([&] {
          J.text("name", D.About.Name);
          J.text("title", D.About.Title);
          J.text("source", D.About.Source);
          J.text("path", D.Path);
          J.text("csv", D.About.CSV.Text);
          rows(D);
          accuracy(A);
          if (D.Refit)
            refit(*D.Refit);
          J.attributeArray("sets", [&] {
            for (const RankedSet &S : A.Sets)
              set(S);
          });
          J.attributeArray("worst", [&] {
            for (size_t M = 0; M != R.numShown(); ++M)
              worst(A, M);
          });
        });
      }
    });
    J.attributeObject("all",
                      [&] { accuracy(computeAccuracy(R, std::nullopt, 0)); });
    if (!R.Power.empty())
      J.attributeArray("power", [&] {
        for (const FittedPower &F : R.Power)
          power(F);
      });
  });
}

void ptxpredict::printAccuracyJSON(const ValidationReport &R,
                                   const AccuracyViewOptions &Options,
                                   raw_ostream &OS) {
  JSONWriter J(OS);
  AccuracyWriter(R, J).write(Options);
  OS << '\n';
}
