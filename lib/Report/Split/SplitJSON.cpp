//===- SplitJSON.cpp - Splits as JSON -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Split/SplitReport.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

static void writePoint(JSONWriter &J, const SplitPoint &P) {
  J.attributeArray("shares", [&] {
    for (double Share : P.Shares)
      J.number(Share);
  });
  J.number("time_us", P.Seconds * 1e6);
  J.number("power_w", P.PowerW);
  J.number("energy_j", P.EnergyJ);
  J.number("speedup", P.Gain.Speedup);
  J.number("efficiency", P.Gain.Efficiency);
  J.number("energy_fraction", P.Gain.EnergyFraction);
}

static void writePoints(JSONWriter &J, ArrayRef<SplitPoint> Points,
                        bool IsLinear) {
  J.attribute("linear", IsLinear);
  J.attributeArray("points", [&] {
    for (const SplitPoint &P : Points)
      J.object([&] { writePoint(J, P); });
  });
}

static void writeSide(JSONWriter &J, const KernelSplit &K, size_t N) {
  const KernelSide &Side = K.Sides[N];
  if (!Side.Model.empty())
    J.text("model", Side.Model);
  if (!Side.TimeUs) {
    J.text("why", Side.Why);
    return;
  }
  const SplitDevice &Work = K.System.Parties[N].Work;
  J.estimate("time_us", *Side.TimeUs);
  // Of all launches and all of the work, in a form of which any split's time is
  // fixed + share * (work + transfer).
  J.number("work_us", Work.Seconds * 1e6);
  J.number("transfer_us", (Work.secondsOfAll() - Work.Seconds) * 1e6);
  J.number("fixed_us", Work.FixedSeconds * 1e6);
  if (Side.PowerW) {
    J.number("power_w", *Side.PowerW);
    J.attribute("power_from", toString(Side.PowerFrom));
  }
  if (Side.IdleW)
    J.number("idle_w", *Side.IdleW);
  J.number("share_by_performance", Side.ByPerformance);
  if (K.Best)
    J.number("share", K.Best->Shares[N]);
  if (Side.Blocks)
    J.attribute("blocks", int64_t(*Side.Blocks));
}

static void writeSeries(JSONWriter &J, const SeriesSplit &S) {
  auto Speed = [](bool Fast) { return Fast ? "fast" : "slow"; };
  auto Power = [](bool High) { return High ? "high" : "low"; };
  J.attribute("series", S.Series.Number);
  J.attributeArray("speed", [&] {
    J.value(Speed(S.Series.FastCPU));
    J.value(Speed(S.Series.FastGPU));
  });
  J.attributeArray("power", [&] {
    J.value(Power(S.Series.HighPowerCPU));
    J.value(Power(S.Series.HighPowerGPU));
  });
  writePoints(J, S.Points, S.IsLinear);
}

static void writeKernel(JSONWriter &J, const SplitReport &R,
                        const SplitKernel &Kernel) {
  const KernelSplit &K = Kernel.Split;
  if (!Kernel.Name.empty()) {
    J.text("path", Kernel.Path);
    J.text("kernel", Kernel.Name);
    J.text("demangled", Kernel.Demangled);
  }
  if (Kernel.LaunchLine)
    J.attribute("launch_line", Kernel.LaunchLine);
  if (const SplitBytes &B = K.Bytes; B.From != SplitBytes::FromTy::Nothing)
    J.attributeObject("bytes", [&] {
      J.attribute("from", toString(B.From));
      J.attribute("status", toString(B.How));
      J.number("in", B.In);
      J.number("out", B.Out);
      J.number("whole_in", B.WholeIn);
      J.number("whole_out", B.WholeOut);
    });
  if (!K.Sides.empty())
    J.attributeArray("devices", [&] {
      for (size_t N = 0; N != K.Sides.size(); ++N)
        J.object([&] {
          J.text("device", R.Question.Sides[N].Name);
          writeSide(J, K, N);
        });
    });
  if (!K.Assumed.empty())
    J.texts("assumed", K.Assumed);
  if (!K.Why.empty()) {
    J.text("why", K.Why);
    return;
  }
  J.attributeObject("gained", [&] {
    J.text("over", R.Question
                       .Sides[size_t(llvm::max_element(K.Alone->Shares) -
                                     K.Alone->Shares.begin())]
                       .Name);
    J.number("time", K.timeSaved());
    J.number("energy", K.energySaved());
  });
  J.attributeObject("best", [&] { writePoint(J, *K.Best); });
  J.attributeObject("alone", [&] { writePoint(J, *K.Alone); });
  writePoints(J, K.Points, K.IsLinear);
  if (!K.Series.empty())
    J.attributeArray("series", [&] {
      for (const SeriesSplit &S : K.Series)
        J.object([&] { writeSeries(J, S); });
    });
}

void ptxpredict::printSplitJSON(const SplitReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  const SplitQuestion &Q = R.Question;
  J.object([&] {
    J.header(SplitSchemaName, SplitSchemaVersion);
    J.attribute("by", toString(Q.Goal));
    J.number("times", Q.Times);
    if (Q.JointW)
      J.number("joint_power_w", *Q.JointW);
    if (Q.SeriesFactor)
      J.number("series_factor", *Q.SeriesFactor);
    J.attributeArray("devices", [&] {
      for (const SplitSide &S : Q.Sides)
        J.object([&] {
          J.text("device", S.Name);
          if (S.On)
            J.attribute("kind", S.On->IsCPU ? "cpu" : "gpu");
          if (S.Link.Name.empty())
            return;
          J.text("link", S.Link.Name);
          J.attribute("host_memory", R.HostMemory);
          for (const auto &[Key, Way] :
               {std::pair("in", S.Link.In), std::pair("out", S.Link.Out)})
            J.attributeObject(Key, [W = Way, &J] {
              J.number("startup_us", W.StartupSeconds * 1e6);
              J.number("gb_per_s", 1e-9 / W.SecondsPerByte);
            });
        });
    });
    J.texts("assumed", R.Assumed);
    J.texts("premises", R.Premises);
    J.attributeArray("kernels", [&] {
      for (const SplitKernel &K : R.Kernels)
        J.object([&] { writeKernel(J, R, K); });
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
