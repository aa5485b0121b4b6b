//===- CalibrateLink.cpp - calibrate RESULTS.yaml --link=NAME -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CalibrateLink.h"
#include "OutputFile.h"
#include "RegistryFiles.h"
#include "ptxpredict/Scenario/Plan/NCCLTests.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// Fits what \p Path has measured. True on error (reported).
static bool fitResults(StringRef Path, const Link &Of,
                       std::vector<LinkFit> &Fits) {
  DiagnosticEngine Diags;
  MicrobenchmarkResults Results;
  const bool Failed = readInputFile(Path, Diags) ||
                      parseMicrobenchmarks(Diags, Results) ||
                      fitTransfers(Diags, Results, Of, Fits);
  printDiagnostics(&Diags);
  return Failed;
}

/// The same of the output of nccl-tests.
static bool fitNCCL(const LinkFitOptions &O, std::optional<unsigned> Ranks,
                    const Link &Of, std::vector<LinkFit> &Fits) {
  DiagnosticEngine Diags;
  NCCLTests Tests;
  LinkFit Fit;
  const bool Failed =
      readInputFile(O.NCCL, Diags) || parseNCCLTests(Diags, Tests) ||
      fitNCCLTests(Diags, Tests,
                   Ranks ? std::optional<uint64_t>(*Ranks) : std::nullopt, Of,
                   Fit);
  printDiagnostics(&Diags);
  if (!Failed)
    Fits.push_back(std::move(Fit));
  return Failed;
}

/// That each number is decided once. True if not (reported).
static bool checkPeers(ArrayRef<LinkFit> Fits) {
  const bool IsTwice = llvm::count_if(Fits, [](const LinkFit &F) {
                         return F.Way == TransferWay::PeerToPeer;
                       }) > 1;
  return IsTwice && usageError("both the results and --nccl decide transfers "
                               "between peers; leave one of them out") != Done;
}

/// Writes the link. True on error (reported).
static bool writeLinkFile(const Link &L, StringRef Path) {
  std::string File;
  llvm::raw_string_ostream OS(File);
  printLink(L, OS);
  // What is written must be a link.
  DiagnosticEngine Written(
      llvm::MemoryBuffer::getMemBuffer(File, "the calibrated link"));
  if (!parseLink(Written)) {
    printDiagnostics(&Written);
    return true;
  }
  return !Path.empty() && writeResult(Path, File);
}

int tool::calibrateLink(const LinkFitRequest &R) {
  const LinkFitOptions &O = R.O;
  if (O.Link.getNumOccurrences() == 0)
    return usageError("which link was measured? --link=NAME says it; "
                      "'ptx-predict transfer' lists them");
  const bool HasNCCL = O.NCCL.getNumOccurrences() != 0;
  std::string Path;
  std::optional<unsigned> Ranks, Hops;
  if (readPath(O.NCCL, Path) || readPositive(O.Ranks, Ranks) ||
      readPositive(O.Hops, Hops))
    return NotDone;
  if (Ranks && !HasNCCL)
    return usageError("--ranks goes with --nccl");
  if (R.Inputs.size() > 1 || (R.Inputs.empty() && !HasNCCL))
    return usageError(R.Inputs.empty()
                          ? Twine("no file of results, and no --nccl=FILE; "
                                  "try --help")
                          : "give one file of results, which describes one "
                            "link, not " +
                                Twine(R.Inputs.size()));
  LinkRegistry Registry;
  if (addFiles(O.LinkFiles, Registry))
    return NotDone;
  Expected<const Link *> Base = Registry.find(O.Link);
  if (!Base)
    return usageError("--link: " + llvm::toString(Base.takeError()));

  std::vector<LinkFit> Fits;
  bool Failed = !R.Inputs.empty() && fitResults(R.Inputs.front(), **Base, Fits);
  Failed |= HasNCCL && fitNCCL(O, Ranks, **Base, Fits);
  if (Failed || checkPeers(Fits))
    return NotDone;
  divideStartups(Fits, Hops.value_or(1));
  Link New = fittedLink(**Base, Fits);
  if (!R.Name.empty())
    New.Name = R.Name.str();
  if (writeLinkFile(New, R.Output))
    return NotDone;
  if (R.Output == "-")
    return Done;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printLinkFits(**Base, Fits, OS);
  return writeResult("-", Text) ? NotDone : Done;
}
