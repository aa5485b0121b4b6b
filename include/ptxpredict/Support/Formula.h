//===- Formula.h - Numbers computed from a row's cells ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_FORMULA_H
#define PTXPREDICT_SUPPORT_FORMULA_H

#include "ptxpredict/Support/Diagnostics.h"
#include "ptxpredict/Support/YAMLNodes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace ptxpredict {

/// "(n + 127) div 128": numbers, names, + - * / (real), `div` (the quotient
/// rounded down), `mod`, parentheses, ceil(x), floor(x), min(a, b), max(a, b),
/// log2(x), ln(x), exp(x), sqrt(x) and pow(x, y). Below these < <= > >= == !=
/// of two sums, `not`, `and`, `or`: 1 for true, 0 for false; what is not 0 is
/// true. A name begins with a letter or '_' and may hold digits and dots, and
/// behind a dot a '-' before a letter: "args.matrix-size".
class Formula {
public:
  /// What a name stands for; nothing if its cell is no number.
  using Lookup = llvm::function_ref<std::optional<double>(StringRef)>;

  struct Name {
    std::string Text;
    SMLoc Place;
  };

  /// Reads \p Text, which stands at its Loc in the engine's buffer, perhaps in
  /// quotes. Nothing on error (reported at the character).
  static std::optional<Formula> parse(const YAMLText &Text,
                                      DiagnosticEngine &Diags);

  StringRef text() const { return Text; }
  SMLoc place() const { return Place; }
  /// Every name, in the order in which they stand.
  ArrayRef<Name> names() const { return Names; }

  /// The value where each name is what \p Of says. Nothing where a name has
  /// none, or the result is not finite; \p Why then says so.
  std::optional<double> evaluate(Lookup Of, std::string &Why) const;
  /// The same where the names have \p Values, in the order of names().
  std::optional<double> evaluate(ArrayRef<double> Values,
                                 std::string &Why) const;

private:
  friend class FormulaParser;
  enum class Op : uint8_t {
    Number,
    Name,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Ceil,
    Floor,
    Log2,
    Ln,
    Exp,
    Sqrt,
    Min,
    Max,
    Pow,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    Not,
    And,
    Or
  };
  /// In the order of evaluation, operands before their operator.
  struct Step {
    Op What;
    double Number = 0; ///< Op::Number
    unsigned Name = 0; ///< Op::Name: index into Names
  };

  static double apply(Op What, double A);
  static double apply(Op What, double A, double B);
  /// \p Of gives the value of the N-th name, or false.
  template <typename FnT>
  std::optional<double> run(FnT Of, std::string &Why) const;

  std::string Text;
  SMLoc Place;
  std::vector<Name> Names;
  std::vector<Step> Steps;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_FORMULA_H
