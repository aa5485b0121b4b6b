//===- BufferContentsTest.cpp - What a buffer holds at the start ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/BufferContents.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace ptxpredict;
using Kind = BufferFill::KindTy;

static BufferSpec makeSpec(StringRef Type, uint64_t Count, Kind K) {
  BufferSpec Spec;
  Spec.Type = Type.str();
  Spec.Count = Count;
  Spec.Fill.Kind = K;
  return Spec;
}

static BufferSpec random(StringRef Type, uint64_t Count, double Low,
                         double High) {
  BufferSpec Spec = makeSpec(Type, Count, Kind::Random);
  Spec.Fill.Seed = 5;
  Spec.Fill.Low = Low;
  Spec.Fill.High = High;
  return Spec;
}

static std::shared_ptr<const BufferContents> contentsOf(const BufferSpec &S) {
  return cantFail(BufferContents::open(S, ""));
}

/// The bytes of the whole buffer, element by element.
template <typename T>
static std::vector<uint8_t> bytesOf(const BufferSpec &Spec) {
  std::vector<uint8_t> Bytes;
  for (uint64_t I = 0; I != Spec.Count; ++I) {
    T V = elements::make<elements::Integer<T>>(Spec.Fill, I);
    const auto *P = reinterpret_cast<const uint8_t *>(&V);
    Bytes.insert(Bytes.end(), P, P + sizeof(T));
  }
  return Bytes;
}

/// All reads of all sizes at all places, those across elements, too, and the
/// bounds of aligned ones.
static void check(const BufferContents &C, const std::vector<uint8_t> &Bytes) {
  ASSERT_EQ(C.bytes(), Bytes.size());
  for (unsigned Size : {1, 2, 4, 8})
    for (size_t At = 0; At + Size <= Bytes.size(); ++At) {
      uint64_t Want = 0;
      std::memcpy(&Want, &Bytes[At], Size);
      ASSERT_EQ(C.read(At, Size), Want) << Size << " at " << At;
      if (At % Size != 0)
        continue;
      const BufferContents::Range &R = C.range(Size);
      const int64_t Signed = llvm::SignExtend64(Want, 8 * Size);
      ASSERT_TRUE(R.UMin <= Want && Want <= R.UMax) << Size << " at " << At;
      ASSERT_TRUE(R.SMin <= Signed && Signed <= R.SMax) << Size << " at " << At;
    }
}

TEST(BufferContentsTest, ReadsAreThoseOfTheFilledBuffer) {
  BufferSpec Signed = random("s16", 37, -20, 20);
  check(*contentsOf(Signed), bytesOf<int16_t>(Signed));
  BufferSpec Wide = random("u64", 9, 0, 1e19);
  check(*contentsOf(Wide), bytesOf<uint64_t>(Wide));
  BufferSpec Crossing = random("u32", 33, 2147483000, 2147484000);
  check(*contentsOf(Crossing), bytesOf<uint32_t>(Crossing));
  BufferSpec Bytes = makeSpec("u8", 300, Kind::Iota); // wraps around
  check(*contentsOf(Bytes), bytesOf<uint8_t>(Bytes));
  BufferSpec Constant = makeSpec("s32", 11, Kind::Constant);
  Constant.Fill.Constant = -7;
  check(*contentsOf(Constant), bytesOf<int32_t>(Constant));
  BufferSpec Zeros = makeSpec("u16", 12, Kind::Zeros);
  check(*contentsOf(Zeros), bytesOf<uint16_t>(Zeros));
}

