//===- Lexer.cpp - PTX text to tokens -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The buffer ends with a NUL behind its last byte (llvm::MemoryBuffer), so that
// one byte of look-ahead needs no bounds check.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {
enum CharClass : uint8_t {
  Follow = 1, // within an identifier
  Letter = 2,
  Digit = 4,
  Blank = 8
};
struct CharTable {
  uint8_t Class[256] = {};
  constexpr CharTable() {
    for (int C = 'a'; C <= 'z'; ++C)
      Class[C] = Class[C - 'a' + 'A'] = Follow | Letter;
    for (int C = '0'; C <= '9'; ++C)
      Class[C] = Follow | Digit;
    Class[uint8_t('_')] = Class[uint8_t('$')] = Follow;
    for (char C : {' ', '\t', '\r', '\f', '\v'})
      Class[uint8_t(C)] = Blank;
  }
};
} // namespace

static constexpr CharTable Table;
static bool isA(char C, uint8_t Classes) {
  return (Table.Class[uint8_t(C)] & Classes) != 0;
}

/// Bytes of no text that PTX could be.
static bool isForeign(char C) {
  uint8_t Byte = uint8_t(C);
  return Byte >= 0x7f || (Byte < 0x20 && C != '\n' && !isA(C, Blank));
}

Lexer::Lexer(DiagnosticEngine &Diags)
    : Diags(Diags), Cur(Diags.text().begin()), End(Diags.text().end()) {
  if (Diags.text().starts_with("\xef\xbb\xbf"))
    Cur += 3;
  // As the driver takes PTX, and as some who write it keep it.
  if (Cur != End && End[-1] == '\0')
    --End;
}

void Lexer::error(Token &T, const char *At, const Twine &Message) {
  Diags.error(SMLoc::getFromPointer(At), Message);
  T.Kind = TokenKind::Error;
}

/// True if a comment does not end.
bool Lexer::skipBlanks() {
  for (;;) {
    while (isA(*Cur, Blank))
      ++Cur;
    if (*Cur == '\n') {
      ++Cur;
      ++Line;
      LineStart = true;
    } else if (*Cur == '/' && Cur[1] == '/') {
      const void *Break = memchr(Cur, '\n', size_t(End - Cur));
      Cur = Break ? static_cast<const char *>(Break) : End;
    } else if (*Cur == '/' && Cur[1] == '*') {
      const char *Open = Cur;
      for (Cur += 2;;) {
        if (Cur == End) {
          Diags.error(SMLoc::getFromPointer(Open),
                      "this comment does not end; add '*/'");
          return true;
        }
        if (*Cur == '*' && Cur[1] == '/')
          break;
        Line += *Cur++ == '\n';
      }
      Cur += 2;
    } else if (*Cur == '#' && LineStart) {
      // Line markers that a preprocessor left behind.
      const void *Break = memchr(Cur, '\n', size_t(End - Cur));
      Cur = Break ? static_cast<const char *>(Break) : End;
    } else {
      return false;
    }
  }
}

/// The parts of `ld.global.L2::128B` behind the first one.
void Lexer::lexDots() {
  for (;;) {
    if (*Cur == '.' && isA(Cur[1], Follow))
      ++Cur;
    else if (*Cur == ':' && Cur[1] == ':' && isA(Cur[2], Follow))
      Cur += 2;
    else
      return;
    while (isA(*Cur, Follow))
      ++Cur;
  }
}

