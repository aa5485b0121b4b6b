//===- TensorMapReader.cpp - Tensor maps of a launch file -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TensorMapReader.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using llvm::yaml::Node;

/// What cuTensorMapEncodeTiled takes at most.
static constexpr uint64_t MaxDimension = uint64_t(1) << 32,
                          MaxStride = uint64_t(1) << 40, MaxBox = 256,
                          MaxElementStride = 8;

void TensorMapReader::read(Node &N) {
  Nodes.forEachEntry(N, "tensor_maps", {}, [&](YAMLText &Key, Node &Value) {
    Nodes.checkName(Key, "a tensor map");
    Draft D(Key.Text, Key.Loc);
    // Arguments may name it, be it wrong or not.
    Maps[D.Name];
    Names.push_back(Key);
    readMap(D, Value);
  });
}

void TensorMapReader::readMap(Draft &D, Node &N) {
  static constexpr StringRef Keys[] = {
      "buffer",          "type",    "dims",       "strides", "box",
      "element_strides", "swizzle", "interleave", "oob_fill"};
  if (!Nodes.forEachEntry(N, "tensor map '" + D.Name + "'", Keys,
                          [&](YAMLText &Key, Node &Value) {
                            readKey(D, Key.Text, Key.Loc, Value);
                          }) ||
      !checkKeys(D) || !checkCounts(D))
    return;
  checkDimensions(D);
  checkBox(D);
  Maps[D.Name] = D.Spec;
  Complete.push_back(std::move(D));
}

void TensorMapReader::readKey(Draft &D, StringRef Key, SMLoc Loc, Node &Value) {
  TensorMapSpec &S = D.Spec;
  auto List = [&](Numbers &Places, std::vector<uint64_t> &Values) {
    Places.Loc = Loc;
    readNumbers(Value, Key, Places, Values);
  };
  if (Key == "buffer") {
    std::optional<YAMLText> T = Nodes.text(Value, Key);
    D.HasBuffer = true;
    D.IsWrong |= !T;
    if (T) {
      S.Buffer = T->Text;
      D.Buffer = std::move(*T);
    }
  } else if (Key == "type") {
    SmallVector<StringRef, NumTensorElements> Names;
    for (unsigned N = 0; N != NumTensorElements; ++N)
      Names.push_back(toString(TensorElement(N)));
    D.HasType = true;
    if (std::optional<size_t> Index = Nodes.oneOf(Value, Key, Names))
      S.Type = TensorElement(*Index);
    else
      D.IsWrong = true;
  } else if (Key == "dims") {
    List(D.Dims, S.Dims);
  } else if (Key == "strides") {
    List(D.Strides, S.Strides);
  } else if (Key == "box") {
    List(D.Box, S.Box);
  } else if (Key == "element_strides") {
    List(D.ElementStrides, S.ElementStrides);
  } else if (Key == "swizzle") {
    std::optional<uint64_t> V = Nodes.unsignedInteger(Value, Key);
    if (V && *V != 0 && *V != 32 && *V != 64 && *V != 128)
      Nodes.error(Nodes.place(Value), "swizzle must be 0, 32, 64 or 128 bytes");
    else if (V)
      S.Swizzle = unsigned(*V);
  } else if (Key == "interleave") {
    if (std::optional<uint64_t> V = Nodes.unsignedInteger(Value, Key); V && *V)
      Nodes.error(Nodes.place(Value),
                  "interleaved layouts are not covered; interleave must be 0");
  } else if (std::optional<size_t> Fill =
                 Nodes.oneOf(Value, Key, {"zeros", "nan"})) {
    D.FillLoc = Nodes.place(Value);
    S.FillsNaN = *Fill == 1;
  }
}

void TensorMapReader::readNumbers(Node &N, StringRef What, Numbers &Places,
                                  std::vector<uint64_t> &Values) {
  Places.Whole = Nodes.forEachElement(N, What, [&](Node &E) {
    std::optional<uint64_t> V = Nodes.unsignedInteger(E, "a number of " + What);
    Places.Whole &= V.has_value();
    Places.Places.push_back(Nodes.place(E));
    Values.push_back(V.value_or(0));
  }) && Places.Whole;
}

/// False if what follows makes no sense.
bool TensorMapReader::checkKeys(const Draft &D) {
  auto Need = [&](bool Has, StringRef Key) {
    if (!Has)
      Nodes.error(D.Place,
                  "tensor map '" + D.Name + "' needs the key '" + Key + "'");
    return Has;
  };
  bool All = Need(D.HasBuffer, "buffer");
  All &= Need(D.HasType, "type");
  All &= Need(D.Dims.Loc.isValid(), "dims");
  All &= Need(D.Box.Loc.isValid(), "box");
  return All && !D.IsWrong && D.Dims.Whole && D.Strides.Whole && D.Box.Whole &&
         D.ElementStrides.Whole;
}

