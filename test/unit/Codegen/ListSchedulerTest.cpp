//===- ListSchedulerTest.cpp - A block's code as an assembler orders it ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/ListScheduler.h"
#include "PTXKernel.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include <random>

using namespace ptxpredict;

namespace {

/// The only block of a kernel but its return.
struct OneBlock {
  PTXKernel K;
  MachineCode Code;
  std::vector<MachineOp> Ops;

  explicit OneBlock(StringRef Body)
      : K(Body), Code(K.graph(), ControlFlow(K.graph())),
        Ops(Code.blocks()[0].Ops) {
    if (Ops.back().Source->IsTerminator)
      Ops.pop_back();
  }

  std::vector<unsigned> order(unsigned Window = 64) const {
    const InstructionGraph &G = K.graph();
    return ListScheduler().order(
        Ops, std::vector<const Value *>(Ops.size()), Window,
        [&G](unsigned Id) { return G.Values[Id]->Register; });
  }
  /// The lines of the instructions, the body's first one being 0.
  std::vector<unsigned> lines(unsigned Window = 64) const {
    std::vector<unsigned> Lines;
    for (unsigned N : order(Window))
      Lines.push_back(Ops[N].Source->Line - Ops[0].Source->Line);
    return Lines;
  }
};

using Lines = std::vector<unsigned>;

} // namespace

TEST(ListSchedulerTest, LoadsComeBeforeWhatWaitsForThem) {
  const OneBlock B("ld.global.f32 %f1, [8];\n"
                   "st.shared.f32 [8], %f1;\n"
                   "ld.global.f32 %f2, [16];\n"
                   "st.shared.f32 [12], %f2;\n"
                   "ld.global.f32 %f3, [24];\n"
                   "st.shared.f32 [16], %f3;");
  EXPECT_EQ(B.lines(), Lines({0, 2, 4, 1, 3, 5}));
  // Within the window alone.
  EXPECT_EQ(B.lines(2), Lines({0, 2, 1, 4, 3, 5}));
  EXPECT_EQ(B.lines(0), Lines({0, 1, 2, 3, 4, 5}));
}

TEST(ListSchedulerTest, ChainsTakeTurns) {
  const OneBlock B("ld.global.u32 %r1, [8];\nld.global.u32 %r2, [12];\n"
                   "xor.b32 %r3, %r1, 7;\nshr.u32 %r4, %r3, %r1;\n"
                   "xor.b32 %r5, %r2, 7;\nshr.u32 %r6, %r5, %r2;\n"
                   "st.global.u32 [8], %r4;\nst.global.u32 [12], %r6;");
  EXPECT_EQ(B.lines(), Lines({0, 1, 2, 4, 3, 5, 6, 7}));
}

TEST(ListSchedulerTest, MemoryStaysInOrder) {
  // A store of the same memory, or of any, keeps a load below it.
  const OneBlock B("ld.global.f32 %f1, [8];\n"
                   "st.global.f32 [12], %f1;\n"
                   "ld.global.f32 %f2, [16];\n"
                   "st.global.f32 [20], %f2;");
  EXPECT_EQ(B.lines(), Lines({0, 1, 2, 3}));
  const OneBlock Any("ld.global.f32 %f1, [8];\n"
                     "st.f32 [%rd1], %f1;\n"
                     "ld.shared.f32 %f2, [16];\n"
                     "st.shared.f32 [20], %f2;");
  EXPECT_EQ(Any.lines(), Lines({0, 1, 2, 3}));
  // So does a barrier; constant memory is always the same.
  const OneBlock Barrier("ld.global.f32 %f1, [8];\n"
                         "st.shared.f32 [12], %f1;\n"
                         "bar.sync 0;\n"
                         "ld.global.f32 %f2, [16];\n"
                         "ld.global.nc.f32 %f3, [20];\n"
                         "add.f32 %f4, %f2, %f3;\n"
                         "st.shared.f32 [20], %f4;");
  EXPECT_EQ(Barrier.lines(), Lines({0, 1, 2, 3, 4, 5, 6}));
}

