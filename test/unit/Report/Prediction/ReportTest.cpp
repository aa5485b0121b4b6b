//===- ReportTest.cpp - Views of a report made by hand --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/Report.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;
namespace json = llvm::json;

namespace {

/// One kernel, one answer on "good" and none on "small".
Report makeReport() {
  Report R;
  R.Inputs.push_back({"k.ptx", FrontendKind::PTX, "9.0", "sm_90"});
  R.Premises = {"a premise"};
  KernelReport K;
  KernelCharacteristics C;
  C.Name = "k";
  C.Demangled = "k";
  C.Line = 3;
  C.Instructions = Estimate(0.1 + 0.2, Status::Estimated, 0, INFINITY);
  C.ByClass[unsigned(OpClass::Fp32)] = Estimate::known(2);
  C.Assumptions.push_back(
      {AssumptionKind::Other, "trip count", "64", true, 7, "--trip-count=7=N"});
  C.Assumptions.push_back(
      {AssumptionKind::Device, "", "good", false, 0, "--device=NAME"});
  C.TotalInstructions = 4;
  C.ModelledInstructions = 3;
  C.UnknownOpcodes["foo.bar"] = 1;
  K.Characteristics = std::make_shared<KernelCharacteristics>(std::move(C));
  Prediction Good;
  Good.Device = "good";
  Good.Model = "m";
  Good.CoreMHz = 1000;
  Good.TimeUs = Estimate::make(1500, Status::Estimated);
  Good.Limiter = TimeLimiter::Compute;
  Good.Terms.push_back({"A", 1.5});
  Good.Terms.push_back({"B", NAN});
  Prediction Small;
  Small.Device = "small";
  Small.Model = "m";
  Small.Applies = {false, {"does not fit"}};
  K.Predictions = {Good, Small};
  R.Kernels.push_back(std::move(K));
  Diagnostic D;
  D.Level = Severity::Warning;
  D.Message = "careful \xff";
  R.Diagnostics.push_back(D);
  return R;
}

json::Value parseJSON(const Report &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printJSON(R, OS);
  Expected<json::Value> V = json::parse(Text);
  EXPECT_TRUE(bool(V));
  return V ? std::move(*V) : json::Value(nullptr);
}

TEST(JSONReport, WhatIsNotFiniteIsNullWhatDoesNotApplyAbsent) {
  json::Value V = parseJSON(makeReport());
  const json::Object &K =
      *V.getAsObject()->getArray("kernels")->front().getAsObject();
  const json::Object &C = *K.getObject("characteristics");
  const json::Object &Instructions = *C.getObject("instructions");
  EXPECT_EQ(Instructions.getNumber("value"), 0.1 + 0.2);
  EXPECT_EQ(*Instructions.get("high"), json::Value(nullptr));
  EXPECT_EQ(C.getObject("by_class")->size(), 1u);
  // Known: no bounds.
  EXPECT_EQ(C.getObject("by_class")->getObject("fp32")->size(), 2u);
  EXPECT_FALSE(K.getObject("resources")->get("spill_bytes"));

  const json::Array &Predictions = *K.getArray("predictions");
  const json::Object &Good = *Predictions[0].getAsObject();
  EXPECT_EQ(*Good.getObject("terms")->get("B"), json::Value(nullptr));
  EXPECT_FALSE(Good.get("cycles"));
  const json::Object &Small = *Predictions[1].getAsObject();
  for (StringRef Key : {"time_us", "limiter", "terms", "power_w"})
    EXPECT_FALSE(Small.get(Key)) << Key.str();
  EXPECT_EQ(Small.getObject("applicability")->getBoolean("ok"), false);

  const json::Array &Assumptions = *K.getArray("assumptions");
  EXPECT_EQ(Assumptions[0].getAsObject()->getInteger("value"), 64);
  EXPECT_EQ(Assumptions[0].getAsObject()->getInteger("line"), 7);
  EXPECT_EQ(Assumptions[1].getAsObject()->getString("value"), "good");
  EXPECT_FALSE(Assumptions[1].getAsObject()->get("line"));

  const json::Object &D =
      *V.getAsObject()->getArray("diagnostics")->front().getAsObject();
  EXPECT_FALSE(D.get("path"));
  EXPECT_EQ(D.getString("message"), "careful \xef\xbf\xbd");
}

TEST(JSONReport, WritesTheShortestDecimals) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printJSON(makeReport(), OS);
  EXPECT_NE(Text.find("\"value\": 0.30000000000000004,"), std::string::npos);
  EXPECT_NE(Text.find("\"A\": 1.5,"), std::string::npos);
  EXPECT_NE(Text.find("\"core_mhz\": 1000,"), std::string::npos);
}

std::string text(const Report &R, Verbosity V, bool Colors = false) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS.enable_colors(Colors);
  printText(R, OS, V, Colors);
  return Text;
}

TEST(TextReport, QuietIsOneLineAPrediction) {
  EXPECT_EQ(text(makeReport(), Verbosity::Quiet),
            "k  good  1.5 ms~  arithmetic\n"
            "k  small  no answer: does not fit\n");
}

TEST(TextReport, SaysWhatIsUnknown) {
  std::string Text = text(makeReport(), Verbosity::Verbose);
  EXPECT_NE(Text.find("3 of 4 instructions are known"), std::string::npos);
  EXPECT_NE(Text.find("foo.bar (1)"), std::string::npos);
  EXPECT_NE(Text.find("note 1: does not fit"), std::string::npos);
  EXPECT_NE(Text.find("~ estimated"), std::string::npos);
  EXPECT_EQ(Text.find("? assumed"), std::string::npos); // no such mark in it
  EXPECT_EQ(Text.find('\x1b'), std::string::npos);
  EXPECT_NE(text(makeReport(), Verbosity::Normal, true).find('\x1b'),
            std::string::npos);
}

TEST(TextReport, AnEmptyReportIsEmpty) {
  Report R;
  R.Premises = {"a premise"};
  EXPECT_EQ(text(R, Verbosity::Normal), "");
}

TEST(PredictionDump, IsYAMLByPrediction) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPredictions(makeReport(), OS);
  EXPECT_NE(Text.find("time_us: {value: 1500, status: estimated, low: 1500, "
                      "high: 1500}\n"),
            std::string::npos);
  EXPECT_NE(Text.find("  B: null\n"), std::string::npos);
  EXPECT_NE(Text.find("ok: false\nnotes:\n  - \"does not fit\"\n"),
            std::string::npos);
}

} // namespace
