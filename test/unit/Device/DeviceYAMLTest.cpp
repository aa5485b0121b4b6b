//===- DeviceYAMLTest.cpp - Tests of device files -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Device.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

struct Parsed {
  std::unique_ptr<Device> D;
  std::string Printed;
};

Parsed parse(StringRef Text, ArrayRef<const Device *> Known = {}) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "d.yaml"));
  Parsed P;
  P.D = parseDevice(Diags, Known);
  EXPECT_EQ(P.D == nullptr, Diags.hasErrors());
  llvm::raw_string_ostream OS(P.Printed);
  Diags.print(OS, /*Colors=*/false);
  return P;
}

/// A file that is whole through its base but for \p Rest.
std::string derived(StringRef Rest) {
  return ("name: mine\ninherits: h100-sxm\n" + Rest).str();
}

TEST(DeviceYAML, ReadsNumbersWithAndWithoutASourceOfTheirOwn) {
  Parsed P = parse(derived("clocks:\n  source: mine\n  base: 1000\n"
                           "  boost: {value: 2k, unit: MHz, source: theirs}\n"
                           "  memory: {value: 1500}\n"));
  ASSERT_TRUE(P.D) << P.Printed;
  EXPECT_EQ(*P.D->BaseMHz, 1000);
  EXPECT_EQ(P.D->BaseMHz.Source, "mine");
  EXPECT_EQ(*P.D->BoostMHz, 2000);
  EXPECT_EQ(P.D->BoostMHz.Source, "theirs");
  EXPECT_EQ(*P.D->MemoryMHz, 1500);
  EXPECT_EQ(P.D->MemoryMHz.Source, "mine");
  EXPECT_EQ(*P.D->NumSMs, 132);
  EXPECT_EQ(P.D->ComputeCapability, 90u);
  EXPECT_EQ(P.D->AccessRule, "sector");
  EXPECT_EQ(P.D->Inherits, "h100-sxm");
}

TEST(DeviceYAML, ReadsModelParametersAndInheritsTheRest) {
  Parsed P = parse("name: mine\ninherits: gtx-280\nmodels:\n  mwp-cwp:\n"
                   "    source: mine\n"
                   "    mem_ld: {value: 500, unit: cycles}\n"
                   "    issue_cycles: 2.5\n");
  ASSERT_TRUE(P.D) << P.Printed;
  const Quantity *Own = P.D->modelParameter("mwp-cwp", "mem_ld");
  ASSERT_TRUE(Own);
  EXPECT_EQ(**Own, 500);
  EXPECT_EQ(Own->Unit, "cycles");
  const Quantity *Inherited =
      P.D->modelParameter("mwp-cwp", "departure_del_uncoal");
  ASSERT_TRUE(Inherited);
  EXPECT_EQ(**Inherited, 40);
  const Quantity *WithoutUnit = P.D->modelParameter("mwp-cwp", "issue_cycles");
  ASSERT_TRUE(WithoutUnit);
  EXPECT_EQ(WithoutUnit->Source, "mine");
  EXPECT_EQ(WithoutUnit->Unit, "cycles");
  EXPECT_FALSE(P.D->modelParameter("mwp-cwp", "none"));
  EXPECT_FALSE(P.D->modelParameter("none", "mem_ld"));
}

TEST(DeviceYAML, PointsAtEveryNumberThatIsWrong) {
  Parsed P = parse(derived("clocks:\n"
                           "  base: 1000\n"
                           "  boost: {value: fast, source: mine}\n"
                           "  memory: {value: 1, unit: GHz, source: mine}\n"
                           "pipes:\n"
                           "  source: mine\n"
                           "  fp32: -4\n"
                           "  sfu: {unit: lanes/cycle}\n"
                           "limits: {sms: {value: 1.5, source: mine}}\n"));
  EXPECT_EQ(P.Printed,
            "d.yaml:4:9: error: 'base' has no source; write {value: …, source: "
            "\"…\"}, or source: once for the section\n"
            "  base: 1000\n"
            "        ^\n"
            "d.yaml:5:18: error: 'boost' must be a number, not 'fast'\n"
            "  boost: {value: fast, source: mine}\n"
            "                 ^\n"
            "d.yaml:6:28: error: 'memory' is in MHz, not GHz\n"
            "  memory: {value: 1, unit: GHz, source: mine}\n"
            "                           ^\n"
            "d.yaml:10:8: error: 'sfu' lacks the key 'value'\n"
            "  sfu: {unit: lanes/cycle}\n"
            "       ^\n"
            "d.yaml:9:9: error: 'fp32' must lie between 0.01 and 100000 "
            "lanes/cycle\n"
            "  fp32: -4\n"
            "        ^\n"
            "d.yaml:11:23: error: 'sms' must be a whole number\n"
            "limits: {sms: {value: 1.5, source: mine}}\n"
            "                      ^\n");
}

/// The first line of what reading \p Text reports.
std::string firstError(StringRef Text) {
  return StringRef(parse(Text).Printed).split('\n').first.str();
}

