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

TEST(JSONText, ReadsValues) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer("[1, 2]", "x.json"));
  std::optional<llvm::json::Value> V = parseJSON(Diags);
  ASSERT_TRUE(V && V->getAsArray());
  EXPECT_EQ(V->getAsArray()->size(), 2U);
}

} // namespace
