//===- ParseDirective.cpp - Declarations and debugging directives ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

bool Parser::parseInteger(uint64_t &Value, const Twine &What, uint64_t Max) {
  if (!Tok.is(TokenKind::Integer))
    return expected(What);
  if (Tok.Value > Max)
    return error("this number is too large; at most " + Twine(Max) +
                 " is allowed");
  Value = Tok.Value;
  consume();
  return false;
}

bool Parser::parseInteger32(uint32_t &Value, const Twine &What) {
  uint64_t Wide = 0;
  if (parseInteger(Wide, What, UINT32_MAX))
    return true;
  Value = uint32_t(Wide);
  return false;
}

bool Parser::parseCommonDirective(SmallVectorImpl<Node *> &Out, bool &Done) {
  StringRef Name = Tok.text();
  Done = true;
  if (Name == ".loc")
    return parseLoc(Out);
  if (Name == ".file")
    return parseFile(Out);
  if (Name == ".pragma")
    return parsePragma(Out);
  if (Name == ".section")
    return parseSection(Out);
  Done = false;
  return false;
}

bool Parser::parsePragma(SmallVectorImpl<Node *> &Out) {
  auto *P = make<Pragma>(Tok);
  consume();
  SmallVector<StringRef, 2> Strings;
  do {
    if (!Tok.is(TokenKind::String))
      return expected("a string after '.pragma'");
    Strings.push_back(Tok.text());
    consume();
  } while (consumeIf(TokenKind::Comma));
  P->Strings = keep<StringRef>(Strings);
  Out.push_back(P);
  return expectSemicolon("'.pragma'");
}

/// "folder" and "name" as one path with its quotes; \p Name alone if it is one
/// from the root.
StringRef Parser::joinFile(StringRef Folder, StringRef Name) {
  if (Name.starts_with("\"/"))
    return Name;
  SmallVector<char, 128> Path;
  llvm::append_range(Path, Folder.drop_back());
  if (!Folder.ends_with("/\"") && Folder.size() > 2)
    Path.push_back('/');
  llvm::append_range(Path, Name.drop_front());
  const MutableArrayRef<char> Kept = keep<char>(Path);
  return {Kept.data(), Kept.size()};
}

bool Parser::parseFile(SmallVectorImpl<Node *> &Out) {
  auto *F = make<File>(Tok);
  consume();
  if (parseInteger(F->Index, "the file's number after '.file'"))
    return true;
  if (!Tok.is(TokenKind::String))
    return expected("the file's name as a string");
  F->Path = Tok.text();
  consume();
  if (Tok.is(TokenKind::String)) { // as clang writes OpenCL C
    F->Path = joinFile(F->Path, Tok.text());
    consume();
  }
  if (consumeIf(TokenKind::Comma)) {
    F->HasStamp = true;
    if (parseInteger(F->Timestamp, "the file's time stamp") ||
        expect(TokenKind::Comma, "',' and the file's size") ||
        parseInteger(F->Size, "the file's size in bytes"))
      return true;
  }
  Out.push_back(F);
  return false;
}