void Lexer::lexNumber(Token &T) {
  const char *Start = Cur;
  T.Kind = TokenKind::Integer;
  char Second = char(Cur[1] | 0x20);
  if (*Cur == '0' && (Second == 'f' || Second == 'd')) {
    T.Kind = TokenKind::Float;
    unsigned Wanted = Second == 'f' ? 8 : 16;
    for (Cur += 2; llvm::isHexDigit(*Cur); ++Cur)
      ;
    if (unsigned(Cur - Start - 2) != Wanted || isA(*Cur, Follow)) {
      while (isA(*Cur, Follow))
        ++Cur;
      error(T, Start,
            Twine("'0") + Twine(Start[1]) + "' takes " + Twine(Wanted) +
                " hexadecimal digits, the bits of the number");
    }
    return;
  }
  unsigned Base = 10;
  if (*Cur == '0' && Second == 'x') {
    Base = 16;
    Cur += 2;
  } else if (*Cur == '0' && Second == 'b') {
    Base = 2;
    Cur += 2;
  } else if (*Cur == '0') {
    Base = 8;
  }
  const char *Digits = Cur;
  uint64_t Value = 0;
  bool Overflow = false, BadDigit = false;
  for (;; ++Cur) {
    unsigned D = llvm::hexDigitValue(*Cur);
    if (D >= (Base == 16 ? 16u : 10u))
      break;
    BadDigit |= D >= Base;
    Overflow |= Value > (UINT64_MAX - D) / Base;
    Value = Value * Base + D;
  }
  bool Exponent = (*Cur | 0x20) == 'e' &&
                  (isA(Cur[1], Digit) ||
                   ((Cur[1] == '+' || Cur[1] == '-') && isA(Cur[2], Digit)));
  if ((Base == 10 || Base == 8) && (*Cur == '.' || Exponent)) {
    T.Kind = TokenKind::Float;
    if (*Cur == '.')
      for (++Cur; isA(*Cur, Digit);)
        ++Cur;
    if ((*Cur | 0x20) == 'e' &&
        (isA(Cur[1], Digit) ||
         ((Cur[1] == '+' || Cur[1] == '-') && isA(Cur[2], Digit))))
      for (Cur += 2; isA(*Cur, Digit);)
        ++Cur;
    if (isA(*Cur, Follow)) {
      while (isA(*Cur, Follow))
        ++Cur;
      error(T, Start, "malformed number");
    }
    return;
  }
  if (*Cur == 'U' || *Cur == 'u')
    ++Cur;
  if (isA(*Cur, Follow)) {
    while (isA(*Cur, Follow))
      ++Cur;
    return error(T, Start, "malformed number");
  }
  if (Cur == Digits)
    return error(T, Start, "a number without digits");
  if (BadDigit)
    return error(T, Start,
                 Base == 2 ? "a binary number has only the digits 0 and 1"
                           : "an octal number (it starts with 0) has only the "
                             "digits 0 to 7");
  if (Overflow)
    return error(T, Start, "this number needs more than 64 bits");
  T.Value = Value;
}

void Lexer::lexString(Token &T) {
  // ptxas knows no escapes: a backslash, as in a path, is a character.
  const char *Start = Cur++;
  while (*Cur != '"') {
    if (*Cur == '\n' || *Cur == '\0') {
      if (Cur == End || *Cur == '\n')
        return error(T, Start,
                     "this string does not end in its line; add '\"'");
    }
    ++Cur;
  }
  ++Cur;
  T.Kind = TokenKind::String;
}

