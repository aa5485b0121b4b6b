//===- FormatPrintfTest.cpp - What device-side printf writes --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Emulator/Core/FormatPrintf.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// Arguments as nvcc lays them out: each aligned to its size.
class Buffer {
public:
  template <typename... Types>
  explicit Buffer(Types... Values) {
    (push(Values), ...);
  }

  /// What the format makes of them; "NUMBER|" and the text.
  std::string print(StringRef Format) const {
    unsigned NumArguments = 99;
    std::string Text = formatDevicePrintf(Format, Bytes, readString, //
                                          &NumArguments);
    return std::to_string(NumArguments) + "|" + Text;
  }

  std::vector<uint8_t> Bytes;

private:
  template <typename T>
  void push(T Value) {
    Bytes.resize((Bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    size_t At = Bytes.size();
    Bytes.resize(At + sizeof(T));
    std::memcpy(&Bytes[At], &Value, sizeof(T));
  }
  static std::string readString(uint64_t Address) {
    EXPECT_NE(Address, 0u);
    return "<" + std::to_string(Address) + ">";
  }
};

} // namespace

TEST(FormatPrintf, WritesPlainText) {
  EXPECT_EQ(Buffer().print(""), "0|");
  EXPECT_EQ(Buffer().print("plain\n"), "0|plain\n");
  EXPECT_EQ(Buffer().print("100%%"), "0|100%");
  EXPECT_EQ(Buffer(7).print("%%d %d"), "1|%d 7");
  StringRef WithZero("a\0%d", 4);
  EXPECT_EQ(Buffer(7).print(WithZero), std::string("1|a\0"
                                                   "7",
                                                   5));
}

TEST(FormatPrintf, AlignsArguments) {
  EXPECT_EQ(Buffer(1, 2.5, 3, 4, int64_t(-5)).print("%d %g %d %d %ld"),
            "5|1 2.5 3 4 -5");
  EXPECT_EQ(Buffer(1, uint64_t(16), 2).print("%d %s %d"), "3|1 <16> 2");
}

TEST(FormatPrintf, ReadsSizes) {
  int64_t Wide = 0x1234567890abcdef;
  EXPECT_EQ(Buffer(Wide).print("%d"), "1|-1867788817"); // its low half
  EXPECT_EQ(Buffer(-1).print("%u"), "1|4294967295");
  EXPECT_EQ(Buffer(-1).print("%x"), "1|ffffffff");
  EXPECT_EQ(Buffer(0x18000).print("%hd"), "1|-32768");
  EXPECT_EQ(Buffer(0x18000).print("%hu"), "1|32768");
  EXPECT_EQ(Buffer(0x1ff).print("%hhd"), "1|-1");
  EXPECT_EQ(Buffer(0x1ff).print("%hhu"), "1|255");
  for (StringRef Size : {"l", "ll", "j", "z", "t"}) {
    std::string S = Size.str();
    EXPECT_EQ(Buffer(Wide).print("%" + S + "x"), "1|1234567890abcdef");
    EXPECT_EQ(Buffer(-Wide).print("%" + S + "i"), "1|-1311768467294899695");
    EXPECT_EQ(Buffer(-Wide).print("%" + S + "u"), "1|17134975606414651921");
  }
}

TEST(FormatPrintf, FormatsAsTheHost) {
  // With arguments of the same types the C library is the reference.
  auto Check = [](const std::string &Format, auto Value) {
    char Want[400];
    std::snprintf(Want, sizeof(Want), Format.c_str(), Value);
    EXPECT_EQ(Buffer(Value).print(Format), "1|" + std::string(Want)) << Format;
  };
  constexpr double Inf = std::numeric_limits<double>::infinity();
  for (const char *Flags : {"", "-", "+", " ", "0", "#", "-+", "+0", "-#0"})
    for (const char *Extents :
         {"", "1", "12", ".0", ".", ".3", "14.5", "3.12"}) {
      std::string Begin = std::string("%") + Flags + Extents;
      for (char Type : std::string("diuoxX"))
        for (int Value : {0, 1, -1, 42, std::numeric_limits<int>::min()})
          Check(Begin + Type, Value);
      for (char Type : std::string("fFeEgGaA"))
        for (double Value : {0.0, -0.0, 1.0, 0.1, -1234.5678, 1e100, Inf, -Inf})
          Check(Begin + Type, Value);
      Check(Begin + "llx", 0x123456789aLL);
    }
  Check("%lf", 0.1);
  Check("%.300f", 0.1);
  Check("%5c", int('x'));
  Check("%-5c", int('x'));
}

TEST(FormatPrintf, FormatsStringsAndPointers) {
  EXPECT_EQ(Buffer(uint64_t(16)).print("[%8s]"), "1|[    <16>]");
  EXPECT_EQ(Buffer(uint64_t(16)).print("[%-8s]"), "1|[<16>    ]");
  EXPECT_EQ(Buffer(uint64_t(16)).print("[%.2s]"), "1|[<1]");
  EXPECT_EQ(Buffer(uint64_t(16)).print("[%4.0s]"), "1|[    ]");
  EXPECT_EQ(Buffer(uint64_t(0)).print("%s"), "1|(null)");
  EXPECT_EQ(Buffer(uint64_t(0x7f00deadbeef)).print("%p"), "1|0x7f00deadbeef");
  EXPECT_EQ(Buffer(uint64_t(16)).print("[%6p|"), "1|[  0x10|");
  EXPECT_EQ(Buffer(uint64_t(0)).print("%p"), "1|(nil)");
  EXPECT_EQ(Buffer(0).print("%c"), std::string("1|\0", 3));
  EXPECT_EQ(Buffer(0xe9).print("%c"), "1|\xe9");
}

TEST(FormatPrintf, TakesExtentsFromArguments) {
  EXPECT_EQ(Buffer(6, 42).print("[%*d]"), "2|[    42]");
  EXPECT_EQ(Buffer(-6, 42).print("[%*d]"), "2|[42    ]");
  EXPECT_EQ(Buffer(-6, uint64_t(16)).print("[%*s]"), "2|[<16>  ]");
  EXPECT_EQ(Buffer(9, 2, 3.14159).print("[%*.*f]"), "3|[     3.14]");
  EXPECT_EQ(Buffer(-1, 2.5).print("%.*f"), "2|2.500000");
  EXPECT_EQ(Buffer(2, uint64_t(16)).print("%.*s"), "2|<1");
}

TEST(FormatPrintf, WritesWhatIsNoConversionAsItIs) {
  EXPECT_EQ(Buffer(1).print("%"), "0|%");
  EXPECT_EQ(Buffer(1).print("%5"), "0|%5");
  EXPECT_EQ(Buffer(1).print("%-08.3l"), "0|%-08.3l");
  EXPECT_EQ(Buffer(1).print("%y %d"), "1|%y 1");
  EXPECT_EQ(Buffer(1).print("%5%d"), "1|%51");
  // Neither writes memory, nor reads wide characters.
  EXPECT_EQ(Buffer(uint64_t(16)).print("%n %ls %lc"), "0|%n %ls %lc");
  EXPECT_EQ(Buffer(1.0).print("%Lf %hf"), "0|%Lf %hf");
  EXPECT_EQ(Buffer(1, 2).print("%1$d %d"), "1|%1$d 1");
}

TEST(FormatPrintf, BoundsWhatIsAskedFor) {
  EXPECT_EQ(Buffer(1, 2).print("%65537d %d"), "2|%65537d 2");
  EXPECT_EQ(Buffer(1, 2).print("%.99999999999999999999d %d"),
            "2|%.99999999999999999999d 2");
  EXPECT_EQ(Buffer(std::numeric_limits<int>::max(), 1, 2).print("%*d %d"),
            "3|%*d 2");
  EXPECT_EQ(Buffer(std::numeric_limits<int>::min(), 1, 2).print("%*d %d"),
            "3|%*d 2");
  EXPECT_EQ(Buffer(1).print("%65536d").size(), 2u + 65536);
}

TEST(FormatPrintf, EndsWithItsArguments) {
  EXPECT_EQ(Buffer().print("%d"), "0|%d");
  EXPECT_EQ(Buffer(1).print("%d %5d %s"), "1|1 %5d %s");
  EXPECT_EQ(Buffer(1).print("%lld"), "0|%lld");
  EXPECT_EQ(Buffer(1, 2).print("%d %g"), "1|1 %g");
  EXPECT_EQ(Buffer(5).print("%*d"), "1|%*d");
  EXPECT_EQ(Buffer().print("%*.*f"), "0|%*.*f");
}
