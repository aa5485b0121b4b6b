//===- FingerprintTest.cpp ------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/Fingerprint.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

FindingRecord at(StringRef Path, unsigned Line, StringRef Code = "ld %r") {
  FindingRecord R;
  R.Found.Id = "bank-conflict";
  R.Found.Where.Path = Path.str();
  R.Found.Where.Line = Line;
  R.Code = Code.str();
  return R;
}

TEST(Fingerprint, OfLayoutNothingStays) {
  EXPECT_EQ(withoutLayout("\ta =  b; // why"), "a = b;");
  EXPECT_EQ(withoutLayout("x = tl.load(p) # why"), "x = tl.load(p)");
  EXPECT_EQ(withoutLayout("#pragma unroll"), "#pragma unroll");
  EXPECT_EQ(withoutLayout("  "), "");
}

TEST(Fingerprint, PlacesInSources) {
  std::string Key = placeKey(at("/a/k.cu", 7), "k.ptx", "  x = y;");
  EXPECT_EQ(Key, placeKey(at("/b/c/k.cu", 9, "st"), "l.ptx", "x =  y; // z"));
  EXPECT_NE(Key, placeKey(at("/a/k.cu", 7), "k.ptx", "x = z;"));
  EXPECT_NE(Key, placeKey(at("/a/other.cu", 7), "k.ptx", "x = y;"));
  FindingRecord Other = at("/a/k.cu", 7);
  Other.Found.Id = "tail-effect";
  EXPECT_NE(Key, placeKey(Other, "k.ptx", "x = y;"));
}

TEST(Fingerprint, PlacesWithoutSource) {
  EXPECT_EQ(placeKey(at("k.ptx", 7), "k.ptx", "ld %r12"),
            placeKey(at("moved.ptx", 9), "moved.ptx", "ld %r3"));
  EXPECT_NE(placeKey(at("k.ptx", 7), "k.ptx"),
            placeKey(at("k.ptx", 7, "st"), "k.ptx"));
  // A source that cannot be read is known by its name and the instruction.
  EXPECT_NE(placeKey(at("/a/k.cu", 7), "k.ptx"),
            placeKey(at("/a/l.cu", 7), "k.ptx"));
}

TEST(Fingerprint, TellsEqualsApart) {
  std::string F = fingerprint("k", "key", 0);
  EXPECT_EQ(F.size(), 32U);
  EXPECT_EQ(F, fingerprint("k", "key", 0));
  EXPECT_NE(F, fingerprint("k", "key", 1));
  EXPECT_NE(F, fingerprint("l", "key", 0));
}

} // namespace
