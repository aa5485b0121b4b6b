//===- AST.h - A PTX module as it is written --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The tree keeps everything of the text but comments, white space and the order
// of a declaration's specifiers, so that printing it gives a module that means
// the same. Nodes lie in the AST's arena and never own memory; names and
// spellings point into the DiagnosticEngine's buffer, which must outlive them.
// References to the ISA are to "Parallel Thread Execution ISA", version 9.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_PTX_AST_H
#define PTXPREDICT_FRONTEND_PTX_AST_H

#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Support/Arena.h"

namespace ptxpredict::ptx {

/// Anything with a place in the text; Kind says which of the structs below.
struct Node {
  enum class KindTy : uint8_t {
    // Entities, which an operand's Target may point to.
    Variable,
    Function,
    Label,
    Alias,
    // Statements of modules and bodies.
    Version,
    Target,
    AddressSize,
    Pragma,
    File,
    Loc,
    Section,
    Declaration,
    Block,
    Instruction,
    Targets,
    Prototype,
    Dwarf
  };
  KindTy Kind;
  uint32_t Line = 0; ///< from 1
  const char *Begin = nullptr;

  explicit Node(KindTy K) : Kind(K) {}
  SMLoc loc() const { return SMLoc::getFromPointer(Begin); }
};

/// Gives a struct its LLVM-style cast support.
#define PTXPREDICT_AST_NODE(NAME)                                              \
  NAME() : Node(KindTy::NAME) {}                                               \
  static bool classof(const Node *N) { return N->Kind == KindTy::NAME; }

/// Operators of constant expressions (ISA 4.5.4).
enum class Operator : uint8_t {
  Plus, // unary
  Minus,
  LogicalNot,
  BitNot,
  Mul, // binary, in the ISA's order of precedence
  Div,
  Rem,
  Add,
  Sub,
  Shl,
  Shr,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Xor,
  Or,
  LogicalAnd,
  LogicalOr
};
StringRef toString(Operator Op); ///< "<<", …

/// An operand, an initialiser or a part of one: a small tree.
struct Operand {
  enum class KindTy : uint8_t {
    Name,     ///< Text; Target and Index once resolved. `a`, `%r1`, `%tid.x`
    Integer,  ///< Text is the spelling, Value the 64 bits. `0x10U`, `WARP_SZ`
    Float,    ///< Text is the spelling. `0f3F800000`, `1.5`
    String,   ///< Text with its quotes
    Sink,     ///< `_`
    Not,      ///< `!p`: one child
    Pair,     ///< `p|q`: two children
    Vector,   ///< `{a, b}`, also a nested initialiser
    List,     ///< `(a, b)`
    Address,  ///< `[base+offset, more …]`: the children between the commas
    Element,  ///< `a[3]`: a Name and an index, which counts elements
    Unary,    ///< Op and one child
    Binary,   ///< Op and two children
    Select,   ///< `a ? b : c`
    Paren,    ///< `(a)` within an expression
    Cast,     ///< `(.s64) a`: Type
    Call,     ///< Text`(children)`: `generic(x)`, `0xFF00(x)`, `.unified(1,2)`
    Assign,   ///< Text ` = ` child, in initialisers of samplers and textures
    Directive ///< `.name` as an argument: Text with the dot
  };

  KindTy Kind = KindTy::Name;
  Operator Op = Operator::Plus;          ///< of Unary and Binary
  ScalarType CastType = ScalarType::U64; ///< of Cast
  uint8_t SelectorLength = 0;            ///< `.x` at the end of a Name's Text
  uint32_t Length = 0;                   ///< of Text
  const char *Begin = nullptr;           ///< where the operand's text starts
  uint32_t NumChildren = 0;
  uint32_t Index = 0; ///< of a Name in a register range: 7 in `%r7`
  union {
    Operand *Children;
    const Node *Target; ///< of a Name: what it stands for; null for special
                        ///< registers and what the module does not declare
    uint64_t Value;     ///< of an Integer
  };

