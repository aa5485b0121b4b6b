//===- ParseBody.cpp - Blocks, labels and instructions --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

bool Parser::parseBlock(Block &B, bool OwnScope) {
  if (enterNesting())
    return true;
  Nesting N(Depth);
  consume();
  if (OwnScope)
    Symbols.enterScope();
  size_t FirstPending = Pending.size();
  SmallVector<Node *, 32> Statements;
  while (!Tok.is(TokenKind::RBrace) && !Tok.is(TokenKind::EndOfFile) && !Stop)
    parseStatement(Statements);
  B.Statements = keep<Node *>(Statements);
  if (OwnScope) {
    resolvePending(FirstPending, /*Final=*/false);
    Symbols.leaveScope();
  }
  if (Tok.is(TokenKind::EndOfFile) && !Stop) {
    error("the file ends within the body of " + quoted(CurrentFunction->Name));
    Diags.note(B.loc(), "this '{' has no '}'");
    return true;
  }
  consumeIf(TokenKind::RBrace);
  return false;
}

void Parser::parseStatement(SmallVectorImpl<Node *> &Out) {
  bool Failed = false;
  switch (Tok.Kind) {
  case TokenKind::Identifier:
  case TokenKind::At:
    Failed = parseInstruction(Out);
    break;
  case TokenKind::Directive:
    Failed = parseBodyDirective(Out);
    break;
  case TokenKind::LBrace: {
    auto *B = make<Block>(Tok);
    Out.push_back(B);
    parseBlock(*B, /*OwnScope=*/true); // recovers by itself
    return;
  }
  case TokenKind::Dwarf: {
    auto *D = make<Dwarf>(Tok);
    D->Text = Tok.text();
    Out.push_back(D);
    consume();
    return;
  }
  case TokenKind::Error:
    Failed = true;
    break;
  default:
    Failed = expected("an instruction, a label, a directive or '}'");
    break;
  }
  if (Failed && !Stop)
    skipStatement();
  OpenBraces = 0;
}

bool Parser::parseBodyDirective(SmallVectorImpl<Node *> &Out) {
  bool Done = true;
  if (bool Failed = parseCommonDirective(Out, Done); Done)
    return Failed;
  StringRef Name = Tok.text();
  if (Name == ".branchtargets" || Name == ".calltargets")
    return parseTargets(Out);
  if (Name == ".callprototype")
    return parsePrototype(Out);
  if (Name == ".entry" || Name == ".visible" || Name == ".func") {
    error("'" + Name + "' within the body of " + quoted(CurrentFunction->Name) +
          ", which must end with '}' first");
    Diags.note(CurrentFunction->Body->loc(), "the body starts here");
    Stop = true; // every later brace would be taken wrongly
    return true;
  }
  uint8_t Links = LinkageNone;
  if (Name == ".extern") { // of shared memory, as some compilers write it
    Links = LinkageExtern;
    consume();
  }
  if (parseDeclaration(Links, Out)) {
    ScopeDamaged = true;
    return true;
  }
  return false;
}

/// Links what a label names to the label.
static void attachToLabel(SmallVectorImpl<Node *> &Out, Node *Named) {
  if (!Out.empty())
    if (auto *L = dyn_cast<Label>(Out.back()))
      L->Names = Named;
}

bool Parser::parseTargets(SmallVectorImpl<Node *> &Out) {
  auto *T = make<Targets>(Tok);
  T->IsCall = Tok.text() == ".calltargets";
  StringRef What = Tok.text();
  consume();
  SmallVector<Operand, 8> Names;
  do {
    if (!Tok.is(TokenKind::Identifier))
      return expected(T->IsCall ? "the name of a function" : "a label");
    takeName(Names.emplace_back());
  } while (consumeIf(TokenKind::Comma));
  if (expectSemicolon("'" + What + "'"))
    return true;
  MutableArrayRef<Operand> Kept = keep<Operand>(Names);
  for (Operand &O : Kept)
    resolve(O, T->IsCall ? Unresolved::IsFunction : Unresolved::IsLabel);
  T->Names = Kept;
  attachToLabel(Out, T);
  Out.push_back(T);
  return false;
}