/// Whether the lists are as long as the tensor's rank says, and hold numbers
/// in the limits. Fills in those that are not there.
bool TensorMapReader::checkCounts(Draft &D) {
  TensorMapSpec &S = D.Spec;
  const unsigned Rank = S.rank();
  if (Rank < 1 || Rank > TensorMapSpec::MaxRank) {
    Nodes.error(D.Dims.Loc,
                "a tensor has 1 to 5 dimensions, not " + Twine(Rank));
    return false;
  }
  bool Fits = true;
  auto Check = [&](const Numbers &N, size_t Has, size_t Wanted, StringRef Key) {
    if (!N.Loc.isValid() || Has == Wanted)
      return;
    Nodes.error(N.Loc, Key + " has " + Twine(Has) +
                           (Has == 1 ? " number" : " numbers") +
                           "; a tensor of rank " + Twine(Rank) + " has " +
                           Twine(Wanted));
    Fits = false;
  };
  Check(D.Strides, S.Strides.size(), Rank - 1, "strides");
  Check(D.Box, S.Box.size(), Rank, "box");
  Check(D.ElementStrides, S.ElementStrides.size(), Rank, "element_strides");
  if (!Fits)
    return false;
  auto Bound = [&](const Numbers &N, const std::vector<uint64_t> &Values,
                   uint64_t Most, StringRef What) {
    for (size_t I = 0; I != Values.size(); ++I)
      if (Values[I] < 1 || Values[I] > Most) {
        Nodes.error(N.Places[I], What + " must be 1 to " + Twine(Most));
        Fits = false;
      }
  };
  Bound(D.Dims, S.Dims, MaxDimension, "a dimension");
  Bound(D.Box, S.Box, MaxBox, "an extent of the box");
  Bound(D.ElementStrides, S.ElementStrides, MaxElementStride,
        "an element's stride");
  if (!D.ElementStrides.Loc.isValid())
    S.ElementStrides.assign(Rank, 1);
  if (!D.Strides.Loc.isValid() && Fits) { // the tensor is dense
    uint64_t Bytes = S.Dims[0] * bitsInGlobal(S.Type) / 8;
    for (unsigned N = 1; N != Rank; ++N) {
      S.Strides.push_back(Bytes);
      Bytes = llvm::SaturatingMultiply(Bytes, S.Dims[N]);
    }
  }
  return Fits;
}

void TensorMapReader::checkDimensions(const Draft &D) {
  const TensorMapSpec &S = D.Spec;
  const uint64_t Align = alignmentInGlobal(S.Type);
  for (size_t N = 0; N != S.Strides.size(); ++N) {
    SMLoc Loc = D.Strides.Loc.isValid() ? D.Strides.Places[N] : D.Dims.Loc;
    // First the size: that of a dense tensor may be no number of bytes at all.
    if (S.Strides[N] >= MaxStride)
      Nodes.error(Loc, "the stride of dimension " + Twine(N + 1) +
                           " must be below " + Twine(MaxStride) + " bytes");
    else if (S.Strides[N] % Align != 0)
      Nodes.error(Loc, "the stride of " + Twine(S.Strides[N]) +
                           " bytes of dimension " + Twine(N + 1) +
                           " is no multiple of " + Twine(Align));
  }
  const uint64_t Whole = innerMultiple(S.Type);
  if (S.Dims[0] % Whole != 0)
    Nodes.error(D.Dims.Places[0], "dimension 0 of type " + toString(S.Type) +
                                      " must be a multiple of " + Twine(Whole));
}

void TensorMapReader::checkBox(const Draft &D) {
  const TensorMapSpec &S = D.Spec;
  if (unsigned Wanted = innerBox(S.Type); Wanted && S.Box[0] != Wanted) {
    Nodes.error(D.Box.Places[0], "the box's dimension 0 of type " +
                                     toString(S.Type) + " must be " +
                                     Twine(Wanted));
    return;
  }
  uint64_t Bits = S.Box[0] * bitsInShared(S.Type);
  if (Bits % 128 != 0)
    Nodes.error(D.Box.Places[0],
                "the box's dimension 0 has " + Twine(Bits) +
                    " bits; it must be a multiple of 16 bytes");
  else if (S.Swizzle && Bits / 8 > S.Swizzle)
    Nodes.error(D.Box.Places[0],
                "the box's dimension 0 has " + Twine(Bits / 8) +
                    " bytes, more than the swizzle's " + Twine(S.Swizzle));
  if (S.FillsNaN && !isFloat(S.Type))
    Nodes.error(D.FillLoc, "type " + toString(S.Type) + " has no NaN");
}

void TensorMapReader::warnOfUnused(ArrayRef<YAMLText> Uses) {
  for (const YAMLText &Name : Names)
    if (llvm::none_of(
            Uses, [&](const YAMLText &Use) { return Use.Text == Name.Text; }))
      Nodes.warning(Name.Loc, "no argument is tensor map '" + Name.Text +
                                  "'; {tensor_map: " + Name.Text +
                                  "} in args makes it one");
}

void TensorMapReader::checkBuffers(
    const std::map<std::string, BufferSpec, std::less<>> &Buffers) {
  for (const Draft &D : Complete) {
    auto It = Buffers.find(D.Spec.Buffer);
    if (It == Buffers.end()) {
      SmallVector<StringRef, 8> Names(llvm::make_first_range(Buffers));
      Nodes.error(D.Buffer.Loc, "no buffer '" + D.Spec.Buffer +
                                    "' is declared here" +
                                    didYouMean(D.Spec.Buffer, Names));
      continue;
    }
    const BufferSpec &B = It->second;
    std::optional<unsigned> Element = bufferElementBytes(B.Type);
    uint64_t Has = Element
                       ? llvm::SaturatingMultiply<uint64_t>(*Element, B.Count)
                       : ~uint64_t(0);
    const uint64_t Align = alignmentInGlobal(D.Spec.Type),
                   Takes = D.Spec.extentBytes();
    if (B.Align < Align)
      Nodes.error(D.Buffer.Loc, "buffer '" + D.Spec.Buffer +
                                    "' is aligned to " + Twine(B.Align) +
                                    " bytes; this tensor must be aligned to " +
                                    Twine(Align));
    else if (B.Count && Takes > Has)
      Nodes.error(
          D.Dims.Loc,
          "the tensor takes " +
              (Takes == ~uint64_t(0) ? Twine("2^64 or more") : Twine(Takes)) +
              " bytes, but buffer '" + D.Spec.Buffer + "' has " + Twine(Has));
  }
}
