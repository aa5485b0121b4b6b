//===- Lexer.h - PTX text to tokens -----------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_PTX_LEXER_H
#define PTXPREDICT_FRONTEND_PTX_LEXER_H

#include "ptxpredict/Support/Diagnostics.h"

namespace ptxpredict::ptx {

enum class TokenKind : uint8_t {
  EndOfFile,
  Error,      ///< already reported; empty after a comment without end
  Identifier, ///< with what follows it by dots: `%tid.x`, `ld.global.v2.f32`
  Directive,  ///< `.name`, one part
  Integer,
  Float,
  String, ///< with its quotes
  Dwarf,  ///< `@@DWARF` and the rest of its line
  Underscore,
  Comma,
  Semicolon,
  Colon,
  Question,
  LBrace,
  RBrace,
  LParen,
  RParen,
  LSquare,
  RSquare,
  At,
  Equal,
  Exclaim,
  Tilde,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Less,
  LessEqual,
  LessLess,
  Greater,
  GreaterEqual,
  GreaterGreater,
  EqualEqual,
  ExclaimEqual,
  Amp,
  AmpAmp,
  Pipe,
  PipePipe,
  Caret
};

/// A token is a view into the buffer.
struct Token {
  TokenKind Kind = TokenKind::EndOfFile;
  uint32_t Length = 0; ///< bytes
  uint32_t Line = 1;
  const char *Begin = nullptr;
  uint64_t Value = 0; ///< of an Integer

  bool is(TokenKind K) const { return Kind == K; }
  StringRef text() const { return StringRef(Begin, Length); }
  const char *end() const { return Begin + Length; }
  SMLoc loc() const { return SMLoc::getFromPointer(Begin); }
};

/// Cuts the engine's buffer into tokens, one at a time, without allocating.
/// Comments, white space, a byte order mark and lines that start with `#` are
/// skipped. What no token can start with is reported and gives an Error token,
/// one for each run of such bytes.
class Lexer {
public:
  explicit Lexer(DiagnosticEngine &Diags);

  /// Puts the next token into \p T; EndOfFile again and again at the end.
  void next(Token &T);

private:
  bool skipBlanks();
  void lexNumber(Token &T);
  void lexString(Token &T);
  void lexDots();
  void error(Token &T, const char *At, const Twine &Message);

  DiagnosticEngine &Diags;
  const char *Cur;
  const char *End;
  uint32_t Line = 1;
  bool LineStart = true; ///< only white space stands before Cur in its line
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_FRONTEND_PTX_LEXER_H
