//===- Launches.cpp - Contents of buffers ---------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Launches.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

using namespace ptxpredict::accuracy;

namespace {

/// How a type's elements are made. Floats have a mantissa; integers have a
/// range, Low <= value <= High.
struct Format {
  const char *Name;
  unsigned Size;
  unsigned MantissaBits, ExponentBits;
  double Low, High;
};
constexpr Format Formats[] = {
    {"u8", 1, 0, 0, 0, 0xff},        {"s8", 1, 0, 0, -0x80, 0x7f},
    {"u16", 2, 0, 0, 0, 0xffff},     {"s16", 2, 0, 0, -0x8000, 0x7fff},
    {"u32", 4, 0, 0, 0, 0xffffffff}, {"s32", 4, 0, 0, -0x1p31, 0x7fffffff},
    {"u64", 8, 0, 0, 0, 0x1p64},     {"s64", 8, 0, 0, -0x1p63, 0x1p63},
    {"f16", 2, 10, 5, 0, 0},         {"bf16", 2, 7, 8, 0, 0},
    {"f32", 4, 23, 8, 0, 0},         {"f64", 8, 52, 11, 0, 0},
};

const Format *findFormat(const std::string &Type) {
  for (const Format &F : Formats)
    if (Type == F.Name)
      return &F;
  return nullptr;
}

/// The bits of \p Value in a binary format, rounded once.
uint64_t encodeFloat(const Format &F, double Value) {
  uint64_t Sign = uint64_t(std::signbit(Value))
                  << (F.MantissaBits + F.ExponentBits);
  uint64_t Infinity = ((uint64_t(1) << F.ExponentBits) - 1) << F.MantissaBits;
  if (std::isnan(Value))
    return Sign | Infinity | uint64_t(1) << (F.MantissaBits - 1);
  if (std::isinf(Value))
    return Sign | Infinity;
  if (Value == 0)
    return Sign;
  int Least = 2 - (1 << (F.ExponentBits - 1)); // of normal numbers
  int Exponent = std::max(std::ilogb(Value), Least);
  // In units of the last place; the leading bit adds one to the exponent field.
  double Units = std::nearbyint(
      std::ldexp(std::fabs(Value), int(F.MantissaBits) - Exponent));
  uint64_t Bits =
      (uint64_t(Exponent - Least) << F.MantissaBits) + uint64_t(Units);
  return Sign | std::min(Bits, Infinity);
}

double decodeFloat(const Format &F, uint64_t Bits) {
  uint64_t Mantissa = Bits & ((uint64_t(1) << F.MantissaBits) - 1);
  int Most = (1 << F.ExponentBits) - 1;
  int Field = int(Bits >> F.MantissaBits) & Most;
  double Value;
  if (Field == Most)
    Value = Mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else
    Value =
        std::ldexp(double(Mantissa + (uint64_t(Field != 0) << F.MantissaBits)),
                   std::max(Field, 1) - Most / 2 - int(F.MantissaBits));
  return Bits >> (F.MantissaBits + F.ExponentBits) ? -Value : Value;
}

uint64_t splitMix64(uint64_t X) {
  X += 0x9E3779B97F4A7C15;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EB;
  return X ^ (X >> 31);
}

/// Element \p I of a random fill, uniform from 0 to below 1.
double uniform(uint64_t Seed, uint64_t I) {
  return double(splitMix64(Seed + I * 0x9E3779B97F4A7C15) >> 11) * 0x1p-53;
}

} // namespace

std::vector<Launch> ptxpredict::accuracy::allLaunches() {
  std::vector<Launch> All;
#define LAUNCH(Kernel, ...) All.push_back(__VA_ARGS__);
#include "Launches.inc"
#undef LAUNCH
  return All;
}

unsigned ptxpredict::accuracy::elementBytes(const std::string &Type) {
  const Format *F = findFormat(Type);
  return F ? F->Size : 0;
}

