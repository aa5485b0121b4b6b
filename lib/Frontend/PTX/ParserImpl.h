//===- ParserImpl.h - The recursive-descent parser --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One pass: a statement is parsed, resolved and checked before the next one is
// read. Functions that return bool return true on an error that is reported.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_PARSERIMPL_H
#define PTXPREDICT_LIB_FRONTEND_PTX_PARSERIMPL_H

#include "Mnemonics.h"
#include "SymbolTable.h"
#include "ptxpredict/Frontend/PTX/Lexer.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxpredict::ptx {

class Parser {
public:
  Parser(DiagnosticEngine &Diags, AST &Module)
      : Diags(Diags), Module(Module), Lex(Diags), Symbols(Module.Arena),
        Mnemonics(Module.Arena) {}
  void parseModule();

private:
  //===--- Tokens and errors (Parser.cpp) ---------------------------------===//
  void consume() {
    PreviousEnd = Tok.end();
    PreviousLine = Tok.Line;
    Lex.next(Tok);
    if (Tok.Kind == TokenKind::Error && Tok.Length == 0)
      Stop = true; // a comment without end has swallowed the rest
  }
  bool consumeIf(TokenKind K) {
    if (Tok.Kind != K)
      return false;
    consume();
    return true;
  }
  /// An error at the current token; silent if the lexer has reported it.
  bool error(const Twine &Message);
  bool errorAt(SMLoc Loc, const Twine &Message);
  void redefinition(StringRef Name, SMLoc Loc, const Node &Former);
  /// "expected WHAT" and what stands there instead.
  bool expected(const Twine &What);
  bool expect(TokenKind K, const Twine &What);
  /// The semicolon behind a statement; a missing one at the end of a line is
  /// reported there and taken as written.
  bool expectSemicolon(const Twine &After);
  void skipStatement();
  void skipModuleItem();
  std::string describeToken() const;

  template <typename T>
  T *make(const Token &At) {
    T *N = new (Module.Arena.Allocate<T>()) T();
    N->Begin = At.Begin;
    N->Line = At.Line;
    return N;
  }
  template <typename T, typename From>
  MutableArrayRef<T> keep(const From &Elements) {
    T *Place = Module.Arena.Allocate<T>(Elements.size());
    std::uninitialized_copy(Elements.begin(), Elements.end(), Place);
    return {Place, Elements.size()};
  }
  Operand *keepOne(const Operand &O) {
    return new (Module.Arena.Allocate<Operand>()) Operand(O);
  }

  //===--- Modules and functions (Parser.cpp) -----------------------------===//
  bool parseHeader();
  bool parseModuleItem(SmallVectorImpl<Node *> &Out);
  bool parseFunction(uint8_t Links, SmallVectorImpl<Node *> &Out);
  bool parseFunctionName(Function &F);
  bool parseFunctionRest(Function &F, Node *Former);
  bool parseParameters(ArrayRef<Variable *> &Out, bool Declare);
  bool parseClauses(ArrayRef<Clause> &Out);
  bool parseLinkage(uint8_t &Links);
  /// Directives that stand alone, without a linkage before them. Says in
  /// \p Done whether it was one.
  bool parseModuleDirective(SmallVectorImpl<Node *> &Out, bool &Done);
  bool parseTarget(SmallVectorImpl<Node *> &Out);
  bool parseAddressSize(SmallVectorImpl<Node *> &Out);
  bool parseAlias(SmallVectorImpl<Node *> &Out);

  //===--- Directives and declarations (ParseDirective.cpp) ---------------===//
  /// Directives that stand in modules and bodies alike: Done tells whether the
  /// current token began one.
  bool parseCommonDirective(SmallVectorImpl<Node *> &Out, bool &Done);
  bool parsePragma(SmallVectorImpl<Node *> &Out);
  bool parseFile(SmallVectorImpl<Node *> &Out);
  StringRef joinFile(StringRef Folder, StringRef Name);
  bool parseLoc(SmallVectorImpl<Node *> &Out);
  bool parseSection(SmallVectorImpl<Node *> &Out);
  bool parseSectionItem(SectionItem &Item);
  bool parseSectionValues(SectionItem &Item);
  bool parseSectionName(StringRef &Name);
  bool parseDeclaration(uint8_t Links, SmallVectorImpl<Node *> &Out);
  bool parseSpecifiers(Variable &V);
  bool parseAttribute(SmallVectorImpl<Clause> &Out);
  bool parseDeclarator(Variable &V);
  void declareVariable(Variable &V, uint8_t Links);
  bool parseInteger(uint64_t &Value, const Twine &What,
                    uint64_t Max = UINT64_MAX);
  bool parseInteger32(uint32_t &Value, const Twine &What);

