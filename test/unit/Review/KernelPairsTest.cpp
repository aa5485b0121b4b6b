//===- KernelPairsTest.cpp ------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/KernelPairs.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

KernelRecord makeSized(StringRef Name, unsigned Size = 20, double FP32 = 8) {
  KernelRecord K;
  K.Name = K.Demangled = Name.str();
  K.Block = {256, 1, 1};
  K.NumStatic = Size;
  K.Mix["fp32"] = Estimate::known(FP32);
  K.Mix["int"] = Estimate::known(10);
  K.MemoryOpcodes["ld.global.f32"] = 2;
  return K;
}

void add(Build &B, StringRef Place, std::vector<KernelRecord> Kernels) {
  InputRecord &R = B.Inputs.emplace_back();
  R.Path = ("dir/" + Place).str();
  R.Kernels = std::move(Kernels);
  B.Places.push_back(Place.str());
}

/// "a=b name" of every pair, then "-a" and "+b".
std::string pairsOf(const Build &Base, const Build &Head) {
  KernelPairs P = pairKernels(Base, Head);
  std::string Text;
  for (const KernelPair &Pair : P.Pairs)
    Text += kernelAt(Base, Pair.Base).Name + "=" +
            kernelAt(Head, Pair.Head).Name + " " +
            toString(Pair.MatchedBy).str() + "\n";
  for (KernelRef R : P.Removed)
    Text += "-" + kernelAt(Base, R).Name + "\n";
  for (KernelRef R : P.Added)
    Text += "+" + kernelAt(Head, R).Name + "\n";
  return Text;
}

TEST(KernelPairs, GoesByFileAndName) {
  Build Base, Head;
  add(Base, "a.ptx", {makeSized("k"), makeSized("l")});
  add(Base, "b.ptx", {makeSized("k")});
  add(Head, "b.ptx", {makeSized("k", 90)});
  add(Head, "a.ptx", {makeSized("l", 70), makeSized("k", 80)});
  KernelPairs P = pairKernels(Base, Head);
  ASSERT_EQ(P.Pairs.size(), 3U);
  // In the order of the head, each from the file of the same place.
  EXPECT_EQ(P.Pairs[0].Base, (KernelRef{1, 0}));
  EXPECT_EQ(P.Pairs[1].Base, (KernelRef{0, 1}));
  EXPECT_EQ(P.Pairs[2].Base, (KernelRef{0, 0}));
  EXPECT_EQ(P.Pairs[2].MatchedBy, PairedBy::Place);
}

TEST(KernelPairs, FindsANameInAnotherFile) {
  Build Base, Head;
  add(Base, "a.ptx", {makeSized("k")});
  add(Head, "moved.ptx", {makeSized("k", 99)});
  EXPECT_EQ(pairsOf(Base, Head), "k=k name\n");
}

TEST(KernelPairs, LeavesANameOfTwoToItsContent) {
  Build Base, Head;
  add(Base, "a.ptx", {makeSized("k", 20)});
  add(Base, "b.ptx", {makeSized("k", 500, 400)});
  add(Head, "c.ptx", {makeSized("k", 500, 400)});
  KernelPairs P = pairKernels(Base, Head);
  ASSERT_EQ(P.Pairs.size(), 1U);
  EXPECT_EQ(P.Pairs[0].Base, (KernelRef{1, 0}));
  EXPECT_EQ(P.Pairs[0].MatchedBy, PairedBy::Content);
  EXPECT_EQ(P.Removed.size(), 1U);
}

TEST(KernelPairs, KnowsHashesOfFilesInNames) {
  Build Base, Head;
  add(Base, "a.ptx",
      {makeSized("_ZN37_GLOBAL__N__8c1f02ab_4_a_cu_9900aa111kE")});
  add(Head, "a.ptx",
      {makeSized("_ZN37_GLOBAL__N__77e0d3f1_4_a_cu_12ab34cd1kE", 90)});
  KernelPairs P = pairKernels(Base, Head);
  ASSERT_EQ(P.Pairs.size(), 1U);
  EXPECT_EQ(P.Pairs[0].MatchedBy, PairedBy::Place);
}

