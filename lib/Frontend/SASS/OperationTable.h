//===- OperationTable.h - The rows of the tables, taken apart ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_OPERATIONTABLE_H
#define PTXPREDICT_LIB_FRONTEND_SASS_OPERATIONTABLE_H

#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace ptxpredict::sass {

/// What an operand's text in SASSOperations.def says.
struct OperandRow {
  enum KindTy : uint8_t {
    Register, ///< at Lowest
    First,    ///< a
    Second,   ///< b
    Third,    ///< c
    Special,  ///< s, S
    Predicate,
    Immediate,
    Address,
    Other ///< by its name
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
    IfDeferred
  };
  KindTy Kind = Other;
  ConditionTy Condition = Always;
  StringRef Name; ///< as it stands there
  unsigned Lowest = 0, Width = 0;
  bool SharesThirdSlot = false; ///< its reuse is the third source's
  bool IsAlwaysInverted = false;
  bool IsUniform = false, IsSigned = false, MayBeNegated = false,
       MayBeAbsolute = false, IsInverted = false, IsHigh = false;
  char ImmediateType = 'i';
};

/// A modifier: a word, a field, or a rule.
struct ModifierRow {
  enum KindTy : uint8_t { Word, Field, Rule } Kind = Word;
  StringRef Text; ///< of a word and a rule
  SmallVector<std::pair<uint8_t, uint8_t>, 2> Parts;
  ArrayRef<StringRef> Words;
};

struct OperationRow {
  unsigned Operation = 0;
  uint8_t Forms = 0xff; ///< a bit for each
  unsigned First = 0, Last = 0;
  StringRef Mnemonic;
  SmallVector<OperandRow, 6> Operands;
  SmallVector<ModifierRow, 4> Modifiers;
  bool IsUniform = false; ///< its guard is a uniform predicate
  /// Bits that are set in its instructions, and not in those of later rows.
  SmallVector<uint8_t, 2> Required;
};

/// The row for an instruction; null if there is none.
const OperationRow *findOperation(Encoding E, unsigned Architecture);

/// The bits of instructions of a row that are no fields.
Encoding restOf(const OperationRow &Row, unsigned Form, unsigned Architecture);

/// All rows, in the order of the table.
ArrayRef<OperationRow> operationRows();

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_OPERATIONTABLE_H
