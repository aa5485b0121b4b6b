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

static void writePair(JSONWriter &J, StringRef Key, const RoutePair &P) {
  if (!P.IR && !P.PTX)
    return;
  J.attributeObject(Key, [&] {
    if (P.IR)
      J.estimate("ir", *P.IR);
    if (P.PTX)
      J.estimate("ptx", *P.PTX);
    writeAgreement(J, P.agrees());
  });
}

static void writeLoop(JSONWriter &J, const ComparedLoop &L) {
  J.attribute("depth", L.Depth);
  if (!L.IRHeader.empty() || L.TripCount.IR)
    J.text("ir_header", L.IRHeader);
  if (!L.PTXHeader.empty() || L.TripCount.PTX)
    J.text("ptx_header", L.PTXHeader);
  writePair(J, "trip_count", L.TripCount);
}

static void writeAccess(JSONWriter &J, const ComparedAccess &A) {
  if (!A.Source.empty())
    J.text("source", A.Source);
  if (!A.InlinedAt.empty())
    J.texts("inlined_at", A.InlinedAt);
  J.text("space", toString(A.Space));
  J.text("access", toString(A.Access));
  J.attributeObject("instructions", [&] {
    J.attribute("ir", A.IRInstructions);
    J.attribute("ptx", A.PTXInstructions);
  });
  writePair(J, "requests", A.Requests);
  writePair(J, "sectors", A.Sectors);
  writePair(J, "lines", A.Lines);
  writePair(J, "wavefronts", A.Wavefronts);
  writeAgreement(J, A.agrees());
}

static void writeKernel(JSONWriter &J, const ComparedKernel &K) {
  J.text("name", K.Name);
  J.text("demangled", K.Demangled);
  J.attribute("input", K.Input);
  writePair(J, "instructions", K.Instructions);
  J.attributeObject("by_class", [&] {
    for (unsigned C = 0; C != NumOpClasses; ++C)
      writePair(J, toString(OpClass(C)), K.ByClass[C]);
  });
  J.attributeArray("loops", [&] {
    for (const ComparedLoop &L : K.Loops)
      J.object([&] { writeLoop(J, L); });
  });
  J.attributeArray("memory", [&] {
    for (const ComparedAccess &A : K.Memory)
      J.object([&] { writeAccess(J, A); });
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
        J.object([&] { writeKernel(J, K); });
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : C.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}
