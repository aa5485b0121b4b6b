//===- PrinterTest.cpp - Tests of printing PTX ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParsedText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {

/// The print of \p Text, after checking that it prints the same again.
std::string roundTrip(const Twine &Text) {
  ParsedText First(Text);
  EXPECT_EQ(First.messages(), "") << Text.str();
  std::string Printed = First.printed();
  ParsedText Second(Printed);
  EXPECT_EQ(Second.messages(), "") << Printed;
  EXPECT_EQ(Second.printed(), Printed);
  return Printed;
}

/// What \p Item, alone in a module, is printed as.
std::string item(const Twine &Item) {
  return StringRef(roundTrip(inModule(Item)))
      .drop_front(inModule("").size())
      .rtrim()
      .str();
}

TEST(PTXPrinter, ItemsStayAsTheyAre) {
  for (const char *Text :
       {".visible .global .align 16 .v4 .f32 x = {1.0, 0f40000000, -2.5, 3.};",
        ".global .u32 a = 0x10, b[] = {1, 2}, c[2][3] = {{1, 2}, {3}};",
        ".global .u8 m[] = {0xFF(a), 0xFF00(a+4)};",
        ".const .b64 t[2] = {generic(a), a+8};",
        ".extern .shared .align 16 .b8 dynamic[];",
        ".global .attribute(.managed, .unified(19,95)) .u32 u;",
        ".global .samplerref s = {filter_mode = linear, addr_mode_0 = wrap};",
        ".global .texref t;", ".common .global .u32 z;",
        ".global .s32 e = (1<<3)|(2>3 ? ~4 : 5 % 2);", ".pragma \"a\", \"b\";",
        ".file 1 \"/src/a.cu\"", ".file 2 \"b.cu\", 1700000000, 4096",
        ".entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 "
        "s[24]) .maxntid 16, 16 .minnctapersm 2 .maxnreg 32;",
        ".entry k .reqntid 128 .reqnctapercluster 2, 1, 1 .explicitcluster;",
        ".extern .func (.param .b32 r) f(.param .b64 a) .noreturn;",
        ".weak .func () f();", ".func f .abi_preserve 8;",
        "@@DWARF .byte 0x01, 2"}) {
    std::string Context = ".extern .global .u32 a;\n";
    bool DefinesA = StringRef(Text).contains("u32 a =");
    std::string Expected = DefinesA ? Text : Context + Text;
    std::string Got = item(Expected);
    if (StringRef(Text).contains(".unified")) // one normal form of lists
      Expected =
          Context + ".global .attribute(.managed, .unified(19, 95)) .u32 u;";
    EXPECT_EQ(Got, Expected);
  }
}

TEST(PTXPrinter, SpecifiersComeInOneOrder) {
  EXPECT_EQ(item(".visible .global .u32 .align 8 .v2 x;"),
            ".visible .global .align 8 .v2 .u32 x;");
}

TEST(PTXPrinter, BodyIsIndented) {
  EXPECT_EQ(
      item(".func f;.entry k{.reg .pred p;L:@!p bra L;{call f;}"
           ".loc 1 2 3 .pragma \"nounroll\"; ret;}"),
      ".func f;\n.entry k {\n  .reg .pred p;\nL:\n  @!p bra L;\n  {\n"
      "    call f;\n  }\n  .loc 1 2 3\n  .pragma \"nounroll\";\n  ret;\n}");
}

TEST(PTXPrinter, SectionsKeepTheirValues) {
  EXPECT_EQ(item(".section .debug_str {\n$L1:\n.b8 65,0 // A\n.b32 $L1+4, "
                 ".debug_info-$L1\n.b64 0xFF }"),
            ".section .debug_str {\n$L1:\n  .b8 65,0\n  .b32 $L1+4, "
            ".debug_info-$L1\n  .b64 0xFF\n}");
}

TEST(PTXPrinter, InlinedLocations) {
  EXPECT_EQ(item(".entry k {\n.loc 1 2 3\n.loc 1 5 6, function_name $L1+2, "
                 "inlined_at 1 2 3\nret;\n}\n"),
            ".entry k {\n  .loc 1 2 3\n  .loc 1 5 6, function_name $L1+2, "
            "inlined_at 1 2 3\n  ret;\n}");
}

TEST(PTXPrinter, TargetsAndPrototypes) {
  roundTrip(inKernel("T: .branchtargets A, B;\n"
                     "P: .callprototype (.param .b32 _) _ (.param .b64 _, "
                     ".param .align 8 .b8 _[16]) .noreturn;\n"
                     "brx.idx %r1, T;\nA: ret;\nB: ret;"));
}

TEST(PTXPrinter, SignsDoNotMerge) {
  roundTrip(inKernel("mov.s32 %r1, - -1;\nmov.s32 %r1, 1- -1;\n"
                     "mov.s32 %r1, - + ~ -1;\nret;"));
}

/// Every PTX file of the suite prints to itself.
TEST(PTXPrinter, InputsRoundTrip) {
  unsigned NumFiles = 0;
  std::error_code EC;
  for (llvm::sys::fs::recursive_directory_iterator
           I(PTXPREDICT_TEST_INPUTS "/kernels", EC),
       End;
       I != End && !EC; I.increment(EC)) {
    if (llvm::sys::path::extension(I->path()) != ".ptx")
      continue;
    auto Buffer = llvm::MemoryBuffer::getFile(I->path());
    ASSERT_TRUE(!!Buffer) << I->path();
    SCOPED_TRACE(I->path());
    roundTrip((*Buffer)->getBuffer());
    ++NumFiles;
  }
  EXPECT_FALSE(EC) << EC.message();
  EXPECT_GE(NumFiles, 40u);
}

} // namespace
