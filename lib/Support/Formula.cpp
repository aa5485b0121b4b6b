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

/// Recursive descent: sums of products of signed operands.
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
    else if (sum(0) && skipSpace() != Text.size())
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
      return sum(Depth + 1) && expect(')');
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
          if ((N != 0 && !expect(',')) || !sum(Depth + 1))
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
    if (Name == "div" || Name == "mod")
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

std::optional<double> Formula::evaluate(Lookup Of, std::string &Why) const {
  SmallVector<double, 16> Stack;
  for (const Step &S : Steps) {
    if (S.What == Op::Number) {
      Stack.push_back(S.Number);
      continue;
    }
    if (S.What == Op::Name) {
      std::optional<double> V = Of(Names[S.Name].Text);
      if (!V) {
        Why = "'" + Names[S.Name].Text + "' is no number";
        return std::nullopt;
      }
      Stack.push_back(*V);
      continue;
    }
    double &Last = Stack.back();
    switch (S.What) {
    case Op::Negate:
      Last = -Last;
      continue;
    case Op::Ceil:
      Last = std::ceil(Last);
      continue;
    case Op::Floor:
      Last = std::floor(Last);
      continue;
    case Op::Log2:
      Last = std::log2(Last);
      continue;
    case Op::Ln:
      Last = std::log(Last);
      continue;
    case Op::Exp:
      Last = std::exp(Last);
      continue;
    case Op::Sqrt:
      Last = std::sqrt(Last);
      continue;
    default:
      break;
    }
    double B = Stack.pop_back_val();
    double &A = Stack.back();
    switch (S.What) {
    case Op::Add:
      A += B;
      break;
    case Op::Subtract:
      A -= B;
      break;
    case Op::Multiply:
      A *= B;
      break;
    case Op::Divide:
      A /= B;
      break;
    case Op::FloorDivide:
      A = std::floor(A / B);
      break;
    case Op::Modulo: // as div has it: of the divisor's sign
      A -= B * std::floor(A / B);
      break;
    case Op::Min:
      A = std::min(A, B);
      break;
    case Op::Pow:
      A = std::pow(A, B);
      break;
    default:
      A = std::max(A, B);
      break;
    }
  }
  if (std::isfinite(Stack.back()))
    return Stack.back();
  Why = "'" + Text + "' has no finite value";
  return std::nullopt;
}