bool Parser::parsePrototype(SmallVectorImpl<Node *> &Out) {
  auto *P = make<Prototype>(Tok);
  consume();
  if (Tok.is(TokenKind::LParen)) {
    P->HasReturns = true;
    if (parseParameters(P->Returns, /*Declare=*/false))
      return true;
  }
  if (!Tok.is(TokenKind::Underscore) && !Tok.is(TokenKind::Identifier))
    return expected("'_' in '.callprototype'");
  P->Name = Tok.text();
  consume();
  if (Tok.is(TokenKind::LParen)) {
    P->HasParameters = true;
    if (parseParameters(P->Parameters, /*Declare=*/false))
      return true;
  }
  if (parseClauses(P->Clauses) || expectSemicolon("'.callprototype'"))
    return true;
  attachToLabel(Out, P);
  Out.push_back(P);
  return false;
}

bool Parser::parseGuard(Instruction &I) {
  consume(); // @
  Operand G;
  if (Tok.is(TokenKind::Exclaim)) {
    G.Kind = Operand::KindTy::Not;
    G.Begin = Tok.Begin;
    consume();
  }
  if (!Tok.is(TokenKind::Identifier))
    return expected("a predicate register after '@'");
  Operand Name;
  takeName(Name);
  if (G.is(Operand::KindTy::Not))
    setChildren(G, Name);
  else
    G = Name;
  I.Guard = keepOne(G);
  if (!Tok.is(TokenKind::Identifier))
    return expected("an instruction after the guard");
  return false;
}

bool Parser::parseInstruction(SmallVectorImpl<Node *> &Out) {
  Token First = Tok;
  Instruction *I = nullptr;
  if (Tok.is(TokenKind::At)) {
    I = make<Instruction>(First);
    if (parseGuard(*I))
      return true;
  }
  StringRef Text = Tok.text();
  SMLoc OpcodeLoc = Tok.loc();
  consume();
  if (Tok.is(TokenKind::Colon) && !I) {
    auto *L = make<Label>(First);
    L->Name = Text;
    consume();
    if (Text.contains('.')) {
      errorAt(OpcodeLoc, "a label's name contains no '.'");
    } else if (Node *Former = Symbols.declare(Text, /*IsRange=*/false, L)) {
      redefinition(Text, OpcodeLoc, *Former);
    }
    Out.push_back(L);
    return false;
  }
  if (Tok.is(TokenKind::Directive)) {
    // White space within a mnemonic: `mad.lo .s32`.
    SmallVector<StringRef, 8> Parts{Text};
    size_t Length = Text.size();
    for (; Tok.is(TokenKind::Directive); consume()) {
      Parts.push_back(Tok.text());
      Length += Tok.Length;
    }
    char *Joined = Module.Arena.Allocate<char>(Length);
    char *End = Joined;
    for (StringRef Part : Parts)
      End = std::copy(Part.begin(), Part.end(), End);
    Text = StringRef(Joined, Length);
  }
  SmallVector<Operand, 8> Operands;
  // A mnemonic that needs no operand and ends its line lacks the semicolon.
  bool Alone = Tok.Line != PreviousLine &&
               (Tok.is(TokenKind::RBrace) || Mnemonics.get(Text, 0)->CountOk) &&
               !Tok.is(TokenKind::Error);
  if (!Tok.is(TokenKind::Semicolon) && !Alone) {
    for (;;) {
      // Elsewhere a parenthesis starts an expression.
      bool ParenIsList =
          Tok.is(TokenKind::LParen) &&
          (Text.starts_with("call") ||
           Mnemonics.get(Text, 0)->Decoded.Op == Opcode::Unknown);
      if (parseOperand(Operands.emplace_back(), ParenIsList))
        return true;
      if (!consumeIf(TokenKind::Comma))
        break;
    }
  }
  if (expectSemicolon(Operands.empty() ? "the instruction" : "an operand"))
    return true;
  if (!I)
    I = make<Instruction>(First);
  I->Operands = keep<Operand>(Operands);
  I->Op = Mnemonics.get(Text, unsigned(Operands.size()));
  Out.push_back(I);
  check(*I);
  return false;
}
