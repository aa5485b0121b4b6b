//===- Results.cpp - What was measured, in files --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Results.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Validation/Fit/MWPCWPFit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace ptxpredict;
using namespace ptxpredict::measure;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

StringRef Results::fact(StringRef Name) const {
  for (const auto &[Key, Value] : Facts)
    if (Key == Name)
      return Value;
  return "";
}

unsigned Results::capability() const {
  unsigned Major = 0, Minor = 0;
  return fact("capability_major").getAsInteger(10, Major) ||
                 fact("capability_minor").getAsInteger(10, Minor)
             ? 0
             : Major * 10 + Minor;
}

unsigned Results::numGPUs() const {
  unsigned Count = 0;
  return fact("gpus").getAsInteger(10, Count) ? 1 : Count;
}

bool Results::isAnyWrong() const {
  return llvm::any_of(Kernels, [](const Record &R) {
    return kernelCell(R, "result") == "wrong";
  });
}

/// "NVIDIA A100-SXM4-80GB" and "NVIDIA A100 SXM4 80 GB" are one device.
static std::string plain(StringRef Name) {
  std::string Text;
  for (char C : Name.lower())
    if (llvm::isAlnum(C))
      Text += C;
  return Text;
}

Expected<const Device *> measure::findDevice(const Results &R, StringRef Asked,
                                             DeviceRegistry &Registry,
                                             bool &IsGuess) {
  IsGuess = false;
  if (!Asked.empty())
    return Registry.find(Asked);
  for (const std::string &Name : Registry.names()) {
    Expected<const Device *> D = Registry.find(Name);
    if (!D || plain((*D)->Description) == plain(R.fact("name")))
      return D;
  }
  IsGuess = true;
  return Registry.find(representativeDevice(R.capability()));
}

bool measure::writeFile(StringRef Folder, StringRef Name, StringRef Text) {
  llvm::SmallString<256> Path(Folder), New;
  path::append(Path, Name);
  New = Path;
  New += ".new";
  std::error_code EC;
  {
    llvm::raw_fd_ostream OS(New, EC);
    if (!EC) {
      OS << Text;
      OS.flush();
      EC = OS.error();
      OS.clear_error();
    }
  }
  if (!EC)
    EC = fs::rename(New, Path);
  if (!EC)
    return false;
  llvm::errs() << "measure: error: " << Path
               << " cannot be written: " << EC.message() << '\n';
  return true;
}

static std::string today() {
  const std::time_t Now = std::time(nullptr);
  std::tm Parts = {};
  char Text[16] = {};
  if (::gmtime_r(&Now, &Parts))
    (void)std::strftime(Text, sizeof(Text), "%Y-%m-%d", &Parts);
  return Text;
}

static std::string microbenchmarks(const Results &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "schema: " << MicrobenchmarksSchemaName
     << "\nversion: " << MicrobenchmarksSchemaVersion
     << "\ndevice: " << quoteYAML(R.fact("name")) << "\ndate: " << today()
     << "\ndriver: " << quoteYAML(R.fact("driver"))
     << "\ncompute_capability: " << R.fact("capability_major") << '.'
     << R.fact("capability_minor") << "\ncore_mhz: " << R.fact("core_mhz")
     << "\nmem_mhz: " << R.fact("memory_mhz") << "\nresults:\n";
  for (const Record &B : R.Benchmarks) {
    if (B.Fields.size() != 5)
      continue;
    OS << "  - {name: " << B.Fields[0] << ", value: " << B.Fields[1]
       << ", unit: " << quoteYAML(B.Fields[2]);
    if (B.Fields[3] != "0")
      OS << ", core_mhz: " << B.Fields[3];
    if (B.Fields[4] != "0")
      OS << ", mem_mhz: " << B.Fields[4];
    OS << "}\n";
  }
  return Text;
}

static void printCells(ArrayRef<std::string> Cells, raw_ostream &OS) {
  for (const auto &[I, Cell] : llvm::enumerate(Cells)) {
    OS << (I ? "," : "");
    if (StringRef(Cell).find_first_of(",\"\n") == StringRef::npos) {
      OS << Cell;
      continue;
    }
    OS << '"';
    for (char C : Cell)
      OS << (C == '"' ? "\"\"" : StringRef(&C, 1));
    OS << '"';
  }
  OS << '\n';
}

bool measure::writeResults(const Results &R, StringRef Folder,
                           StringRef DeviceName) {
  std::string Facts = "name,value\n", Steps = "step,group,status,detail\n";
  std::string Kernels, Dataset;
  llvm::raw_string_ostream FactsOS(Facts), StepsOS(Steps), KernelsOS(Kernels),
      DatasetOS(Dataset);
  for (const auto &[Name, Value] : R.Facts)
    printCells({Name, Value}, FactsOS);
  for (const StepOutcome &S : R.Steps)
    printCells({S.Name, S.Group, S.Status, S.Detail}, StepsOS);
  if (writeFile(Folder, "facts.csv", Facts) ||
      writeFile(Folder, "steps.csv", Steps) ||
      writeFile(Folder, "results.yaml", microbenchmarks(R)))
    return true;
  if (R.Kernels.empty())
    return false;
  printCells(
      std::vector<std::string>(kernelColumns().begin(), kernelColumns().end()),
      KernelsOS);
  for (const Record &K : R.Kernels)
    printCells(K.Fields, KernelsOS);
  printDataset(R, DeviceName, DatasetOS);
  return writeFile(Folder, "kernels.csv", Kernels) ||
         writeFile(Folder, "times.yaml", Dataset);
}

bool measure::writeDevice(StringRef Folder, const Device &Base) {
  llvm::SmallString<256> Path(Folder);
  path::append(Path, "results.yaml");
  DiagnosticEngine Diags;
  MicrobenchmarkResults Read;
  Calibration C;
  const bool Failed = readInputFile(Path, Diags) ||
                      parseMicrobenchmarks(Diags, Read) ||
                      calibrate(Diags, Read, Base, C);
  Diags.print(llvm::errs(), /*Colors=*/false);
  if (Failed)
    return true;
  addMWPCWP(Read, C);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printDevice(C, Base.Name, OS);
  return writeFile(Folder, "device.yaml", Text);
}
