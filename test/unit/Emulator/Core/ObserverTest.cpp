//===- ObserverTest.cpp - What the observer of a run sees -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include <map>

using namespace ptxpredict;
using emulator::EmulatedText;

namespace {

struct Counter : EmulationObserver {
  std::map<const Instruction *, uint64_t> Executions, Lanes, Requests;
  std::vector<uint64_t> Blocks; ///< in the order in which they ran
  std::vector<std::pair<AddressSpace, WarpAccess>> Accesses;
  const Instruction *Last = nullptr;

  void onInstruction(uint64_t Block, unsigned Warp, const Instruction &I,
                     uint32_t Active) override {
    EXPECT_LT(Warp, 2u);
    ++Executions[&I];
    Lanes[&I] += unsigned(llvm::popcount(Active));
    if (Blocks.empty() || Blocks.back() != Block)
      Blocks.push_back(Block);
    Last = &I;
  }
  void onRequest(uint64_t, unsigned, const Instruction &I, AddressSpace Space,
                 const WarpAccess &A) override {
    EXPECT_EQ(&I, Last);
    ++Requests[&I];
    Accesses.emplace_back(Space, A);
  }
};

} // namespace

TEST(ObserverTest, SeesWhatTheProfileCounts) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 40;\n"
      "@!%p0 bra DONE;\nmul.wide.u32 %rd4, %r0, 4;\n"
      "add.u64 %rd5, %rd0, %rd4;\nld.global.u32 %r1, [%rd5];\n"
      "mov.u32 %r3, s;\nadd.u32 %r3, %r3, %r0;\n"
      "st.shared.u8 [%r3], %r1;\nLOOP:\nadd.u32 %r0, %r0, 16;\n"
      "setp.lt.u32 %p1, %r0, 64;\n@%p1 bra LOOP;\n"
      "@%p0 st.global.u32 [%rd5], %r0;\nDONE:\nret;",
      1, ".shared .align 4 .b8 s[64];"));
  Counter Seen;
  T.Options.Observer = &Seen;
  T.Options.Jobs = 4;
  T.Launch.Block = {64, 1, 1};
  T.Launch.Grid = {3, 1, 1};
  T.buffer(256).run();

  EXPECT_EQ(Seen.Blocks, (std::vector<uint64_t>{0, 1, 2}));
  uint64_t Executions = 0, Requests = 0;
  for (const auto &[I, N] : Seen.Executions) {
    const InstructionProfile *P = nullptr;
    for (const InstructionProfile &Of : T.Result.Profile.Instructions)
      if (Of.Id == I->Id)
        P = &Of;
    ASSERT_TRUE(P);
    EXPECT_EQ(N, P->Executions) << P->Opcode;
    EXPECT_EQ(Seen.Lanes[I], P->Lanes) << P->Opcode;
    EXPECT_EQ(Seen.Requests[I], P->Memory ? P->Memory->Requests : 0);
    Executions += N;
    Requests += Seen.Requests[I];
  }
  uint64_t Counted = 0;
  for (const InstructionProfile &P : T.Result.Profile.Instructions)
    Counted += P.Executions;
  EXPECT_EQ(Executions, Counted);
  EXPECT_EQ(Requests,
            18u); // a load and two stores of two warps of three blocks
  ASSERT_EQ(Seen.Accesses.size(), 18u);
  EXPECT_EQ(Seen.Accesses[0].first, AddressSpace::Global);
  EXPECT_EQ(Seen.Accesses[1].first, AddressSpace::Shared);
  EXPECT_EQ(Seen.Accesses[3].second.Active, 0xffu); // threads 32 to 39
  EXPECT_EQ(Seen.Accesses[3].second.Address[1],
            Seen.Accesses[0].second.Address[0] + 33 * 4);
}
