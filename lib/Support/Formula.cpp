//===- Formula.cpp - Numbers computed from a row's cells ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Formula.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Parentheses, functions and signs in each other; the parser recurses.
static constexpr unsigned MaxNesting = 64;

namespace ptxpredict {

/// Recursive descent: conditions of comparisons of sums of products of signed
/// operands.
class FormulaParser {
public:
  FormulaParser(const YAMLText &Source, DiagnosticEngine &Diags)
      : Diags(Diags), Text(Source.Text) {
    Result.Text = Source.Text;
    Result.Place = Source.Loc;
    // A place within the text is told where it stands as it is, perhaps in
    // quotes.
    StringRef All = Diags.text();
    const char *At = Source.Loc.getPointer();
    if (At && At >= All.begin() && At <= All.end()) {
      StringRef Raw(At, size_t(All.end() - At));
      if (Raw.starts_with(Text))
        Begin = At;
      else if (Raw.drop_front(!Raw.empty()).starts_with(Text))
        Begin = At + 1;
    }
  }

  std::optional<Formula> parse() {
    if (Text.trim().empty())
      error(0, "a formula must not be empty");
    else if (condition(0) && skipSpace() != Text.size())
      error(Pos, "'" + Text.substr(Pos, 1) + "' is not expected here");
    if (Failed)
      return std::nullopt;
    return std::move(Result);
  }

private:
  using Op = Formula::Op;

  DiagnosticEngine &Diags;
  StringRef Text;
  Formula Result;
  const char *Begin = nullptr;
  size_t Pos = 0;
  bool Failed = false;

  SMLoc placeOf(size_t Offset) const {
    return Begin ? SMLoc::getFromPointer(Begin + Offset) : Result.Place;
  }
  bool error(size_t Offset, const Twine &Message) {
    if (!Failed)
      Diags.error(placeOf(Offset), Message);
    Failed = true;
    return false;
  }
  size_t skipSpace() {
    while (Pos != Text.size() && llvm::isSpace(Text[Pos]))
      ++Pos;
    return Pos;
  }
  bool accept(char C) {
    if (skipSpace() == Text.size() || Text[Pos] != C)
      return false;
    ++Pos;
    return true;
  }
  bool expect(char C) {
    return accept(C) || error(Pos, "'" + Twine(C) + "' is missing");
  }
  void add(Op What) { Result.Steps.push_back({What}); }

  static bool isNameChar(char C) {
    return llvm::isAlnum(C) || C == '_' || C == '.';
  }
  /// The name at the present place; empty if there is none.
  StringRef peekName() {
    skipSpace();
    StringRef Rest = Text.substr(Pos);
    if (Rest.empty() || !(llvm::isAlpha(Rest[0]) || Rest[0] == '_'))
      return {};
    size_t Size = 0;
    bool HasDot = false;
    while (Size != Rest.size() &&
           (isNameChar(Rest[Size]) ||
            (HasDot && Rest[Size] == '-' && Size + 1 != Rest.size() &&
             llvm::isAlpha(Rest[Size + 1]))))
      HasDot |= Rest[Size++] == '.';
    return Rest.take_front(Size);
  }
  bool acceptWord(StringRef Word) {
    if (peekName() != Word)
      return false;
    Pos += Word.size();
    return true;
  }

  bool condition(unsigned Depth) {
    if (!conjunction(Depth))
      return false;
    while (acceptWord("or")) {
      if (!conjunction(Depth))
        return false;
      add(Op::Or);
    }
    return true;
  }

  bool conjunction(unsigned Depth) {
    if (!comparison(Depth))
      return false;
    while (acceptWord("and")) {
      if (!comparison(Depth))
        return false;
      add(Op::And);
    }
    return true;
  }

