//===- FrontendTest.cpp - Which front end reads what ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// The name of the front end, or the message of the refusal.
std::string choose(StringRef Path, StringRef Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, Path));
  const Frontend *F = findFrontend(Diags);
  EXPECT_EQ(F == nullptr, Diags.hasErrors());
  return F ? F->name().str() : Diags.diagnostics()[0].Message;
}

TEST(Frontend, TextIsPTX) {
  EXPECT_EQ(choose("k.ptx", ".version 9.0\n"), "ptx");
  EXPECT_EQ(choose("<stdin>", ""), "ptx");
  EXPECT_EQ(choose("k.ll.ptx", ""), "ptx");
}

TEST(Frontend, MachineCodeIsRefusedByItsContent) {
  for (StringRef Text : {StringRef("\x7f"
                                   "ELF\2\1\1\0",
                                   8),
                         StringRef("\x50\xed\x55\xba\1\0", 6),
                         StringRef("MZ\x90"), StringRef("!<arch>\n")})
    EXPECT_NE(choose("k.ptx", Text).find("ptx-predict objects"),
              std::string::npos);
}

TEST(Frontend, LaterLanguagesAreNamed) {
  for (StringRef Path : {"k.ll", "k.bc", "K.LL"})
    EXPECT_NE(choose(Path, "").find("LLVM IR"), std::string::npos)
        << Path.str();
  EXPECT_NE(choose("<stdin>", "; ModuleID = 'k'").find("LLVM IR"),
            std::string::npos);
  EXPECT_NE(choose("<stdin>", "BC\xc0\xde").find("LLVM IR"), std::string::npos);
  EXPECT_NE(choose("k.cu", "").find("CUDA source"), std::string::npos);
  EXPECT_NE(choose("k.cl", "").find("OpenCL C"), std::string::npos);
}

TEST(Frontend, SourcesAreKnownByTheirNames) {
  for (StringRef Path : {"k.cl", "a.b/K.CL"}) {
    EXPECT_TRUE(looksLikeOpenCL(Path)) << Path.str();
    EXPECT_TRUE(looksLikeSource(Path)) << Path.str();
    EXPECT_FALSE(looksLikeCUDA(Path)) << Path.str();
  }
  EXPECT_TRUE(looksLikeSource("k.cu"));
  for (StringRef Path : {"k.cuh", "k.cl.ptx", "cl", ".cl/k", "k.clcpp"})
    EXPECT_FALSE(looksLikeSource(Path)) << Path.str();
}

class ShoutFrontend : public Frontend {
public:
  StringRef name() const override { return "shout"; }
  bool accepts(StringRef, StringRef Text) const override {
    return Text.starts_with("HEY");
  }
  std::unique_ptr<ParsedInput> read(DiagnosticEngine &,
                                    const ReadOptions &) const override {
    return nullptr;
  }
};

TEST(Frontend, RegisteredOnesAreAskedFirst) {
  static const ShoutFrontend Shout;
  registerFrontend(Shout);
  EXPECT_EQ(choose("k.cu", "HEY"), "shout");
  EXPECT_EQ(choose("k.ptx", "hey"), "ptx");
}

} // namespace