void ptxpredict::accuracy::writeElement(const std::string &Type, double Value,
                                        unsigned char *To) {
  const Format *F = findFormat(Type);
  uint64_t Bits;
  if (F->MantissaBits) {
    Bits = encodeFloat(*F, Value);
  } else {
    double Whole = std::floor(std::min(std::max(Value, F->Low), F->High));
    if (Whole >= 0x1p64)
      Bits = ~uint64_t(0);
    else if (Whole >= 0x1p63)
      Bits = F->Low < 0 ? ~uint64_t(0) >> 1 : uint64_t(Whole);
    else
      Bits = Whole < 0 ? uint64_t(int64_t(Whole)) : uint64_t(Whole);
  }
  std::memcpy(To, &Bits, F->Size); // all hosts are little-endian
}

double ptxpredict::accuracy::readElement(const std::string &Type,
                                         const unsigned char *From) {
  const Format *F = findFormat(Type);
  uint64_t Bits = 0;
  std::memcpy(&Bits, From, F->Size);
  if (F->MantissaBits)
    return decodeFloat(*F, Bits);
  unsigned Unused = 64 - 8 * F->Size;
  return F->Low < 0 ? double(int64_t(Bits << Unused) >> Unused) : double(Bits);
}

std::string ptxpredict::accuracy::fill(const Buffer &B,
                                       const std::string &Folder, Bytes &To) {
  unsigned Size = elementBytes(B.Type);
  To.assign(B.Count * Size, 0);
  const Fill &F = B.Start;
  switch (F.Kind) {
  case Fill::Zeros:
    break;
  case Fill::Iota:
    for (uint64_t I = 0; I < B.Count; ++I)
      if (findFormat(B.Type)->MantissaBits)
        writeElement(B.Type, double(I), &To[I * Size]);
      else
        std::memcpy(&To[I * Size], &I, Size); // wraps
    break;
  case Fill::Constant:
    for (uint64_t I = 0; I < B.Count; ++I)
      writeElement(B.Type, F.Value, &To[I * Size]);
    break;
  case Fill::Random:
    for (uint64_t I = 0; I < B.Count; ++I) {
      // Two roundings: some compilers would make one fma of it.
      volatile double Offset = (F.High - F.Low) * uniform(F.Seed, I);
      writeElement(B.Type, F.Low + Offset, &To[I * Size]);
    }
    break;
  case Fill::File: {
    std::string Path = Folder + "/" + F.Path;
    std::ifstream In(Path, std::ios::binary);
    In.read(reinterpret_cast<char *>(To.data()), std::streamsize(To.size()));
    if (!In || In.peek() != std::char_traits<char>::eof())
      return Path + ": cannot be read, or has not " +
             std::to_string(To.size()) + " bytes";
    break;
  }
  }
  return "";
}

std::string ptxpredict::accuracy::compare(const Buffer &B, const Bytes &Got,
                                          const Bytes &Want, double Tolerance) {
  unsigned Size = elementBytes(B.Type);
  uint64_t First = 0, Wrong = 0;
  for (uint64_t I = 0; I < B.Count; ++I) {
    const unsigned char *GotBits = &Got[I * Size], *WantBits = &Want[I * Size];
    if (std::memcmp(GotBits, WantBits, Size) == 0)
      continue;
    double G = readElement(B.Type, GotBits), W = readElement(B.Type, WantBits);
    if (std::isnan(G) && std::isnan(W))
      continue;
    if (Tolerance > 0 &&
        std::fabs(G - W) <= Tolerance * std::max(1.0, std::fabs(W)))
      continue;
    if (Wrong++ == 0)
      First = I;
  }
  if (Wrong == 0)
    return "";
  std::ostringstream Text;
  Text.precision(17);
  Text << B.Name << "[" << First << "] is "
       << readElement(B.Type, &Got[First * Size]) << " instead of "
       << readElement(B.Type, &Want[First * Size]) << "; " << Wrong << " of "
       << B.Count << " elements are wrong";
  return Text.str();
}
