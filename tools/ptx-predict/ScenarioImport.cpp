//===- ScenarioImport.cpp - scenario --from-nsys=TRACE.csv ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScenarioImport.h"
#include "OutputFile.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Scenario/Trace/ScenarioFromTrace.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// The kernels of all files. True on error (reported).
static bool readCode(ArrayRef<std::string> Files,
                     std::vector<TraceCode> &Code) {
  Driver D{DriverOptions()};
  bool Failed = !D.prepare();
  for (const std::string &File : Files) {
    const ParsedInput *Input = Failed ? nullptr : D.read(File);
    if (!Input)
      continue;
    for (const auto &G : Input->module().Functions)
      if (G->IsKernel)
        Code.push_back({G->Name.str(), File});
  }
  printDiagnostics(D.diagnostics());
  return Failed || D.hasErrors();
}

int tool::importScenario(const ImportRequest &Request) {
  DiagnosticEngine Diags;
  NsysTrace Trace;
  const bool Failed =
      readInputFile(Request.Trace, Diags) || readNsysTrace(Diags, Trace);
  printDiagnostics(&Diags);
  TraceScenarioOptions Options;
  if (Failed || readCode(Request.Code, Options.Code))
    return NotDone;
  Options.Name = llvm::sys::path::stem(Request.Trace).str();
  Options.System = Request.SystemName.str();
  const TraceScenario S = scenarioFromTrace(Trace, Options);
  for (StringRef Kernel : S.NotMatched)
    printWarning("kernel '" + printable(Kernel) +
                 "' keeps its measured time: the code has one of that name "
                 "with other arguments, or several");
  if (S.ConcurrentCopies > 2)
    printWarning("up to " + Twine(S.ConcurrentCopies) +
                 " copies run at once in one direction; the system needs as "
                 "many copy engines to replay that");
  return writeResult(Request.Output, S.Text) ? NotDone : Done;
}
