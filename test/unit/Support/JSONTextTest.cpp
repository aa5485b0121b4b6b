//===- JSONTextTest.cpp ---------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/JSONText.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(JSONText, ReportsThePlace) {
  DiagnosticEngine Diags(
      llvm::MemoryBuffer::getMemBuffer("{\"a\": 1,\n \"b\" 2}", "x.json"));
  EXPECT_FALSE(parseJSON(Diags));
  ASSERT_EQ(Diags.diagnostics().size(), 1U);
  const Diagnostic &D = Diags.diagnostics()[0];
  EXPECT_EQ(D.Line, 2U);
  EXPECT_EQ(StringRef(D.Message).take_front(16), "not valid JSON: ");
}

/// The message about \p Text; "" if it is read.
std::string problemOf(const std::string &Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "x.json"));
  if (parseJSON(Diags))
    return "";
  EXPECT_EQ(Diags.numErrors(), 1U);
  const Diagnostic &D = Diags.diagnostics()[0];
  return std::to_string(D.Line) + ":" + std::to_string(D.Column) + ": " +
         D.Message;
}

/// \p Text, \p Times times.
std::string repeated(unsigned Times, StringRef Text) {
  std::string Result;
  for (unsigned I = 0; I != Times; ++I)
    Result += Text;
  return Result;
}

TEST(JSONText, BoundsTheDepth) {
  const unsigned Most = MaxJSONDepth;
  EXPECT_EQ(problemOf(repeated(Most, "[") + repeated(Most, "]")), "");
  EXPECT_EQ(problemOf(repeated(Most + 1, "[") + repeated(Most + 1, "]")),
            "1:65: nested too deeply: more than 64 objects and arrays");
  EXPECT_EQ(problemOf(repeated(Most, "{\"a\":") + "1" + repeated(Most, "}")),
            "");
  EXPECT_EQ(problemOf(repeated(Most + 1, "{\"a\":")),
            "1:321: nested too deeply: more than 64 objects and arrays");
  EXPECT_EQ(problemOf(repeated(1000000, "[")),
            "1:65: nested too deeply: more than 64 objects and arrays");
  // Lists one after the other are not nested.
  EXPECT_EQ(problemOf("[" + repeated(1000, "[],{},") + "1]"), "");
  EXPECT_FALSE(parseJSON(repeated(1000000, "[")));
  EXPECT_TRUE(parseJSON(repeated(Most, "[") + repeated(Most, "]")));
}

TEST(JSONText, BracketsOfStringsAreNone) {
  const std::string Many = repeated(1000, "[{");
  EXPECT_EQ(problemOf("[\"" + Many + "\"]"), "");
  EXPECT_EQ(problemOf("{\"\\\"" + Many + "\\\\\": 1}"), "");
  EXPECT_EQ(
      problemOf("[\"\\\\\", " + repeated(64, "[") + repeated(64, "]") + "]"),
      "1:71: nested too deeply: more than 64 objects and arrays");
}

TEST(JSONText, WhatClosesTooMuchIsAnErrorOfTheSyntax) {
  EXPECT_EQ(problemOf("]]]]" + repeated(1000, "[")).substr(0, 20),
            "1:2: not valid JSON:");
  EXPECT_EQ(problemOf("[\"" + repeated(1000, "[")).substr(0, 4), "1:10");
}

TEST(JSONText, RefusesKeysThatAnObjectHasTwice) {
  EXPECT_EQ(problemOf("{\"a\": 1,\n \"a\" : 2}"), "2:2: duplicate key");
  EXPECT_EQ(problemOf("{\"a\": 1, \"\\u0061\": 2}"), "1:10: duplicate key");
  EXPECT_EQ(problemOf("[{\"a\": {\"a\": \"a\"}}, {\"a\": [\"a\", \"a\"]}]"),
            "");
  // What was written by ourselves is read as LLVM does.
  EXPECT_TRUE(parseJSON(StringRef("{\"a\": 1, \"a\": 2}")));
}

TEST(JSONText, RefusesBytesThatAreNoText) {
  const std::string Nul("[1,\0 2]", 7);
  EXPECT_EQ(problemOf(Nul).substr(0, 20), "1:5: not valid JSON:");
  EXPECT_NE(problemOf("[\"\xff\"]"), "");
  EXPECT_NE(problemOf("[\"\n\"]"), "");
  EXPECT_NE(problemOf(""), "");
}

TEST(JSONText, ReadsValues) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer("[1, 2]", "x.json"));
  std::optional<llvm::json::Value> V = parseJSON(Diags);
  ASSERT_TRUE(V && V->getAsArray());
  EXPECT_EQ(V->getAsArray()->size(), 2U);
}

} // namespace
