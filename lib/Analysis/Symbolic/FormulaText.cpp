//===- FormulaText.cpp - Expressions as people write them -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;

namespace {

/// Writes until there is too much, or something that has no good name.
class Writer {
public:
  /// How tightly operators bind. Products and quotients stand side by side from
  /// left to right.
  enum Precedence { Choice, Any, All, Compared, Bits, Summed, Factors, Atom };

  explicit Writer(size_t Columns) : MaxColumns(Columns) {}

  void write(const Expression &E, Precedence Outer = Choice);
  std::string take() { return Failed ? std::string() : std::move(Text); }

private:
  static Precedence precedenceOf(const Expression &E);
  static const Expression &operand(const Expression &E, unsigned I) {
    return *E.Operands[I];
  }
  static const Expression &bare(const Expression &E);

  void put(const llvm::Twine &T) {
    Text += T.str();
    Failed |= Text.size() > MaxColumns;
  }
  void infix(const Expression &E, StringRef Operator, Precedence Own);
  void call(const Expression &E, StringRef Name);
  void comparison(const Expression &E, bool Contrary);
  void bits(const Expression &E);
  void divided(const Expression &E, StringRef Operator, uint64_t By);
  void roundedQuotient(const Expression &E);
  void roundedUp(const Expression &E, int Place);
  void quotient(const Expression &E);
  void term(const Expression &E, uint64_t Times);
  void sum(const Expression &E, uint64_t More = 0, int Without = -1);
  void symbol(const Symbol &S);
  void opaque(const Symbol &S);
  void element(const Expression &Load);
  void writeBare(const Expression &E);

