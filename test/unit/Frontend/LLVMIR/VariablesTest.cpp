//===- VariablesTest.cpp - Tests of variables and their initialisers ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweredIR.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// The bytes that a variable starts with, and its addresses as text.
std::string contents(const Variable &V) {
  std::string Out;
  size_t Last = 0;
  for (size_t I = 0; I != V.Initializer.size(); ++I)
    if (V.Initializer[I] != 0)
      Last = I + 1;
  for (uint8_t Byte : V.Initializer.take_front(Last))
    Out += std::to_string(Byte) + " ";
  for (const InitializerAddress &A : V.Addresses)
    Out += "@" + std::to_string(A.Offset) + (A.Generic ? " generic " : " ") +
           A.Symbol.str() + "+" + std::to_string(A.Addend) + " ";
  return Out;
}

/// What a variable is declared as.
std::string head(const Variable &V) {
  return (toString(V.Space) + " bytes " + Twine(V.Bytes) + " align " +
          Twine(V.Align) + " linkage " + Twine(unsigned(V.Link)))
      .str();
}

const Variable *variable(const Module &M, StringRef Name) {
  for (const Variable *V : M.Variables)
    if (V->Name == Name)
      return V;
  return nullptr;
}

/// Every variable that the back end writes is the same in our module.
void expectSameVariables(const LoweredIR &L) {
  ASSERT_TRUE(L.M && L.PTX);
  EXPECT_EQ(L.M->Variables.size(), L.PTX->Variables.size());
  for (const Variable *Want : L.PTX->Variables) {
    const Variable *Got = variable(*L.M, Want->Name);
    if (!Got) {
      ADD_FAILURE() << Want->Name.str();
      continue;
    }
    EXPECT_EQ(head(*Got), head(*Want)) << Want->Name.str();
    EXPECT_EQ(contents(*Got), contents(*Want)) << Want->Name.str();
  }
}

TEST(LLVMIRVariables, SpacesAndLinkage) {
  LoweredIR L("@a = addrspace(1) global i32 0\n"
              "@b = internal addrspace(3) global [4 x float] undef, align 16\n"
              "@c = external addrspace(3) global [0 x i32], align 4\n"
              "@d = addrspace(4) constant i64 5\n"
              "@e = weak addrspace(1) global i8 1\n"
              "@f = linkonce_odr addrspace(1) global i16 1\n"
              "@g = common addrspace(1) global i64 0\n"
              "@h = external addrspace(1) global double\n"
              "@i = global i32 4\n"
              "@j = internal addrspace(1) constant [2 x i32] [i32 1, i32 2]\n"
              "@llvm.used = appending global [1 x ptr] [ptr addrspacecast "
              "(ptr addrspace(1) @a to ptr)], section \"llvm.metadata\"\n");
  expectSameVariables(L);
  EXPECT_EQ(L.M->Variables.size(), 10u);
  EXPECT_EQ(variable(*L.M, "c")->Bytes, 0u); // dynamic shared memory
}

TEST(LLVMIRVariables, InitialisersAsTheBackEndWritesThem) {
  expectSameVariables(LoweredIR(
      "@.str = private unnamed_addr constant [4 x i8] c\"abc\\00\"\n"
      "@\"x.y\" = internal addrspace(1) global float 1.5\n"
      "@s = addrspace(1) global { i8, i32, <2 x half>, double, [3 x i16] } "
      "{ i8 1, i32 -2, <2 x half> <half 1.0, half 2.0>, double 3.0, [3 x i16] "
      "[i16 1, i16 2, i16 3] }\n"
      "@n = addrspace(1) global [2 x { i8, [2 x float] }] [{ i8, [2 x float] } "
      "zeroinitializer, { i8, [2 x float] } { i8 7, [2 x float] [float 1.0, "
      "float undef] }]\n"
      "@v = addrspace(1) global <3 x float> <float 1.0, float 2.0, float 3.0>\n"
      "@w = addrspace(1) global i128 123456789012345678901234567890\n"
      "@z = addrspace(1) global [100 x i64] zeroinitializer\n"
      "@u = addrspace(1) global [3 x i32] undef\n"
      "@h = addrspace(1) global [2 x bfloat] [bfloat 1.0, bfloat -2.0]\n"
      "@d = addrspace(4) constant double -0.5\n"
      "@m = addrspace(1) global [3 x i32] [i32 poison, i32 2, i32 0]\n"));
}

TEST(LLVMIRVariables, AddressesOfVariablesAndFunctions) {
  LoweredIR L(
      "@s = addrspace(1) global [8 x i32] zeroinitializer\n"
      "@c = addrspace(4) constant [3 x double] zeroinitializer\n"
      "@plain = addrspace(1) global [2 x ptr addrspace(1)] [ptr addrspace(1) "
      "@s, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @s, i64 12)]\n"
      "@any = addrspace(1) global [2 x ptr] [ptr addrspacecast (ptr "
      "addrspace(1) getelementptr (i32, ptr addrspace(1) @s, i64 2) to ptr), "
      "ptr @f]\n"
      "@mixed = addrspace(1) global { i32, ptr addrspace(4) } { i32 5, ptr "
      "addrspace(4) @c }\n"
      "@number = addrspace(1) global i64 add (i64 ptrtoint (ptr addrspace(1) "
      "@s to i64), i64 12)\n"
      "@none = addrspace(1) global ptr null\n"
      "define void @f() { ret void }\n");
  expectSameVariables(L);
  // Which the PTX of an older version cannot say.
  LoweredIR Packed("@s = addrspace(1) global i32 0\n"
                   "@p = addrspace(1) global <{ i8, ptr addrspace(1) }> <{ i8 "
                   "1, ptr addrspace(1) @s }>\n");
  const Variable *P = variable(*Packed.M, "p");
  ASSERT_TRUE(P);
  EXPECT_EQ(contents(*P), "1 @1 s+0 ");
  EXPECT_EQ(P->Addresses[0].Bytes, 8u);
}

TEST(LLVMIRVariables, WhatTheBackEndWritesWrongly) {
  // It writes a half as the bits of a double, and i1 as -1.
  LoweredIR L(
      "@h = addrspace(1) global half 1.5\n"
      "@b = addrspace(1) global i1 true\n"
      "@m = addrspace(1) global <8 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, "
      "i1 0, i1 0, i1 1>\n");
  ASSERT_TRUE(L.M);
  EXPECT_EQ(contents(*variable(*L.M, "h")), "0 62 ");
  EXPECT_EQ(contents(*variable(*L.M, "b")), "1 ");
  EXPECT_EQ(contents(*variable(*L.M, "m")), "133 ");
}

TEST(LLVMIRVariables, OpaqueTypes) {
  LoweredIR L("@t = addrspace(1) global i64 0\n"
              "@s = addrspace(1) global i64 0\n"
              "@m = addrspace(1) global i64 0\n"
              "!nvvm.annotations = !{!0, !1, !2}\n"
              "!0 = !{ptr addrspace(1) @t, !\"texture\", i32 1}\n"
              "!1 = !{ptr addrspace(1) @s, !\"surface\", i32 1}\n"
              "!2 = !{ptr addrspace(1) @m, !\"sampler\", i32 1}\n");
  expectSameVariables(L);
  EXPECT_EQ(variable(*L.M, "t")->Type, ScalarType::TexRef);
  EXPECT_EQ(variable(*L.M, "s")->Type, ScalarType::SurfRef);
  EXPECT_EQ(variable(*L.M, "m")->Type, ScalarType::SamplerRef);
}

} // namespace