bool Parser::parseLoc(SmallVectorImpl<Node *> &Out) {
  auto *L = make<Loc>(Tok);
  consume();
  if (parseInteger32(L->FileIndex, "the file's number after '.loc'") ||
      parseInteger32(L->SourceLine, "the line's number in '.loc'") ||
      parseInteger32(L->Column, "the column in '.loc'"))
    return true;
  if (consumeIf(TokenKind::Comma)) {
    L->IsInlined = true;
    if (!Tok.is(TokenKind::Identifier) || Tok.text() != "function_name")
      return expected("'function_name' after the comma in '.loc'");
    consume();
    Operand Name;
    if (Tok.is(TokenKind::Directive)) { // a section
      Name.Kind = Operand::KindTy::Directive;
      Name.Begin = Tok.Begin;
      Name.Length = Tok.Length;
      consume();
    } else if (Tok.is(TokenKind::Identifier)) {
      takeName(Name);
    } else {
      return expected("a label after 'function_name'");
    }
    if (parseExpressionRest(Name, 0))
      return true;
    L->FunctionName = keepOne(Name);
    if (expect(TokenKind::Comma, "',' and 'inlined_at'"))
      return true;
    if (!Tok.is(TokenKind::Identifier) || Tok.text() != "inlined_at")
      return expected("'inlined_at'");
    consume();
    if (parseInteger32(L->InlinedFile,
                       "the file's number after 'inlined_at'") ||
        parseInteger32(L->InlinedLine, "the line's number in 'inlined_at'") ||
        parseInteger32(L->InlinedColumn, "the column in 'inlined_at'"))
      return true;
  }
  Out.push_back(L);
  return false;
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// `.debug_info`, perhaps of several parts that touch (`.nv.debug`).
bool Parser::parseSectionName(StringRef &Name) {
  if (!Tok.is(TokenKind::Directive) && !Tok.is(TokenKind::Identifier))
    return expected("the name of a section");
  const char *Start = Tok.Begin;
  do
    consume();
  while (Tok.is(TokenKind::Directive) && Tok.Begin == PreviousEnd);
  Name = StringRef(Start, size_t(PreviousEnd - Start));
  return false;
}

bool Parser::parseSection(SmallVectorImpl<Node *> &Out) {
  auto *S = make<Section>(Tok);
  consume();
  if (parseSectionName(S->Name) ||
      expect(TokenKind::LBrace, "'{' after the section's name"))
    return true;
  std::vector<SectionItem> Items;
  while (!Tok.is(TokenKind::RBrace)) {
    if (!parseSectionItem(Items.emplace_back()))
      continue;
    while (!Tok.is(TokenKind::RBrace) && !Tok.is(TokenKind::EndOfFile))
      consume();
    if (Tok.is(TokenKind::EndOfFile))
      return true;
  }
  consume();
  S->Items = keep<SectionItem>(Items);
  Out.push_back(S);
  return false;
}

bool Parser::parseSectionItem(SectionItem &Item) {
  if (Tok.is(TokenKind::Identifier)) {
    Item.IsLabel = true;
    Item.Text = Tok.text();
    consume();
    return expect(TokenKind::Colon, "':' after the label");
  }
  std::optional<ScalarType> Type;
  if (Tok.is(TokenKind::Directive))
    Type = llvm::StringSwitch<std::optional<ScalarType>>(Tok.text())
               .Case(".b8", ScalarType::B8)
               .Case(".b16", ScalarType::B16)
               .Case(".b32", ScalarType::B32)
               .Case(".b64", ScalarType::B64)
               .Default(std::nullopt);
  if (!Type)
    return expected("a label, '.b8', '.b16', '.b32', '.b64' or '}'");
  Item.Type = *Type;
  consume();
  return parseSectionValues(Item);
}

/// Numbers, labels and sections, with offsets and differences of labels.
bool Parser::parseSectionValues(SectionItem &Item) {
  const char *Start = Tok.Begin;
  do {
    for (;;) {
      consumeIf(TokenKind::Minus);
      StringRef Name;
      if (Tok.is(TokenKind::Integer))
        consume();
      else if (parseSectionName(Name))
        return true;
      if (!Tok.is(TokenKind::Plus) && !Tok.is(TokenKind::Minus))
        break;
      consume();
    }
  } while (consumeIf(TokenKind::Comma));
  Item.Text = StringRef(Start, size_t(PreviousEnd - Start));
  return false;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static std::optional<AddressSpace> stateSpace(StringRef Directive) {
  return llvm::StringSwitch<std::optional<AddressSpace>>(Directive)
      .Case(".reg", AddressSpace::Register)
      .Case(".param", AddressSpace::Param)
      .Case(".global", AddressSpace::Global)
      .Case(".shared", AddressSpace::Shared)
      .Case(".local", AddressSpace::Local)
      .Case(".const", AddressSpace::Const)
      .Case(".tex", AddressSpace::Texture)
      .Case(".sreg", AddressSpace::Register)
      .Default(std::nullopt);
}

/// Space, attributes, alignment, vector and type, in any order.
bool Parser::parseSpecifiers(Variable &V) {
  bool HasType = false;
  SmallVector<Clause, 1> Attributes;
  for (; Tok.is(TokenKind::Directive);) {
    StringRef Name = Tok.text();
    if (std::optional<AddressSpace> Space = stateSpace(Name)) {
      if (V.IsPointer) {
        V.PointeeSpace = *Space;
      } else if (!V.SpaceText.empty()) {
        return error("a second state space for one variable");
      } else {
        V.Space = *Space;
        V.SpaceText = Name;
      }
      consume();
      if (Tok.is(TokenKind::LSquare) && *Space == AddressSpace::Const) {
        consume();
        uint64_t Bank;
        if (parseInteger(Bank, "the number of a constant bank") ||
            expect(TokenKind::RSquare, "']'"))
          return true;
        V.SpaceText =
            StringRef(Name.begin(), size_t(PreviousEnd - Name.begin()));
      }
      continue;
    }
    if (V.SpaceText.empty()) {
      static const StringRef Known[] = {
          ".entry",         ".func",         ".global",       ".const",
          ".shared",        ".reg",          ".param",        ".local",
          ".visible",       ".extern",       ".weak",         ".common",
          ".target",        ".address_size", ".pragma",       ".loc",
          ".file",          ".section",      ".alias",        ".version",
          ".branchtargets", ".calltargets",  ".callprototype"};
      if (llvm::is_contained(Known, Name))
        return error(describeToken() + " cannot stand here");
      return error("unknown directive " + describeToken() +
                   didYouMean(Name.take_front(64), Known));
    }
    if (std::optional<ScalarType> Type = parseScalarType(Name.drop_front())) {
      if (HasType)
        return error("a second type for one variable");
      V.Type = *Type;
      HasType = true;
      consume();
    } else if (Name == ".align") {
      consume();
      SMLoc Loc = Tok.loc();
      uint32_t Align;
      if (parseInteger32(Align, "a number of bytes after '.align'"))
        return true;
      if (!llvm::isPowerOf2_32(Align))
        errorAt(Loc, "an alignment must be a power of two");
      (V.IsPointer ? V.PointeeAlignment : V.Alignment) = Align;
    } else if (Name == ".v2" || Name == ".v4" || Name == ".v8") {
      V.Vector = uint8_t(Name[2] - '0');
      consume();
    } else if (Name == ".ptr") {
      V.IsPointer = true;
      consume();
    } else if (Name == ".attribute") {
      if (parseAttribute(Attributes))
        return true;
    } else {
      static const StringRef Known[] = {
          ".align", ".v2",  ".v4",  ".ptr", ".attribute", ".pred", ".b8",
          ".b16",   ".b32", ".b64", ".u8",  ".u16",       ".u32",  ".u64",
          ".s8",    ".s16", ".s32", ".s64", ".f16",       ".f32",  ".f64"};
      return error("unknown type or attribute " + describeToken() +
                   didYouMean(Name.take_front(64), Known));
    }
  }
  if (V.SpaceText.empty())
    return expected("a state space such as '.param' or '.reg'");
  if (!HasType)
    return expected("a type such as '.b32'");
  V.Attributes = keep<Clause>(Attributes);
  return false;
}

/// `.attribute(.managed, .unified(19, 95))`
bool Parser::parseAttribute(SmallVectorImpl<Clause> &Out) {
  Clause &C = Out.emplace_back();
  C.Name = Tok.text();
  C.Begin = Tok.Begin;
  C.Parenthesised = true;
  consume();
  if (expect(TokenKind::LParen, "'(' after '.attribute'"))
    return true;
  SmallVector<Operand, 2> Arguments;
  do {
    if (!Tok.is(TokenKind::Directive))
      return expected("an attribute such as '.managed'");
    Operand &O = Arguments.emplace_back();
    O.Kind = Operand::KindTy::Directive;
    O.Begin = Tok.Begin;
    O.Length = Tok.Length;
    consume();
    if (consumeIf(TokenKind::LParen)) {
      O.Kind = Operand::KindTy::Call;
      if (parseOperands(O, TokenKind::RParen, false))
        return true;
    }
  } while (consumeIf(TokenKind::Comma));
  C.Arguments = keep<Operand>(Arguments);
  return expect(TokenKind::RParen, "',' or ')'");
}

/// The name and what follows it: a range, dimensions, an initialiser. The name
/// may be read already (`_`).
bool Parser::parseDeclarator(Variable &V) {
  if (V.Name.empty()) {
    if (!Tok.is(TokenKind::Identifier))
      return expected("a name");
    V.Name = Tok.text();
    V.Begin = Tok.Begin;
    V.Line = Tok.Line;
    if (V.Name.contains('.'))
      return error("a declared name contains no '.'");
    consume();
  }
  if (consumeIf(TokenKind::Less)) {
    V.IsRange = true;
    uint64_t Count = 0;
    if (parseInteger(Count, "the number of registers after '<'",
                     MaxRegisterRange))
      return true;
    V.RangeCount = uint32_t(Count);
    if (expect(TokenKind::Greater, "'>' after the number of registers"))
      return true;
  }
  SmallVector<Operand, 2> Dimensions;
  while (Tok.is(TokenKind::LSquare)) {
    Operand &D = Dimensions.emplace_back();
    D.Begin = Tok.Begin;
    consume();
    if (Tok.is(TokenKind::RSquare)) {
      if (Dimensions.size() > 1)
        return error("only the first dimension of an array may be empty");
      D.Kind = Operand::KindTy::Sink;
    } else {
      SMLoc Loc = Tok.loc();
      if (parseExpression(D))
        return true;
      resolve(D, Unresolved::IsError); // WARP_SZ
      std::optional<int64_t> Size = evaluate(D);
      if (!Size || *Size < 0)
        errorAt(Loc, "an array's size is a constant that is not negative");
    }
    if (expect(TokenKind::RSquare, "']'"))
      return true;
  }
  V.Dimensions = keep<Operand>(Dimensions);
  if (V.Type == ScalarType::Pred && V.Space != AddressSpace::Register)
    errorAt(V.loc(), "predicates live in registers alone: '.pred' goes with "
                     "'.reg'");
  return false;
}

void Parser::declareVariable(Variable &V, uint8_t Links) {
  Node *Former = Symbols.declare(V.Name, V.IsRange, &V);
  if (!Former)
    return;
  // Beside its definition a variable may be declared as external.
  constexpr uint8_t Loose = LinkageExtern | LinkageWeak | LinkageCommon;
  if (CurrentFunction || !isa<Variable>(Former) ||
      ((Links & Loose) == 0 && !LooseVariables.contains(Former)))
    redefinition(V.Name, V.loc(), *Former);
  else if ((Links & LinkageExtern) == 0)
    Symbols.replace(V.Name, &V);
}

bool Parser::parseDeclaration(uint8_t Links, SmallVectorImpl<Node *> &Out) {
  auto *D = make<Declaration>(Tok);
  D->Links = Links;
  auto *First = make<Variable>(Tok);
  if (parseSpecifiers(*First))
    return true;
  SmallVector<Variable *, 4> List;
  for (Variable *V = First;;) {
    if (parseDeclarator(*V))
      return true;
    // In its own initialiser a variable is known already.
    declareVariable(*V, Links);
    if (!CurrentFunction && (Links & ~LinkageVisible) != 0)
      LooseVariables.insert(V);
    if (consumeIf(TokenKind::Equal)) {
      Operand Value;
      if (parseInitializer(Value))
        return true;
      Operand *Kept = keepOne(Value);
      resolve(*Kept, Unresolved::IsError);
      V->Initializer = Kept;
    }
    List.push_back(V);
    if (!consumeIf(TokenKind::Comma))
      break;
    auto *Next = make<Variable>(Tok);
    Next->Space = First->Space;
    Next->SpaceText = First->SpaceText;
    Next->Type = First->Type;
    Next->Vector = First->Vector;
    Next->Alignment = First->Alignment;
    Next->IsPointer = First->IsPointer;
    Next->PointeeSpace = First->PointeeSpace;
    Next->PointeeAlignment = First->PointeeAlignment;
    Next->Attributes = First->Attributes;
    V = Next;
  }
  D->Variables = keep<Variable *>(List);
  Out.push_back(D);
  return expectSemicolon("the declaration");
}
