//===- EmulationJSON.cpp - A run on the CPU as JSON -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Report/Prediction/CharacteristicsJSON.h"
#include "ptxpredict/Report/Emulation/EmulationReport.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void writePlace(JSONWriter &J, const Diagnostic &D, unsigned InputLine) {
  J.text("message", D.Message);
  J.attributeObject("location", [&] {
    J.text("path", D.Path);
    if (D.Line != 0) {
      J.attribute("line", D.Line);
      J.attribute("column", D.Column);
    }
  });
  if (InputLine != 0)
    J.attribute("line", InputLine);
}

static void writeFinding(JSONWriter &J, const EmulationFinding &F) {
  J.attribute("id", F.Id);
  writePlace(J, F.Place, F.InputLine);
  if (F.Other)
    J.attributeObject("other",
                      [&] { writePlace(J, *F.Other, F.OtherInputLine); });
}

static void writeBuffer(JSONWriter &J, const BufferReport &B) {
  J.object([&] {
    J.text("name", B.Name);
    J.attribute("type", B.Type);
    J.attribute("count", B.Count);
    if (!B.IsChecked)
      return;
    J.attribute("ok", B.NumMismatches == 0);
    if (B.NumMismatches == 0)
      return;
    J.attributeObject("mismatch", [&] {
      J.attribute("index", B.Index);
      J.text("got", B.Got);
      J.text("want", B.Want);
      J.attribute("count", B.NumMismatches);
    });
  });
}

namespace {
enum class Document { Emulation, Profile };
} // namespace

static void writeKernel(JSONWriter &J, const EmulatedKernel &E, Document As) {
  const KernelCharacteristics &K = *E.Characteristics;
  const KernelProfile &P = E.Profile;
  J.object([&] {
    J.text("name", K.Name);
    J.text("demangled", K.Demangled);
    J.attribute("input", E.Input);
    J.attribute("line", K.Line);
    writeLaunch(J, K.Launch);
    J.attributeObject("run", [&] {
      writeRun(J, P);
      J.attribute("thread_instructions", E.threadInstructions());
      J.attribute("interrupted", E.Interrupted);
    });
    if (P.Warps != 0)
      writeCharacteristics(J, K, /*OfRun=*/true);
    if (As == Document::Profile) {
      J.attributeObject("counts", [&] { writeCounts(J, P); });
      return;
    }
    J.attributeArray("problems", [&] {
      for (const EmulationFinding &F : E.Problems)
        J.object([&] { writeFinding(J, F); });
    });
    if (E.IsChecked)
      J.attributeArray("clean", [&] {
        for (StringRef Id : E.cleanChecks())
          J.value(Id);
      });
    if (E.Fault)
      J.attributeObject("fault", [&] { writeFinding(J, *E.Fault); });
    J.attributeArray("buffers", [&] {
      for (const BufferReport &B : E.Buffers)
        writeBuffer(J, B);
    });
    J.attributeArray("assumptions", [&] {
      for (const Assumption &A : K.Assumptions)
        J.assumption(A);
    });
  });
}

void ptxpredict::printEmulationJSON(const EmulationReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(EmulationSchemaName, EmulationSchemaVersion);
    writeInputs(J, R.Inputs);
    J.attributeArray("kernels", [&] {
      for (const EmulatedKernel &K : R.Kernels)
        writeKernel(J, K, Document::Emulation);
    });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}

void ptxpredict::printProfileJSON(const EmulationReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(ProfileSchemaName, ProfileSchemaVersion);
    writeInputs(J, R.Inputs);
    J.attributeArray("kernels", [&] {
      for (const EmulatedKernel &K : R.Kernels)
        if (K.Profile.Warps != 0)
          writeKernel(J, K, Document::Profile);
    });
  });
  OS << '\n';
}
