//===- OperationTable.cpp - The rows of the tables, taken apart -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <deque>
#include <optional>

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

struct FieldText {
  StringRef Name, Bits, Words;
};
constexpr FieldText FieldTexts[] = {
#define SASS_FIELD(NAME, BITS, WORDS) {#NAME, BITS, WORDS},
#include "ptxpredict/ISA/SASSFields.def"
#undef SASS_FIELD
};

struct OperationText {
  unsigned Operation;
  StringRef Forms;
  unsigned First, Last;
  StringRef Mnemonic, Operands, Modifiers;
};
constexpr OperationText OperationTexts[] = {
#define SASS_OPERATION(OPERATION, FORMS, FIRST, LAST, MNEMONIC, OPERANDS,      \
                       MODIFIERS)                                              \
  {OPERATION, FORMS, FIRST, LAST, MNEMONIC, OPERANDS, MODIFIERS},
#include "ptxpredict/ISA/SASSOperations.def"
#undef SASS_OPERATION
};

/// Bits 0 to 8 of an instruction say its operation.
constexpr unsigned NumOperations = 512, OperationMask = NumOperations - 1,
                   FormShift = 9;

/// The table, and the rows of each operation by their numbers.
struct Table {
  std::vector<OperationRow> Rows;
  std::array<SmallVector<uint16_t, 2>, NumOperations> ByOperation;
  std::deque<std::vector<StringRef>> Words; ///< that rows refer to

  Table();
  ModifierRow modifier(StringRef Text);
};

} // namespace

static SmallVector<StringRef, 8> wordsOf(StringRef Text, char Separator) {
  SmallVector<StringRef, 8> Words;
  Text.split(Words, Separator, /*MaxSplit=*/-1, /*KeepEmpty=*/Separator == ',');
  return Words;
}

static unsigned numberIn(StringRef Text) {
  unsigned Number = 0;
  (void)Text.getAsInteger(10, Number);
  return Number;
}

static OperandRow::ConditionTy conditionOf(StringRef Text) {
  return llvm::StringSwitch<OperandRow::ConditionTy>(Text)
      .Case("7", OperandRow::NotTrue)
      .Case("Z", OperandRow::NotZero)
      .Case("X", OperandRow::IfX)
      .Case("EX", OperandRow::IfEX)
      .Case("C", OperandRow::IfThird)
      .Case("DIV", OperandRow::IfDiverging)
      .Case("N", OperandRow::IfCounted)
      .Case("DEPBAR", OperandRow::IfDeferred)
      .Default(OperandRow::Always);
}

/// "R16", "P87!", "i40.24s", "a-|", "ubxi", "[gl]", "label".
static OperandRow operandOf(StringRef Text) {
  OperandRow Row;
  if (Text.consume_front("?")) {
    StringRef Condition;
    std::tie(Condition, Text) = Text.split(':');
    Row.Condition = conditionOf(Condition);
  }
  Row.Name = Text;
  const char Kind = Text.empty() ? 0 : Text.front();
  const StringRef Rest = Text.drop_front(Text.empty() ? 0 : 1);
  if ((Kind == 'R' || Kind == 'U') && !Rest.empty() &&
      llvm::isDigit(Rest.front())) {
    Row.Kind = OperandRow::Register;
    Row.IsUniform = Kind == 'U';
    Row.Lowest = numberIn(Rest);
  } else if ((Kind == 'P' || Kind == 'Q') && !Rest.empty() &&
             llvm::isDigit(Rest.front()) && !Rest.ends_with("?")) {
    Row.Kind = OperandRow::Predicate;
    Row.IsUniform = Kind == 'Q';
    Row.MayBeNegated = Rest.ends_with("!");
    Row.Lowest = numberIn(Rest.rtrim('!'));
  } else if (Kind == 'i' && !Rest.empty() && llvm::isDigit(Rest.front())) {
    Row.Kind = OperandRow::Immediate;
    auto [Lowest, Width] = Rest.split('.');
    Row.IsSigned = Width.consume_back("s");
    Row.Lowest = numberIn(Lowest);
    Row.Width = numberIn(Width);
  } else if (Kind == '[') {
    Row.Kind = OperandRow::Address;
  } else {
    StringRef Source = Text;
    Row.IsUniform = Source.consume_front("u");
    const StringRef Flags = Source.drop_front(Source.empty() ? 0 : 1);
    if (!Source.empty() && StringRef("abcstS").contains(Source.front()) &&
        Flags.find_first_not_of("-|x~iufdh") == StringRef::npos) {
      Row.Kind = Source.front() == 'a'   ? OperandRow::First
                 : Source.front() == 'b' ? OperandRow::Second
                 : Source.front() == 'c' ? OperandRow::Third
                                         : OperandRow::Special;
      Row.IsHigh = Source.front() == 'S';
      Row.SharesThirdSlot = Source.front() == 't';
      Row.MayBeNegated = Flags.find_first_of("-x~") != StringRef::npos;
      Row.IsInverted = Flags.contains('x');
      Row.IsAlwaysInverted = Flags.contains('~');
      Row.MayBeAbsolute = Flags.contains('|');
      if (!Flags.empty() && llvm::isAlpha(Flags.back()) && Flags.back() != 'x')
        Row.ImmediateType = Flags.back();
    } else {
      Row.IsUniform = false;
    }
  }
  return Row;
}

