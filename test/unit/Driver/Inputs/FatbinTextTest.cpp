//===- FatbinTextTest.cpp - Tests of what cuobjdump prints of PTX ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/FatbinText.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// The modules' texts; the message where there are none.
std::vector<std::string> split(StringRef Text) {
  auto Modules = splitFatbinText(Text, "all.txt");
  if (!Modules)
    return {"error: " + llvm::toString(Modules.takeError())};
  std::vector<std::string> Texts;
  for (const auto &M : *Modules)
    Texts.push_back(M->getBuffer().str());
  return Texts;
}

TEST(FatbinText, IsKnownByItsFirstHead) {
  EXPECT_TRUE(isFatbinText("\nFatbin elf code:\n================\n"));
  EXPECT_TRUE(isFatbinText("Fatbin ptx code:\r\n"));
  EXPECT_TRUE(isFatbinText("member k.o:\n\nFatbin ptx code:\n"));
  EXPECT_FALSE(isFatbinText(""));
  EXPECT_FALSE(isFatbinText("member of nothing"));
  EXPECT_FALSE(isFatbinText(".version 8.0\n// Fatbin ptx code:\n"));
}

TEST(FatbinText, KeepsTheLinesOfEachModule) {
  EXPECT_EQ(split("Fatbin ptx code:\n==\narch = sm_90\n\n.version 8.0\na\n"
                  "Fatbin elf code:\n==\nx\n\n"
                  "member b.o:\n\nFatbin ptx code:\n==\n\n.version 7.0"),
            (std::vector<std::string>{"\n\n\n\n.version 8.0\na\n",
                                      std::string(15, '\n') + ".version 7.0"}));
}

TEST(FatbinText, SaysWhereThereIsNothing) {
  for (StringRef Text :
       {"Fatbin elf code:\n==\n\n", "Fatbin ptx code:", "Fatbin ptx code:\n",
        "Fatbin ptx code:\n\n \t\r\nFatbin ptx code:\n==", ""}) {
    std::vector<std::string> Texts = split(Text);
    ASSERT_EQ(Texts.size(), 1u) << Text.str();
    EXPECT_TRUE(StringRef(Texts[0]).starts_with(
        "error: cuobjdump's text has no PTX"))
        << Texts[0];
  }
}

TEST(FatbinText, IsNotTheSquareOfItsSize) {
  std::string Text;
  for (unsigned N = 0; N != 40000; ++N)
    Text += "Fatbin ptx code:\n\nx\n";
  EXPECT_EQ(split(Text), (std::vector<std::string>{
                             "error: cuobjdump's text has too many modules; "
                             "give it in parts"}));
}

} // namespace
