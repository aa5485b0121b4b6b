//===- Buffers.cpp - Filling and checking a launch's buffers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "ptxpredict/Launch/BufferFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// Files are compared in pieces of this size; a multiple of every element.
static constexpr size_t PieceBytes = size_t(1) << 20;

template <typename Element>
static std::string show(typename Element::Stored V) {
  if constexpr (Element::IsFloat) {
    if (Element::isNaN(V)) {
      constexpr unsigned Bits = sizeof(V) * 8;
      uint64_t Raw = 0;
      std::memcpy(&Raw, &V, sizeof(V));
      return "nan (0x" + llvm::utohexstr(Raw, true, Bits / 4) + ")";
    }
    char Text[32];
    return std::string(
        Text, std::to_chars(Text, std::end(Text), Element::widened(V)).ptr);
  } else {
    return std::to_string(V);
  }
}

template <typename Element>
static bool isNear(typename Element::Stored Got, typename Element::Stored Want,
                   double Tolerance) {
  if constexpr (Element::IsFloat) {
    double G = Element::widened(Got), W = Element::widened(Want);
    if (std::isnan(W) || std::isnan(G))
      return std::isnan(W) && std::isnan(G);
    if (std::isinf(W) || std::isinf(G))
      return G == W;
    return std::fabs(G - W) <= Tolerance * std::max(1.0, std::fabs(W));
  } else {
    // Exact where a difference of doubles is not.
    uint64_t Difference = Got < Want ? uint64_t(Want) - uint64_t(Got)
                                     : uint64_t(Got) - uint64_t(Want);
    double Size = std::fabs(double(Want));
    return double(Difference) <= Tolerance * std::max(1.0, Size);
  }
}

/// Buffers may lie at any address: elements are copied, not cast.
template <typename T>
static T loadElement(const uint8_t *From, size_t I) {
  T V;
  std::memcpy(&V, From + I * sizeof(T), sizeof(T));
  return V;
}
template <typename T>
static void storeElement(uint8_t *To, size_t I, const T &V) {
  std::memcpy(To + I * sizeof(T), &V, sizeof(T));
}

template <typename Element>
static void fillElements(const BufferFill &Fill, uint8_t *Out, size_t Count) {
  if (Fill.Kind == BufferFill::KindTy::Zeros)
    return; // it holds them
  for (size_t I = 0; I != Count; ++I)
    storeElement(Out, I, elements::make<Element>(Fill, I));
}

Error emulator::fillBuffer(const BufferSpec &Spec, MutableArrayRef<uint8_t> Out,
                           StringRef LaunchFileDir) {
  if (Spec.Fill.Kind == BufferFill::KindTy::File) {
    BufferFile File(Spec, Out.size(), Spec.Fill.File, LaunchFileDir);
    if (Error E = File.open())
      return E;
    if (Error E = File.read(Out))
      return E;
    return File.finish();
  }
  bool Known = elements::withType(Spec.Type, [&](auto E) {
    using Element = decltype(E);
    assert(Out.size() == Spec.Count * sizeof(typename Element::Stored));
    fillElements<Element>(Spec.Fill, Out.data(), Spec.Count);
  });
  if (!Known)
    return llvm::createStringError("unknown buffer type '" + Spec.Type + "'");
  return Error::success();
}

namespace {

/// Compares the pieces of a buffer in turn.
class Comparison {
public:
  Comparison(std::optional<double> Tolerance, bool AnyNaN)
      : Tolerance(Tolerance), AnyNaN(AnyNaN) {}

  std::optional<BufferMismatch> Result;

  template <typename Element>
  void compare(const uint8_t *Got, const uint8_t *Want, size_t Count);

private:
  /// Whether other bits are right, too.
  template <typename Element>
  bool isEnough(typename Element::Stored Got,
                typename Element::Stored Want) const {
    if (Tolerance)
      return isNear<Element>(Got, Want, *Tolerance);
    if constexpr (Element::IsFloat)
      return AnyNaN && Element::isNaN(Got) && Element::isNaN(Want);
    return false;
  }