  Operand() : Children(nullptr) {}
  StringRef text() const { return StringRef(Begin, Length); }
  /// A Name without its selector.
  StringRef name() const { return text().drop_back(SelectorLength); }
  /// A Name's selector, such as ".x"; mostly empty.
  StringRef selector() const { return text().take_back(SelectorLength); }
  MutableArrayRef<Operand> children() { return {Children, NumChildren}; }
  ArrayRef<Operand> children() const { return {Children, NumChildren}; }
  const Operand &child(unsigned I = 0) const { return Children[I]; }
  bool is(KindTy K) const { return Kind == K; }
  SMLoc loc() const { return SMLoc::getFromPointer(Begin); }
};

/// The value of a constant integer expression; nothing if it contains a name, a
/// float or a division by zero.
std::optional<int64_t> evaluate(const Operand &Expression);
/// The value of a Float, perhaps with a sign, or of an integer expression.
std::optional<double> evaluateFloat(const Operand &Expression);

/// `[base+offset]` taken apart. Base is a Name or null (`[16]`).
struct AddressParts {
  const Operand *Base = nullptr;
  int64_t Offset = 0; ///< bytes
};
AddressParts splitAddress(const Operand &Address);

/// `.maxntid 16, 16`, `.noreturn`, `.attribute(.managed)`: Name with its dot.
/// A pragma between a function's head and body is one too.
struct Clause {
  StringRef Name;
  ArrayRef<Operand> Arguments;
  const char *Begin = nullptr;
  bool Parenthesised = false;
};

/// Linkage directives; a set of bits.
enum Linkage : uint8_t {
  LinkageNone = 0,
  LinkageVisible = 1,
  LinkageExtern = 2,
  LinkageWeak = 4,
  LinkageCommon = 8
};

/// One declared name: a register (or range of them), variable or parameter.
struct Variable : Node {
  StringRef Name;
  AddressSpace Space = AddressSpace::Register;
  ScalarType Type = ScalarType::B32;
  uint8_t Vector = 1;                                ///< elements: 1, 2, 4 (8)
  bool IsRange = false;                              ///< `%r<10>`: Name is `%r`
  bool IsPointer = false;                            ///< `.ptr`
  uint32_t RangeCount = 0;                           ///< registers of a range
  uint32_t Alignment = 0;                            ///< bytes; 0: not given
  AddressSpace PointeeSpace = AddressSpace::Generic; ///< of `.ptr`
  uint32_t PointeeAlignment = 0;                     ///< bytes; 0: not given
  StringRef SpaceText;          ///< the space as written, such as ".const[3]"
  ArrayRef<Operand> Dimensions; ///< an Operand::Sink for `[]`
  ArrayRef<Clause> Attributes;  ///< `.attribute(…)`
  const Operand *Initializer = nullptr;
  PTXPREDICT_AST_NODE(Variable)

  /// Bytes of the whole variable; 0 for `[]` and for what is not in memory.
  uint64_t sizeInBytes() const;
};

/// `.global .u32 a, b = 1;` and the like, in modules and bodies.
struct Declaration : Node {
  uint8_t Links = LinkageNone;
  ArrayRef<Variable *> Variables; ///< at least one; equal specifiers
  PTXPREDICT_AST_NODE(Declaration)
};

/// `name:`
struct Label : Node {
  StringRef Name;
  const Node *Names = nullptr; ///< the Targets or Prototype that follows it
  PTXPREDICT_AST_NODE(Label)
};

/// `{ … }`: a function's body or a scope within it.
struct Block : Node {
  ArrayRef<Node *> Statements;
  PTXPREDICT_AST_NODE(Block)
};

/// An entry or function: definition, declaration or prototype to come.
struct Function : Node {
  StringRef Name;
  bool IsEntry = false;
  uint8_t Links = LinkageNone;
  bool HasReturns = false;     ///< `( … )` before the name, perhaps empty
  bool HasParameters = false;  ///< `( … )` after the name, perhaps empty
  ArrayRef<Clause> Attributes; ///< `.attribute(…)` before the name
  ArrayRef<Variable *> Returns;
  ArrayRef<Variable *> Parameters;
  ArrayRef<Clause> Clauses;    ///< `.maxntid` …, in their order
  const Block *Body = nullptr; ///< null: only declared
  PTXPREDICT_AST_NODE(Function)

  /// The clause with \p ClauseName (".maxntid"), or null.
  const Clause *clause(StringRef ClauseName) const;
};

/// What every occurrence of a mnemonic with the same number of operands shares.
struct Mnemonic {
  StringRef Text; ///< whole: "ld.global.v2.f32"
  DecodedOpcode Decoded;
  unsigned NumOperands = 0;
  bool CountOk = true;             ///< the opcode takes NumOperands of them
  ArrayRef<OperandInfo> Signature; ///< empty if not CountOk
};

/// `@!%p opcode operands;`
struct Instruction : Node {
  const Mnemonic *Op = nullptr;
  const Operand *Guard = nullptr; ///< a Name, or a Not of one
  ArrayRef<Operand> Operands;
  PTXPREDICT_AST_NODE(Instruction)

