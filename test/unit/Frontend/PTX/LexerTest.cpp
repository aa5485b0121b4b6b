//===- LexerTest.cpp - Tests of the PTX lexer -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Lexer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {

using K = TokenKind;

struct Lexed {
  std::vector<Token> Tokens; ///< without the end
  std::vector<Diagnostic> Messages;
  std::unique_ptr<DiagnosticEngine> Diags;

  explicit Lexed(StringRef Text)
      : Diags(std::make_unique<DiagnosticEngine>(
            llvm::MemoryBuffer::getMemBufferCopy(Text, "t.ptx"))) {
    Lexer L(*Diags);
    Token T;
    for (L.next(T); !T.is(K::EndOfFile); L.next(T))
      Tokens.push_back(T);
    L.next(T);
    EXPECT_TRUE(T.is(K::EndOfFile)) << "the end must last";
    Messages.assign(Diags->diagnostics().begin(), Diags->diagnostics().end());
  }
  std::vector<K> kinds() const {
    std::vector<K> Out;
    Out.reserve(Tokens.size());
    for (const Token &T : Tokens)
      Out.push_back(T.Kind);
    return Out;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> Out;
    Out.reserve(Tokens.size());
    for (const Token &T : Tokens)
      Out.push_back(T.text().str());
    return Out;
  }
};

TEST(PTXLexer, InstructionIsFewTokens) {
  Lexed L("@!%p1 ld.global.L2::128B.v2.f32 {%f1,%f2}, [%rd1+-4];");
  EXPECT_EQ(L.texts(),
            (std::vector<std::string>{
                "@", "!", "%p1", "ld.global.L2::128B.v2.f32", "{", "%f1", ",",
                "%f2", "}", ",", "[", "%rd1", "+", "-", "4", "]", ";"}));
  EXPECT_TRUE(L.Messages.empty());
}

TEST(PTXLexer, NamesMayStartWithPercentDollarOrUnderscore) {
  Lexed L("%tid.x $L__BB0_1 _Z3foov _ %");
  EXPECT_EQ(L.kinds(),
            (std::vector<K>{K::Identifier, K::Identifier, K::Identifier,
                            K::Underscore, K::Percent}));
}

TEST(PTXLexer, DirectiveIsOnePart) {
  Lexed L(".reg.b32 .1d .tile::gather4");
  EXPECT_EQ(L.texts(), (std::vector<std::string>{".reg", ".b32", ".1d",
                                                 ".tile::gather4"}));
}

TEST(PTXLexer, IntegersOfEveryBase) {
  Lexed L("0 42 42U 0x2A 0X2aU 052 0b101010 18446744073709551615");
  ASSERT_EQ(L.Tokens.size(), 8u);
  EXPECT_EQ(L.Tokens[0].Value, 0u);
  for (unsigned I : {1, 2, 3, 4, 5, 6})
    EXPECT_EQ(L.Tokens[I].Value, 42u) << L.Tokens[I].text().str();
  EXPECT_EQ(L.Tokens[7].Value, UINT64_MAX);
  EXPECT_TRUE(L.Messages.empty());
}

TEST(PTXLexer, Floats) {
  Lexed L("0f3F800000 0d3FF0000000000000 1.5 1. 1e5 2.5E-3");
  for (const Token &T : L.Tokens)
    EXPECT_TRUE(T.is(K::Float)) << T.text().str();
  EXPECT_EQ(L.Tokens.size(), 6u);
}

TEST(PTXLexer, BrokenNumbers) {
  for (const char *Text :
       {"0f3F8", "0d3FF0", "0x", "0b", "0b12", "089", "12abc", "0x1G",
        "18446744073709551616", "0x10000000000000000"}) {
    Lexed L(Text);
    EXPECT_EQ(L.Messages.size(), 1u) << Text;
    ASSERT_EQ(L.Tokens.size(), 1u) << Text;
    EXPECT_TRUE(L.Tokens[0].is(K::Error)) << Text;
  }
}

TEST(PTXLexer, BlanksAndComments) {
  Lexed L("\xef\xbb\xbf"
          "a // caf\xc3\xa9 ; \r\n /* 1\n * 2 **/ b/**/c\n#line 5 \"x\"\nd");
  EXPECT_EQ(L.texts(), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(L.Tokens[0].Line, 1u);
  EXPECT_EQ(L.Tokens[1].Line, 3u);
  EXPECT_EQ(L.Tokens[3].Line, 5u);
  EXPECT_TRUE(L.Messages.empty());
}

TEST(PTXLexer, UnterminatedCommentIsLocatedAtItsStart) {
  Lexed L("a\n  /* b");
  ASSERT_EQ(L.Messages.size(), 1u);
  EXPECT_EQ(L.Messages[0].Line, 2u);
  EXPECT_EQ(L.Messages[0].Column, 3u);
  Lexed Slash("a /*/ b"); // not closed by its own star
  EXPECT_EQ(Slash.Messages.size(), 1u);
}

TEST(PTXLexer, StringsHaveNoEscapes) {
  Lexed L("\"C:\\x\\\" \"/* no comment\" \"caf\xc3\xa9\"");
  EXPECT_EQ(L.kinds(), (std::vector<K>{K::String, K::String, K::String}));
  EXPECT_TRUE(L.Messages.empty());
  EXPECT_EQ(Lexed("\"ab\ncd\"").Messages.size(), 2u);
}

TEST(PTXLexer, ForeignBytesGiveOneErrorPerRun) {
  Lexed L("a \xff\xfe\xfd b");
  EXPECT_EQ(L.kinds(),
            (std::vector<K>{K::Identifier, K::Error, K::Identifier}));
  EXPECT_EQ(L.Messages.size(), 1u);
  Lexed Nul(StringRef("a\0\0 b", 5));
  EXPECT_EQ(Nul.kinds(),
            (std::vector<K>{K::Identifier, K::Error, K::Identifier}));
}

TEST(PTXLexer, Operators) {
  Lexed L("<< <= < >> >= > == = != ! && & || | ^ ~ ? : * / + -");
  EXPECT_EQ(L.kinds(),
            (std::vector<K>{
                K::LessLess,     K::LessEqual, K::Less,       K::GreaterGreater,
                K::GreaterEqual, K::Greater,   K::EqualEqual, K::Equal,
                K::ExclaimEqual, K::Exclaim,   K::AmpAmp,     K::Amp,
                K::PipePipe,     K::Pipe,      K::Caret,      K::Tilde,
                K::Question,     K::Colon,     K::Star,       K::Slash,
                K::Plus,         K::Minus}));
}

TEST(PTXLexer, DwarfLine) {
  Lexed L("@@DWARF .byte 0x12, 7\nret");
  EXPECT_EQ(L.texts(),
            (std::vector<std::string>{"@@DWARF .byte 0x12, 7", "ret"}));
}

} // namespace
