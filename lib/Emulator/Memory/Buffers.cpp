//===- Buffers.cpp - Filling and checking a launch's buffers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
namespace fs = llvm::sys::fs;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "device memory is the host's memory");

/// Files are compared in pieces of this size; a multiple of every element.
static constexpr size_t PieceBytes = size_t(1) << 20;

/// Rounds to a binary format of 16 bits, with integers alone, so that the
/// thread's rounding mode does not matter.
template <unsigned ExponentBits, unsigned MantissaBits>
static uint16_t narrowDouble(double Value) {
  static_assert(1 + ExponentBits + MantissaBits == 16);
  constexpr unsigned Shift = 52 - MantissaBits;
  constexpr uint64_t BiasStep = 1024 - (1 << (ExponentBits - 1));
  constexpr uint64_t WideInf = uint64_t(0x7ff) << 52;
  constexpr uint64_t Inf = ((uint64_t(1) << ExponentBits) - 1) << MantissaBits;
  constexpr uint64_t Quiet = uint64_t(1) << (MantissaBits - 1);
  uint64_t Bits = llvm::bit_cast<uint64_t>(Value);
  uint64_t Sign = Bits >> 63 << 15, Abs = Bits & ~(uint64_t(1) << 63);
  auto Round = [](uint64_t N, unsigned By) {
    return (N + (uint64_t(1) << (By - 1)) - 1 + (N >> By & 1)) >> By;
  };

  uint64_t Exponent = Abs >> 52, Result = 0;
  if (Abs > WideInf)
    Result = Inf | Quiet | (Abs >> Shift & (Quiet - 1));
  else if (Exponent > BiasStep) // a carry out of the mantissa is right, too
    Result = std::min(Round(Abs - (BiasStep << 52), Shift), Inf);
  else if (unsigned Right = unsigned(Shift + BiasStep + 1 - Exponent);
           Exponent && Right < 64)
    Result =
        Round((Abs & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52, Right);
  return uint16_t(Sign | Result);
}

uint16_t emulator::doubleToHalf(double Value) {
  return narrowDouble<5, 10>(Value);
}

uint16_t emulator::doubleToBFloat(double Value) {
  return narrowDouble<8, 7>(Value);
}

float emulator::halfToFloat(uint16_t Bits) {
  uint32_t Sign = uint32_t(Bits & 0x8000) << 16, Abs = Bits & 0x7fff;
  uint32_t Result;
  if (Abs >= 0x7c00)
    Result = 0x7f800000 | (Abs & 0x3ff) << 13;
  else if (Abs >= 0x400)
    Result = (Abs << 13) + (uint32_t(127 - 15) << 23);
  else
    Result = llvm::bit_cast<uint32_t>(float(Abs) * 0x1p-24f);
  return llvm::bit_cast<float>(Sign | Result);
}

float emulator::bfloatToFloat(uint16_t Bits) {
  return llvm::bit_cast<float>(uint32_t(Bits) << 16);
}

namespace {

/// How each element type is stored, converted and shown.
template <typename T>
struct IntegerElement {
  using Stored = T;
  static constexpr bool IsFloat = false;
  static T fromIndex(uint64_t I) { return T(I); }
  static T fromDouble(double V) {
    using Limits = std::numeric_limits<T>;
    // The largest value of 64 bits is no double, the one after it is.
    constexpr T Middle = Limits::max() / 2 + 1;
    constexpr double End = double(Middle) * 2;
    V = std::floor(V);
    if (V >= End)
      return Limits::max();
    return V >= double(Limits::min()) ? T(V) : Limits::min();
  }
  static std::string show(T V) { return std::to_string(V); }
  static bool isNear(T Got, T Want, double Tolerance) {
    // Exact where a difference of doubles is not.
    uint64_t Difference = Got < Want ? uint64_t(Want) - uint64_t(Got)
                                     : uint64_t(Got) - uint64_t(Want);
    double Size = std::fabs(double(Want));
    return double(Difference) <= Tolerance * std::max(1.0, Size);
  }
};

/// \tparam Widen to a type in which std::to_chars shows it
template <typename T, auto Widen, auto Narrow>
struct FloatElement {
  using Stored = T;
  static constexpr bool IsFloat = true;
  static T fromIndex(uint64_t I) { return Narrow(double(I)); }
  static T fromDouble(double V) { return Narrow(V); }
  static bool isNaN(T V) { return std::isnan(Widen(V)); }
  static std::string show(T V) {
    if (isNaN(V)) {
      constexpr unsigned Bits = sizeof(T) * 8;
      uint64_t Raw = 0;
      std::memcpy(&Raw, &V, sizeof(T));
      return "nan (0x" + llvm::utohexstr(Raw, true, Bits / 4) + ")";
    }
    char Text[32];
    return std::string(Text, std::to_chars(Text, std::end(Text), Widen(V)).ptr);
  }
  static bool isNear(T Got, T Want, double Tolerance) {
    double G = Widen(Got), W = Widen(Want);
    if (std::isnan(W) || std::isnan(G))
      return std::isnan(W) && std::isnan(G);
    if (std::isinf(W) || std::isinf(G))
      return G == W;
    return std::fabs(G - W) <= Tolerance * std::max(1.0, std::fabs(W));
  }
};

float widenFloat(float V) { return V; }
float narrowFloat(double V) { return float(V); }
double sameDouble(double V) { return V; }

} // namespace

/// Calls \p F with an object of the element's class. False for an unknown type.
template <typename Function>
static bool withElementType(StringRef Type, Function F) {
  using Half = FloatElement<uint16_t, halfToFloat, doubleToHalf>;
  using BFloat = FloatElement<uint16_t, bfloatToFloat, doubleToBFloat>;
  using Float = FloatElement<float, widenFloat, narrowFloat>;
  using Double = FloatElement<double, sameDouble, sameDouble>;
  if (Type == "u8")
    F(IntegerElement<uint8_t>());
  else if (Type == "s8")
    F(IntegerElement<int8_t>());
  else if (Type == "u16")
    F(IntegerElement<uint16_t>());
  else if (Type == "s16")
    F(IntegerElement<int16_t>());
  else if (Type == "u32")
    F(IntegerElement<uint32_t>());
  else if (Type == "s32")
    F(IntegerElement<int32_t>());
  else if (Type == "u64")
    F(IntegerElement<uint64_t>());
  else if (Type == "s64")
    F(IntegerElement<int64_t>());
  else if (Type == "f16")
    F(Half());
  else if (Type == "bf16")
    F(BFloat());
  else if (Type == "f32")
    F(Float());
  else if (Type == "f64")
    F(Double());
  else
    return false;
  return true;
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

/// The finalizer of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators" (OOPSLA 2014), as SplitMix64 has it.
static uint64_t splitMix64(uint64_t X) {
  X += 0x9E3779B97F4A7C15;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EB;
  return X ^ (X >> 31);
}

template <typename Element>
static void fillElements(const BufferFill &Fill, uint8_t *Out, size_t Count) {
  auto FillWith = [&](auto ValueOf) {
    for (size_t I = 0; I != Count; ++I)
      storeElement(Out, I, ValueOf(uint64_t(I)));
  };
  switch (Fill.Kind) {
  case BufferFill::KindTy::Zeros:
  case BufferFill::KindTy::File:
    break;
  case BufferFill::KindTy::Iota:
    FillWith(Element::fromIndex);
    break;
  case BufferFill::KindTy::Constant:
    FillWith([V = Element::fromDouble(Fill.Constant)](uint64_t) { return V; });
    break;
  case BufferFill::KindTy::Random:
    FillWith([&](uint64_t I) {
      uint64_t Bits = splitMix64(Fill.Seed + I * 0x9E3779B97F4A7C15);
      double Unit = double(int64_t(Bits >> 11)) * 0x1p-53;
      return Element::fromDouble(Fill.Low + (Fill.High - Fill.Low) * Unit);
    });
    break;
  }
}

namespace {

/// A raw file that must have a buffer's size.
class BufferFile {
public:
  BufferFile(const BufferSpec &Spec, uint64_t Bytes, StringRef File,
             StringRef Dir)
      : Bytes(Bytes), Need(("the buffer takes " + Twine(Bytes) + " bytes (" +
                            Twine(Spec.Count) + " of type " + Spec.Type + ")")
                               .str()) {
    if (!llvm::sys::path::is_absolute(File))
      Path = Dir;
    llvm::sys::path::append(Path, File);
  }
  BufferFile(const BufferFile &) = delete;
  BufferFile &operator=(const BufferFile &) = delete;
  ~BufferFile() {
    if (Handle != fs::kInvalidFile)
      (void)fs::closeFile(Handle);
  }

  Error open() {
    Expected<fs::file_t> Opened = fs::openNativeFileForRead(Path);
    if (!Opened)
      return failed(Opened.takeError());
    Handle = *Opened;
    fs::file_status Status;
    if (std::error_code EC = fs::status(Handle, Status))
      return failed(llvm::errorCodeToError(EC));
    if (Status.type() == fs::file_type::regular_file &&
        Status.getSize() != Bytes)
      return llvm::createStringError("'" + Path + "' has " +
                                     Twine(Status.getSize()) + " bytes, but " +
                                     Need);
    return Error::success();
  }

  /// The next bytes of it.
  Error read(MutableArrayRef<uint8_t> Out) {
    while (!Out.empty()) {
      Expected<size_t> N = fs::readNativeFile(
          Handle, {reinterpret_cast<char *>(Out.data()), Out.size()});
      if (!N)
        return failed(N.takeError());
      if (!*N)
        return llvm::createStringError("'" + Path + "' ends after " +
                                       Twine(Position) + " bytes, but " + Need);
      Position += *N;
      Out = Out.drop_front(*N);
    }
    return Error::success();
  }

  /// That nothing follows.
  Error finish() {
    char More;
    Expected<size_t> N = fs::readNativeFile(Handle, {&More, 1});
    if (!N)
      return failed(N.takeError());
    if (*N)
      return llvm::createStringError("'" + Path + "' has more than " +
                                     Twine(Bytes) + " bytes, but " + Need);
    return Error::success();
  }

private:
  Error failed(Error E) {
    return llvm::createStringError(
        "cannot read '" + Path + "': " + toString(std::move(E)) + "; " + Need);
  }

  uint64_t Bytes, Position = 0;
  std::string Need;
  llvm::SmallString<128> Path;
  fs::file_t Handle = fs::kInvalidFile;
};

} // namespace

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
  bool Known = withElementType(Spec.Type, [&](auto E) {
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
      return Element::isNear(Got, Want, *Tolerance);
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
      Result = {First + I, Element::show(G), Element::show(W), 0};
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
  bool Known = withElementType(Spec.Type, [&](auto E) {
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