TEST(ListSchedulerTest, PredicatesAreOperands) {
  const OneBlock B("ld.global.u32 %r1, [8];\n"
                   "setp.lt.u32 %p1, %r1, 7;\n"
                   "@%p1 ld.global.u32 %r2, [12];\n"
                   "setp.lt.u32 %p1, %r1, 9;\n"
                   "@%p1 ld.global.u32 %r3, [16];\n"
                   "st.global.u32 [20], %r2;\nst.global.u32 [24], %r3;");
  // The second comparison overwrites what the first load reads.
  EXPECT_EQ(B.lines(), Lines({0, 1, 2, 3, 4, 5, 6}));
}

// What writes stays before what reads, and nothing comes before what is more
// than the window behind it.
TEST(ListSchedulerTest, AnyOrderKeepsDependences) {
  std::mt19937 Random(25);
  auto Below = [&Random](unsigned N) { return unsigned(Random() % N); };
  for (unsigned Times = 0; Times != 200; ++Times) {
    std::string Body;
    const unsigned Num = 2 + Below(60);
    for (unsigned N = 0; N != Num; ++N) {
      auto R = [&] { return "%r" + std::to_string(1 + Below(12)); };
      auto At = [&] { return "[" + std::to_string(4 * Below(64)) + "]"; };
      switch (Below(6)) {
      case 0:
        Body += "ld.global.u32 " + R() + ", " + At() + ";\n";
        break;
      case 1:
        Body += "st.shared.u32 " + At() + ", " + R() + ";\n";
        break;
      case 2:
        Body += "st.global.u32 " + At() + ", " + R() + ";\n";
        break;
      case 3:
        Body += "ld.shared.u32 " + R() + ", " + At() + ";\n";
        break;
      default:
        Body += "xor.b32 " + R() + ", " + R() + ", " + R() + ";\n";
        break;
      }
    }
    // All that is computed is used.
    for (unsigned N = 1; N != 13; ++N)
      Body += "st.local.u32 [" + std::to_string(4 * N) + "], %r" +
              std::to_string(N) + ";\n";
    const OneBlock B(Body);
    const unsigned Window = Below(20);
    const std::vector<unsigned> Order = B.order(Window);
    ASSERT_EQ(Order.size(), B.Ops.size());
    std::vector<unsigned> Place(Order.size(), ~0U);
    for (unsigned P = 0; P != Order.size(); ++P) {
      ASSERT_LT(Order[P], Place.size());
      ASSERT_EQ(Place[Order[P]], ~0U);
      Place[Order[P]] = P;
    }
    unsigned Oldest = 0;
    for (unsigned P = 0; P != Order.size(); ++P) {
      while (Place[Oldest] < P)
        ++Oldest;
      EXPECT_LE(Order[P], Oldest + Window);
    }
    auto Orders = [&B](const MachineOp &A, const MachineOp &C) {
      using KindTy = MachineOp::KindTy;
      const bool Stores = A.Kind == KindTy::Store || C.Kind == KindTy::Store;
      const bool AreOfMemory = A.Kind != KindTy::Pure && C.Kind != KindTy::Pure;
      if (AreOfMemory && Stores && A.Space == C.Space)
        return true;
      const auto &Values = B.K.graph().Values;
      auto Share = [&](ArrayRef<unsigned> X, ArrayRef<unsigned> Y) {
        return llvm::any_of(X, [&](unsigned V) {
          return llvm::any_of(Y, [&](unsigned W) {
            return Values[V]->Register == Values[W]->Register;
          });
        });
      };
      return Share(A.Defs, C.Uses) || Share(A.Defs, C.Defs) ||
             Share(A.Uses, C.Defs);
    };
    for (unsigned C = 0; C != B.Ops.size(); ++C)
      for (unsigned A = 0; A != C; ++A)
        if (Orders(B.Ops[A], B.Ops[C])) {
          EXPECT_LT(Place[A], Place[C]) << Body;
        }
  }
}