ModifierRow Table::modifier(StringRef Text) {
  ModifierRow Row;
  Row.Text = Text;
  if (Row.Text.consume_front("="))
    return Row;
  const auto *Field = llvm::find_if(
      FieldTexts, [&](const FieldText &F) { return F.Name == Text; });
  if (Field == std::end(FieldTexts)) {
    Row.Kind = ModifierRow::Rule;
    return Row;
  }
  Row.Kind = ModifierRow::Field;
  for (StringRef Part : wordsOf(Field->Bits, ' ')) {
    auto [Lowest, Width] = Part.split(':');
    Row.Parts.emplace_back(uint8_t(numberIn(Lowest)), uint8_t(numberIn(Width)));
  }
  const auto Split = wordsOf(Field->Words, ',');
  Row.Words = Words.emplace_back(Split.begin(), Split.end());
  return Row;
}

Table::Table() {
  for (const OperationText &T : OperationTexts) {
    OperationRow Row;
    Row.Operation = T.Operation;
    if (!T.Forms.empty()) {
      Row.Forms = 0;
      for (char Form : T.Forms)
        Row.Forms |= uint8_t(1U << (Form - '0'));
    }
    Row.First = T.First;
    Row.Last = T.Last;
    Row.Mnemonic = T.Mnemonic;
    for (StringRef Text : wordsOf(T.Operands, ' '))
      Row.Operands.push_back(operandOf(Text));
    // Where the guard is does not follow from the operands.
    std::optional<bool> IsUniform;
    for (StringRef Text : wordsOf(T.Modifiers, ' ')) {
      if (Text == "@P" || Text == "@UP")
        IsUniform = Text == "@UP";
      else if (Text.ends_with("=1"))
        Row.Required.push_back(uint8_t(numberIn(Text.drop_back(2))));
      else
        Row.Modifiers.push_back(modifier(Text));
    }
    Row.IsUniform =
        IsUniform.value_or(llvm::any_of(Row.Operands, [](const OperandRow &O) {
          return O.IsUniform &&
                 (O.Kind == OperandRow::Predicate ||
                  (O.Kind == OperandRow::Register && O.Lowest == 16));
        }));
    ByOperation[T.Operation & OperationMask].push_back(uint16_t(Rows.size()));
    Rows.push_back(std::move(Row));
  }
}

/// Made when the first instruction is decoded.
static const Table &table() {
  static const Table TheTable;
  return TheTable;
}

ArrayRef<OperationRow> sass::operationRows() { return table().Rows; }

const OperationRow *sass::findOperation(Encoding E, unsigned Architecture) {
  const Table &T = table();
  const auto Form = unsigned(E.bits(FormShift, 3));
  for (uint16_t Number : T.ByOperation[E.bits(0, 9)]) {
    const OperationRow &Row = T.Rows[Number];
    if ((Row.Forms >> Form & 1) && Architecture >= Row.First &&
        Architecture <= Row.Last &&
        llvm::all_of(Row.Required, [&](uint8_t At) { return E.bit(At); }))
      return &Row;
  }
  return nullptr;
}

namespace {

struct RestText {
  unsigned Bits, First, Last;
  Encoding Rest;
};
constexpr RestText Rests[] = {
#define SASS_REST(BITS, FIRST, LAST, HIGH, LOW)                                \
  {BITS, FIRST, LAST, {LOW, HIGH}},
#include "ptxpredict/ISA/SASSRests.def"
#undef SASS_REST
};

} // namespace

Encoding sass::restOf(const OperationRow &Row, unsigned Form,
                      unsigned Architecture) {
  const unsigned Bits = Row.Operation | Form << FormShift;
  const auto *At = llvm::lower_bound(
      Rests, Bits, [](const RestText &R, unsigned B) { return R.Bits < B; });
  for (; At != std::end(Rests) && At->Bits == Bits; ++At)
    if (Architecture >= At->First && Architecture <= At->Last)
      return At->Rest;
  return {};
}
