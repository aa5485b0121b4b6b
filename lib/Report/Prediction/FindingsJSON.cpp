//===- FindingsJSON.cpp - Findings in JSON --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FindingsJSON.h"
#include "CharacteristicsJSON.h"
#include "ptxpredict/Report/Prediction/AdviceReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void writeValue(JSONWriter &J, StringRef Key, const FindingValue &V) {
  if (V.Text.empty())
    J.number(Key, V.Number);
  else
    J.text(Key, V.Text);
}

/// What holds of one device stands in an object by device.
static void writeValues(JSONWriter &J, ArrayRef<FindingValue> Values) {
  SmallVector<StringRef, 8> Done;
  for (const FindingValue &V : Values) {
    if (V.Device.empty()) {
      writeValue(J, V.Name, V);
      continue;
    }
    if (llvm::is_contained(Done, V.Name))
      continue;
    Done.push_back(V.Name);
    J.attributeObject(V.Name, [&] {
      for (const FindingValue &Of : Values)
        if (Of.Name == V.Name)
          writeValue(J, Of.Device, Of);
    });
  }
}

void ptxpredict::writeGains(JSONWriter &J, const Finding &F) {
  if (!F.Gains.empty())
    J.attributeObject("gain", [&] {
      for (const FindingGain &G : F.Gains)
        J.number(G.Device, G.Share);
    });
}

void ptxpredict::writeKeys(JSONWriter &J, const Finding &F) {
  J.attribute("id", F.Id);
  J.attribute("severity", toString(F.Level));
  J.text("message", F.messageWithId());
  J.text("kernel", F.Kernel);
  J.attributeObject("location", [&] {
    J.text("path", F.Where.Path);
    J.attribute("line", F.Where.Line);
    J.attribute("column", F.Where.Column);
    J.texts("inlined_at", F.Where.InlinedAt);
    J.attribute("input_line", F.Where.InputLine);
  });
  J.attributeObject("values", [&] { writeValues(J, F.Values); });
  writeGains(J, F);
  J.text("help", F.Help);
}

void ptxpredict::writeOnOneLine(JSONWriter &J,
                                llvm::function_ref<void(JSONWriter &)> Keys) {
  J.rawValue([&](raw_ostream &OS) {
    JSONWriter Line(OS, /*Indent=*/0);
    Line.object([&] { Keys(Line); });
  });
}

void ptxpredict::writeFindings(JSONWriter &J, ArrayRef<Finding> Findings) {
  J.attributeArray("findings", [&] {
    // A line each: kernels may have hundreds.
    for (const Finding &F : Findings)
      writeOnOneLine(J, [&](JSONWriter &Line) { writeKeys(Line, F); });
  });
}

static void writeSuggestions(JSONWriter &J, const DeviceSuggestions &S) {
  J.object([&] {
    J.text("device", S.Device);
    J.attribute("category", S.Category);
    J.attribute("rank", S.Rank);
    J.attribute("verdict", S.Verdict);
    J.attribute("advice", S.Advice);
    J.texts("suggestions", S.Suggestions);
    J.attributeObject("terms", [&] {
      for (const Term &T : S.Terms)
        J.number(T.Name, T.Value);
    });
  });
}

namespace {

class AdviceJSONForm final : public ReportForm {
public:
  void printKernel(const Report & /*Head*/, const KernelReport &R,
                   raw_ostream &OS) const override {
    const KernelCharacteristics &K = *R.Characteristics;
    printNested(OS, [&](JSONWriter &J) {
      J.object([&] {
        J.text("name", K.Name);
        J.text("demangled", K.Demangled);
        J.attribute("input", R.Input);
        J.attribute("line", K.Line);
        writeLaunch(J, K.Launch);
        writeFindings(J, R.Findings);
        J.attributeArray("suggestions", [&] {
          for (const DeviceSuggestions &S : R.Suggestions)
            writeSuggestions(J, S);
        });
        J.attributeArray("assumptions", [&] {
          for (const Assumption &A : K.Assumptions)
            J.assumption(A);
        });
      });
    });
  }

  void print(const Report &R, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override {
    printReportJSON({AdviceSchemaName, AdviceSchemaVersion}, R, NumKernels,
                    Kernel, OS);
  }
};

} // namespace

std::unique_ptr<ReportForm> ptxpredict::adviceJSONForm() {
  return std::make_unique<AdviceJSONForm>();
}
