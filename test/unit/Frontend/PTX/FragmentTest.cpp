//===- FragmentTest.cpp - Tests of PTX statements among other code --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Fragment.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace ptxpredict {
namespace {

using ptx::Fragment;
using ptx::FragmentNames;

/// A graph with two registers, %0 and %1, that fragments are put into.
struct Fragments {
  Module M;
  InstructionGraph G;
  FragmentNames Names;
  std::optional<GraphBuilder> B;
  std::vector<unsigned> Registers;
  ptx::FragmentLocation Location;

  Fragments() {
    G.Name = "f";
    G.Parent = &M;
    B.emplace(G);
    for (StringRef Name : {"%x", "%y"})
      Registers.push_back(B->addRegister(Name, ScalarType::B32));
    Names.Registers = {{"%0", ScalarType::B32}, {"%1", ScalarType::B32}};
    Location.Line = 7;
  }
  std::unique_ptr<Fragment> parse(StringRef Text) {
    Expected<std::unique_ptr<Fragment>> F = Fragment::parse(Text, Names, M);
    if (F)
      return std::move(*F);
    ADD_FAILURE() << llvm::toString(F.takeError());
    return nullptr;
  }
  std::string error(StringRef Text) {
    Expected<std::unique_ptr<Fragment>> F = Fragment::parse(Text, Names, M);
    return F ? std::string() : llvm::toString(F.takeError());
  }
  void lower(Fragment &F) { EXPECT_FALSE(F.lower(*B, Registers, Location)); }
  /// The mnemonics of a block, without the pseudo ones.
  std::string finish() {
    EXPECT_TRUE(B->finish());
    EXPECT_EQ(verify(G), "");
    std::string Out;
    llvm::raw_string_ostream OS(Out);
    for (const Block *Each : G.Blocks) {
      OS << '[' << Each->Label << ']';
      for (const Instruction *I : Each->Instructions)
        if (!I->isPseudo())
          OS << ' ' << I->Mnemonic;
      OS << '\n';
    }
    return Out;
  }
};

TEST(PTXFragment, RegistersStandForThoseOfTheGraph) {
  Fragments T;
  std::unique_ptr<Fragment> F =
      T.parse(".reg .b32 t;\nadd.u32 t, %1, 1;\nmul.lo.u32 %0, t, t;");
  ASSERT_TRUE(F);
  T.lower(*F);
  F.reset(); // the graph does not need it
  EXPECT_EQ(T.finish(), "[] add.u32 mul.lo.u32\n");
  const Instruction &Add = *T.G.Blocks[0]->Instructions[0];
  EXPECT_EQ(Add.Uses[0]->Name, "%y");
  EXPECT_EQ(Add.Defs[0]->Name, "t");
  EXPECT_EQ(Add.Line, 7u);
  EXPECT_EQ(T.G.Blocks[0]->Instructions[1]->Defs[0]->Name, "%x");
}

TEST(PTXFragment, EachLoweringHasItsOwnLabels) {
  Fragments T;
  std::unique_ptr<Fragment> F = T.parse("{ .reg .pred p;\n"
                                        "again: setp.eq.u32 p, %1, 0;\n"
                                        "@p bra again; }\n");
  ASSERT_TRUE(F);
  T.lower(*F);
  T.lower(*F);
  EXPECT_EQ(T.finish(), "[]\n[again] setp.eq.u32 bra\n"
                        "[again] setp.eq.u32 bra\n");
  for (unsigned N : {1, 2})
    EXPECT_EQ(T.G.Blocks[N]->Successors[0], T.G.Blocks[N]);
}

TEST(PTXFragment, MayNameVariablesAndFunctions) {
  Fragments T;
  Variable Tile;
  Tile.Name = "tile";
  Tile.Space = AddressSpace::Shared;
  Tile.Bytes = 64;
  InstructionGraph Callee;
  Callee.Name = "g";
  Callee.Parent = &T.M;
  Callee.Parameters.resize(1);
  Callee.Parameters[0].Bytes = 4;
  T.Names.Variables = {&Tile};
  T.Names.Functions = {&Callee};
  std::unique_ptr<Fragment> F =
      T.parse("ld.shared.b32 %0, [tile+4];\n{ .param .b32 a;\n"
              "st.param.b32 [a], %0;\ncall g, (a); }");
  ASSERT_TRUE(F);
  T.lower(*F);
  EXPECT_EQ(T.finish(), "[] ld.shared.b32 st.param.b32 call\n");
  ArrayRef<Instruction *> Is = T.G.Blocks[0]->Instructions;
  EXPECT_EQ(Is[0]->Operands[1].Elements[0].Var, &Tile);
  EXPECT_EQ(Is[2]->callee(), &Callee);
}

TEST(PTXFragment, ErrorsSayWhere) {
  Fragments T;
  EXPECT_EQ(T.error("mov.b32 %0, 1;\n mov.b32 %2, 1;"),
            "2:10: use of undeclared register '%2'");
  EXPECT_NE(T.error("{ mov.b32 %0, 1;"), "");
  EXPECT_NE(T.error("mov.b32 %0, 1; }"), "");
  EXPECT_NE(T.error("} } .func g() { {"), "");
  EXPECT_NE(T.error("} {"), "");
  EXPECT_NE(T.error("/* mov.b32 %0, 1;"), "");
  EXPECT_EQ(T.error("// nothing"), "");
}

} // namespace
} // namespace ptxpredict
