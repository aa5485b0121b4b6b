//===- ViaPtxasTest.cpp - Tests of what --via=ptxas is made of ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Driver/Toolchain/ViaPtxas.h"
#include "Driver/Toolchain/Cubin.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(ViaPtxas, KeepsTheSuffixWhereItMayStand) {
  EXPECT_EQ(architectureFor("sm_90a", 90, 90), "sm_90a");
  EXPECT_EQ(architectureFor("sm_90a", 90, 100), "sm_100");
  EXPECT_EQ(architectureFor("sm_80", 80, 90), "sm_90");
  EXPECT_EQ(architectureFor("sm_100f", 100, 103), "sm_103f");
  EXPECT_EQ(architectureFor("sm_100f", 100, 120), "sm_120");
  EXPECT_EQ(architectureFor("", 0, 90), "sm_90");
}

/// An ELF file with the sections "", ".strtab", ".text.k" (640 bytes), ".text."
/// and ".nv.info.k".
std::string cubin() {
  std::string File(64 + 5 * 64, '\0');
  auto Put = [&](size_t At, uint64_t Value, unsigned Bytes) {
    for (unsigned I = 0; I != Bytes; ++I)
      File[At + I] = char(Value >> 8 * I);
  };
  File.replace(0, 6,
               StringRef("\x7f"
                         "ELF\x02\x01")
                   .str());
  Put(0x28, 64, 8); // section headers
  Put(0x3a, 64, 2);
  Put(0x3c, 5, 2);
  Put(0x3e, 1, 2); // names
  uint64_t Names = File.size();
  auto Section = [&](unsigned Index, StringRef Name, uint64_t Size) {
    Put(64 + Index * 64, File.size() - Names, 4);
    Put(64 + Index * 64 + 0x20, Size, 8);
    File += Name.str() + '\0';
  };
  Put(64 + 64 + 0x18, Names, 8);
  Section(0, "", 0);
  Section(1, ".strtab", 40);
  Section(2, ".text.k", 640);
  Section(3, ".text.", 128);
  Section(4, ".nv.info.k", 96);
  return File;
}

TEST(Cubin, GivesTheSizesOfTextSections) {
  EXPECT_EQ(readCodeSizes(cubin()),
            (std::map<std::string, uint64_t>{{"k", 640}}));
}

/// Whatever is cut off or damaged, nothing beyond the text is read.
TEST(Cubin, TrustsNothing) {
  std::string Whole = cubin();
  for (size_t Size = 0; Size != 64 + 5 * 64; ++Size)
    EXPECT_TRUE(readCodeSizes(std::string(Whole, 0, Size)).empty()) << Size;
  for (size_t At = 0; At != Whole.size(); ++At)
    for (char Value : {'\0', '\x7f', '\xff'}) {
      std::string Damaged = Whole;
      Damaged[At] = Value;
      EXPECT_LE(readCodeSizes(Damaged).size(), 3u) << At;
    }
  EXPECT_TRUE(readCodeSizes("").empty());
  EXPECT_TRUE(readCodeSizes("MZ").empty());
}

} // namespace
