//===- FormatPrintf.cpp - What device-side printf writes ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FormatPrintf.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <optional>
#include <type_traits>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// A width or precision above is no wish for so many characters.
static constexpr int MaxExtent = 65536;

namespace {

/// The arguments in turn.
class Arguments {
public:
  explicit Arguments(ArrayRef<uint8_t> Buffer) : Buffer(Buffer) {}

  /// The next one, as the bits of \p Bytes bytes.
  std::optional<uint64_t> next(size_t Bytes) {
    size_t At = llvm::alignTo(Position, Bytes);
    if (At > Buffer.size() || Bytes > Buffer.size() - At)
      return std::nullopt;
    uint64_t Bits = 0;
    for (size_t I = 0; I != Bytes; ++I)
      Bits |= uint64_t(Buffer[At + I]) << 8 * I;
    Position = At + Bytes;
    ++NumUsed;
    return Bits;
  }

  unsigned NumUsed = 0;

private:
  ArrayRef<uint8_t> Buffer;
  size_t Position = 0;
};

/// One conversion, without its `%`.
struct PrintfConversion {
  std::string Flags; ///< of "-+ #0", each once
  std::optional<int> Width, Precision;
  bool StarWidth = false, StarPrecision = false;
  std::string Size;
  char Type = 0;

  bool has(char Flag) const { return StringRef(Flags).contains(Flag); }

  /// Takes a conversion off the front of \p Text; false if there is none.
  bool parse(StringRef &Text);
  /// Takes the arguments that `*` stands for. False without one, or if what is
  /// asked for is too much.
  bool readExtents(Arguments &Args);
  size_t argumentBytes() const;
  /// The text of the argument with these \p Bits.
  std::string
  format(uint64_t Bits,
         llvm::function_ref<std::string(uint64_t)> ReadString) const;

private:
  std::string pad(StringRef Text) const;
  template <typename T>
  std::string print(const char *Suffix, T Value) const;
};

} // namespace

/// Takes a decimal number, perhaps without a digit, which is 0, off \p Text.
static int takeExtent(StringRef &Text) {
  int Value = 0;
  while (!Text.empty() && llvm::isDigit(Text.front())) {
    // Saturates: it is too much then.
    Value = std::min(Value * 10 + (Text.front() - '0'), MaxExtent + 1);
    Text = Text.drop_front();
  }
  return Value;
}

bool PrintfConversion::parse(StringRef &Text) {
  StringRef Rest = Text;
  while (!Rest.empty() && StringRef("-+ #0").contains(Rest.front())) {
    if (!has(Rest.front()))
      Flags += Rest.front();
    Rest = Rest.drop_front();
  }
  if (Rest.consume_front("*"))
    StarWidth = true;
  else if (!Rest.empty() && llvm::isDigit(Rest.front()))
    Width = takeExtent(Rest);
  if (Rest.consume_front(".")) {
    if (Rest.consume_front("*"))
      StarPrecision = true;
    else
      Precision = takeExtent(Rest);
  }
  for (StringRef S : {"hh", "h", "ll", "l", "j", "z", "t"})
    if (Rest.consume_front(S)) {
      Size = S.str();
      break;
    }
  if (Rest.empty())
    return false;
  Type = Rest.front();
  // What the size may be with; C leaves the rest undefined.
  StringRef Types = Size.empty()  ? "diuoxXcspfFeEgGaA"
                    : Size == "l" ? "diuoxXfFeEgGaA"
                                  : "diuoxX";
  if (!Types.contains(Type))
    return false;
  Text = Rest.drop_front();
  return true;
}

bool PrintfConversion::readExtents(Arguments &Args) {
  auto Read = [&](std::optional<int> &To) {
    std::optional<uint64_t> Bits = Args.next(4);
    if (Bits)
      To = int(uint32_t(*Bits));
    return Bits.has_value();
  };
  if (StarWidth) {
    if (!Read(Width))
      return false;
    if (*Width < 0) { // to the left, as C has it
      if (*Width < -MaxExtent)
        return false;
      Width = -*Width;
      if (!has('-'))
        Flags += '-';
    }
  }
  if (StarPrecision) {
    if (!Read(Precision))
      return false;
    if (*Precision < 0) // as if there were none
      Precision.reset();
  }
  return Width.value_or(0) <= MaxExtent && Precision.value_or(0) <= MaxExtent;
}