  size_t MaxColumns;
  std::string Text;
  bool Failed = false;
};

/// Without what changes the width alone: what comes of a number of 32 bits, or
/// of the upper ones of them, is cut to as many.
const Expression &Writer::bare(const Expression &E) {
  auto IsWidth = [](const Expression &X) {
    switch (X.Kind) {
    case Kind::ZExt:
    case Kind::SExt:
    case Kind::Trunc:
      return operand(X, 0).Width != 1;
    case Kind::And: {
      const Expression &From = bare(operand(X, 0));
      uint64_t Gone = From.Kind == Kind::LShr && operand(From, 1).isConstant()
                          ? operand(From, 1).Addend
                          : 0;
      return Gone < 32 && operand(X, 1).isConstant(maskOf(32 - unsigned(Gone)));
    }
    default:
      return false;
    }
  };
  const Expression *X = &E;
  while (IsWidth(*X))
    X = X->Operands[0];
  return *X;
}

/// Whether `x & M` is the rest of a division, or x without it.
bool isRest(const Expression &Mask) {
  return Mask.isConstant() && llvm::isMask_64(Mask.Addend);
}
/// Of `x & M` the number that it is a multiple of; 0 if M says more. Bits that
/// x does not have do not count.
uint64_t multiplierOf(const Expression &And) {
  const Expression &Mask = *And.Operands[1];
  if (!Mask.isConstant())
    return 0;
  uint64_t By =
      (0 - (Mask.Addend | And.Operands[0]->Facts.Zeros)) & maskOf(Mask.Width);
  bool HasLowZeros = llvm::isPowerOf2_64(By) && (Mask.Addend & (By - 1)) == 0;
  return HasLowZeros ? By : 0;
}

/// What \p E is divided by, if it is the quotient of a constant.
uint64_t divisorOf(const Expression &E) {
  if (E.Operands.size() != 2 || !E.Operands[1]->isConstant())
    return 0;
  uint64_t By = E.Operands[1]->Addend;
  switch (E.Kind) {
  case Kind::LShr:
  case Kind::AShr:
    return By < 63 ? uint64_t(1) << By : 0;
  case Kind::UDiv:
  case Kind::SDiv:
    return int64_t(By) > 0 ? By : 0;
  default:
    return 0;
  }
}

/// Whether \p E is x/D + c, which is (x + c*D)/D.
bool isQuotientAndMore(const Expression &E) {
  return E.Kind == Kind::Sum && E.Operands.size() == 1 &&
         E.Coefficients[0] == 1 && signedOf(E.Addend, E.Width) > 0 &&
         divisorOf(*E.Operands[0]) != 0;
}

/// Of x + ((x >> 31) >>u (32 - k)), which is made of x to divide it by 1 << k
/// and round towards zero, the place of the second term; -1 if \p E is none.
int placeOfBias(const Expression &E, uint64_t Shift) {
  if (E.Kind != Kind::Sum)
    return -1;
  unsigned Width = E.Width;
  for (unsigned I = 0; I != E.Operands.size(); ++I) {
    const Expression &T = *E.Operands[I];
    if (E.Coefficients[I] != 1 || T.Kind != Kind::LShr ||
        !T.Operands[1]->isConstant(Width - Shift))
      continue;
    // The sign alone is enough to halve.
    const Expression &Sign = *T.Operands[0];
    bool IsSpread =
        Sign.Kind == Kind::AShr && Sign.Operands[1]->isConstant(Width - 1);
    if (!IsSpread && Shift != 1)
      continue;
    const Expression &X = IsSpread ? *Sign.Operands[0] : Sign;
    if (X.Kind != Kind::Sum) {
      if (E.Operands.size() == 2 && E.Operands[1 - I] == &X &&
          E.Coefficients[1 - I] == 1 && E.Addend == 0)
        return int(I);
      continue;
    }
    auto Matches = [&](auto All, auto Part) {
      return All.size() == Part.size() + 1 &&
             All.take_front(I) == Part.take_front(I) &&
             All.drop_front(I + 1) == Part.drop_front(I);
    };
    if (E.Addend == X.Addend && Matches(E.Operands, X.Operands) &&
        Matches(E.Coefficients, X.Coefficients))
      return int(I);
  }
  return -1;
}

/// Of (x + y - 1) / y for no constant y, the place of y in the sum; -1 if \p E
/// is none.
int placeOfRoundingUp(const Expression &E) {
  const Expression &N = *E.Operands[0];
  if (E.Kind != Kind::UDiv || N.Kind != Kind::Sum || N.Operands.size() == 1 ||
      signedOf(N.Addend, N.Width) != -1)
    return -1;
  for (unsigned I = 0; I != N.Operands.size(); ++I)
    if (N.Operands[I] == E.Operands[1] && N.Coefficients[I] == 1)
      return int(I);
  return -1;
}

Writer::Precedence Writer::precedenceOf(const Expression &E) {
  switch (E.Kind) {
  case Kind::Select:
    return Choice;
  case Kind::Or:
    return E.Width == 1 ? Any : Bits;
  case Kind::And:
    return E.Width == 1                               ? All
           : isRest(operand(E, 1)) || multiplierOf(E) ? Factors
                                                      : Bits;
  case Kind::Not:
  case Kind::Equal:
  case Kind::ULess:
  case Kind::SLess:
    return Compared;
  case Kind::LShr:
  case Kind::AShr:
    return divisorOf(E) ? Factors : Bits;
  case Kind::Constant:
    return signedOf(E.Addend, E.Width) < 0 ? Summed : Atom;
  case Kind::Sum:
    return isQuotientAndMore(E) || (E.Operands.size() == 1 && E.Addend == 0 &&
                                    signedOf(E.Coefficients[0], E.Width) > 0)
               ? Factors
               : Summed;
  case Kind::UDiv:
    return placeOfRoundingUp(E) < 0 ? Factors : Atom;
  case Kind::Shl:
  case Kind::Product:
  case Kind::SDiv:
  case Kind::URem:
  case Kind::SRem:
    return Factors;
  default:
    return Atom;
  }
}

void Writer::write(const Expression &Whole, Precedence Outer) {
  if (Failed)
    return;
  const Expression &E = bare(Whole);
  bool Parentheses = precedenceOf(E) < Outer;
  put(Parentheses ? "(" : "");
  writeBare(E);
  put(Parentheses ? ")" : "");
}

void Writer::infix(const Expression &E, StringRef Operator, Precedence Own) {
  write(operand(E, 0), Own == Factors ? Own : Precedence(Own + 1));
  put(Operator);
  write(operand(E, 1), Precedence(Own + 1));
}

void Writer::call(const Expression &E, StringRef Name) {
  put(Name + "(");
  for (unsigned I = 0; I != E.Operands.size(); ++I) {
    put(I ? ", " : "");
    write(operand(E, I));
  }
  put(")");
}

/// A constant stands on the right.
void Writer::comparison(const Expression &E, bool Contrary) {
  if (E.Kind == Kind::Equal)
    return infix(E, Contrary ? " != " : " == ", Compared);
  const Expression *A = &operand(E, 0), *B = &operand(E, 1);
  bool Swapped = A->isConstant();
  if (Swapped)
    std::swap(A, B);
  write(*A, Bits);
  put(Swapped ? (Contrary ? " <= " : " > ") : Contrary ? " >= " : " < ");
  write(*B, Bits);
}

void Writer::divided(const Expression &E, StringRef Operator, uint64_t By) {
  write(E, Factors);
  put(Operator + llvm::Twine(By));
}

/// A shift right by a constant.
void Writer::quotient(const Expression &E) {
  const Expression &N = bare(operand(E, 0));
  uint64_t By = divisorOf(E);
  int Bias = E.Kind == Kind::AShr ? placeOfBias(N, operand(E, 1).Addend) : -1;
  if (Bias < 0)
    return divided(N, "/", By);
  bool Several = N.Operands.size() > 2 || N.Addend != 0;
  put(Several ? "(" : "");
  sum(N, 0, Bias);
  put((Several ? ")/" : "/") + llvm::Twine(By));
}

/// Of `x & M` what it is in arithmetic.
void Writer::bits(const Expression &E) {
  const Expression &Mask = operand(E, 1);
  if (isRest(Mask))
    return divided(operand(E, 0), "%", Mask.Addend + 1);
  uint64_t By = multiplierOf(E);
  if (By == 0)
    return infix(E, " & ", Bits);
  divided(operand(E, 0), "/", By);
  put("*" + llvm::Twine(By));
}

void Writer::term(const Expression &E, uint64_t Times) {
  if (Times == 1)
    return write(E, Factors);
  put(llvm::Twine(Times) + "*");
  bool IsPower =
      bare(E).Kind == Kind::Shl && bare(E).Operands[0]->isConstant(1);
  write(E, IsPower || bare(E).Kind == Kind::Product ? Factors : Atom);
}

/// \p E where isQuotientAndMore() holds.
void Writer::roundedQuotient(const Expression &E) {
  const Expression &Q = operand(E, 0), &N = bare(operand(Q, 0));
  uint64_t By = divisorOf(Q), More = E.Addend * By;
  put("(");
  if (N.Kind == Kind::Sum && !isQuotientAndMore(N))
    sum(N, More);
  else {
    write(N, Summed);
    put(" + " + llvm::Twine(More));
  }
  put(")/" + llvm::Twine(By));
}

/// \p E where placeOfRoundingUp() is \p Place.
void Writer::roundedUp(const Expression &E, int Place) {
  const Expression &N = operand(E, 0);
  bool Several = N.Operands.size() > 2;
  put(Several ? "ceil((" : "ceil(");
  sum(N, 1, Place);
  put(Several ? ")/" : "/");
  write(operand(E, 1), Atom);
  put(")");
}

/// What is added, then what is taken away. \p More is added, the term at
/// \p Without left out.
void Writer::sum(const Expression &E, uint64_t More, int Without) {
  bool First = true;
  int64_t Addend = signedOf(E.Addend + More, E.Width);
  for (bool Negative : {false, true}) {
    if (Negative && First && Addend > 0) {
      put(llvm::Twine(Addend));
      Addend = 0, First = false;
    }
    for (unsigned I = 0; I != E.Operands.size(); ++I) {
      int64_t By = signedOf(E.Coefficients[I], E.Width);
      if ((By < 0) != Negative || int(I) == Without || Failed)
        continue;
      put(First ? (Negative ? "-" : "") : Negative ? " - " : " + ");
      term(*E.Operands[I], Negative ? 0 - uint64_t(By) : uint64_t(By));
      First = false;
    }
  }
  if (Addend > 0)
    put(" + " + llvm::Twine(Addend));
  else if (Addend < 0)
    put(" - " + llvm::Twine(0 - uint64_t(Addend)));
}

/// Where it comes from, if that is a place in the code.
void Writer::opaque(const Symbol &S) {
  using R = Symbol::ReasonTy;
  bool HasPlace = S.Reason == R::Load || S.Reason == R::Atomic ||
                  S.Reason == R::CrossLane || S.Reason == R::Call;
  if (S.Reason == R::Special && !S.From)
    return put("%" + S.Name);
  if (!HasPlace || !S.From) {
    Failed = true;
    return;
  }
  StringRef Name = S.From->Mnemonic.split('.').first;
  put((S.Reason == R::Load ? "load" : Name) + "(line " +
      llvm::Twine(S.From->Line) + ")");
  if (S.From->Defs.size() < 2)
    return;
  // An element of a vector.
  for (auto [N, D] : llvm::enumerate(S.From->Defs))
    if (D->Id == (S.Number & maskOf(32)))
      put("[" + llvm::Twine(N) + "]");
}

void Writer::symbol(const Symbol &S) {
  using K = Symbol::KindTy;
  StringRef Name = S.Name;
  switch (S.Kind) {
  case K::Opaque:
    return opaque(S);
  case K::ExitCount:
    Failed = true; // of a loop that is over
    return;
  case K::Counter:
    return put(Name.drop_front(
        static_cast<const SymbolicValues *>(S.Context)->calls().size()));
  case K::Parameter: {
    // The kernel's mangled name says nothing new, an offset is no addend.
    auto [Base, Offset] = Name.split('+');
    if (Base.starts_with("_Z"))
      if (size_t At = Base.rfind("_param_"); At != StringRef::npos)
        Base = Base.drop_front(At + 1);
    put(Base);
    return put(Offset.empty() ? "" : "[" + Offset + "]");
  }
  default:
    return put(Name);
  }
}

/// What is in a buffer, by the element's index.
void Writer::element(const Expression &Load) {
  const Expression &Offset = operand(Load, 0);
  const uint64_t Bytes = Load.read().Bytes;
  SmallVector<uint64_t, 8> Coefficients;
  auto Part = [&](uint64_t V) {
    const int64_t Signed = signedOf(V, Offset.Width);
    Failed |= Signed % int64_t(Bytes) != 0;
    return uint64_t(Signed / int64_t(Bytes));
  };
  Failed |= Offset.Kind != Kind::Sum;
  if (Failed)
    return;
  Expression Index = Offset;
  for (uint64_t C : Offset.Coefficients)
    Coefficients.push_back(Part(C));
  Index.Coefficients = Coefficients;
  Index.Addend = Part(Offset.Addend);
  put(Load.read().Buffer);
  put("[");
  sum(Index);
  put("]");
}

void Writer::writeBare(const Expression &E) {
  switch (E.Kind) {
  case Kind::Constant:
    return put(E.Width == 1 ? (E.Addend ? "true" : "false")
                            : llvm::itostr(signedOf(E.Addend, E.Width)));
  case Kind::Symbol:
    return symbol(*E.Sym);
  case Kind::Sum:
    return isQuotientAndMore(E) ? roundedQuotient(E) : sum(E);
  case Kind::Product:
    for (unsigned I = 0; I != E.Operands.size(); ++I) {
      put(I ? "*" : "");
      write(operand(E, I), I ? Atom : Factors);
    }
    return;
  case Kind::Power:
    return call(E, "pow");
  case Kind::And:
    return E.Width == 1 ? infix(E, " && ", All) : bits(E);
  case Kind::Or:
    return infix(E, E.Width == 1 ? " || " : " | ", precedenceOf(E));
  case Kind::Not:
    if (operand(E, 0).Kind == Kind::Equal ||
        operand(E, 0).Kind == Kind::ULess || operand(E, 0).Kind == Kind::SLess)
      return comparison(operand(E, 0), /*Contrary=*/true);
    put("!");
    return write(operand(E, 0), Atom);
  case Kind::Equal:
  case Kind::ULess:
  case Kind::SLess:
    return comparison(E, /*Contrary=*/false);
  case Kind::Shl:
    if (!operand(E, 0).isConstant(1)) {
      write(operand(E, 0), Factors);
      put("*");
    }
    put("2^");
    return write(operand(E, 1), Atom);
  case Kind::LShr:
  case Kind::AShr:
    return divisorOf(E) ? quotient(E) : infix(E, " >> ", Bits);
  case Kind::UDiv:
    if (int Place = placeOfRoundingUp(E); Place >= 0)
      return roundedUp(E, Place);
    return infix(E, "/", Factors);
  case Kind::SDiv:
    return infix(E, "/", Factors);
  case Kind::URem:
  case Kind::SRem:
    return infix(E, "%", Factors);
  case Kind::UMin:
  case Kind::SMin:
    return call(E, "min");
  case Kind::UMax:
  case Kind::SMax:
    return call(E, "max");
  case Kind::Select:
    write(operand(E, 0), Any);
    put(" ? ");
    write(operand(E, 1), Any);
    put(" : ");
    return write(operand(E, 2), Any);
  case Kind::PopCount:
    return call(E, "popc");
  case Kind::LeadingZeros:
    return call(E, "clz");
  case Kind::HighestBit:
    return call(E, "log2");
  case Kind::Load:
    return element(E);
  default:
    Failed = true;
    return;
  }
}

} // namespace

std::string ptxpredict::formulaText(const Expression &E, size_t MaxColumns) {
  Writer W(MaxColumns);
  W.write(E);
  return W.take();
}
