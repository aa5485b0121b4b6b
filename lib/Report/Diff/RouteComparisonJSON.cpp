//===- RouteComparisonJSON.cpp - Two ways to read code, as JSON -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Report/Prediction/CharacteristicsJSON.h"
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"

using namespace ptxpredict;

static void writeAgreement(JSONWriter &J, const std::optional<bool> &Agrees) {
  if (Agrees)
    J.attribute("agrees", *Agrees);
}

static void writePair(JSONWriter &J, const RouteComparison &C, StringRef Key,
                      const RoutePair &P) {
  if (!P.First && !P.Second)
    return;
  J.attributeObject(Key, [&] {
    if (P.First)
      J.estimate(C.First, *P.First);
    if (P.Second)
      J.estimate(C.Second, *P.Second);
    writeAgreement(J, P.agrees());
  });
}

static void writeLoop(JSONWriter &J, const RouteComparison &C,
                      const ComparedLoop &L) {
  J.attribute("depth", L.Depth);
  if (!L.FirstHeader.empty() || L.TripCount.First)
    J.text((C.First + "_header").str(), L.FirstHeader);
  if (!L.SecondHeader.empty() || L.TripCount.Second)
    J.text((C.Second + "_header").str(), L.SecondHeader);
  writePair(J, C, "trip_count", L.TripCount);
}

static void writeAccess(JSONWriter &J, const RouteComparison &C,
                        const ComparedAccess &A) {
  if (!A.Source.empty())
    J.text("source", A.Source);
  if (!A.InlinedAt.empty())
    J.texts("inlined_at", A.InlinedAt);
  J.text("space", toString(A.Space));
  J.text("access", toString(A.Access));
  J.attributeObject("instructions", [&] {
    J.attribute(C.First, A.FirstInstructions);
    J.attribute(C.Second, A.SecondInstructions);
  });
  writePair(J, C, "requests", A.Requests);
  writePair(J, C, "sectors", A.Sectors);
  writePair(J, C, "lines", A.Lines);
  writePair(J, C, "wavefronts", A.Wavefronts);
  writeAgreement(J, A.agrees());
}

static void writeKernel(JSONWriter &J, const RouteComparison &C,
                        const ComparedKernel &K) {
  J.text("name", K.Name);
  J.text("demangled", K.Demangled);
  J.attribute("input", K.Input);
  if (K.SecondInput)
    J.attribute("second_input", *K.SecondInput);
  writePair(J, C, "instructions", K.Instructions);
  J.attributeObject("by_class", [&] {
    for (unsigned N = 0; N != NumOpClasses; ++N)
      writePair(J, C, toString(OpClass(N)), K.ByClass[N]);
  });
  J.attributeArray("loops", [&] {
    for (const ComparedLoop &L : K.Loops)
      J.object([&] { writeLoop(J, C, L); });
  });
  J.attributeArray("memory", [&] {
    for (const ComparedAccess &A : K.Memory)
      J.object([&] { writeAccess(J, C, A); });
  });
}

void ptxpredict::printComparisonJSON(const RouteComparison &C,
                                     raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(ComparisonSchemaName, ComparisonSchemaVersion);
    writeInputs(J, C.Inputs);
    J.attributeArray("kernels", [&] {
      for (const ComparedKernel &K : C.Kernels)
        J.object([&] { writeKernel(J, C, K); });
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : C.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
