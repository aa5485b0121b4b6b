//===- LocalArraysTest.cpp - Which arrays lie in registers ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/LocalArrays.h"
#include "PTXKernel.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ptxpredict;
using llvm::formatv;

namespace {

/// A loop around one that goes through an array of so many places: its body
/// adds to one element of each of them, and has so many more instructions.
struct Loops {
  bool Loads = true, Stores = true;
  unsigned Words = 1; ///< of an element's place, accessed together
  unsigned More = 0, MoreOutside = 0;

  std::string body(unsigned Places) const {
    static constexpr StringRef Vectors[] = {"", "", ".v2", "", ".v4"};
    StringRef Vector = Vectors[Words];
    std::string Regs = "%f10";
    for (unsigned W = 1; W < Words; ++W)
      Regs += formatv(", %f{0}", 10 + W).str();
    if (Words > 1)
      Regs = "{" + Regs + "}";
    std::string Text =
        formatv(".local .align 16 .b8 array[{0}];\n", Places * Words * 4).str();
    Text += "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
            "mov.u64 %rd2, array;\nmov.f32 %f1, 0f00000000;\n";
    for (unsigned N = 0; N + 1 < Places * Words; N += 2)
      Text += formatv("st.local.v2.f32 [%rd2+{0}], {{%f1, %f1};\n", 4 * N);
    Text += "mov.u32 %r2, 0;\nouter:\nmul.wide.u32 %rd3, %r2, 4;\n"
            "add.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f3, [%rd4];\n"
            "mov.u64 %rd5, %rd2;\nmov.u32 %r3, 0;\n";
    for (unsigned N = 0; N != MoreOutside; ++N)
      Text += "fma.rn.f32 %f3, %f3, %f3, %f3;\n";
    Text += "inner:\n";
    for (unsigned N = 0; N != More; ++N)
      Text += "fma.rn.f32 %f3, %f3, %f3, %f3;\n";
    if (Loads)
      Text += formatv("ld.local{0}.f32 {1}, [%rd5];\n", Vector, Regs);
    for (unsigned W = 0; W != Words; ++W)
      Text += formatv("fma.rn.f32 %f{0}, %f3, %f3, %f3;\n"
                      "add.f32 %f3, %f3, %f{0};\n",
                      10 + W);
    if (Stores)
      Text += formatv("st.local{0}.f32 [%rd5], {1};\n", Vector, Regs);
    Text += formatv("add.s64 %rd5, %rd5, {0};\nadd.s32 %r3, %r3, 1;\n"
                    "setp.ne.s32 %p1, %r3, {1};\n@%p1 bra inner;\n",
                    4 * Words, Places);
    Text += "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, %r1;\n"
            "@%p2 bra outer;\nst.global.f32 [%rd1], %f3;\n";
    return Text;
  }

  /// The most places with which the array lies in registers.
  unsigned most() const {
    unsigned Most = 0;
    for (unsigned Places = 2; Places != 24; ++Places) {
      PTXKernel K(body(Places));
      if (LocalArrays(K.graph(), ControlFlow(K.graph())).indexedBytes() != 0)
        Most = Places;
    }
    return Most;
  }
};

Loops loops(bool Loads, bool Stores, unsigned Words, unsigned More,
            unsigned MoreOutside = 0) {
  Loops L;
  L.Loads = Loads;
  L.Stores = Stores;
  L.Words = Words;
  L.More = More;
  L.MoreOutside = MoreOutside;
  return L;
}

// What ptxas 13.0 does with such loops for sm_75 and sm_86, and 12.9 for sm_60.
TEST(LocalArraysTest, AsManyPlacesAsTheAssemblerTakes) {
  struct {
    Loops L;
    unsigned Most;
  } const Cases[] = {
      {loops(true, true, 1, 0), 4},        {loops(true, true, 1, 4), 6},
      {loops(true, true, 1, 8), 8},        {loops(true, true, 1, 16), 12},
      {loops(true, false, 1, 0), 8},       {loops(true, false, 1, 4), 12},
      {loops(true, false, 1, 8), 16},      {loops(false, true, 1, 0), 8},
      {loops(false, true, 1, 4), 12},      {loops(true, true, 2, 0), 5},
      {loops(true, true, 2, 4), 7},        {loops(true, true, 2, 8), 9},
      {loops(true, true, 4, 0), 7},        {loops(true, true, 4, 8), 11},
      {loops(true, false, 4, 0), 14},      {loops(true, true, 1, 0, 32), 5},
      {loops(true, true, 1, 0, 64), 6},    {loops(true, true, 1, 0, 128), 8},
      {loops(true, false, 1, 0, 128), 16},
  };
  for (const auto &C : Cases) {
    SCOPED_TRACE(C.L.body(8));
    EXPECT_NEAR(C.L.most(), C.Most, 1);
  }
}

TEST(LocalArraysTest, MovesAndComparisons) {
  PTXKernel K(loops(true, true, 2, 16).body(9));
  LocalArrays A(K.graph(), ControlFlow(K.graph()));
  EXPECT_EQ(A.indexedBytes(), 72u);
  EXPECT_EQ(A.candidates(), 9u);
  LocalAccess Load = A.inRegisters().lookup(&K.instruction("ld.local.v2.f32"));
  EXPECT_EQ(Load.Moves, 18u);
  EXPECT_EQ(Load.Compares, 9u);
  // Seven predicates are kept, two comparisons made again.
  unsigned Nth = 9; // behind those of the first contents
  LocalAccess Store =
      A.inRegisters().lookup(&K.instruction("st.local.v2.f32", Nth));
  EXPECT_EQ(Store.Moves, 18u);
  EXPECT_EQ(Store.Compares, 2u);
  LocalAccess First = A.inRegisters().lookup(&K.instruction("st.local.v2.f32"));
  EXPECT_EQ(First.Moves, 0u);
}

// An index may lead into the other array: twice as many places.
TEST(LocalArraysTest, ArraysSideBySide) {
  auto With = [](StringRef Second) {
    PTXKernel K(Second.str() + loops(true, true, 1, 8).body(6));
    return LocalArrays(K.graph(), ControlFlow(K.graph())).candidates();
  };
  EXPECT_EQ(With(""), 6u);
  EXPECT_EQ(With(".local .align 16 .b8 other[24];\n"), 0u);
}

} // namespace