size_t PrintfConversion::argumentBytes() const {
  if (StringRef("diuoxX").contains(Type))
    return Size.empty() || Size.front() == 'h' ? 4 : 8;
  return Type == 'c' ? 4 : 8;
}

std::string PrintfConversion::pad(StringRef Text) const {
  std::string Result = Text.str();
  size_t Columns = size_t(Width.value_or(0));
  if (Result.size() < Columns)
    Result.insert(has('-') ? Result.size() : 0, Columns - Result.size(), ' ');
  return Result;
}

/// Through the host's snprintf, with a format made of what was parsed.
template <typename T>
std::string PrintfConversion::print(const char *Suffix, T Value) const {
  std::string Format = "%" + Flags;
  if (Width)
    Format += std::to_string(*Width);
  if (Precision)
    Format += "." + std::to_string(*Precision);
  Format += Suffix;
  if constexpr (std::is_floating_point_v<T>)
    return formatNumber(Format.c_str(), Value);
  int Size = std::snprintf(nullptr, 0, Format.c_str(), Value);
  std::string Result(size_t(std::max(Size, 0)) + 1, '\0');
  std::snprintf(Result.data(), Result.size(), Format.c_str(), Value);
  Result.pop_back();
  return Result;
}

std::string PrintfConversion::format(
    uint64_t Bits, llvm::function_ref<std::string(uint64_t)> ReadString) const {
  switch (Type) {
  case 'd':
  case 'i': {
    int64_t Value = Size.empty()   ? int32_t(Bits)
                    : Size == "h"  ? int16_t(Bits)
                    : Size == "hh" ? int8_t(Bits)
                                   : int64_t(Bits);
    return print(PRId64, Value);
  }
  case 'u':
  case 'o':
  case 'x':
  case 'X': {
    uint64_t Value = Size == "h"    ? uint16_t(Bits)
                     : Size == "hh" ? uint8_t(Bits)
                                    : Bits;
    const char *Suffix = Type == 'u'   ? PRIu64
                         : Type == 'o' ? PRIo64
                         : Type == 'x' ? PRIx64
                                       : PRIX64;
    return print(Suffix, Value);
  }
  case 'c': {
    char C = char(Bits);
    return pad(StringRef(&C, 1));
  }
  case 's': {
    std::string Text = Bits ? ReadString(Bits) : "(null)";
    return pad(StringRef(Text).take_front(Precision ? size_t(*Precision)
                                                    : StringRef::npos));
  }
  case 'p': // as C libraries of Linux write it, on every host
    return pad(Bits ? "0x" + llvm::utohexstr(Bits, true) : "(nil)");
  default: {
    double Value;
    static_assert(sizeof(Value) == sizeof(Bits));
    std::memcpy(&Value, &Bits, sizeof(Value));
    const char Suffix[] = {Type, '\0'};
    return print(Suffix, Value);
  }
  }
}

std::string emulator::formatDevicePrintf(
    StringRef Format, ArrayRef<uint8_t> ArgumentBuffer,
    llvm::function_ref<std::string(uint64_t)> ReadString,
    unsigned *NumArguments) {
  Arguments Args(ArgumentBuffer);
  std::string Out;
  while (!Format.empty()) {
    size_t Plain = std::min(Format.find('%'), Format.size());
    Out += Format.take_front(Plain);
    Format = Format.drop_front(Plain);
    if (!Format.consume_front("%"))
      break;
    if (Format.consume_front("%")) {
      Out += '%';
      continue;
    }
    StringRef Begin = Format;
    PrintfConversion C;
    if (!C.parse(Format)) {
      Out += '%'; // what follows is plain text
      continue;
    }
    bool HasExtents = C.readExtents(Args);
    std::optional<uint64_t> Argument = Args.next(C.argumentBytes());
    if (HasExtents && Argument)
      Out += C.format(*Argument, ReadString);
    else
      Out += "%" + Begin.drop_back(Format.size()).str();
  }
  if (NumArguments)
    *NumArguments = Args.NumUsed;
  return Out;
}
