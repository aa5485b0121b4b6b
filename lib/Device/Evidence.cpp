//===- Evidence.cpp - What a device's numbers rest on ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Evidence.h"
#include "EmbeddedDevices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(Evidence E) {
  switch (E) {
  case Evidence::Measured:
    return "measured";
  case Evidence::MeasuredOnSibling:
    return "measured-on-sibling";
  case Evidence::Documented:
    return "documented";
  case Evidence::Assumed:
    return "assumed";
  }
  llvm_unreachable("covered switch");
}

/// What sources say of measurements: programs that were run on boards, and fits
/// to what such programs found.
static constexpr StringRef SignsOfMeasurement[] = {"test/accuracy/data",
                                                   "test/measured",
                                                   "gpu-benches",
                                                   "microbench",
                                                   "pointer chase",
                                                   "Benchmark",
                                                   "fitted to",
                                                   "is measured",
                                                   "calibrated:",
                                                   "PPT-GPU",
                                                   "mmapeak",
                                                   "gpuperfpredict",
                                                   "BSPGPU",
                                                   "SGEMM steps",
                                                   "Jia et al.",
                                                   "quantile regression"};

/// "H100 SXM" of "…, an H100 SXM: …" and "… on an L40 at 2490 MHz"; empty where
/// no board is named.
static StringRef boardIn(StringRef Source) {
  constexpr StringRef Folder = "test/accuracy/data/";
  if (const size_t At = Source.find(Folder); At != StringRef::npos) {
    const StringRef Rest = Source.substr(At + Folder.size());
    return Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '-'; });
  }
  for (StringRef Article : {"on an ", "on a ", ", an ", ", a "})
    if (const size_t At = Source.find(Article); At != StringRef::npos) {
      const StringRef Rest = Source.substr(At + Article.size());
      return Rest
          .take_until([](char C) { return StringRef(",:;()").contains(C); })
          .split(" at ")
          .first.trim();
    }
  return {};
}

Evidence ptxpredict::evidenceOf(const Device &D, const Quantity &Q) {
  const StringRef Source = Q.Source;
  if (Source.starts_with("assumed"))
    return Evidence::Assumed;
  if (llvm::none_of(SignsOfMeasurement,
                    [&](StringRef Sign) { return Source.contains(Sign); }))
    return Source.contains("assumed") ? Evidence::Assumed
                                      : Evidence::Documented;
  bool IsHere = Q.From.empty();
  if (const std::string Board = plainDeviceName(boardIn(Source));
      !Board.empty())
    IsHere = plainDeviceName(D.Name) == Board ||
             llvm::any_of(D.Aliases, [&](StringRef Alias) {
               return plainDeviceName(Alias) == Board;
             });
  return IsHere ? Evidence::Measured : Evidence::MeasuredOnSibling;
}

EvidenceCounts ptxpredict::countEvidence(const Device &D) {
  EvidenceCounts Counts;
  auto Count = [&](const Quantity &Q) {
    if (Q)
      ++Counts.Of[unsigned(evidenceOf(D, Q))];
  };
  for (const DeviceField &F : deviceFields())
    Count(D.*F.Member);
  for (const auto &[Model, Parameters] : D.ModelParameters)
    for (const auto &[Key, Q] : Parameters)
      Count(Q);
  return Counts;
}