TEST(DeviceYAML, NamesTheNearestKeyOfTheMappingAtHand) {
  EXPECT_EQ(firstError(derived("clock: {}\n")),
            "d.yaml:3:1: error: unknown key 'clock'; did you mean 'clocks'?");
  EXPECT_EQ(firstError(derived("clocks:\n  bost: 1\n")),
            "d.yaml:4:3: error: unknown key 'bost'; did you mean 'boost'?");
  EXPECT_EQ(firstError(derived("clocks:\n  boost: {valu: 1, source: a}\n")),
            "d.yaml:4:11: error: unknown key 'valu'; did you mean 'value'?");
  EXPECT_EQ(firstError(derived("pipes:\n  dram: 1\n")),
            "d.yaml:4:3: error: unknown key 'dram'; known are source, "
            "schedulers, fp32, int, fp64, fp16, sfu, convert, load_store, "
            "int_multiply, texture, tensor_f16, tensor_f16_f16, tensor_tf32, "
            "tensor_f64, tensor_int8, tensor_int4, tensor_b1, tensor_fp8, "
            "tensor_fp8_f16, tensor_mxfp8, tensor_fp6, tensor_fp4, "
            "tensor_mma_f16, tensor_mma_fp8, tensor_sparse, tensor_rows");
}

TEST(DeviceYAML, RefusesWhatIsNoDeviceFile) {
  EXPECT_EQ(firstError(""), "d.yaml:1:1: error: the file is empty");
  EXPECT_EQ(firstError("[1, 2]\n"),
            "d.yaml:1:1: error: a device must be a mapping");
  EXPECT_EQ(firstError("name: [a]\n"),
            "d.yaml:1:7: error: name must be a plain value");
  EXPECT_EQ(firstError("inherits: t4\n"),
            "d.yaml:1:1: error: a device lacks the key 'name'");
  EXPECT_EQ(firstError(derived("clocks: 5\n")),
            "d.yaml:3:9: error: clocks must be a mapping");
  EXPECT_THAT(
      firstError(derived("clocks:\n  boost:\n  base: 1\n")),
      HasSubstr("4:3: error: 'boost' has no value; it takes a number or"));
  EXPECT_THAT(firstError(derived("clocks:\n  boost: [1]\n")),
              HasSubstr("4:10: error: 'boost' must be a number or"));
  EXPECT_THAT(firstError(derived("models: {mwp-cwp: 3}\n")),
              HasSubstr("3:19: error: mwp-cwp must be a mapping"));
  EXPECT_THAT(firstError(derived("models: {mwp-cwp: {mem_ld: 3}}\n")),
              HasSubstr("3:28: error: 'mem_ld' has no source"));
  EXPECT_THAT(firstError(derived("clocks: {}\nclocks: {}\n")),
              HasSubstr("4:1: error: duplicate key 'clocks'"));
  EXPECT_EQ(firstError("name: a\n---\nname: b\n"),
            "d.yaml:3:1: error: a second YAML document");
  // Brackets in quotes and comments close nothing.
  for (StringRef Opening :
       {"[", "- ", "? - ", "[\"]\", ", "['}', ", "[ #]\n", "[{a: "}) {
    std::string Text;
    for (unsigned I = 0; I != 100000; ++I)
      Text += Opening;
    EXPECT_THAT(parse(Text).Printed, HasSubstr("nested too deeply"));
  }
}

TEST(DeviceYAML, ChecksTheHead) {
  EXPECT_EQ(firstError("name: a/b\ninherits: t4\n"),
            "d.yaml:1:7: error: a device's name consists of letters, digits, "
            "'-', '_' and '.'");
  EXPECT_EQ(firstError("name: all\ninherits: t4\n"),
            "d.yaml:1:7: error: 'all' stands for every device");
  for (StringRef CC : {"9", "9.x", "sm_90", "9.10", "0.1", "'9.'"})
    EXPECT_EQ(firstError(derived(("compute_capability: " + CC + "\n").str())),
              "d.yaml:3:21: error: compute_capability is written "
              "MAJOR.MINOR, such as 9.0")
        << CC.str();
  EXPECT_EQ(parse(derived("compute_capability: 12.1\n")).D->ComputeCapability,
            121u);
  EXPECT_EQ(firstError(derived("access_rule: sectors\n")),
            "d.yaml:3:14: error: access_rule is one of cc10, cc12, cc20, "
            "sector, not 'sectors'; did you mean 'sector'?");
  EXPECT_EQ(firstError(derived("abstract: true\n")),
            "d.yaml:3:11: error: only the program's own bases are abstract: "
            "leave it out");
}

TEST(DeviceYAML, NamesAllThatIsMissingAtOnce) {
  EXPECT_THAT(
      firstError("name: mine\nlimits: {sms: {value: 4, source: a}}\n"),
      AllOf(StartsWith("d.yaml:1:7: error: 'mine' lacks compute_capability, "
                       "access_rule, limits.warp_size, limits.max_"),
            EndsWith("memory.bandwidth, memory.shared_banks, and has no "
                     "inherits:")));
  std::string Message = firstError("name: mine\ninherits: sm-90\n");
  EXPECT_EQ(Message, "d.yaml:1:7: error: 'mine' lacks limits.sms, "
                     "clocks.boost, clocks.memory, memory.bandwidth");
}

