//===- ParseOperand.cpp - Operands, expressions and initialisers ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Kind = ptx::Operand::KindTy;

BinaryOperator ptx::binaryOperator(TokenKind K) {
  switch (K) {
  case TokenKind::PipePipe:
    return {2, Operator::LogicalOr};
  case TokenKind::AmpAmp:
    return {3, Operator::LogicalAnd};
  case TokenKind::Pipe:
    return {4, Operator::Or};
  case TokenKind::Caret:
    return {5, Operator::Xor};
  case TokenKind::Amp:
    return {6, Operator::And};
  case TokenKind::EqualEqual:
    return {7, Operator::Equal};
  case TokenKind::ExclaimEqual:
    return {7, Operator::NotEqual};
  case TokenKind::Less:
    return {8, Operator::Less};
  case TokenKind::LessEqual:
    return {8, Operator::LessEqual};
  case TokenKind::Greater:
    return {8, Operator::Greater};
  case TokenKind::GreaterEqual:
    return {8, Operator::GreaterEqual};
  case TokenKind::LessLess:
    return {9, Operator::Shl};
  case TokenKind::GreaterGreater:
    return {9, Operator::Shr};
  case TokenKind::Plus:
    return {10, Operator::Add};
  case TokenKind::Minus:
    return {10, Operator::Sub};
  case TokenKind::Star:
    return {11, Operator::Mul};
  case TokenKind::Slash:
    return {11, Operator::Div};
  case TokenKind::Percent:
    return {11, Operator::Rem};
  default:
    return {};
  }
}

void Parser::setChildren(Operand &O, ArrayRef<Operand> Children) {
  O.NumChildren = uint32_t(Children.size());
  O.Children = keep<Operand>(Children).data();
}

bool Parser::enterNesting() {
  if (Depth < MaxNesting)
    return false;
  error("nested more than " + Twine(MaxNesting) + " levels deep");
  Stop = true;
  return true;
}

/// The current token, which is an identifier.
void Parser::takeName(Operand &O) {
  O.Kind = Kind::Name;
  O.Begin = Tok.Begin;
  O.Length = Tok.Length;
  O.Target = nullptr;
  consume();
  if (Tok.is(TokenKind::Directive)) { // `%tid .x`
    O.Length = uint32_t(Tok.end() - O.Begin);
    consume();
  }
}

bool Parser::parseOperand(Operand &O, bool ParenIsList) {
  switch (Tok.Kind) {
  case TokenKind::Identifier:
    takeName(O);
    // By far the most operands end here.
    if (Tok.is(TokenKind::Comma) || Tok.is(TokenKind::Semicolon))
      return false;
    if (Tok.is(TokenKind::LSquare))
      return parseElement(O);
    if (!Tok.is(TokenKind::Pipe))
      return parseExpressionRest(O, 0);
    break;
  case TokenKind::Underscore:
    O.Kind = Kind::Sink;
    O.Begin = Tok.Begin;
    O.Length = Tok.Length;
    consume();
    if (!Tok.is(TokenKind::Pipe))
      return false;
    break;
  case TokenKind::LBrace: {
    if (enterNesting())
      return true;
    Nesting N(Depth);
    O.Kind = Kind::Vector;
    O.Begin = Tok.Begin;
    consume();
    ++OpenBraces;
    if (parseOperands(O, TokenKind::RBrace, ParenIsList))
      return true;
    --OpenBraces;
    if (!Tok.is(TokenKind::Pipe)) // `{a, b}|p` of a texture read
      return false;
    break;
  }
  case TokenKind::LSquare:
    return parseAddress(O);
  case TokenKind::LParen:
    if (ParenIsList) {
      if (enterNesting())
        return true;
      Nesting N(Depth);
      O.Kind = Kind::List;
      O.Begin = Tok.Begin;
      consume();
      return parseOperands(O, TokenKind::RParen, true);
    }
    return parseExpression(O);
  default:
    return parseExpression(O);
  }

  // `p|q`, of which one may be `_`.
  consume();
  Operand Parts[2];
  Parts[0] = O;
  if (Tok.is(TokenKind::Underscore)) {
    Parts[1].Kind = Kind::Sink;
    Parts[1].Begin = Tok.Begin;
    Parts[1].Length = Tok.Length;
    consume();
  } else if (Tok.is(TokenKind::Identifier)) {
    takeName(Parts[1]);
  } else {
    return expected("a register after '|'");
  }
  O.Kind = Kind::Pair;
  O.Length = 0;
  setChildren(O, Parts);
  return false;
}

bool Parser::parseOperands(Operand &O, TokenKind Close, bool ParenIsList) {
  SmallVector<Operand, 8> Elements;
  if (!Tok.is(Close))
    for (;;) {
      Operand &E = Elements.emplace_back();
      if (parseOperand(E, ParenIsList))
        return true;
      if (!consumeIf(TokenKind::Comma))
        break;
    }
  if (!Tok.is(Close))
    return expected(Close == TokenKind::RBrace   ? "',' or '}'"
                    : Close == TokenKind::RParen ? "',' or ')'"
                                                 : "',' or ']'");
  consume();
  setChildren(O, Elements);
  return false;
}

bool Parser::parseAddress(Operand &O) {
  if (enterNesting())
    return true;
  Nesting N(Depth);
  O.Kind = Kind::Address;
  O.Begin = Tok.Begin;
  consume();
  if (Tok.is(TokenKind::RSquare))
    return expected("an address");
  return parseOperands(O, TokenKind::RSquare, false);
}

