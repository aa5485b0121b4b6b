//===- ExpressionsPrint.cpp - Expressions as text -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;

StringRef ptxpredict::toString(Symbol::ReasonTy R) {
  switch (R) {
  case Symbol::ReasonTy::None:
    return "value";
  case Symbol::ReasonTy::Load:
    return "load";
  case Symbol::ReasonTy::Atomic:
    return "atomic";
  case Symbol::ReasonTy::CrossLane:
    return "lanes";
  case Symbol::ReasonTy::Call:
    return "call";
  case Symbol::ReasonTy::Argument:
    return "argument";
  case Symbol::ReasonTy::Float:
    return "float";
  case Symbol::ReasonTy::Special:
    return "special";
  case Symbol::ReasonTy::Loop:
    return "loop";
  case Symbol::ReasonTy::Merge:
    return "merge";
  case Symbol::ReasonTy::TooLarge:
    return "large";
  case Symbol::ReasonTy::Undefined:
    return "undefined";
  case Symbol::ReasonTy::Other:
    return "other";
  }
  return "";
}

namespace {
/// How PTX or a programmer calls what is no operator here.
StringRef functionName(Kind K) {
  switch (K) {
  case Kind::Power:
    return "pow";
  case Kind::UDiv:
    return "udiv";
  case Kind::SDiv:
    return "sdiv";
  case Kind::URem:
    return "urem";
  case Kind::SRem:
    return "srem";
  case Kind::UMulHi:
    return "umulhi";
  case Kind::SMulHi:
    return "smulhi";
  case Kind::UMin:
    return "umin";
  case Kind::UMax:
    return "umax";
  case Kind::SMin:
    return "min";
  case Kind::SMax:
    return "max";
  case Kind::SExt:
    return "sext";
  case Kind::Trunc:
    return "trunc";
  case Kind::PopCount:
    return "popc";
  case Kind::LeadingZeros:
    return "clz";
  case Kind::HighestBit:
    return "bfind";
  case Kind::BitReverse:
    return "brev";
  case Kind::Permute:
    return "prmt";
  case Kind::UExtract:
    return "ubfe";
  case Kind::SExtract:
    return "sbfe";
  case Kind::Insert:
    return "bfi";
  case Kind::ZExt:
    return "zext";
  default:
    return ""; // an operator
  }
}

/// Prints with bounded depth and length: an expression is shared in the graph
/// but not in its text.
class Printer {
public:
  /// How tightly operators bind; a looser one inside a tighter one gets
  /// parentheses.
  enum Precedence { Choice, Any, All, Compared, Bits, Shifted, Summed, Factor };

  explicit Printer(raw_ostream &OS) : OS(OS) {}

  void print(const Expression &E, Precedence Outer = Choice) {
    if (++Printed > MaxNodes) {
      OS << "...";
      return;
    }
    Precedence Own = precedenceOf(E);
    bool Parentheses = Own < Outer;
    OS << (Parentheses ? "(" : "");
    printBare(E, Own);
    OS << (Parentheses ? ")" : "");
  }

private:
  static constexpr unsigned MaxNodes = 100;
  raw_ostream &OS;
  unsigned Printed = 0;

  static const Expression &operand(const Expression &E, unsigned I) {
    return *E.Operands[I];
  }

  /// What `!` before it stands for is another operator.
  static const Expression *contrary(const Expression &E) {
    if (E.Kind != Kind::Not)
      return nullptr;
    const Expression &In = operand(E, 0);
    return In.Kind == Kind::Equal || In.Kind == Kind::ULess ||
                   In.Kind == Kind::SLess
               ? &In
               : nullptr;
  }

  static Precedence precedenceOf(const Expression &E) {
    switch (E.Kind) {
    case Kind::Select:
      return Choice;
    case Kind::Or:
      return E.Width == 1 ? Any : Bits;
    case Kind::And:
      return E.Width == 1 ? All : Bits;
    case Kind::Xor:
      return Bits;
    case Kind::Not:
      return contrary(E) ? Compared : Factor;
    case Kind::Equal:
    case Kind::ULess:
    case Kind::SLess:
      return Compared;
    case Kind::Shl:
    case Kind::LShr:
    case Kind::AShr:
      return Shifted;
    case Kind::Sum:
      return Summed;
    case Kind::Constant:
      return signedOf(E.Addend, E.Width) < 0 ? Summed : Factor;
    default:
      return Factor;
    }
  }

