//===- OperationTable.h - The rows of the tables, taken apart ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_OPERATIONTABLE_H
#define PTXPREDICT_LIB_FRONTEND_SASS_OPERATIONTABLE_H

#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace ptxpredict::sass {

/// What an operand's text in SASSOperations.def says.
struct OperandRow {
  enum KindTy : uint8_t {
    Register,  ///< at Lowest
    First,     ///< a
    Second,    ///< b
    Third,     ///< c
    Either,    ///< s, t, S: the second of two
    Predicate, ///< at Lowest
    Immediate, ///< Width bits from Lowest on
    Address,
    UniformAddress, ///< of the register at Lowest
    CopyToShared,
    CopyFromGlobal,
    Constant,
    IndexedConstant,
    UniformConstant, ///< its offset begins at Lowest
    Label,
    SyncTarget,
    AfterTarget,
    RelativeTarget,
    ReturnTarget,
    SpecialRegister,
    AllPredicates,
    ShuffleSources,
    ConvergenceBarrier, ///< at Lowest
    Lookup,
    Scoreboard,
    WarpgroupBoard,
    FirstWarpgroupBoard,
    MatrixDescriptor, ///< at Lowest
    TensorMemory,     ///< at Lowest
    ReturnCounter,
    InstructionDescriptor, ///< behind the register at Lowest
    Accumulates,
    Rows,
    Columns,
    Layout, ///< rows or columns, of the register at Lowest
    Scales,
    CacheHint,
    Diverging,
    Upper,
    PackedUpper,
    Shifted,
    TextureShape,
    TextureQuery,
    Byte,
    Metadata,
    Scoreboards,
    Loaded
  };
  enum ConditionTy : uint8_t {
    Always,
    NotTrue,
    NotZero,
    IfX,
    IfEX,
    IfThird,
    IfDiverging,
    IfCounted,
    IfDeferred,
    IfPartial,
    IfHinted
  };
  KindTy Kind = Register;
  ConditionTy Condition = Always;
  uint8_t Lowest = 0, Width = 0;
  char ImmediateType = 'i';
  bool IsUniform = false, IsSigned = false, MayBeNegated = false,
       MayBeAbsolute = false, IsInverted = false, IsAlwaysInverted = false;
  bool SharesThirdSlot = false; ///< its reuse is the third source's
  bool IsHigh = false;          ///< the register is at 64
  bool IsHalf = false, IsPair = false;
  bool SelectsBelow = false; ///< which half of the third one, at 76
  bool IsSign = false;       ///< of a register its sign alone
  bool IsPart = false;       ///< a byte or half of it, as its type says
  bool IsEitherHalf = false; ///< that is multiplied or added to a float
  /// 'A', 'B': that matrix, which may stay in the tensor core; '-': neither,
  /// and of a descriptor no bit transposes it.
  char Holds = 0;
  // Of an address.
  bool IsGlobal = false, MayBeScaled = false, HasWideOffset = false,
       IsAtomic = false, AddsFloat = false, IsLoad = false, HasOffset = false;
  bool IsAlone = false;       ///< without a uniform register
  bool IsAlwaysWide = false;  ///< the register is one of 64 bits
  bool HasAlwaysBase = false; ///< a uniform register that is always shown
  bool IsInUnitsOf32 = false; ///< the offset
  bool HasNoOffset = false;
  bool IsNext = false; ///< the register behind the one at Lowest
};

/// A modifier: a word, a field, or a rule.
struct ModifierRow {
  enum KindTy : uint8_t { Word, Field, Rule } Kind = Word;
  StringRef Text; ///< of a word and a rule
  SmallVector<std::pair<uint8_t, uint8_t>, 2> Parts;
  ArrayRef<StringRef> Words;
};

/// How many registers an operation's values take.
enum class WidthKind : uint8_t {
  Single,
  Typed, ///< two if it is one of 64 bits
  Wide,  ///< the result and what is added to a product of 64 bits
  Doubles,
  Converted,
  Clock,
  Sized,       ///< of memory
  SizedSource, ///< what is read
  Address,
  MatrixLoad,
  Matrix,
  Warpgroup,
  TensorLoad,
  Texture,
  Surface,
  MatrixMove,
  TensorMask,
  Mbarrier
};

/// A row of SASSFacts.def.
struct FactRow {
  StringRef Mnemonic;
  unsigned First = 0, Last = 0;
  Pipe RunsOn;
  Timing Results;
  SchedClass Class;
  WidthKind Width;
};

struct OperationRow {
  unsigned Operation = 0;
  uint8_t Forms = 0xff; ///< a bit for each
  unsigned First = 0, Last = 0;
  StringRef Mnemonic;
  SmallVector<OperandRow, 6> Operands;
  SmallVector<ModifierRow, 4> Modifiers;
  bool IsUniform = false;     ///< its guard is a uniform predicate
  bool ReusesNothing = false; ///< the bits of reuse say something else
  SmallVector<const FactRow *, 2> Facts; ///< for one architecture after another
  /// Bits that are set in its instructions, and not in those of later rows.
  SmallVector<uint8_t, 2> Required;
};

/// The row for an instruction; null if there is none.
const OperationRow *findOperation(Encoding E, unsigned Architecture);

/// The bits of instructions of a row that are no fields.
Encoding restOf(const OperationRow &Row, unsigned Form, unsigned Architecture);

/// What is known of a row's operation on an architecture; null if nothing.
const FactRow *factRowOf(const OperationRow &Row, unsigned Architecture);

/// All rows, in the order of the table.
ArrayRef<OperationRow> operationRows();

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_OPERATIONTABLE_H
