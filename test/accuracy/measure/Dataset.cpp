//===- Dataset.cpp - The measured kernels as a dataset --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Results.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::measure;

void measure::printDataset(const Results &R, StringRef DeviceName,
                           raw_ostream &OS) {
  const std::string Gpu = R.fact("name").str();
  OS << "# Kernels that test/accuracy/measure ran.\n"
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
       << "\n    launch: " << quoteYAML("launch/" + Case.Files->Stem + ".yaml")
       << "\n    entry: entry\n    registers: registers\n";
  }
}
