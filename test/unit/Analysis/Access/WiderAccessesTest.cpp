//===- WiderAccessesTest.cpp - Accesses of a lane that could be one -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Access/WiderAccesses.h"
#include "PTXKernel.h"
#include <random>
#include <set>

using namespace ptxpredict;

namespace {

/// An access of the generated code, by the byte that it begins with.
struct MadeAccess {
  bool IsStore;
  unsigned First, Bytes;
  bool overlaps(const MadeAccess &B) const {
    return First < B.First + B.Bytes && B.First < First + Bytes;
  }
};

/// A kernel of these accesses, one a line, all of one aligned array.
struct MadeKernel {
  explicit MadeKernel(ArrayRef<MadeAccess> Made)
      : K(textOf(Made)), CF(K.graph()), E(K.Launch),
        V(K.graph(), CF, K.Launch, E), Found(findWiderAccesses(V, K.Launch)) {
    K.graph().forEachInstruction([&](const Instruction &I) {
      if (!I.Effects.empty() && I.Effects[0].Space == AddressSpace::Global)
        NumberOf[&I] = unsigned(NumberOf.size());
    });
  }

  static std::string textOf(ArrayRef<MadeAccess> Made) {
    std::string Text =
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %rd2, %r1, 64;\nadd.s64 %rd3, %rd1, %rd2;\n";
    for (const MadeAccess &A : Made) {
      const std::string Place = "[%rd3+" + std::to_string(A.First) + "]";
      const std::string Register = A.Bytes == 8   ? "%rd9"
                                   : A.Bytes == 4 ? "%r9"
                                                  : "%rs5";
      Text += A.IsStore ? "st.global.u" : "ld.global.u";
      Text += std::to_string(8 * A.Bytes) + " ";
      Text += A.IsStore ? Place : Register;
      Text += ", ";
      Text += A.IsStore ? Register : Place;
      Text += ";\n";
    }
    return Text;
  }

  PTXKernel K;
  ControlFlow CF;
  Expressions E;
  SymbolicValues V;
  std::vector<WiderAccess> Found;
  std::map<const Instruction *, unsigned> NumberOf; ///< in the list
};

std::vector<MadeAccess> randomAccesses(std::mt19937 &Random, bool HasStores) {
  std::vector<MadeAccess> Made;
  for (unsigned N = 2 + Random() % 14; N-- != 0;) {
    const unsigned Bytes = 1U << Random() % 4;
    const unsigned Place = unsigned(Random() % (32 / Bytes));
    Made.push_back({HasStores && Random() % 3 == 0, Place * Bytes, Bytes});
  }
  return Made;
}

TEST(WiderAccessesTest, ChangesNothingOfWhatIsReadAndWritten) {
  unsigned NumLoads = 0, NumStores = 0;
  for (unsigned Seed = 0; Seed != 1500; ++Seed) {
    std::mt19937 Random(Seed);
    const std::vector<MadeAccess> Made = randomAccesses(Random, Seed % 4 != 0);
    MadeKernel K(Made);
    std::set<unsigned> Taken;
    for (const WiderAccess &W : K.Found) {
      std::vector<unsigned> Numbers;
      unsigned At = Made[K.NumberOf[W.Members.front()]].First;
      EXPECT_EQ(At % W.Bytes, 0u);
      const unsigned End = At + W.Bytes;
      for (const Instruction *I : W.Members) {
        const unsigned N = K.NumberOf[I];
        EXPECT_TRUE(Taken.insert(N).second);
        EXPECT_EQ(Made[N].First, At);
        At += Made[N].Bytes;
        Numbers.push_back(N);
      }
      EXPECT_EQ(At, End);
      EXPECT_GE(Numbers.size(), 2u);
      const auto [Begin, Last] =
          std::minmax_element(Numbers.begin(), Numbers.end());
      const bool AreStores = Made[*Begin].IsStore;
      (AreStores ? NumStores : NumLoads) += 1;
      // Loads move up to the first, stores down to the last.
      for (unsigned N : Numbers) {
        EXPECT_EQ(Made[N].IsStore, AreStores);
        for (unsigned Other = AreStores ? N + 1 : *Begin;
             Other < (AreStores ? *Last : N); ++Other)
          if ((AreStores || Made[Other].IsStore) &&
              Made[Other].overlaps(Made[N]))
            ADD_FAILURE() << "seed " << Seed << ": access " << N
                          << " moves over " << Other << "\n"
                          << MadeKernel::textOf(Made);
      }
    }
  }
  EXPECT_GT(NumLoads, 100u);
  EXPECT_GT(NumStores, 20u);
}

TEST(WiderAccessesTest, FindsWhatLoadsFill) {
  unsigned NumFull = 0;
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    std::mt19937 Random(Seed);
    std::vector<MadeAccess> Made;
    for (unsigned N = 0; N != 10; ++N)
      Made.push_back({false, unsigned(4 * (Random() % 8)), 4});
    std::set<unsigned> Full; // pieces of 16 bytes
    for (unsigned Piece : {0U, 16U})
      if (llvm::all_of(ArrayRef({0U, 4U, 8U, 12U}), [&](unsigned Offset) {
            return llvm::any_of(Made, [&](const MadeAccess &A) {
              return A.First == Piece + Offset;
            });
          }))
        Full.insert(Piece);
    MadeKernel K(Made);
    std::set<unsigned> Found;
    for (const WiderAccess &W : K.Found)
      if (W.Bytes == 16)
        Found.insert(Made[K.NumberOf[W.Members.front()]].First);
    EXPECT_EQ(Found, Full) << MadeKernel::textOf(Made);
    NumFull += unsigned(Full.size());
  }
  EXPECT_GT(NumFull, 50u);
}

/// How many are found of two floats side by side, in %rd2 behind the pointer.
size_t foundAtRows(StringRef Address, const std::map<unsigned, int64_t> &Args) {
  PTXKernel K(("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
               "mov.u32 %r2, %ctaid.x;\n" +
               Address +
               "\nadd.s64 %rd3, %rd1, %rd2;\n"
               "ld.global.f32 %f1, [%rd3];\nld.global.f32 %f2, [%rd3+4];\n")
                  .str(),
              {64, 1, 1}, Args);
  ControlFlow CF(K.graph());
  Expressions E(K.Launch);
  SymbolicValues V(K.graph(), CF, K.Launch, E);
  return findWiderAccesses(V, K.Launch).size();
}

TEST(WiderAccessesTest, KnowsAlignmentFromTheLaunch) {
  const StringRef Row = "mul.lo.s32 %r3, %r1, %r2;\nmul.wide.s32 %rd2, %r3, 4;";
  EXPECT_EQ(foundAtRows(Row, {}), 0u);
  EXPECT_EQ(foundAtRows(Row, {{1, 16}}), 1u);
  EXPECT_EQ(foundAtRows(Row, {{1, 15}}), 0u);
  EXPECT_EQ(foundAtRows("mul.wide.u32 %rd2, %r2, 8;", {}), 1u);
  EXPECT_EQ(foundAtRows("mul.wide.u32 %rd2, %r2, 12;", {}), 0u);
}

} // namespace