TEST(BufferContentsTest, BoundsAreCloseWhereElementsAreRead) {
  BufferContents::Range R = contentsOf(random("s32", 99, -5, 9))->range(4);
  EXPECT_EQ(R.SMin, -5);
  EXPECT_EQ(R.SMax, 8);           // 9 itself is not reached
  EXPECT_EQ(R.UMax, 0xffffffffu); // as unsigned numbers they are anywhere
  R = contentsOf(makeSpec("u32", 99, Kind::Iota))->range(4);
  EXPECT_EQ(R.UMin, 0u);
  EXPECT_EQ(R.UMax, 98u);
  // Of other sizes, of floats, and where nothing is aligned, nobody says.
  EXPECT_EQ(contentsOf(makeSpec("u32", 99, Kind::Iota))->range(2).UMax,
            0xffffu);
  // Floats from 0 on are in the order of their bits.
  R = contentsOf(random("f32", 99, 1, 2))->range(4);
  EXPECT_EQ(R.UMin, 0x3f800000u);
  EXPECT_EQ(R.UMax, 0x40000000u);
  EXPECT_EQ(contentsOf(random("f32", 99, -1, 1))->range(4).UMax, 0xffffffffu);
  BufferSpec Loose = makeSpec("u32", 99, Kind::Iota);
  Loose.Align = 2;
  EXPECT_EQ(contentsOf(Loose)->range(4).UMax, 0xffffffffu);
}

TEST(BufferContentsTest, SimpleFillsAreRecognised) {
  EXPECT_TRUE(contentsOf(makeSpec("s32", 1000, Kind::Iota))->isIota());
  EXPECT_TRUE(contentsOf(makeSpec("u8", 256, Kind::Iota))->isIota());
  EXPECT_FALSE(contentsOf(makeSpec("u8", 257, Kind::Iota))->isIota());
  EXPECT_FALSE(contentsOf(makeSpec("s8", 129, Kind::Iota))->isIota());
  EXPECT_FALSE(contentsOf(makeSpec("f32", 10, Kind::Iota))->isIota());
  BufferSpec One = makeSpec("f32", 10, Kind::Constant);
  One.Fill.Constant = 1;
  EXPECT_EQ(contentsOf(One)->everyElement(), 0x3f800000u);
  EXPECT_EQ(contentsOf(makeSpec("u32", 10, Kind::Zeros))->everyElement(), 0u);
  EXPECT_FALSE(contentsOf(random("u32", 10, 0, 1))->everyElement());
}

TEST(BufferContentsTest, NothingIsFilled) {
  // A tebibyte of numbers, of which two are asked for.
  BufferSpec Spec = random("u32", uint64_t(1) << 38, 0, 1000);
  auto C = contentsOf(Spec);
  EXPECT_EQ(C->read(uint64_t(1) << 39, 4),
            elements::make<elements::Integer<uint32_t>>(Spec.Fill, uint64_t(1)
                                                                       << 37));
  EXPECT_EQ(C->range(4).UMax, 999u); // 1000 itself is not reached
  EXPECT_TRUE(C->holds((uint64_t(1) << 40) - 4, 4));
  EXPECT_FALSE(C->holds((uint64_t(1) << 40) - 3, 4));
  EXPECT_FALSE(C->holds(~uint64_t(0), 4));
  // What nobody says is within the bounds.
  EXPECT_EQ(C->read(uint64_t(1) << 41, 4), C->read(0, 4));
}

TEST(BufferContentsTest, Files) {
  llvm::SmallString<128> Path;
  int Handle;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("contents", "bin", Handle, Path));
  const uint8_t Bytes[] = {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
                           7, 1, 0, 0, 3,    0,    0,    0};
  {
    llvm::raw_fd_ostream Out(Handle, /*shouldClose=*/true);
    Out.write(reinterpret_cast<const char *>(Bytes), sizeof(Bytes));
  }
  BufferSpec Spec = makeSpec("s32", 4, Kind::File);
  Spec.Fill.File = llvm::sys::path::filename(Path).str();
  auto Folder = llvm::sys::path::parent_path(Path);
  auto C = cantFail(BufferContents::open(Spec, Folder));
  check(*C, {std::begin(Bytes), std::end(Bytes)});
  EXPECT_EQ(C->range(4).SMin, -1);
  EXPECT_EQ(C->range(4).SMax, 263);
  EXPECT_EQ(C->range(1).UMax, 0xffu);
  Spec.Count = 5;
  EXPECT_THAT(toString(BufferContents::open(Spec, Folder).takeError()),
              testing::HasSubstr("has 16 bytes, but the buffer takes 20 bytes "
                                 "(5 of type s32)"));
  EXPECT_FALSE(llvm::sys::fs::remove(Path));
  EXPECT_THAT(toString(BufferContents::open(Spec, Folder).takeError()),
              testing::HasSubstr("cannot read"));
}
