//===- BulkTest.cpp - Bulk copies and asynchronous stores -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::HasSubstr;

namespace {

constexpr StringRef Shared = ".shared .align 128 .b8 tile[1024];\n"
                             ".shared .align 8 .b64 bar;\n";

/// One thread copies 1024 bytes in, all wait for them, and one copies out.
std::string roundTrip(StringRef Size) {
  return ("mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p0, %r0, 0;\n"
          "mov.u32 %r1, tile;\nmov.u32 %r2, bar;\n"
          "@%p0 bra Ready;\nmbarrier.init.shared.b64 [%r2], 1;\n"
          "mbarrier.arrive.expect_tx.shared.b64 %rd9, [%r2], " +
          Size +
          ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
          "bytes [%r1], [%rd0], " +
          Size +
          ", [%r2];\nReady: bar.sync 0;\n"
          "Wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n"
          "@!%p1 bra Wait;\nmul.lo.u32 %r3, %r0, 16;\nadd.u32 %r3, %r3, %r1;\n"
          "ld.shared.u32 %r4, [%r3];\nadd.u32 %r4, %r4, 1;\n"
          "st.shared.u32 [%r3], %r4;\nfence.proxy.async.shared::cta;\n"
          "bar.sync 0;\n@%p0 ret;\n"
          "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], " +
          Size +
          ";\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;")
      .str();
}

TEST(EmulatorBulk, CopiesInAndOut) {
  EmulatedText T(EmulatedText::kernel(roundTrip("1024"), 2, Shared));
  T.Launch.Block = {64, 1, 1};
  T.Options.Check = true;
  std::vector<uint32_t> In(256);
  std::iota(In.begin(), In.end(), 0u);
  T.buffer<uint32_t>(In).buffer(1024).run();
  EXPECT_TRUE(T.Result.Problems.empty());
  std::vector<uint32_t> Out = T.contents<uint32_t>(1);
  for (unsigned N = 0; N != 256; ++N)
    EXPECT_EQ(Out[N], N + (N % 4 == 0));
  const KernelProfile &P = T.Result.Profile;
  EXPECT_EQ(P.GridReadBytes, 1024u);
  EXPECT_EQ(P.GridWrittenBytes, 1024u);
  const InstructionProfile &I =
      T.at("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
  ASSERT_TRUE(I.Memory);
  EXPECT_EQ(I.Memory->Requests, 1u);
  EXPECT_EQ(I.Memory->Sectors, 32u);
}

TEST(EmulatorBulk, WrongCopiesAreSaid) {
  for (auto [Size, Message] :
       {std::pair<StringRef, StringRef>("24", "multiple of 16"),
        {"2048", "not all are there"}}) {
    EmulatedText T(EmulatedText::kernel(roundTrip(Size), 2, Shared));
    EXPECT_EQ(T.buffer(1024).buffer(1024).start(), "");
    EXPECT_THAT(T.fault(), HasSubstr(Message.str()));
  }
}

TEST(EmulatorBulk, StoresAreSignalled) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, tile;\nmov.u32 %r2, bar;\n"
      "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra Ready;\n"
      "mbarrier.init.shared.b64 [%r2], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %rd9, [%r2], 256;\n"
      "Ready: bar.warp.sync -1;\nmul.lo.u32 %r3, %r0, 8;\n"
      "add.u32 %r4, %r3, %r1;\nst.async.shared::cluster.mbarrier::complete_tx"
      "::bytes.v2.b32 [%r4], {%r0, %r3}, [%r2];\n"
      "Wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n"
      "@!%p1 bra Wait;\nld.shared.v2.u32 {%r5, %r6}, [%r4];\n"
      "add.u32 %r5, %r5, %r6;\nmul.wide.u32 %rd5, %r0, 4;\n"
      "add.s64 %rd5, %rd5, %rd0;\nst.global.u32 [%rd5], %r5;\nret;",
      1, Shared));
  T.buffer(128).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(Out[L], 9 * L);
}

} // namespace
