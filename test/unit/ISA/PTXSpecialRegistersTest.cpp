//===- PTXSpecialRegistersTest.cpp - Special registers of PTX -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/PTXOpcode.h"
#include <gtest/gtest.h>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

// The search needs the list sorted.
TEST(PTXSpecialRegistersTest, TheListIsSorted) {
  StringRef Last;
#define PTX_SPECIAL_REGISTER(NAME, TEXT, TYPE, ELEMENTS)                       \
  EXPECT_LT(Last.str(), std::string(TEXT));                                    \
  Last = TEXT;                                                                 \
  EXPECT_TRUE(isSpecialRegister("%" TEXT)) << TEXT;                            \
  EXPECT_EQ(specialRegisterType("%" TEXT), ScalarType::TYPE) << TEXT;          \
  EXPECT_EQ(specialRegisterElements("%" TEXT), unsigned(ELEMENTS)) << TEXT;
#include "ptxpredict/ISA/PTXSpecialRegisters.def"
}

TEST(PTXSpecialRegistersTest, Elements) {
  for (StringRef Name : {"%tid.x", "%ntid.y", "%ctaid.z", "%nctaid.w",
                         "%clusterid.x", "%cluster_nctaid.z"}) {
    EXPECT_TRUE(isSpecialRegister(Name)) << Name.str();
    EXPECT_EQ(specialRegisterElements(Name), 1u) << Name.str();
    EXPECT_EQ(specialRegisterType(Name), ScalarType::U32) << Name.str();
  }
  for (StringRef Name :
       {"%laneid.x", "%tid.r", "%tid.", "%tid.xy", "tid.x", "%clock64.x"})
    EXPECT_FALSE(isSpecialRegister(Name)) << Name.str();
}

TEST(PTXSpecialRegistersTest, NumberedOnes) {
  for (StringRef Name :
       {"%envreg0", "%envreg31", "%pm0", "%pm7", "%pm0_64", "%pm7_64",
        "%reserved_smem_offset_0", "%reserved_smem_offset_1",
        "%reserved_smem_offset_cap"})
    EXPECT_TRUE(isSpecialRegister(Name)) << Name.str();
  for (StringRef Name :
       {"%envreg32", "%envreg", "%envreg01", "%envreg-1", "%pm8", "%pm8_64",
        "%pm_64", "%pm1_65", "%reserved_smem_offset_2", "%envreg99999999999"})
    EXPECT_FALSE(isSpecialRegister(Name)) << Name.str();
  EXPECT_EQ(specialRegisterType("%envreg7"), ScalarType::B32);
  EXPECT_EQ(specialRegisterType("%pm3_64"), ScalarType::U64);
  EXPECT_EQ(specialRegisterType("%clock64"), ScalarType::U64);
  EXPECT_EQ(specialRegisterType("%is_explicit_cluster"), ScalarType::Pred);
}

TEST(PTXSpecialRegistersTest, OrdinaryNamesAreNot) {
  for (StringRef Name : {"", "%", "%r1", "%rd15", "%f3", "%p1", "tid", "%TID",
                         "%tidx", "%SP", "%SPL"})
    EXPECT_FALSE(isSpecialRegister(Name)) << Name.str();
}
