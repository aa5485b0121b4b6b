//===- Parser.cpp - Modules, function heads, errors and recovery ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

std::unique_ptr<AST> ptx::parse(DiagnosticEngine &Diags) {
  auto Module = std::make_unique<AST>();
  Parser(Diags, *Module).parseModule();
  return Module;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool Parser::errorAt(SMLoc Loc, const Twine &Message) {
  if (!Stop)
    Diags.error(Loc, Message);
  return true;
}

bool Parser::error(const Twine &Message) {
  if (Tok.is(TokenKind::Error)) // the lexer has said more
    return true;
  errorAt(Tok.loc(), Message);
  if (Tok.is(TokenKind::EndOfFile)) // one message says it
    Stop = true;
  return true;
}

std::string ptx::quoted(StringRef Text) {
  // A token may have megabytes.
  if (Text.size() > 60)
    return ("'" + Text.take_front(57) + "...'").str();
  return ("'" + Text + "'").str();
}

std::string Parser::describeToken() const {
  return Tok.is(TokenKind::EndOfFile) ? "the end of the file"
                                      : quoted(Tok.text());
}

void Parser::redefinition(StringRef Name, SMLoc Loc, const Node &Former) {
  if (Stop)
    return;
  errorAt(Loc, "redefinition of " + quoted(Name));
  Diags.note(Former.loc(), "the former definition is here");
}

bool Parser::expected(const Twine &What) {
  return error("expected " + What + ", found " + describeToken());
}

bool Parser::expect(TokenKind K, const Twine &What) {
  if (!Tok.is(K))
    return expected(What);
  consume();
  return false;
}

bool Parser::expectSemicolon(const Twine &After) {
  if (consumeIf(TokenKind::Semicolon))
    return false;
  if (Tok.Line == PreviousLine || Tok.is(TokenKind::EndOfFile) ||
      Tok.is(TokenKind::Error))
    return expected("',' or ';' after " + After);
  errorAt(SMLoc::getFromPointer(PreviousEnd), "expected ';' after " + After);
  return false;
}

void Parser::skipStatement() {
  unsigned Open = OpenBraces;
  OpenBraces = 0;
  for (; !Tok.is(TokenKind::EndOfFile); consume()) {
    if (Tok.is(TokenKind::LBrace)) {
      ++Open;
    } else if (Tok.is(TokenKind::RBrace)) {
      if (Open == 0)
        return;
      --Open;
    } else if (Tok.is(TokenKind::Semicolon)) {
      consume();
      return;
    }
  }
}

static bool startsModuleItem(StringRef Directive) {
  return llvm::StringSwitch<bool>(Directive)
      .Cases({".visible", ".extern", ".weak", ".common", ".entry", ".func"},
             true)
      .Cases({".global", ".const", ".section", ".file", ".alias"}, true)
      .Default(false);
}

void Parser::skipModuleItem() {
  // A semicolon ends an initialiser with all its braces.
  unsigned Initialisers = OpenBraces, Open = OpenBraces;
  OpenBraces = 0;
  const char *First = Tok.Begin;
  for (; !Tok.is(TokenKind::EndOfFile); consume()) {
    if (Tok.is(TokenKind::LBrace)) {
      ++Open;
    } else if (Tok.is(TokenKind::RBrace)) {
      if (Open <= 1) {
        consume();
        consumeIf(TokenKind::Semicolon);
        return;
      }
      --Open;
    } else if (Tok.is(TokenKind::Semicolon) && Open <= Initialisers) {
      consume();
      if (!Tok.is(TokenKind::LBrace))
        return;
      Initialisers = 0; // a body behind a broken head
      Open = 1;
    } else if (Tok.is(TokenKind::Directive) && Open == 0 &&
               Tok.Begin != First && startsModuleItem(Tok.text())) {
      return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

bool Parser::parseHeader() {
  if (!Tok.is(TokenKind::Directive) || Tok.text() != ".version") {
    if (Tok.is(TokenKind::EndOfFile))
      return errorAt(Tok.loc(), "there is no code here: a PTX module starts "
                                "with '.version', such as '.version 8.0'");
    return error("a PTX module starts with '.version', such as '.version "
                 "8.0'; found " +
                 describeToken());
  }
  auto *V = make<Version>(Tok);
  consume();
  V->Text = Tok.text();
  unsigned Major, Minor;
  auto [MajorText, MinorText] = V->Text.split('.');
  if (!Tok.is(TokenKind::Float) || MajorText.getAsInteger(10, Major) ||
      MinorText.getAsInteger(10, Minor))
    return expected("a version such as '8.0' after '.version'");
  consume();
  Module.TheVersion = V;
  return false;
}

void Parser::parseModule() {
  Symbols.enterScope();
  consume();
  if (parseHeader())
    return;
  SmallVector<Node *, 0> Items;
  Items.push_back(const_cast<Version *>(Module.TheVersion));
  if (!Tok.is(TokenKind::Directive) || Tok.text() != ".target")
    errorAt(Tok.loc(), "'.target' must follow '.version': it names the "
                       "architecture, such as '.target sm_90'");
  while (!Tok.is(TokenKind::EndOfFile) && !Stop)
    if (parseModuleItem(Items) && !Stop)
      skipModuleItem();
  Module.Items = keep<Node *>(Items);
  Module.Functions = keep<Function *>(Functions);
}

bool Parser::parseModuleItem(SmallVectorImpl<Node *> &Out) {
  if (Tok.is(TokenKind::Error)) {
    consume();
    return false;
  }
  if (Tok.is(TokenKind::Dwarf)) {
    auto *D = make<Dwarf>(Tok);
    D->Text = Tok.text();
    Out.push_back(D);
    consume();
    return false;
  }
  if (!Tok.is(TokenKind::Directive)) {
    if (Tok.is(TokenKind::RBrace)) {
      error("there is no '{' that this '}' closes");
      consume();
      return false;
    }
    return expected("a directive such as '.entry', '.func' or '.global'");
  }
  bool Done = true;
  if (bool Failed = parseCommonDirective(Out, Done); Done)
    return Failed;

  uint8_t Links = LinkageNone;
  if (parseLinkage(Links))
    return true;
  if (!Tok.is(TokenKind::Directive))
    return expected("'.entry', '.func' or a variable's state space");
  if (Tok.text() == ".entry" || Tok.text() == ".func")
    return parseFunction(Links, Out);
  if (Links == LinkageNone) {
    Done = true;
    if (bool Failed = parseModuleDirective(Out, Done); Done)
      return Failed;
  }
  return parseDeclaration(Links, Out);
}

bool Parser::parseLinkage(uint8_t &Links) {
  for (;; consume()) {
    uint8_t Bit = Tok.is(TokenKind::Directive)
                      ? llvm::StringSwitch<uint8_t>(Tok.text())
                            .Case(".visible", LinkageVisible)
                            .Case(".extern", LinkageExtern)
                            .Case(".weak", LinkageWeak)
                            .Case(".common", LinkageCommon)
                            .Default(LinkageNone)
                      : uint8_t(LinkageNone);
    if (Bit == LinkageNone)
      return false;
    if (Links != LinkageNone)
      return error("a second linkage directive; one of .visible, .extern, "
                   ".weak and .common is allowed");
    Links |= Bit;
  }
}

bool Parser::parseModuleDirective(SmallVectorImpl<Node *> &Out, bool &Done) {
  StringRef Name = Tok.text();
  if (Name == ".target")
    return parseTarget(Out);
  if (Name == ".address_size")
    return parseAddressSize(Out);
  if (Name == ".alias")
    return parseAlias(Out);
  if (Name == ".version")
    return error("a second '.version'; a module has one, at its start");
  Done = false;
  return false;
}

bool Parser::parseTarget(SmallVectorImpl<Node *> &Out) {
  auto *T = make<Target>(Tok);
  if (Module.TheTarget) {
    errorAt(Tok.loc(), "a second '.target'");
    Diags.note(Module.TheTarget->loc(), "the first one is here");
  }
  consume();
  SmallVector<StringRef, 4> Options;
  do {
    if (!Tok.is(TokenKind::Identifier))
      return expected("an architecture or option such as 'sm_90'");
    Options.push_back(Tok.text());
    consume();
  } while (consumeIf(TokenKind::Comma));
  T->Options = keep<StringRef>(Options);
  Module.TheTarget = T;
  Out.push_back(T);
  return false;
}

bool Parser::parseAddressSize(SmallVectorImpl<Node *> &Out) {
  auto *A = make<AddressSize>(Tok);
  consume();
  SMLoc Loc = Tok.loc();
  uint64_t Bits;
  if (parseInteger(Bits, "32 or 64"))
    return true;
  if (Bits != 32 && Bits != 64)
    return errorAt(Loc, "'.address_size' takes 32 or 64");
  Module.AddressBits = A->Bits = unsigned(Bits);
  Out.push_back(A);
  return false;
}

bool Parser::parseAlias(SmallVectorImpl<Node *> &Out) {
  auto *A = make<Alias>(Tok);
  consume();
  if (!Tok.is(TokenKind::Identifier))
    return expected("the alias's name after '.alias'");
  A->Name = Tok.text();
  consume();
  if (expect(TokenKind::Comma, "',' and the function that it stands for"))
    return true;
  if (!Tok.is(TokenKind::Identifier))
    return expected("the name of a function");
  Operand Name;
  takeName(Name);
  Operand *Aliasee = keepOne(Name);
  A->Aliasee = Aliasee;
  if (expectSemicolon("'.alias'"))
    return true;
  resolve(*Aliasee, Unresolved::IsFunction);
  uint32_t Index;
  if (!Symbols.lookup(A->Name, Index))
    Symbols.declare(A->Name, false, A);
  Out.push_back(A);
  return false;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Parser::parseFunction(uint8_t Links, SmallVectorImpl<Node *> &Out) {
  auto *F = make<Function>(Tok);
  F->Links = Links;
  F->IsEntry = Tok.text() == ".entry";
  consume();
  if (parseFunctionName(*F))
    return true;
  Out.push_back(F);
  Functions.push_back(F);
  // Declared before its body, which may call it.
  Node *Former = Symbols.declare(F->Name, /*IsRange=*/false, F);

  ScopeDamaged = false;
  CurrentFunction = F;
  Symbols.enterScope();
  for (Variable *V : F->Returns)
    declareVariable(*V, LinkageNone);
  bool Failed = parseFunctionRest(*F, Former);
  if (Failed && !Stop)
    skipModuleItem();
  resolvePending(0, /*Final=*/true);
  Symbols.leaveScope();
  CurrentFunction = nullptr;
  ReportedNames.clear();
  ScopeDamaged = false;
  if (F->Body && llvm::isa_and_nonnull<Function>(Former))
    Symbols.replace(F->Name, F);
  return false;
}

/// Up to the name: `(returns) name`.
bool Parser::parseFunctionName(Function &F) {
  SmallVector<Clause, 2> Attributes;
  while (Tok.is(TokenKind::Directive) && Tok.text() == ".attribute")
    if (parseAttribute(Attributes))
      return true;
  F.Attributes = keep<Clause>(Attributes);
  if (Tok.is(TokenKind::LParen)) {
    if (F.IsEntry)
      return error("an '.entry' returns nothing; only a '.func' has '(...)' "
                   "before its name");
    F.HasReturns = true;
    if (parseParameters(F.Returns, /*Declare=*/false))
      return true;
  }
  if (!Tok.is(TokenKind::Identifier))
    return expected(F.IsEntry ? "a name after '.entry'"
                              : "a name after '.func'");
  F.Name = Tok.text();
  F.Begin = Tok.Begin; // where messages about the function point to
  if (F.Name.contains('.'))
    return error("a function's name contains no '.'");
  consume();
  return false;
}

bool Parser::parseFunctionRest(Function &F, Node *Former) {
  if (Tok.is(TokenKind::LParen)) {
    F.HasParameters = true;
    if (parseParameters(F.Parameters, /*Declare=*/true))
      return true;
  }
  if (parseClauses(F.Clauses))
    return true;
  Block *Body = nullptr;
  if (Tok.is(TokenKind::LBrace))
    F.Body = Body = make<Block>(Tok);
  else if (!Tok.is(TokenKind::Semicolon))
    return expected("'{' or ';' after the head of " + quoted(F.Name));

  auto *Old = llvm::dyn_cast_or_null<Function>(Former);
  if (Former && !isa<Alias>(Former) && (!Old || (Old->Body && F.Body))) {
    redefinition(F.Name, F.loc(), *Former);
  } else if (Old && Old->IsEntry != F.IsEntry) {
    errorAt(F.loc(),
            quoted(F.Name) + " is declared as both '.entry' and '.func'");
    Diags.note(Old->loc(), "the former declaration is here");
  }
  if (Body)
    return parseBlock(*Body, /*OwnScope=*/false);
  consume();
  return false;
}

bool Parser::parseParameters(ArrayRef<Variable *> &Out, bool Declare) {
  consume(); // (
  SmallVector<Variable *, 8> List;
  if (!Tok.is(TokenKind::RParen))
    do {
      auto *V = make<Variable>(Tok);
      if (parseSpecifiers(*V))
        return true;
      if (V->Space != AddressSpace::Param && V->Space != AddressSpace::Register)
        return errorAt(V->loc(), "a parameter is in '.param' or '.reg' space");
      if (Tok.is(TokenKind::Underscore)) {
        V->Name = Tok.text();
        V->Begin = Tok.Begin;
        consume();
        Declare = false;
      }
      if (parseDeclarator(*V))
        return true;
      if (Declare)
        declareVariable(*V, LinkageNone);
      List.push_back(V);
    } while (consumeIf(TokenKind::Comma));
  if (expect(TokenKind::RParen, "',' or ')' in the list of parameters"))
    return true;
  Out = keep<Variable *>(List);
  return false;
}

/// A performance directive: how many numbers it takes; -1 if it is none.
static std::pair<int, int> clauseArguments(StringRef Name) {
  using Range = std::pair<int, int>;
  return llvm::StringSwitch<Range>(Name)
      .Cases({".maxntid", ".reqntid", ".reqnctapercluster"}, {1, 3})
      .Cases({".minnctapersm", ".maxnctapersm", ".maxnreg", ".maxclusterrank"},
             {1, 1})
      .Cases({".abi_preserve", ".abi_preserve_control"}, {1, 1})
      .Cases({".explicitcluster", ".blocksareclusters", ".noreturn"}, {0, 0})
      .Default({-1, -1});
}

bool Parser::parseClauses(ArrayRef<Clause> &Out) {
  SmallVector<Clause, 4> Clauses;
  while (Tok.is(TokenKind::Directive)) {
    Clause C;
    C.Name = Tok.text();
    C.Begin = Tok.Begin;
    if (C.Name == ".pragma") {
      SmallVector<Node *, 1> Pragmas;
      if (parsePragma(Pragmas))
        return true;
      SmallVector<Operand, 2> Strings;
      for (StringRef S : cast<Pragma>(Pragmas.front())->Strings) {
        Operand &O = Strings.emplace_back();
        O.Kind = Operand::KindTy::String;
        O.Begin = S.data();
        O.Length = uint32_t(S.size());
      }
      C.Arguments = keep<Operand>(Strings);
      Clauses.push_back(C);
      continue;
    }
    auto [Min, Max] = clauseArguments(C.Name);
    if (Min < 0) {
      static const StringRef Known[] = {
          ".maxntid",        ".reqntid",         ".reqnctapercluster",
          ".minnctapersm",   ".maxnctapersm",    ".maxnreg",
          ".maxclusterrank", ".explicitcluster", ".blocksareclusters",
          ".noreturn",       ".abi_preserve",    ".abi_preserve_control",
          ".pragma"};
      return error("unknown directive " + describeToken() +
                   " before a function's body" +
                   didYouMean(C.Name.take_front(64), Known));
    }
    consume();
    SmallVector<Operand, 3> Arguments;
    if (Max > 0)
      do {
        SMLoc Loc = Tok.loc();
        Operand &O = Arguments.emplace_back();
        if (parseExpression(O))
          return true;
        std::optional<int64_t> Value = evaluate(O);
        if (!Value || *Value < 0 || *Value > UINT32_MAX)
          errorAt(Loc, "'" + C.Name + "' takes whole numbers of 32 bits");
        else if (*Value == 0 && C.Name.ends_with("ntid")) // as ptxas
          errorAt(Loc, "'" + C.Name + "' of no threads: no block is so small");
      } while (consumeIf(TokenKind::Comma));
    if (int(Arguments.size()) > Max)
      errorAt(SMLoc::getFromPointer(Arguments[size_t(Max)].Begin),
              "'" + C.Name + "' takes at most " + Twine(Max) +
                  (Max == 1 ? " number" : " numbers"));
    C.Arguments = keep<Operand>(Arguments);
    Clauses.push_back(C);
  }
  Out = keep<Clause>(Clauses);
  return false;
}
