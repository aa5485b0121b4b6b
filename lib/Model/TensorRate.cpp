//===- TensorRate.cpp - How fast matrices are multiplied ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/TensorRate.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

namespace {

/// What decides the rate of a product's type.
enum class Element { F16, TF32, F64, Int8, Int4, B1, FP8, FP6, FP4 };

/// "e4m3xe5m2-f32-mxf8f6f4-sparse" (MatrixProduct::type).
struct ProductType {
  Element Of = Element::F16;
  StringRef Sum, Scaling;
  bool IsSparse = false;

  explicit ProductType(StringRef Text);
};

/// The rates of a device, those that its file lacks by the law of Devices.md.
class TensorRates {
public:
  explicit TensorRates(const Device &D) : D(D), F16(*D.TensorMACs) {}

  double of(const ProductType &T) const;
  /// The same of mma, which may make other numbers of them.
  double ofWarp(const ProductType &T) const {
    if (T.Of == Element::FP8 && D.TensorWarpFP8)
      return std::min(of(T), *D.TensorWarpFP8);
    return of(T) * warpShare();
  }
  double sparse() const { return D.TensorSparse.Value.value_or(2); }

private:
  /// Of the rates, that wmma and mma reach.
  double warpShare() const { return D.TensorWarpF16.Value.value_or(F16) / F16; }
  double f16Sums() const { return D.TensorF16Sums.Value.value_or(F16); }
  double int8() const { return D.TensorInt8.Value.value_or(2 * f16Sums()); }
  double fp8() const { return D.TensorFP8.Value.value_or(2 * F16); }
  double fp8F16Sums() const {
    return D.TensorFP8F16Sums.Value.value_or(2 * f16Sums());
  }
  double scaledFP8() const {
    return D.TensorScaledFP8.Value.value_or(fp8F16Sums());
  }

  const Device &D;
  const double F16;
};

} // namespace

static Element elementOf(StringRef Name) {
  return llvm::StringSwitch<Element>(Name)
      .Case("tf32", Element::TF32)
      .Case("f64", Element::F64)
      .Cases({"s8", "u8"}, Element::Int8)
      .Cases({"s4", "u4"}, Element::Int4)
      .Case("b1", Element::B1)
      .Cases({"e4m3", "e5m2"}, Element::FP8)
      .Cases({"e3m2", "e2m3", "e2m1"}, Element::FP6)
      .Default(Element::F16);
}

ProductType::ProductType(StringRef Text) {
  IsSparse = Text.consume_back("-sparse");
  const auto [Factors, Rest] = Text.split('-');
  std::tie(Sum, Scaling) = Rest.split('-');
  auto [A, B] = Factors.split('x');
  Of = std::max(elementOf(A), elementOf(B.empty() ? A : B));
  if (Scaling.starts_with("mxf4"))
    Of = Element::FP4;
}

double TensorRates::of(const ProductType &T) const {
  switch (T.Of) {
  case Element::F16:
    return T.Sum == "f16" ? f16Sums() : F16;
  case Element::TF32:
    return D.TensorTF32.Value.value_or(F16 / 2);
  case Element::F64:
    return D.TensorF64.Value.value_or(D.FP64Lanes.Value.value_or(0));
  case Element::Int8:
    return int8();
  case Element::Int4:
    return D.TensorInt4.Value.value_or(2 * int8());
  case Element::B1:
    return D.TensorB1.Value.value_or(8 * int8());
  case Element::FP8:
    return !T.Scaling.empty() ? scaledFP8()
           : T.Sum == "f16"   ? fp8F16Sums()
                              : fp8();
  case Element::FP6:
    return D.TensorFP6.Value.value_or(fp8());
  case Element::FP4:
    return D.TensorFP4.Value.value_or(2 * scaledFP8());
  }
  llvm_unreachable("no such element");
}

/// Instructions of a warp have fewer rows and columns than those of a warp
/// group or a block.
static bool isOfWarp(const TensorWorkCharacteristics &W) {
  return W.M < 64 && W.N < 64;
}

double ptxpredict::tensorRate(const Device &D,
                              const TensorWorkCharacteristics &W) {
  if (!D.TensorMACs)
    return 0;
  const TensorRates Rates(D);
  const ProductType Type(W.Type);
  double Rate = isOfWarp(W) ? Rates.ofWarp(Type) : Rates.of(Type);
  if (!isOfWarp(W) && W.SMs == 1) // pairs of SMs share the columns of few rows
    Rate *= std::min(1.0, W.M / D.TensorRows.Value.value_or(W.M));
  return Type.IsSparse ? Rate * Rates.sparse() : Rate;
}

double ptxpredict::tensorEquivalents(double MACs,
                                     const KernelCharacteristics &K,
                                     const Device &D, double Estimate::*Which) {
  double All = 0, Equivalents = 0;
  for (const TensorWorkCharacteristics &W : K.TensorWork) {
    const double Rate = tensorRate(D, W), Of = W.MACs.*Which;
    if (Rate <= 0 || !std::isfinite(Of))
      continue;
    All += Of;
    Equivalents += Of * *D.TensorMACs / Rate;
  }
  return All > 0 ? MACs * Equivalents / All : MACs;
}

double ptxpredict::tensorInstructionCycles(const KernelCharacteristics &K,
                                           const Device &D,
                                           double Estimate::*Which) {
  double Instructions = 0, Cycles = 0;
  for (const TensorWorkCharacteristics &W : K.TensorWork) {
    const double Rate = tensorRate(D, W) * W.SMs, Of = W.MACs.*Which;
    const double Product = double(W.M) * W.N * W.K;
    if (Rate <= 0 || Product <= 0 || !std::isfinite(Of))
      continue;
    const double Share = isOfWarp(W) ? D.Schedulers.Value.value_or(1) : 1;
    Instructions += Of / Product;
    Cycles += Of / Product * (Product * Share / Rate);
  }
  return Instructions > 0 ? Cycles / Instructions : 0;
}

double ptxpredict::tensorOperandCycles(double MACs,
                                       const KernelCharacteristics &K,
                                       const Device &D,
                                       double Estimate::*Which) {
  double All = 0, Bytes = 0;
  for (const TensorWorkCharacteristics &W : K.TensorWork) {
    const double Of = W.MACs.*Which, OfOne = double(W.M) * W.N * W.K;
    if (!(OfOne > 0) || !std::isfinite(Of))
      continue;
    All += Of;
    Bytes += Of / OfOne * W.SharedBytes;
  }
  return All > 0 && D.SharedBytesPerCycle
             ? MACs * Bytes / All / *D.SharedBytesPerCycle
             : 0;
}