/// `a[3]`, of which \p O is the name.
bool Parser::parseElement(Operand &O) {
  if (enterNesting())
    return true;
  Nesting N(Depth);
  consume();
  Operand Parts[2];
  Parts[0] = O;
  if (parseExpression(Parts[1]) ||
      expect(TokenKind::RSquare, "']' after the index"))
    return true;
  O.Kind = Kind::Element;
  O.Length = 0;
  setChildren(O, Parts);
  return false;
}

bool Parser::parseExpression(Operand &O, unsigned MinPrecedence) {
  return parseUnary(O) || parseExpressionRest(O, MinPrecedence);
}

bool Parser::parseExpressionRest(Operand &O, unsigned MinPrecedence) {
  // A mask or generic(): a name or number that is called.
  if (Tok.is(TokenKind::LParen) && (O.is(Kind::Name) || O.is(Kind::Integer))) {
    if (enterNesting())
      return true;
    Nesting N(Depth);
    O.Kind = Kind::Call;
    consume();
    if (parseOperands(O, TokenKind::RParen, false))
      return true;
  }
  unsigned NumOperators = 0;
  for (;;) {
    const auto [Precedence, Op] = binaryOperator(Tok.Kind);
    if (Precedence == 0 || Precedence < MinPrecedence)
      break;
    if (++NumOperators > MaxNesting) {
      error("more than " + Twine(MaxNesting) + " operators in one expression");
      Stop = Tok.is(TokenKind::EndOfFile);
      return true;
    }
    Operand Parts[2];
    Parts[0] = O;
    O = Operand();
    O.Kind = Kind::Binary;
    O.Op = Op;
    O.Begin = Parts[0].Begin;
    consume();
    if (enterNesting())
      return true;
    Nesting N(Depth);
    if (parseExpression(Parts[1], Precedence + 1))
      return true;
    setChildren(O, Parts);
  }
  if (MinPrecedence > 1 || !Tok.is(TokenKind::Question))
    return false;
  if (enterNesting())
    return true;
  Nesting N(Depth);
  Operand Parts[3];
  Parts[0] = O;
  O = Operand();
  O.Kind = Kind::Select;
  O.Begin = Parts[0].Begin;
  consume();
  if (parseExpression(Parts[1]) ||
      expect(TokenKind::Colon, "':' of the '?' before it") ||
      parseExpression(Parts[2]))
    return true;
  setChildren(O, Parts);
  return false;
}

bool Parser::parseUnary(Operand &O) {
  O.Begin = Tok.Begin;
  O.Length = Tok.Length;
  auto Unary = [&](Operator Op) {
    if (enterNesting())
      return true;
    Nesting N(Depth);
    consume();
    Operand Child;
    if (parseUnary(Child))
      return true;
    O.Kind = Kind::Unary;
    if (Op == Operator::LogicalNot && Child.is(Kind::Name))
      O.Kind = Kind::Not;
    O.Op = Op;
    O.Length = 0;
    setChildren(O, Child);
    return false;
  };
  switch (Tok.Kind) {
  case TokenKind::Identifier:
    takeName(O);
    return false;
  case TokenKind::Integer:
    O.Kind = Kind::Integer;
    O.Value = Tok.Value;
    consume();
    return false;
  case TokenKind::Float:
    O.Kind = Kind::Float;
    consume();
    return false;
  case TokenKind::Directive: // `.5`
    if (!llvm::all_of(Tok.text().drop_front(), llvm::isDigit))
      return expected("an operand");
    O.Kind = Kind::Float;
    consume();
    return false;
  case TokenKind::Minus:
    return Unary(Operator::Minus);
  case TokenKind::Plus:
    return Unary(Operator::Plus);
  case TokenKind::Tilde:
    return Unary(Operator::BitNot);
  case TokenKind::Exclaim:
    return Unary(Operator::LogicalNot);
  case TokenKind::LParen:
    return parseParen(O);
  default:
    return expected("an operand");
  }
}

/// `(a)` or the cast `(.s64) a`.
bool Parser::parseParen(Operand &O) {
  if (enterNesting())
    return true;
  Nesting N(Depth);
  consume();
  O.Length = 0;
  Operand Child;
  if (Tok.is(TokenKind::Directive) &&
      (Tok.text() == ".s64" || Tok.text() == ".u64")) {
    O.Kind = Kind::Cast;
    O.CastType = Tok.text() == ".s64" ? ScalarType::S64 : ScalarType::U64;
    consume();
    if (expect(TokenKind::RParen, "')'") || parseUnary(Child))
      return true;
  } else {
    O.Kind = Kind::Paren;
    if (parseExpression(Child) || expect(TokenKind::RParen, "')'"))
      return true;
  }
  setChildren(O, Child);
  return false;
}

/// A value, `name = value`, or such in braces.
bool Parser::parseInitializer(Operand &O) {
  if (!Tok.is(TokenKind::LBrace)) {
    if (parseExpression(O))
      return true;
    if (!Tok.is(TokenKind::Equal))
      return false;
    if (!O.is(Kind::Name))
      return error("only a field's name may stand before '='");
    consume();
    Operand Value;
    if (parseExpression(Value))
      return true;
    O.Kind = Kind::Assign;
    setChildren(O, Value);
    return false;
  }
  if (enterNesting())
    return true;
  Nesting N(Depth);
  O.Kind = Kind::Vector;
  O.Begin = Tok.Begin;
  consume();
  ++OpenBraces;
  SmallVector<Operand, 8> Elements;
  while (!Tok.is(TokenKind::RBrace)) {
    if (parseInitializer(Elements.emplace_back()))
      return true;
    if (!consumeIf(TokenKind::Comma))
      break;
  }
  if (!Tok.is(TokenKind::RBrace))
    return expected("',' or '}'");
  consume();
  --OpenBraces;
  setChildren(O, Elements);
  return false;
}