  bool comparison(unsigned Depth) {
    if (Depth == MaxNesting)
      return error(Pos, "the formula is nested too deeply");
    if (acceptWord("not")) {
      if (!comparison(Depth + 1))
        return false;
      add(Op::Not);
      return true;
    }
    if (!sum(Depth))
      return false;
    skipSpace();
    struct Comparison {
      StringRef Text;
      Op What;
    };
    static constexpr Comparison Comparisons[] = {
        {"<=", Op::LessOrEqual}, {">=", Op::GreaterOrEqual},
        {"==", Op::Equal},       {"!=", Op::NotEqual},
        {"<", Op::Less},         {">", Op::Greater}};
    for (const Comparison &C : Comparisons) {
      if (!Text.substr(Pos).starts_with(C.Text))
        continue;
      Pos += C.Text.size();
      if (!sum(Depth))
        return false;
      add(C.What);
      return true;
    }
    return true;
  }

  bool sum(unsigned Depth) {
    if (!product(Depth))
      return false;
    for (;;) {
      Op What = Op::Add;
      if (accept('-'))
        What = Op::Subtract;
      else if (!accept('+'))
        return true;
      if (!product(Depth))
        return false;
      add(What);
    }
  }

  bool product(unsigned Depth) {
    if (!operand(Depth))
      return false;
    for (;;) {
      Op What = Op::Multiply;
      if (accept('/'))
        What = Op::Divide;
      else if (acceptWord("div"))
        What = Op::FloorDivide;
      else if (acceptWord("mod"))
        What = Op::Modulo;
      else if (!accept('*'))
        return true;
      if (!operand(Depth))
        return false;
      add(What);
    }
  }

  bool operand(unsigned Depth) {
    if (Depth == MaxNesting)
      return error(Pos, "the formula is nested too deeply");
    if (accept('-')) {
      if (!operand(Depth + 1))
        return false;
      add(Op::Negate);
      return true;
    }
    if (accept('('))
      return condition(Depth + 1) && expect(')');
    if (StringRef Name = peekName(); !Name.empty())
      return nameOrCall(Name, Depth);
    return number();
  }

  bool nameOrCall(StringRef Name, unsigned Depth) {
    struct Function {
      StringRef Name;
      Op What;
      unsigned Arguments;
    };
    static constexpr Function Functions[] = {
        {"ceil", Op::Ceil, 1}, {"floor", Op::Floor, 1}, {"log2", Op::Log2, 1},
        {"ln", Op::Ln, 1},     {"exp", Op::Exp, 1},     {"sqrt", Op::Sqrt, 1},
        {"pow", Op::Pow, 2},   {"min", Op::Min, 2},     {"max", Op::Max, 2}};
    const size_t Start = Pos;
    Pos += Name.size();
    if (accept('(')) {
      for (const Function &F : Functions) {
        if (F.Name != Name)
          continue;
        for (unsigned N = 0; N != F.Arguments; ++N)
          if ((N != 0 && !expect(',')) || !condition(Depth + 1))
            return false;
        if (!expect(')'))
          return false;
        add(F.What);
        return true;
      }
      SmallVector<StringRef, 9> Known;
      for (const Function &F : Functions)
        Known.push_back(F.Name);
      return error(Start,
                   "there is no function '" + Name + "'" +
                       didYouMean(Name, Known,
                                  "; known are " + llvm::join(Known, ", ")));
    }
    if (Name == "div" || Name == "mod" || Name == "and" || Name == "or")
      return error(Start,
                   "a number or a name is missing before '" + Name + "'");
    Result.Steps.push_back({Op::Name, 0, unsigned(Result.Names.size())});
    Result.Names.push_back({Name.str(), placeOf(Start)});
    return true;
  }