  std::optional<double> Tolerance;
  /// Values of the launch file are numbers: any NaN is what `nan` means. A
  /// file's NaNs have bits of their own.
  bool AnyNaN;
  uint64_t NumSeen = 0; ///< elements
};

} // namespace

template <typename Element>
void Comparison::compare(const uint8_t *Got, const uint8_t *Want,
                         size_t Count) {
  using Stored = typename Element::Stored;
  uint64_t First = NumSeen;
  NumSeen += Count;
  // The same bits are right under every rule.
  if (!Count || std::memcmp(Got, Want, Count * sizeof(Stored)) == 0)
    return;
  for (size_t I = 0; I != Count; ++I) {
    size_t At = I * sizeof(Stored);
    if (std::memcmp(Got + At, Want + At, sizeof(Stored)) == 0)
      continue;
    auto G = loadElement<Stored>(Got, I), W = loadElement<Stored>(Want, I);
    if (isEnough<Element>(G, W))
      continue;
    if (!Result)
      Result = {First + I, show<Element>(G), show<Element>(W), 0};
    ++Result->NumMismatches;
  }
}

template <typename Element>
static Error compareWithFile(const BufferSpec &Spec, ArrayRef<uint8_t> Got,
                             StringRef Dir, Comparison &C) {
  BufferFile File(Spec, Got.size(), Spec.Expect->File, Dir);
  if (Error E = File.open())
    return E;
  std::vector<uint8_t> Want(std::min(Got.size(), PieceBytes));
  while (!Got.empty()) {
    size_t Bytes = std::min(Got.size(), PieceBytes);
    if (Error E = File.read(MutableArrayRef(Want).take_front(Bytes)))
      return E;
    C.compare<Element>(Got.data(), Want.data(),
                       Bytes / sizeof(typename Element::Stored));
    Got = Got.drop_front(Bytes);
  }
  return File.finish();
}

template <typename Element>
static void compareWithValues(ArrayRef<double> Values, ArrayRef<uint8_t> Got,
                              Comparison &C) {
  std::vector<uint8_t> Want(Values.size() * sizeof(typename Element::Stored));
  for (size_t I = 0; I != Values.size(); ++I)
    storeElement(Want.data(), I, Element::fromDouble(Values[I]));
  assert(Want.size() <= Got.size() && "more values than elements");
  C.compare<Element>(Got.data(), Want.data(), Values.size());
}

Expected<std::optional<BufferMismatch>>
emulator::checkBuffer(const BufferSpec &Spec, ArrayRef<uint8_t> Got,
                      StringRef LaunchFileDir) {
  if (!Spec.Expect)
    return std::nullopt;
  bool HasFile = !Spec.Expect->File.empty();
  Comparison C(Spec.Expect->Tolerance, !HasFile);
  Error Result = Error::success();
  bool Known = elements::withType(Spec.Type, [&](auto E) {
    using Element = decltype(E);
    assert(Got.size() == Spec.Count * sizeof(typename Element::Stored));
    if (HasFile)
      Result =
          joinErrors(std::move(Result),
                     compareWithFile<Element>(Spec, Got, LaunchFileDir, C));
    else
      compareWithValues<Element>(Spec.Expect->Values, Got, C);
  });
  if (Result)
    return Result;
  if (!Known)
    return llvm::createStringError("unknown buffer type '" + Spec.Type + "'");
  return C.Result;
}

Error emulator::writeBuffer(StringRef Path, ArrayRef<uint8_t> Bytes) {
  std::error_code EC;
  llvm::raw_fd_ostream Out(Path, EC);
  if (!EC) {
    Out.write(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
    Out.close();
    EC = Out.error();
    Out.clear_error();
  }
  if (EC)
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + EC.message());
  return Error::success();
}