  void infix(const Expression &E, StringRef Operator, Precedence Own) {
    print(operand(E, 0), Precedence(Own + 1));
    OS << ' ' << Operator << ' ';
    print(operand(E, 1), Precedence(Own + 1));
  }

  /// A constant stands on the right, and unsigned orders are marked where
  /// signed ones differ.
  void comparison(const Expression &E, bool Contrary, Precedence Own) {
    if (E.Kind == Kind::Equal)
      return infix(E, Contrary ? "!=" : "==", Own);
    const Expression *A = &operand(E, 0), *B = &operand(E, 1);
    bool Swapped = A->isConstant();
    if (Swapped)
      std::swap(A, B);
    print(*A, Precedence(Own + 1));
    OS << (Swapped ? Contrary ? " <=" : " >" : Contrary ? " >=" : " <");
    bool Same = A->Facts.SMin >= 0 && B->Facts.SMin >= 0;
    OS << (E.Kind == Kind::ULess && !Same ? "u " : " ");
    print(*B, Precedence(Own + 1));
  }

  void call(const Expression &E, StringRef Name) {
    OS << Name << '(';
    for (unsigned I = 0; I != E.Operands.size(); ++I) {
      OS << (I ? ", " : "");
      print(operand(E, I));
    }
    OS << ')';
  }

  void number(const Expression &E) {
    int64_t V = signedOf(E.Addend, E.Width);
    if (E.Width == 1)
      OS << (V ? "true" : "false");
    else
      OS << V;
  }

  /// The largest things first: symbols in the order of their making.
  void printSum(const Expression &E) {
    bool First = true;
    for (unsigned I = 0; I != E.Operands.size(); ++I) {
      int64_t By = signedOf(E.Coefficients[I], E.Width);
      OS << (First ? (By < 0 ? "-" : "") : By < 0 ? " - " : " + ");
      uint64_t Size = By < 0 ? 0 - uint64_t(By) : uint64_t(By);
      if (Size != 1)
        OS << Size << '*';
      print(operand(E, I), Factor);
      First = false;
    }
    int64_t Addend = signedOf(E.Addend, E.Width);
    if (Addend)
      OS << (Addend < 0 ? " - " : " + ")
         << (Addend < 0 ? 0 - uint64_t(Addend) : uint64_t(Addend));
  }

  void printSymbol(const Symbol &S) {
    if (S.Kind == Symbol::KindTy::Opaque)
      OS << toString(S.Reason) << '(' << S.Name << ')';
    else
      OS << S.Name;
  }

  void printBare(const Expression &E, Precedence Own) {
    switch (E.Kind) {
    case Kind::Constant:
      return number(E);
    case Kind::Symbol:
      return printSymbol(*E.Sym);
    case Kind::Sum:
      return printSum(E);
    case Kind::Product:
      for (unsigned I = 0; I != E.Operands.size(); ++I) {
        OS << (I ? "*" : "");
        print(operand(E, I), Factor);
      }
      return;
    case Kind::And:
      return infix(E, E.Width == 1 ? "&&" : "&", Own);
    case Kind::Or:
      return infix(E, E.Width == 1 ? "||" : "|", Own);
    case Kind::Xor:
      return infix(E, "^", Own);
    case Kind::Not:
      if (const Expression *In = contrary(E))
        return comparison(*In, /*Contrary=*/true, Own);
      OS << '!';
      return print(operand(E, 0), Factor);
    case Kind::Shl:
      return infix(E, "<<", Own);
    case Kind::LShr:
      return infix(E, operand(E, 0).Facts.SMin >= 0 ? ">>" : ">>u", Own);
    case Kind::AShr:
      return infix(E, ">>", Own);
    case Kind::Select:
      print(operand(E, 0), Any);
      OS << " ? ";
      print(operand(E, 1), Any);
      OS << " : ";
      return print(operand(E, 2), Choice);
    case Kind::Equal:
    case Kind::ULess:
    case Kind::SLess:
      return comparison(E, /*Contrary=*/false, Own);
    case Kind::Load:
      return call(E, E.read().Buffer);
    case Kind::ZExt:
      if (operand(E, 0).isSymbol()) // the same number
        return print(operand(E, 0), Factor);
      [[fallthrough]];
    default:
      return call(E, functionName(E.Kind));
    }
  }
};
} // namespace

void Expression::print(raw_ostream &OS) const { Printer(OS).print(*this); }

std::string Expression::str() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS);
  return Text;
}