  Opcode opcode() const { return Op->Decoded.Op; }
  StringRef modifiers() const { return Op->Decoded.Modifiers; }
};

/// A call taken apart; what is not written is null.
struct CallParts {
  const Operand *Returns = nullptr;   ///< a List
  const Operand *Callee = nullptr;    ///< a Name: a function or a register
  const Operand *Arguments = nullptr; ///< a List
  const Operand *Targets = nullptr;   ///< the label of a prototype or targets
};
CallParts callParts(const Instruction &Call);

/// `.branchtargets a, b;` or `.calltargets f, g;` after a label.
struct Targets : Node {
  bool IsCall = false;
  ArrayRef<Operand> Names;
  PTXPREDICT_AST_NODE(Targets)
};

/// `.callprototype (returns) _ (parameters) …;` after a label.
struct Prototype : Node {
  StringRef Name; ///< mostly "_"
  bool HasReturns = false;
  bool HasParameters = false;
  ArrayRef<Variable *> Returns;
  ArrayRef<Variable *> Parameters;
  ArrayRef<Clause> Clauses; ///< `.noreturn`, `.abi_preserve` …
  PTXPREDICT_AST_NODE(Prototype)
};

/// `.version 9.0`
struct Version : Node {
  StringRef Text;
  PTXPREDICT_AST_NODE(Version)
};

/// `.target sm_90, debug`
struct Target : Node {
  ArrayRef<StringRef> Options; ///< the architecture among them
  PTXPREDICT_AST_NODE(Target)
};

/// `.address_size 64`
struct AddressSize : Node {
  unsigned Bits = 64;
  PTXPREDICT_AST_NODE(AddressSize)
};

/// `.pragma "nounroll";`
struct Pragma : Node {
  ArrayRef<StringRef> Strings; ///< with their quotes
  PTXPREDICT_AST_NODE(Pragma)
};

/// `.file 1 "a.cu", 1234, 56`
struct File : Node {
  uint64_t Index = 0;
  StringRef Path; ///< with its quotes; of a folder and a name, both
  bool HasStamp = false;
  uint64_t Timestamp = 0;
  uint64_t Size = 0; ///< bytes
  PTXPREDICT_AST_NODE(File)
};

/// `.loc 1 10 3, function_name $L__info_string0, inlined_at 1 20 5`
struct Loc : Node {
  uint32_t FileIndex = 0, SourceLine = 0, Column = 0;
  bool IsInlined = false;
  const Operand *FunctionName = nullptr; ///< a Name, perhaps plus an offset
  uint32_t InlinedFile = 0, InlinedLine = 0, InlinedColumn = 0;
  PTXPREDICT_AST_NODE(Loc)
};

/// One line of a `.section`: a label, or values of one type.
struct SectionItem {
  bool IsLabel = false;
  ScalarType Type = ScalarType::B8;
  StringRef Text; ///< the label's name, or the values as written: debug data
                  ///< is checked but not kept as a tree
};

/// `.section .debug_info { … }`
struct Section : Node {
  StringRef Name;
  ArrayRef<SectionItem> Items;
  PTXPREDICT_AST_NODE(Section)
};

/// `.alias f, g;`
struct Alias : Node {
  StringRef Name;
  const Operand *Aliasee = nullptr;
  PTXPREDICT_AST_NODE(Alias)
};

/// `@@DWARF …`: a line of debug data in the form of PTX 1.
struct Dwarf : Node {
  StringRef Text;
  PTXPREDICT_AST_NODE(Dwarf)
};

#undef PTXPREDICT_AST_NODE

/// A module and the memory of its nodes.
class AST {
public:
  ptxpredict::Arena Arena;
  ArrayRef<Node *> Items;         ///< everything, in the order of the text
  ArrayRef<Function *> Functions; ///< every head, in the order of the text
  const Version *TheVersion = nullptr;
  const Target *TheTarget = nullptr;
  unsigned AddressBits = 32; ///< the ISA's default without `.address_size`

  /// The architecture of `.target`, such as "sm_90a"; empty without one.
  StringRef architecture() const;
  /// "9.0"; empty without `.version`.
  StringRef version() const;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_FRONTEND_PTX_AST_H