TEST(KernelPairs, PairsWhatIsLeftByContent) {
  Build Base, Head;
  add(Base, "a.ptx",
      {makeSized("kept"), makeSized("old", 40, 30), makeSized("gone", 900)});
  add(Head, "a.ptx",
      {makeSized("kept", 21), makeSized("fresh", 3), makeSized("new", 40, 30)});
  EXPECT_EQ(pairsOf(Base, Head),
            "kept=kept file\nold=new content\n-gone\n+fresh\n");
}

TEST(KernelPairs, GoesByNamesBeforeContent) {
  Build Base, Head;
  add(Base, "a.ptx", {makeSized("a", 40, 30), makeSized("b", 400, 300)});
  add(Head, "a.ptx", {makeSized("b", 40, 30), makeSized("a", 400, 300)});
  EXPECT_EQ(pairsOf(Base, Head), "b=b file\na=a file\n");
}

TEST(KernelPairs, TakesTheMostSimilarFirst) {
  Build Base, Head;
  add(Base, "a.ptx", {makeSized("far", 30, 14), makeSized("near", 29, 13)});
  add(Head, "a.ptx", {makeSized("other", 28, 12)});
  EXPECT_EQ(pairsOf(Base, Head), "near=other similarity\n-far\n");
}

TEST(KernelPairs, OfEquallySimilarOnesTheNameDecides) {
  Build Base, Head;
  KernelRecord Twin = makeSized("scale<int>(int*)", 30, 14);
  KernelRecord Other = makeSized("blend(float*)", 30, 14);
  add(Base, "a.ptx", {Other, Twin});
  add(Head, "a.ptx", {makeSized("scale<long>(long*)", 30, 14)});
  EXPECT_EQ(pairsOf(Base, Head),
            "scale<int>(int*)=scale<long>(long*) similarity\n-blend(float*)\n");
}

TEST(KernelPairs, LeavesWhatIsTooDifferent) {
  Build Base, Head;
  KernelRecord Atomic = makeSized("b", 25, 1);
  Atomic.MemoryOpcodes = {{"atom.global.add.u32", 1}};
  add(Base, "a.ptx", {makeSized("a")});
  add(Head, "a.ptx", {Atomic});
  EXPECT_LT(similarity(makeSized("a"), Atomic), LeastSimilarity);
  EXPECT_EQ(pairsOf(Base, Head), "-a\n+b\n");
}

TEST(KernelPairs, SimilarityIsOfAllThatIsCounted) {
  KernelRecord A = makeSized("a", 20, 8), B = makeSized("b", 20, 8);
  EXPECT_EQ(similarity(A, B), 1);
  EXPECT_EQ(similarity(KernelRecord(), KernelRecord()), 1);
  // Half the code; 14 of 18 executed; of 2 and 2 memory instructions none.
  B.NumStatic = 10;
  B.Mix["fp32"] = Estimate::known(4);
  B.MemoryOpcodes = {{"st.global.f32", 2}};
  EXPECT_NEAR(similarity(A, B), (0.5 + 14.0 / 18 + 0) / 3, 1e-12);
  EXPECT_EQ(similarity(A, B), similarity(B, A));
}

// Only neighbours in size are compared: the twin's size is far off.
TEST(KernelPairs, ComparesWithTheNextInSize) {
  Build Base, Head;
  std::vector<KernelRecord> Many;
  for (unsigned I = 0; I != 3 * MaxCandidates; ++I) {
    // What no kernel of the head has.
    KernelRecord K = makeSized("old" + std::to_string(I), 1000 + I, 1);
    K.MemoryOpcodes = {{"st.shared.f32", 500 + I}};
    Many.push_back(K);
  }
  Many.push_back(makeSized("twin", 1400, 9));
  add(Base, "a.ptx", Many);
  add(Head, "a.ptx", {makeSized("fresh", 1000, 8)});
  EXPECT_GT(similarity(Many.back(), Head.Inputs[0].Kernels[0]),
            LeastSimilarity);
  KernelPairs P = pairKernels(Base, Head);
  EXPECT_TRUE(P.Pairs.empty());
  EXPECT_EQ(P.Removed.size(), Many.size());
  EXPECT_EQ(P.Added.size(), 1U);
}

} // namespace
