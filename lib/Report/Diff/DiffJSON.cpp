//===- DiffJSON.cpp - A comparison as JSON --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Report/Prediction/FindingsJSON.h"
#include "ptxpredict/Report/Diff/DiffReport.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"

using namespace ptxpredict;

static void writeBuild(JSONWriter &J, StringRef Key, const Build &B) {
  J.attributeObject(Key, [&] {
    J.attributeArray("inputs", [&] {
      for (const InputRecord &I : B.Inputs)
        J.object([&] {
          J.text("path", I.Path);
          J.text("frontend", I.Frontend);
          if (!I.Target.empty())
            J.text("target", I.Target);
        });
    });
  });
}

/// The keys of a kernel on one side.
static void writeKernel(JSONWriter &J, const Build &B, KernelRef R) {
  const KernelRecord &K = kernelAt(B, R);
  J.text("name", K.Name);
  J.text("demangled", K.Demangled);
  J.text("path", B.Inputs[R.Input].Path);
  J.attribute("line", K.Line);
  J.extent("grid", K.Grid);
  J.extent("block", K.Block);
}

static void writeDiff(JSONWriter &J, const ValueDiff &V) {
  if (!V.Base && !V.Head)
    return;
  J.attributeObject(V.key(), [&] {
    if (V.Base)
      J.estimate("base", *V.Base);
    if (V.Head)
      J.estimate("head", *V.Head);
    if (std::optional<double> Change = V.change())
      J.number("change", *Change);
    J.attribute("matters", V.Matters);
  });
}

static void writeDiffs(JSONWriter &J, StringRef Key,
                       ArrayRef<ValueDiff> Values) {
  J.attributeObject(Key, [&] {
    for (const ValueDiff &V : Values)
      writeDiff(J, V);
  });
}

static void writeDiff(JSONWriter &J, const DeviceDiff &D) {
  J.text("device", D.Device);
  J.text("model", D.Model);
  J.attribute("in_base", D.InBase);
  J.attribute("in_head", D.InHead);
  J.attribute("matters", D.Matters);
  if (std::optional<double> Slowdown = D.slowdown())
    J.number("slowdown", *Slowdown);
  J.attributeObject("limiter", [&] {
    if (D.BaseLimiter != TimeLimiter::None)
      J.text("base", toString(D.BaseLimiter));
    if (D.HeadLimiter != TimeLimiter::None)
      J.text("head", toString(D.HeadLimiter));
    J.attribute("matters", D.LimiterMatters);
  });
  for (const ValueDiff *V :
       {&D.TimeUs, &D.EnergyJ, &D.Registers, &D.BlocksPerSM, &D.Occupancy})
    writeDiff(J, *V);
}

static void writeDiff(JSONWriter &J, const FindingDiff &F) {
  J.attribute("state", toString(F.What));
  if (F.Was)
    J.attribute("was", toString(*F.Was));
  J.attribute("matters", F.Matters);
  J.attributeObject("finding", [&] { writeKeys(J, F.Record.Found); });
}

static void writeDiff(JSONWriter &J, const DiffResult &R, const KernelDiff &D) {
  J.attributeObject("base", [&] { writeKernel(J, R.Base, D.Pair.Base); });
  J.attributeObject("head", [&] { writeKernel(J, R.Head, D.Pair.Head); });
  J.attribute("paired_by", toString(D.Pair.MatchedBy));
  J.number("similarity", D.Pair.Similarity);
  J.attribute("matters", D.Matters);
  J.attribute("other_launch", D.OtherLaunch);
  writeDiffs(J, "values", D.Values);
  writeDiffs(J, "by_class", D.Mix);
  J.attributeArray("devices", [&] {
    for (const DeviceDiff &At : D.Devices)
      J.object([&] { writeDiff(J, At); });
  });
  J.attributeArray("findings", [&] {
    for (const FindingDiff &F : D.Findings)
      J.object([&] { writeDiff(J, F); });
  });
}

static void writeVerdict(JSONWriter &J, const DiffResult &R) {
  J.attribute("matters", R.anythingMatters());
  J.attribute("compared", R.Kernels.size());
  J.attribute("changed", R.numChanged());
  J.attribute("over_limit", R.exceedsLimit());
  J.attribute("failing_finding", R.hasFailingFinding());
  if (std::optional<DiffResult::Worst> W = R.worst())
    J.attributeObject("worst", [&] {
      J.text("kernel", R.head(*W->Kernel).Name);
      J.text("device", W->Device->Device);
      J.text("model", W->Device->Model);
      J.number("slowdown", W->Slowdown);
    });
}

static void writeOthers(JSONWriter &J, StringRef Key, const Build &B,
                        ArrayRef<KernelRef> Kernels) {
  J.attributeArray(Key, [&] {
    for (KernelRef K : Kernels)
      J.object([&] { writeKernel(J, B, K); });
  });
}

void ptxpredict::printDiffJSON(const DiffResult &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(DiffSchemaName, DiffSchemaVersion);
    J.attributeObject("options", [&] {
      J.number("noise", R.Options.Noise);
      if (R.Options.MaxRegression)
        J.number("max_regression", *R.Options.MaxRegression);
      if (R.Options.FailOn)
        J.attribute("fail_on", toString(*R.Options.FailOn));
    });
    J.attributeObject("verdict", [&] { writeVerdict(J, R); });
    writeBuild(J, "base", R.Base);
    writeBuild(J, "head", R.Head);
    J.attributeArray("kernels", [&] {
      for (const KernelDiff &D : R.Kernels)
        J.object([&] { writeDiff(J, R, D); });
    });
    writeOthers(J, "added", R.Head, R.Added);
    writeOthers(J, "removed", R.Base, R.Removed);
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Messages)
        J.diagnostic(D);
      for (const Build *B : {&R.Base, &R.Head})
        for (const InputRecord &I : B->Inputs)
          for (const Diagnostic &D : I.Messages)
            J.diagnostic(D);
    });
  });
  OS << '\n';
}
