//===- Dataset.cpp - The measured kernels as a dataset --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Results.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::measure;

namespace {

/// "{KEY: VALUE, ...}", if there is a value.
class FlowMap {
public:
  void add(const std::string &Key, const std::string &Value) {
    Text += (Text.empty() ? "" : ", ") + Key + ": " + Value;
  }
  void print(StringRef Name, raw_ostream &OS) const {
    if (!Text.empty())
      OS << "    " << Name << ": {" << Text << "}\n";
  }

private:
  std::string Text;
};

} // namespace

/// A number as a formula, which has no sign in front.
static std::string formula(double Value) {
  const std::string Text = shortestDecimal(std::fabs(Value));
  return Value < 0 ? quoteYAML("0 - " + Text) : Text;
}

/// Adds a value: a number, or the size of the buffer whose address it is.
static void addValue(const KernelCase &Case, const std::string &Place,
                     const std::string &Type, const ArgumentValue &V,
                     FlowMap &Numbers, FlowMap &Buffers) {
  if (V.Kind == ArgumentValue::KindTy::Buffer) {
    const auto Spec = Case.Entry->Buffers.find(V.Buffer);
    if (Spec != Case.Entry->Buffers.end())
      Buffers.add(
          Place,
          std::to_string(Spec->second.Count *
                         bufferElementBytes(Spec->second.Type).value_or(1)));
    return;
  }
  const std::string Key = Type.empty() ? Place : quoteYAML(Place + ":" + Type);
  if (V.Kind == ArgumentValue::KindTy::Float && std::isfinite(V.Float))
    Numbers.add(Key, formula(V.Float));
  else if (V.Kind == ArgumentValue::KindTy::Integer)
    Numbers.add(Key, V.Integer < 0
                         ? quoteYAML("0 - " + std::to_string(-V.Integer))
                         : std::to_string(V.Integer));
}

static void printArguments(const KernelCase &Case, raw_ostream &OS) {
  FlowMap Numbers, Buffers;
  for (const auto &[Index, A] : Case.Config.Args)
    addValue(Case, std::to_string(Index), "", A, Numbers, Buffers);
  for (const auto &[Place, P] : Case.Config.Parts)
    addValue(Case,
             std::to_string(Place.first) + "+" + std::to_string(Place.second),
             P.Type, P.Value, Numbers, Buffers);
  Numbers.print("args", OS);
  Buffers.print("buffers", OS);
  FlowMap Trips, Branches;
  for (const auto &[Label, Count] : Case.Config.TripCounts)
    Trips.add(quoteYAML(Label), formula(Count));
  for (const auto &[Label, Probability] : Case.Config.BranchProbabilities)
    Branches.add(quoteYAML(Label), formula(Probability));
  Trips.print("trip_counts", OS);
  Branches.print("branch_probabilities", OS);
}

void measure::printDataset(const Results &R, StringRef DeviceName,
                           raw_ostream &OS) {
  const std::string Gpu = R.fact("name").str();
  OS << "# Kernels that test/accuracy/measure ran. Tensor maps, and what is "
        "in\n"
        "# buffers, are no part of a dataset.\n"
     << "schema: ptx-predict/dataset\nversion: 1\nname: measured\n"
     << "title: " << quoteYAML("Kernels on " + Gpu) << '\n'
     << "source: "
     << quoteYAML("test/accuracy/measure, driver " + R.fact("driver").str() +
                  "; medians of 20")
     << "\ncsv: kernels.csv\nwhere: {result: [ok, differs, unchecked]}\n"
     << "devices: {column: gpu, names: {" << quoteYAML(Gpu) << ": "
     << DeviceName << "}}\n"
     << "time_us: time_us\ncore_mhz: core_mhz\nmem_mhz: memory_mhz\n"
     << "power_w: power_w\ndefault: {core_mhz: max}\nkernels:\n";
  for (const KernelCase &Case : R.Cases) {
    const bool Ran = llvm::any_of(R.Kernels, [&](const Record &K) {
      return kernelCell(K, "kernel") == Case.name() &&
             kernelCell(K, "file") == Case.Files->Stem &&
             kernelCell(K, "entry") == std::to_string(Case.Number);
    });
    if (!Ran)
      continue;
    const std::string Name = quoteYAML(Case.name());
    OS << "  - where: {kernel: " << Name
       << ", file: " << quoteYAML(Case.Files->Stem)
       << ", entry: " << Case.Number
       << "}\n    name: " << quoteYAML(Case.label())
       << "\n    code: " << quoteYAML("code/" + Case.Files->Stem + ".ptx")
       << "\n    kernel: " << Name
       << "\n    grid: [grid.x, grid.y, grid.z]\n"
          "    block: [block.x, block.y, block.z]\n";
    if (Case.Config.Cluster.count() != 1)
      OS << "    cluster: [cluster.x, cluster.y, cluster.z]\n";
    OS << "    dynamic_shared: dynamic_shared\n    registers: registers\n";
    printArguments(Case, OS);
  }
}