// One flat switch over the first character: a case a token.
void Lexer::next(Token &T) {
  if (skipBlanks()) {
    T.Begin = Cur;
    T.Length = 0;
    T.Line = Line;
    T.Kind = TokenKind::Error;
    return;
  }
  LineStart = false;
  const char *Start = T.Begin = Cur;
  T.Line = Line;
  auto Take = [&](TokenKind K, unsigned N) {
    T.Kind = K;
    Cur += N;
  };
  char C = *Cur;
  switch (C) {
  case '\0':
    if (Cur == End) {
      T.Kind = TokenKind::EndOfFile;
      T.Length = 0;
      return;
    }
    [[fallthrough]];
  default:
    if (isA(C, Letter)) {
      do
        ++Cur;
      while (isA(*Cur, Follow));
      lexDots();
      T.Kind = TokenKind::Identifier;
    } else if (isA(C, Digit)) {
      lexNumber(T);
    } else {
      // One message for a whole run: binary data has many.
      while (Cur != End && isForeign(*Cur))
        ++Cur;
      if (Cur == Start)
        ++Cur;
      if (C == '\0')
        error(T, Start, "a NUL byte: this is not PTX text");
      else if (uint8_t(C) >= 0x80)
        error(T, Start, "PTX is ASCII text outside of comments and strings");
      else if (uint8_t(C) < 0x20 || C == 0x7f)
        error(T, Start, "a control character: this is not PTX text");
      else
        error(T, Start, "unexpected character '" + Twine(C) + "'");
    }
    break;
  case '%':
  case '_':
  case '$':
    if (isA(Cur[1], Follow)) {
      for (++Cur; isA(*Cur, Follow);)
        ++Cur;
      lexDots();
      T.Kind = TokenKind::Identifier;
    } else if (C == '$') {
      ++Cur;
      error(T, Start, "a name starts with '$', but does not go on");
    } else {
      Take(C == '%' ? TokenKind::Percent : TokenKind::Underscore, 1);
    }
    break;
  case '.':
    if (!isA(Cur[1], Follow)) {
      ++Cur;
      error(T, Start, "unexpected '.'");
      break;
    }
    for (++Cur; isA(*Cur, Follow);)
      ++Cur;
    while (*Cur == ':' && Cur[1] == ':' && isA(Cur[2], Follow))
      for (Cur += 2; isA(*Cur, Follow);)
        ++Cur;
    T.Kind = TokenKind::Directive;
    break;
  case '"':
    lexString(T);
    break;
  case '@':
    if (StringRef(Cur, size_t(End - Cur)).starts_with("@@")) {
      while (Cur != End && *Cur != '\n' && *Cur != '\r')
        ++Cur;
      T.Kind = TokenKind::Dwarf;
    } else {
      Take(TokenKind::At, 1);
    }
    break;
  case ',':
    Take(TokenKind::Comma, 1);
    break;
  case ';':
    Take(TokenKind::Semicolon, 1);
    break;
  case ':':
    Take(TokenKind::Colon, 1);
    break;
  case '?':
    Take(TokenKind::Question, 1);
    break;
  case '{':
    Take(TokenKind::LBrace, 1);
    break;
  case '}':
    Take(TokenKind::RBrace, 1);
    break;
  case '(':
    Take(TokenKind::LParen, 1);
    break;
  case ')':
    Take(TokenKind::RParen, 1);
    break;
  case '[':
    Take(TokenKind::LSquare, 1);
    break;
  case ']':
    Take(TokenKind::RSquare, 1);
    break;
  case '~':
    Take(TokenKind::Tilde, 1);
    break;
  case '+':
    Take(TokenKind::Plus, 1);
    break;
  case '-':
    Take(TokenKind::Minus, 1);
    break;
  case '*':
    Take(TokenKind::Star, 1);
    break;
  case '/':
    Take(TokenKind::Slash, 1);
    break;
  case '^':
    Take(TokenKind::Caret, 1);
    break;
  case '=':
    Cur[1] == '=' ? Take(TokenKind::EqualEqual, 2) : Take(TokenKind::Equal, 1);
    break;
  case '!':
    Cur[1] == '=' ? Take(TokenKind::ExclaimEqual, 2)
                  : Take(TokenKind::Exclaim, 1);
    break;
  case '&':
    Cur[1] == '&' ? Take(TokenKind::AmpAmp, 2) : Take(TokenKind::Amp, 1);
    break;
  case '|':
    Cur[1] == '|' ? Take(TokenKind::PipePipe, 2) : Take(TokenKind::Pipe, 1);
    break;
  case '<':
    Cur[1] == '<'   ? Take(TokenKind::LessLess, 2)
    : Cur[1] == '=' ? Take(TokenKind::LessEqual, 2)
                    : Take(TokenKind::Less, 1);
    break;
  case '>':
    Cur[1] == '>'   ? Take(TokenKind::GreaterGreater, 2)
    : Cur[1] == '=' ? Take(TokenKind::GreaterEqual, 2)
                    : Take(TokenKind::Greater, 1);
    break;
  }
  T.Length = uint32_t(Cur - Start);
}
