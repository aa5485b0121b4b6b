//===- IntrinsicsMatrix.cpp - Matrix products of a warp -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// mma[.sp[.ordered.metadata]][.block.scale][.xor.popc].m16n8k16.row.col
//   [.satfinite][.kind.f8f6f4|.mxf4[.scale.2x]].types
// wmma.m16n16k16.mma[.xor.popc].row.col[.rn].types[.satfinite]
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// What the name of a product says.
struct Product {
  bool IsWarpWide = false; ///< wmma
  bool IsSparse = false, IsOrdered = false, IsScaled = false;
  unsigned M = 0, N = 0;
  StringRef Shape, Rows, Columns, Bits, Rounding, Kind, Scale;
  bool Saturates = false;
  SmallVector<StringRef, 5> Types; ///< as written

  explicit Product(StringRef Name);
  /// The types that PTX names, with dots.
  std::string types() const;
  /// The type of the addend.
  StringRef addend() const;
  StringRef result() const;
  std::string mnemonic() const;
};

} // namespace

Product::Product(StringRef Name) {
  SmallVector<StringRef, 16> Parts;
  Name.split(Parts, '.');
  IsWarpWide = Parts[0] == "wmma";
  for (size_t I = 1; I != Parts.size(); ++I) {
    StringRef P = Parts[I];
    unsigned K;
    StringRef Digits = P;
    if (P == "sp") {
      IsSparse = true;
    } else if (P == "ordered") {
      IsOrdered = true;
      ++I; // metadata
    } else if (P == "block") {
      IsScaled = true;
      ++I; // scale
    } else if (P == "and" || P == "xor") {
      Bits = P;
      ++I; // popc
    } else if (P == "row" || P == "col") {
      (Rows.empty() ? Rows : Columns) = P;
    } else if (P == "satfinite") {
      Saturates = true;
    } else if (P == "rn" || P == "rz" || P == "rm" || P == "rp") {
      Rounding = P;
    } else if (P == "kind") {
      Kind = Parts[++I];
    } else if (P.starts_with("mx")) {
      Kind = P;
    } else if (P == "scale") {
      Scale = Parts[++I];
    } else if (Digits.consume_front("m") && !Digits.consumeInteger(10, M) &&
               Digits.consume_front("n") && !Digits.consumeInteger(10, N) &&
               Digits.consume_front("k") && !Digits.getAsInteger(10, K)) {
      Shape = P;
    } else if (P != "mma") {
      Types.push_back(P);
    }
  }
}

StringRef Product::result() const {
  StringRef First = Types[0];
  if (Types.size() >= 4 || First == "f16" || First == "f32")
    return First;
  return First == "f64"                       ? "f64"
         : First == "tf32" || First == "bf16" ? "f32"
                                              : "s32";
}

StringRef Product::addend() const {
  if (Types.size() >= 4)
    return Types[3];
  return Types[0] == "f16" || Types[0] == "f32" ? Types[1] : result();
}

std::string Product::types() const {
  if (Types.size() >= 4)
    return "." + llvm::join(Types, ".");
  bool IsHalf = Types[0] == "f16" || Types[0] == "f32";
  if (IsHalf && IsWarpWide)
    return ("." + Types[0] + "." + Types[1]).str();
  StringRef A = IsHalf ? "f16" : Types[0], B = IsHalf ? "f16" : Types.back();
  return ("." + result() + "." + A + "." + B + "." + addend()).str();
}

std::string Product::mnemonic() const {
  auto Dotted = [](StringRef Part) {
    return Part.empty() ? std::string() : "." + Part.str();
  };
  std::string Popc = Bits.empty() ? "" : "." + Bits.str() + ".popc";
  if (IsWarpWide)
    return "wmma.mma" + Popc + ".sync.aligned." + Rows.str() + "." +
           Columns.str() + "." + Shape.str() + Dotted(Rounding) + types() +
           (Saturates ? ".satfinite" : "");
  return std::string("mma") + (IsSparse ? ".sp" : "") +
         (IsOrdered ? "::ordered_metadata" : "") + ".sync.aligned." +
         Shape.str() + "." + Rows.str() + "." + Columns.str() +
         Dotted(Rounding) + (Saturates ? ".satfinite" : "") +
         (Kind.empty() ? "" : ".kind::" + Kind.str()) +
         (IsScaled ? ".block_scale" : "") +
         (Scale.empty() ? "" : ".scale_vec::" + Scale.upper()) + types() + Popc;
}

bool IntrinsicLowering::lowerMatrix(StringRef Name) {
  if (!Name.starts_with("mma.") && !Name.starts_with("wmma."))
    return false;
  Product P(Name);

  // How the arguments are shared out: first what stands behind the addend,
  // then the addend, which has as many registers as the result, but twice as
  // many as one of halves if it is not of halves itself. The two factors share
  // the rest as their extents, and evenly in wmma of halves, whose fragments
  // are there twice.
  unsigned Behind = (P.IsSparse ? 2 : 0) + (P.IsScaled ? 6 : 0);
  ArrayRef<Operand> Result = F.define(&I);
  unsigned C = unsigned(Result.size());
  if (P.result() != P.addend())
    C = P.addend() == "f16" ? C / 2 : C * 2;
  unsigned Factors = unsigned(I.arg_size()) - Behind - C;
  bool IsEven = P.IsWarpWide && (P.Types[0] == "f16" || P.Types[0] == "f32");
  unsigned M = P.IsSparse ? P.M / 2 : P.M;
  unsigned A = IsEven ? Factors / 2 : Factors * M / (M + P.N);
  unsigned EndOfC = Factors + C;

  SmallVector<Operand, 10> Operands = {F.vector(Result), arguments(0, A),
                                       arguments(A, Factors),
                                       arguments(Factors, EndOfC)};
  unsigned Next = EndOfC;
  if (P.IsSparse)
    for (unsigned N = 0; N != 2; ++N) // metadata and selector
      Operands.push_back(argument(Next++).front());
  if (P.IsScaled)
    for (unsigned N = 0; N != 2; ++N, Next += 3) { // scales of A and of B
      Operands.push_back(argument(Next).front());
      Operands.push_back(arguments(Next + 1, Next + 3));
    }
  F.emit(P.mnemonic(), Operands);
  return true;
}