/// A CPU needs few numbers; what it has no limit for nothing reaches.
TEST(DeviceYAML, CompletesACPU) {
  std::string Text = "name: mine\nkind: cpu\n"
                     "limits:\n  source: s\n  sms: 4\n  warp_size: 8\n"
                     "  max_threads_per_block: 1024\n"
                     "clocks:\n  source: s\n  boost: 3000\n  memory: 1600\n"
                     "pipes:\n  source: s\n  schedulers: 2\n  fp32: 16\n"
                     "  int: 16\n"
                     "latencies:\n  source: s\n  dram: 200\n"
                     "memory:\n  source: s\n  bandwidth: 30\n";
  Parsed P = parse(Text);
  ASSERT_TRUE(P.D) << P.Printed;
  EXPECT_TRUE(P.D->IsCPU);
  EXPECT_EQ(P.D->ComputeCapability, 0u);
  EXPECT_EQ(*P.D->MaxBlocksPerSM, 1);
  EXPECT_EQ(*P.D->MaxRegistersPerThread, 1e6);
  EXPECT_EQ(P.D->MaxRegistersPerThread.Source, "a CPU has no such limit");

  EXPECT_EQ(firstError(Text + "compute_capability: 9.0\n"),
            "d.yaml:23:21: error: a CPU has no compute capability");
  EXPECT_EQ(firstError(Text + "access_rule: cc20\n"),
            "d.yaml:23:14: error: a CPU has no access rule");
  EXPECT_EQ(firstError(Text + "inherits: t4\n"),
            "d.yaml:23:11: error: a CPU inherits nothing");
  EXPECT_EQ(firstError("name: mine\nkind: fpga\n"),
            "d.yaml:2:7: error: kind is one of gpu, cpu, not 'fpga'");
  EXPECT_EQ(firstError("name: mine\nkind: cpu\n"),
            "d.yaml:1:7: error: 'mine' lacks limits.sms, limits.warp_size, "
            "limits.max_threads_per_block, clocks.boost, clocks.memory, "
            "pipes.schedulers, pipes.fp32, pipes.int, latencies.dram, "
            "memory.bandwidth, and has no inherits:");
}

TEST(DeviceYAML, ResolvesBases) {
  EXPECT_TRUE(
      StringRef(firstError("name: mine\ninherits: h100-smx\n"))
          .starts_with("d.yaml:2:11: error: no device named 'h100-smx'; did "
                       "you mean 'h100-sxm'? There are 8800-gt, "));
  // What people type is for the command line.
  EXPECT_TRUE(StringRef(firstError("name: mine\ninherits: h100\n"))
                  .starts_with("d.yaml:2:11: error: no device named 'h100'"));
  EXPECT_EQ(firstError("name: mine\ninherits: mine\n"),
            "d.yaml:2:11: error: 'mine' inherits itself");
  Parsed First = parse(derived("limits: {sms: {value: 7, source: a}}\n"));
  ASSERT_TRUE(First.D) << First.Printed;
  Parsed Second = parse("name: other\ninherits: mine\n", First.D.get());
  ASSERT_TRUE(Second.D) << Second.Printed;
  EXPECT_EQ(*Second.D->NumSMs, 7);
  // One that replaces an embedded device may start from it.
  EXPECT_TRUE(parse("name: t4\ninherits: t4\n").D);
}

TEST(DeviceYAML, AnotherBoostClockHasItsOwnHighestClock) {
  const auto MaxOf = [](const std::string &Clocks) {
    const Parsed P = parse("name: mine\ninherits: rtx-5090\n" + Clocks);
    EXPECT_TRUE(P.D) << P.Printed;
    return P.D ? P.D->MaxMHz.Value : std::nullopt;
  };
  EXPECT_EQ(MaxOf(""), 3090);
  EXPECT_EQ(MaxOf("clocks: {source: a, memory: 14000}\n"), 3090);
  EXPECT_EQ(MaxOf("clocks: {source: a, boost: 2200}\n"), std::nullopt);
  EXPECT_EQ(MaxOf("clocks: {source: a, boost: 2200, max: 2300}\n"), 2300);
}

TEST(DeviceYAML, ChecksNumbersAgainstEachOther) {
  EXPECT_EQ(firstError(derived("clocks: {base: {value: 3000, source: a}}\n")),
            "d.yaml:1:7: error: 'mine': clocks.base (3000) exceeds "
            "clocks.boost (1980)");
  EXPECT_EQ(firstError(derived("clocks: {max: {value: 1900, source: a}}\n")),
            "d.yaml:1:7: error: 'mine': clocks.boost (1980) exceeds "
            "clocks.max (1900)");
  EXPECT_THAT(firstError(derived("limits: {shared_per_block_optin: {value: "
                                 "1Mi, source: a}}\n")),
              HasSubstr("limits.shared_per_block_optin (1048576) exceeds "
                        "limits.shared_per_sm (233472)"));
}

} // namespace