  bool number() {
    StringRef Rest = Text.substr(skipSpace());
    size_t Size = 0;
    bool IsHex = Rest.starts_with_insensitive("0x");
    while (Size != Rest.size() &&
           (isNameChar(Rest[Size]) ||
            (!IsHex && Size != 0 && (Rest[Size] == '-' || Rest[Size] == '+') &&
             llvm::toLower(Rest[Size - 1]) == 'e')))
      ++Size;
    if (Size == 0)
      return error(Pos, Rest.empty()
                            ? Twine("a number or a name is missing")
                            : "a number or a name is missing before '" +
                                  Rest.take_front() + "'");
    std::optional<double> Value = parseNumber(Rest.take_front(Size));
    if (!Value)
      return error(Pos, "'" + Rest.take_front(Size) + "' is no number");
    Result.Steps.push_back({Op::Number, *Value});
    Pos += Size;
    return true;
  }
};

} // namespace ptxpredict

std::optional<Formula> Formula::parse(const YAMLText &Text,
                                      DiagnosticEngine &Diags) {
  return FormulaParser(Text, Diags).parse();
}

double Formula::apply(Op What, double A) {
  switch (What) {
  case Op::Negate:
    return -A;
  case Op::Ceil:
    return std::ceil(A);
  case Op::Floor:
    return std::floor(A);
  case Op::Log2:
    return std::log2(A);
  case Op::Ln:
    return std::log(A);
  case Op::Exp:
    return std::exp(A);
  case Op::Sqrt:
    return std::sqrt(A);
  default:
    return A == 0 ? 1 : 0; // Not
  }
}

double Formula::apply(Op What, double A, double B) {
  switch (What) {
  case Op::Add:
    return A + B;
  case Op::Subtract:
    return A - B;
  case Op::Multiply:
    return A * B;
  case Op::Divide:
    return A / B;
  case Op::FloorDivide:
    return std::floor(A / B);
  case Op::Modulo: // as div has it: of the divisor's sign
    return A - B * std::floor(A / B);
  case Op::Min:
    return std::min(A, B);
  case Op::Pow:
    return std::pow(A, B);
  case Op::Less:
    return A < B ? 1 : 0;
  case Op::LessOrEqual:
    return A <= B ? 1 : 0;
  case Op::Greater:
    return A > B ? 1 : 0;
  case Op::GreaterOrEqual:
    return A >= B ? 1 : 0;
  case Op::Equal:
    return A == B ? 1 : 0;
  case Op::NotEqual:
    return A != B ? 1 : 0;
  case Op::And:
    return A != 0 && B != 0 ? 1 : 0;
  case Op::Or:
    return A != 0 || B != 0 ? 1 : 0;
  default:
    return std::max(A, B);
  }
}

template <typename FnT>
std::optional<double> Formula::run(FnT Of, std::string &Why) const {
  SmallVector<double, 16> Stack;
  for (const Step &S : Steps) {
    switch (S.What) {
    case Op::Number:
      Stack.push_back(S.Number);
      break;
    case Op::Name: {
      const std::optional<double> V = Of(S.Name);
      if (!V) {
        Why = "'" + Names[S.Name].Text + "' is no number";
        return std::nullopt;
      }
      Stack.push_back(*V);
      break;
    }
    case Op::Negate:
    case Op::Ceil:
    case Op::Floor:
    case Op::Log2:
    case Op::Ln:
    case Op::Exp:
    case Op::Sqrt:
    case Op::Not:
      Stack.back() = apply(S.What, Stack.back());
      break;
    default: {
      const double B = Stack.pop_back_val();
      Stack.back() = apply(S.What, Stack.back(), B);
    }
    }
  }
  if (std::isfinite(Stack.back()))
    return Stack.back();
  Why = "'" + Text + "' has no finite value";
  return std::nullopt;
}

std::optional<double> Formula::evaluate(Lookup Of, std::string &Why) const {
  return run([&](unsigned N) { return Of(Names[N].Text); }, Why);
}

std::optional<double> Formula::evaluate(ArrayRef<double> Values,
                                        std::string &Why) const {
  return run([&](unsigned N) { return std::optional<double>(Values[N]); }, Why);
}