  //===--- Bodies (ParseBody.cpp) -----------------------------------------===//
  bool parseBlock(Block &B, bool OwnScope);
  void parseStatement(SmallVectorImpl<Node *> &Out);
  bool parseBodyDirective(SmallVectorImpl<Node *> &Out);
  bool parseTargets(SmallVectorImpl<Node *> &Out);
  bool parsePrototype(SmallVectorImpl<Node *> &Out);
  bool parseInstruction(SmallVectorImpl<Node *> &Out);
  bool parseGuard(Instruction &I);

  //===--- Operands (ParseOperand.cpp) ------------------------------------===//
  bool parseOperand(Operand &O, bool ParenIsList);
  /// Comma-separated operands up to and including \p Close, which may follow
  /// at once; the opening token is consumed already.
  bool parseOperands(Operand &O, TokenKind Close, bool ParenIsList);
  bool parseAddress(Operand &O);
  bool parseElement(Operand &O);
  bool parseExpression(Operand &O, unsigned MinPrecedence = 0);
  bool parseExpressionRest(Operand &O, unsigned MinPrecedence);
  bool parseUnary(Operand &O);
  bool parseParen(Operand &O);
  bool parseInitializer(Operand &O);
  void takeName(Operand &O);
  void setChildren(Operand &O, ArrayRef<Operand> Children);
  bool enterNesting();
  struct Nesting {
    unsigned &Depth;
    explicit Nesting(unsigned &Depth) : Depth(Depth) { ++Depth; }
    ~Nesting() { --Depth; }
  };

  //===--- Resolution and checks (Check.cpp) ------------------------------===//
  void check(Instruction &I);
  /// What a Name may stand for besides what is in the symbol table.
  enum class Unresolved : uint8_t {
    IsError,    ///< nothing
    IsFunction, ///< nothing; a function was expected
    IsLabel     ///< a label further on
  };
  /// Resolves the Names in \p O.
  void resolve(Operand &O, Unresolved Policy);
  void resolveName(Operand &O, Unresolved Policy);
  void undeclared(const Operand &O, Unresolved Policy);
  void checkCall(Instruction &I, MutableArrayRef<Operand> Operands);
  /// Whether a call gives as many arguments, or takes as many results, as the
  /// function has.
  void checkCount(const Instruction &I, const Function &F, const Operand *Given,
                  bool AreReturns);
  /// Whether a call may pass or receive \p O: no variable of another space,
  /// and no parameter of the function that calls (as ptxas has it).
  void checkPassed(const Operand &O);
  void checkOperand(const Instruction &I, unsigned Number, const Operand &O,
                    const OperandInfo &Info);
  void checkType(const Instruction &I, unsigned Number, const Operand &O,
                 const OperandInfo &Info);
  void checkVector(const Instruction &I, unsigned Number, const Operand &Vector,
                   const OperandInfo &Info);
  void checkAddress(const Operand &O);
  void checkCopySizes(const Instruction &I);
  /// Labels may be used before they are defined: tries again at the end of a
  /// scope with the uses since \p From; those of a function are final.
  void resolvePending(size_t From, bool Final);

  struct PendingUse {
    Operand *Use;
    Unresolved Policy;
  };

  DiagnosticEngine &Diags;
  AST &Module;
  Lexer Lex;
  SymbolTable Symbols;
  MnemonicTable Mnemonics;
  Token Tok;
  const char *PreviousEnd = nullptr;
  uint32_t PreviousLine = 0;
  unsigned Depth = 0;      ///< of blocks, vectors and expressions
  unsigned OpenBraces = 0; ///< of vectors in the current statement
  bool Stop = false;       ///< nothing sensible can follow
  /// A declaration could not be read: unknown names are no news.
  bool ScopeDamaged = false;
  Function *CurrentFunction = nullptr;
  std::vector<PendingUse> Pending;
  llvm::DenseSet<StringRef> ReportedNames; ///< once per function
  /// Variables of the module with .extern, .weak or .common.
  llvm::DenseSet<const Node *> LooseVariables;
  SmallVector<Function *, 0> Functions;
};

/// The name between quotes, cut if it is long.
std::string quoted(StringRef Text);

/// Precedence levels of binary operators, from 2 (`||`) to 11 (`*`); 0 for
/// tokens that are none.
struct BinaryOperator {
  unsigned Precedence = 0; ///< 0: the token is none
  Operator Op = Operator::Add;
};
BinaryOperator binaryOperator(TokenKind K);

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_PARSERIMPL_H
