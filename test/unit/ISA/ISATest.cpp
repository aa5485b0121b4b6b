//===- ISATest.cpp - Types and names of the ISA ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/ISA.h"
#include <gtest/gtest.h>

using namespace ptxpredict;

TEST(ISATest, EveryTypeReadsBack) {
  unsigned Count = 0;
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND)                                    \
  EXPECT_EQ(parseScalarType(TEXT), ScalarType::NAME) << TEXT;                  \
  EXPECT_EQ(toString(ScalarType::NAME), TEXT);                                 \
  EXPECT_EQ(bitWidth(ScalarType::NAME), unsigned(BITS)) << TEXT;               \
  EXPECT_EQ(kindOf(ScalarType::NAME), TypeKind::KIND) << TEXT;                 \
  ++Count;
#include "ptxpredict/ISA/Types.def"
  EXPECT_GT(Count, 20u);
}

TEST(ISATest, OtherNamesAreNoTypes) {
  for (StringRef Name : {"", "u", "u33", "f32x", "F32", "bf16", "u321",
                         "samplerref2", "averyveryverylongname"})
    EXPECT_FALSE(parseScalarType(Name)) << Name.str();
}

TEST(ISATest, NamesOfReports) {
  EXPECT_EQ(toString(OpClass::Fp16), "fp16");
  EXPECT_EQ(toString(OpClass::Other), "other");
  EXPECT_EQ(NumOpClasses, 18u);
  EXPECT_EQ(toString(AddressSpace::Shared), "shared");
  EXPECT_EQ(toString(AccessKind::Prefetch), "prefetch");
}
