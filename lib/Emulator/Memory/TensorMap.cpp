//===- TensorMap.cpp - Tensor maps as they lie in memory ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TensorMap.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

TensorMapObject TensorMapObject::of(const TensorMapSpec &Spec,
                                    uint64_t Address) {
  TensorMapObject O;
  O.Address = Address;
  std::copy(Spec.Strides.begin(), Spec.Strides.end(), O.Strides);
  for (unsigned N = 0; N != Spec.rank(); ++N) {
    O.Dims[N] = uint32_t(Spec.Dims[N]);
    O.Box[N] = uint32_t(Spec.Box[N]);
    O.ElementStrides[N] = uint32_t(Spec.ElementStrides[N]);
  }
  O.RankMinusOne = uint8_t(Spec.rank() - 1);
  O.Element = uint8_t(Spec.Type);
  O.Swizzle = Spec.Swizzle == 128 ? 3 : uint8_t(Spec.Swizzle / 32);
  O.Fill = Spec.FillsNaN;
  return O;
}

/// Why no tensor at \p Address can be as \p S says, by the rules of
/// cuTensorMapEncodeTiled that depend on its type; empty if one can.
static std::string whyNoTensor(const TensorMapSpec &S, uint64_t Address) {
  const uint64_t Align = alignmentInGlobal(S.Type), Most = uint64_t(1) << 40;
  const std::string OfType = (" of type " + toString(S.Type)).str();
  if (Address % Align)
    return ("the tensor map's address 0x" + Twine::utohexstr(Address) +
            " is no multiple of " + Twine(Align) + ", as a tensor" + OfType +
            " needs it")
        .str();
  for (unsigned N = 1; N != S.rank(); ++N)
    if (uint64_t Stride = S.Strides[N - 1]; Stride % Align || Stride >= Most)
      return ("dimension " + Twine(N) + " of the tensor map has a stride of " +
              Twine(Stride) + " bytes; it must be a multiple of " +
              Twine(Align) + " below " + Twine(Most))
          .str();
  if (S.Dims[0] % innerMultiple(S.Type))
    return ("dimension 0 of the tensor map has " + Twine(S.Dims[0]) +
            " elements" + OfType + "; they must be a multiple of " +
            Twine(innerMultiple(S.Type)))
        .str();
  if (unsigned Wanted = innerBox(S.Type); Wanted && S.Box[0] != Wanted)
    return ("a row of the tensor map's box has " + Twine(S.Box[0]) +
            " elements" + OfType + "; there must be " + Twine(Wanted))
        .str();
  if (S.FillsNaN && !isFloat(S.Type))
    return "the tensor map fills with NaN, which no element" + OfType + " is";
  return "";
}

std::optional<TensorMapSpec> TensorMapObject::spec(std::string &Why) const {
  auto Fail = [&](const Twine &Text) {
    Why = Text.str();
    return std::nullopt;
  };
  if (RankMinusOne >= TensorMapSpec::MaxRank || Element >= NumTensorElements ||
      Fill > 1 || Address == 0)
    return Fail("these 128 bytes are no tensor map");
  if (Interleave || Swizzle > 3 || Atomicity)
    return Fail("interleaved layouts and swizzles of other atoms than 16 bytes "
                "are not covered by the emulator");
  TensorMapSpec S;
  S.Type = TensorElement(Element);
  S.Swizzle = Swizzle ? 16u << Swizzle : 0;
  S.FillsNaN = Fill;
  for (unsigned N = 0; N <= RankMinusOne; ++N) {
    if (Box[N] < 1 || Box[N] > 256 || ElementStrides[N] < 1 ||
        ElementStrides[N] > 8)
      return Fail("dimension " + Twine(N) + " of the tensor map has a box of " +
                  Twine(Box[N]) + " and an element stride of " +
                  Twine(ElementStrides[N]) + ", which cannot be");
    S.Dims.push_back(Dims[N] ? Dims[N] : uint64_t(1) << 32);
    S.Box.push_back(Box[N]);
    S.ElementStrides.push_back(ElementStrides[N]);
    if (N)
      S.Strides.push_back(Strides[N - 1]);
  }
  const uint64_t RowBits = S.Box[0] * bitsInShared(S.Type);
  if (RowBits % 128 != 0 || (S.Swizzle && RowBits / 8 > S.Swizzle))
    return Fail("a row of the tensor map's box has " + Twine(RowBits / 8) +
                " bytes, no multiple of 16 or more than the swizzle's " +
                Twine(S.Swizzle));
  Why = whyNoTensor(S, Address);
  return Why.empty() ? std::optional(S) : std::nullopt;
}
