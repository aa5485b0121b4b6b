//===- DecidedRunTest.cpp - Tests of the counts of decided runs -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/DecidedRun.h"
#include "PTXKernel.h"
#include "ptxpredict/Emulator/Emulator.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <random>

using namespace ptxpredict;
using llvm::formatv;
using testing::HasSubstr;

namespace {

/// Where the kernel's buffer lies, in %rd0, and the thread's number in %r0.
constexpr StringRef Head = "ld.param.u64 %rd0, [p];\nld.param.u32 %r1, [n];\n"
                           "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
                           "mov.u32 %r4, %tid.x;\n"
                           "mad.lo.u32 %r0, %r2, %r3, %r4;\n";

DecidedRun decide(PTXKernel &K, uint64_t Budget = DecidedRunBudget) {
  ArgumentValue Buffer;
  Buffer.Which = ArgumentValue::Kind::Buffer;
  Buffer.Buffer = "p";
  Buffer.BufferAlign = 256;
  K.Launch.Args[0] = Buffer;
  ControlFlow CF(K.graph());
  Expressions E(K.Launch);
  Values V(K.graph(), CF, K.Launch, E);
  return countDecidedRun(V, K.Launch, Budget);
}

const InstructionProfile &at(const KernelProfile &P, StringRef Opcode,
                             unsigned Nth = 0) {
  for (const InstructionProfile &I : P.Instructions)
    if (I.Opcode == Opcode && Nth-- == 0)
      return I;
  ADD_FAILURE() << "no " << Opcode.str();
  return P.Instructions.front();
}

/// The same counts as a run on the emulator; false if it cannot run.
bool expectSameAsRun(PTXKernel &K, const KernelProfile &Counted,
                     uint64_t BufferBytes) {
  EmulationOptions Options;
  Options.Jobs = 1;
  Emulation Run(K.graph(), K.Launch, Options);
  BufferSpec Spec;
  Spec.Type = "u8";
  Spec.Count = BufferBytes;
  EXPECT_FALSE(bool(Run.addBuffer("p", Spec, "")));
  Expected<EmulationResult> R = Run.run();
  EXPECT_TRUE(bool(R));
  if (!R || R->Fault)
    return false;
  std::map<unsigned, const InstructionProfile *> Ran;
  for (const InstructionProfile &I : R->Profile.Instructions)
    Ran[I.Id] = &I;
  for (const InstructionProfile &I : Counted.Instructions) {
    const InstructionProfile &W = *Ran[I.Id];
    std::string Place = I.Opcode + " at line " + std::to_string(I.Line);
    EXPECT_EQ(I.Executions, W.Executions) << Place;
    EXPECT_EQ(I.Lanes, W.Lanes) << Place;
    EXPECT_EQ(I.Taken, W.Taken) << Place;
    EXPECT_EQ(I.Jumps, W.Jumps) << Place;
    EXPECT_EQ(I.Divergent, W.Divergent) << Place;
    MemoryProfile None, A = I.Memory.value_or(None),
                        B = W.Memory.value_or(None);
    EXPECT_EQ(A.Requests, B.Requests) << Place;
    EXPECT_EQ(A.Lanes, B.Lanes) << Place;
    EXPECT_EQ(A.Sectors, B.Sectors) << Place;
    EXPECT_EQ(A.Lines, B.Lines) << Place;
    EXPECT_EQ(A.Wavefronts, B.Wavefronts) << Place;
    EXPECT_EQ(A.Transactions, B.Transactions) << Place;
  }
  return true;
}

TEST(DecidedRun, TakesBlocksTogether) {
  PTXKernel K((Head + "setp.ge.u32 %p0, %r0, %r1;\n@%p0 bra End;\n"
                      "mul.wide.u32 %rd1, %r0, 8;\nadd.s64 %rd1, %rd0, %rd1;\n"
                      "ld.global.f32 %f0, [%rd1];\nEnd:\n")
                  .str(),
              {64, 1, 1}, {{1, 3000000001}});
  K.Launch.Grid = {uint64_t(1) << 26, 1, 1};
  DecidedRun R = decide(K, /*Budget=*/2000);
  ASSERT_TRUE(R.Counts) << R.Why;
  // 46,875,000 blocks and one lane of the next read two words of four.
  const InstructionProfile &Load = at(*R.Counts, "ld.global.f32");
  EXPECT_EQ(Load.Executions, 93750000u + 1);
  EXPECT_EQ(Load.Lanes, 3000000001u);
  EXPECT_EQ(Load.Memory->Sectors, 93750000u * 8 + 1);
  EXPECT_EQ(at(*R.Counts, "bra").Divergent, 1u);
  EXPECT_EQ(at(*R.Counts, "bra").Executions, uint64_t(1) << 27);
}

TEST(DecidedRun, TakesIterationsTogether) {
  // Two loops of 2^31 iterations in all, whose lanes leave at their own time.
  PTXKernel K((Head + "mov.u32 %r5, 0;\nOuter: mov.u32 %r6, %r4;\n"
                      "Inner: add.u32 %r6, %r6, 3;\n"
                      "setp.lt.u32 %p0, %r6, 98304;\n@%p0 bra Inner;\n"
                      "add.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 65536;\n"
                      "@%p1 bra Outer;\n")
                  .str(),
              {32, 1, 1}, {{1, 1}});
  K.Launch.Grid = {1, 1, 1};
  DecidedRun R = decide(K, /*Budget=*/2000);
  ASSERT_TRUE(R.Counts) << R.Why;
  EXPECT_EQ(at(*R.Counts, "setp.lt.u32").Executions, 65536u * 32768);
  // Lane t goes round ceil((98304 - t) / 3) times.
  uint64_t Rounds = 0;
  for (unsigned L = 0; L != 32; ++L)
    Rounds += (98304 - L + 2) / 3;
  EXPECT_EQ(at(*R.Counts, "setp.lt.u32").Lanes, 65536 * Rounds);
}

TEST(DecidedRun, CountsAddressesByTheirResidues) {
  // 1000 rows of 12 bytes each a block, in a loop: sectors at every phase.
  PTXKernel K((Head + "mov.u32 %r5, 0;\nLoop: mad.lo.u32 %r6, %r5, 12, %r4;\n"
                      "mad.lo.u32 %r6, %r2, 36, %r6;\n"
                      "mul.wide.u32 %rd1, %r6, 4;\nadd.s64 %rd1, %rd0, %rd1;\n"
                      "ld.global.f32 %f0, [%rd1];\nadd.u32 %r5, %r5, 1;\n"
                      "setp.ne.u32 %p1, %r5, 1000;\n@%p1 bra Loop;\n")
                  .str(),
              {32, 1, 1}, {{1, 1}});
  K.Launch.Grid = {7, 1, 1};
  DecidedRun R = decide(K, /*Budget=*/2000);
  ASSERT_TRUE(R.Counts) << R.Why;
  EXPECT_TRUE(expectSameAsRun(K, *R.Counts, 1 << 20));
}

TEST(DecidedRun, SaysWhatLeavesARunOpen) {
  auto Why = [](const Twine &Body, std::map<unsigned, int64_t> Args = {{1, 9}},
                uint64_t Budget = DecidedRunBudget) {
    PTXKernel K((Head + Body).str(), {32, 1, 1}, std::move(Args));
    DecidedRun R = decide(K, Budget);
    EXPECT_FALSE(R.Counts);
    EXPECT_NE(R.Why, "");
    return R.Why;
  };
  EXPECT_THAT(Why("ld.global.u32 %r5, [%rd0];\nsetp.ne.u32 %p0, %r5, 0;\n"
                  "@%p0 bra End;\nmov.u32 %r6, 1;\nEnd:\n"),
              HasSubstr("load"));
  EXPECT_THAT(Why("setp.lt.u32 %p0, %r1, 4;\n@%p0 bra End;\nmov.u32 %r6, 1;\n"
                  "End:\n",
                  {}),
              HasSubstr("n"));
  EXPECT_THAT(Why("Loop: bra Loop;\n"), HasSubstr("end"));
  // Each block and iteration differs from the others.
  EXPECT_THAT(Why("mov.u32 %r5, 0;\nLoop: xor.b32 %r6, %r5, %r2;\n"
                  "setp.lt.u32 %p0, %r6, 900;\n@%p0 add.u32 %r7, %r7, 1;\n"
                  "add.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 1000;\n"
                  "@%p1 bra Loop;\n",
                  {{1, 9}}, 10000),
              HasSubstr("differently"));
}

TEST(DecidedRun, KnowsWhatCommonAccessesCost) {
  // %r4 is tid.x and %r6 tid.y; the place of the access goes to %r10, in words.
  struct Case {
    const char *What, *Place, *Access;
    Dim3 Block;
    double Cost; ///< sectors or wavefronts of a request
  };
  const char *Load = "ld.global.f32 %f0, [%rd1];\n",
             *Load4 = "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];\n",
             *Shared = "ld.shared.f32 %f0, [%r11];\n";
  const Case Cases[] = {
      {"rows", "mad.lo.u32 %r10, %r6, 1024, %r4;", Load, {32, 8, 1}, 4},
      {"columns", "mad.lo.u32 %r10, %r4, 1024, %r6;", Load, {32, 8, 1}, 32},
      {"float4", "shl.b32 %r10, %r4, 2;", Load4, {32, 1, 1}, 16},
      {"stride 2", "shl.b32 %r10, %r4, 1;", Load, {32, 1, 1}, 8},
      {"offset by one", "add.u32 %r10, %r4, 1;", Load, {32, 1, 1}, 5},
      {"16x16 rows", "mad.lo.u32 %r10, %r6, 512, %r4;", Load, {16, 16, 1}, 4},
      {"broadcast", "mov.u32 %r10, 7;", Load, {32, 1, 1}, 1},
      {"tile column", "mad.lo.u32 %r10, %r4, 32, %r6;", Shared, {32, 8, 1}, 32},
      {"padded tile", "mad.lo.u32 %r10, %r4, 33, %r6;", Shared, {32, 8, 1}, 1},
      {"swizzled tile",
       "xor.b32 %r12, %r4, %r6;\nmad.lo.u32 %r10, %r4, 32, %r12;",
       Shared,
       {32, 8, 1},
       1},
  };
  for (const Case &C : Cases) {
    SCOPED_TRACE(C.What);
    PTXKernel K(
        formatv("{0}mov.u32 %r6, %tid.y;\n.shared .align 128 .b8 tile[8192];\n"
                "mov.u32 %r20, tile;\n{1}\nmad.lo.u32 %r11, %r10, 4, %r20;\n"
                "mul.wide.u32 %rd1, %r10, 4;\nadd.s64 %rd1, %rd1, %rd0;\n{2}",
                Head, C.Place, C.Access)
            .str(),
        C.Block, {{1, 1}});
    DecidedRun R = decide(K);
    ASSERT_TRUE(R.Counts) << R.Why;
    for (const InstructionProfile &I : R.Counts->Instructions)
      if (I.Memory) {
        double Cost = double(I.Memory->Sectors + I.Memory->Wavefronts);
        EXPECT_EQ(Cost / double(I.Memory->Requests), C.Cost);
        EXPECT_EQ(I.Memory->Requests, R.Counts->Warps);
      }
  }
}

/// Song's reductions of a block: interleaved with a remainder, interleaved with
/// a stride, and sequential (thesis, 5.5).
std::string reduction(unsigned Which, uint64_t Threads) {
  static constexpr const char *Choose[] = {
      "shl.b32 %r6, %r5, 1;\nrem.u32 %r7, %r4, %r6;\nsetp.ne.u32 %p0, %r7, 0;"
      "\n@%p0 bra Skip;\nmov.u32 %r8, %r4;\n",
      "mul.lo.u32 %r8, %r5, %r4;\nshl.b32 %r8, %r8, 1;\n"
      "setp.ge.u32 %p0, %r8, %r9;\n@%p0 bra Skip;\n",
      "setp.ge.u32 %p0, %r4, %r5;\n@%p0 bra Skip;\nmov.u32 %r8, %r4;\n"};
  bool Shrinks = Which == 2;
  return formatv("{0}.shared .align 16 .b8 tile[4096];\nmov.u32 %r20, tile;\n"
                 "mov.u32 %r9, {1};\nmad.lo.u32 %r21, %r4, 4, %r20;\n"
                 "st.shared.f32 [%r21], %f0;\nmov.u32 %r5, {2};\nLoop:\n{3}"
                 "add.u32 %r10, %r8, %r5;\nmad.lo.u32 %r11, %r10, 4, %r20;\n"
                 "mad.lo.u32 %r12, %r8, 4, %r20;\nld.shared.f32 %f1, [%r11];\n"
                 "ld.shared.f32 %f2, [%r12];\nadd.f32 %f2, %f1, %f2;\n"
                 "st.shared.f32 [%r12], %f2;\nSkip:\nbar.sync 0;\n{4}"
                 "@%p1 bra Loop;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra End;\n"
                 "ld.shared.f32 %f3, [%r20];\nEnd:\n",
                 Head, Threads, Shrinks ? Threads / 2 : 1, Choose[Which],
                 Shrinks
                     ? "shr.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 0;\n"
                     : "shl.b32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r9;\n");
}

TEST(DecidedRun, CountsTheConflictsOfSongsReductions) {
  auto File = llvm::MemoryBuffer::getFile(
      PTXPREDICT_TEST_INPUTS "/golden/song_derived_bank_conflicts.csv");
  ASSERT_TRUE(bool(File));
  SmallVector<StringRef, 16> Rows;
  (*File)->getBuffer().trim().split(Rows, '\n');
  ASSERT_EQ(Rows.size(), 13u);
  for (StringRef Row : ArrayRef(Rows).drop_front()) {
    SCOPED_TRACE(Row.str());
    SmallVector<StringRef, 8> Cells;
    Row.split(Cells, ',');
    unsigned Which = 0;
    uint64_t Threads = 0, Accesses = 0, Conflicts = 0;
    ASSERT_TRUE(Cells[0].consume_front("reduction") &&
                !Cells[0].getAsInteger(10, Which) && Which < 3 &&
                !Cells[1].getAsInteger(10, Threads) &&
                !Cells[3].getAsInteger(10, Accesses) &&
                !Cells[4].getAsInteger(10, Conflicts));
    PTXKernel K(reduction(Which, Threads), {Threads, 1, 1}, {{1, 1}});
    K.Launch.Grid = {3, 1, 1};
    DecidedRun R = decide(K);
    ASSERT_TRUE(R.Counts) << R.Why;
    uint64_t Requests = 0, Wavefronts = 0;
    for (const InstructionProfile &I : R.Counts->Instructions)
      if (I.Memory) {
        Requests += I.Memory->Requests;
        Wavefronts += I.Memory->Wavefronts;
      }
    EXPECT_EQ(Requests, 3 * Accesses);
    EXPECT_EQ(Wavefronts - Requests, 3 * Conflicts);
  }
}

//===----------------------------------------------------------------------===//
// Random kernels
//===----------------------------------------------------------------------===//

/// Nested loops and branches over linear and other forms of indices and
/// counters, with accesses to global and shared memory at such places.
class RandomKernel {
public:
  explicit RandomKernel(unsigned Seed) : Random(Seed) {
    Text = Head.str() + "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %tid.y;\n"
                        ".shared .align 16 .b8 tile[8192];\n"
                        "mov.u32 %r24, 1;\nmov.u32 %r25, 2;\n"
                        "mov.u32 %r26, 3;\n";
    Text += "mov.u32 %r20, tile;\n";
    body(0);
  }
  std::string Text;

private:
  static constexpr unsigned MaxDepth = 3;

  unsigned upTo(unsigned N) { return unsigned(Random() % N); }
  void emit(const std::string &Line) { Text += Line + "\n"; }

  /// A register with an index, an argument or a counter of a loop around.
  std::string leaf() {
    static constexpr const char *Indices[] = {"%r0", "%r1", "%r2",
                                              "%r4", "%r5", "%r6"};
    if (!Counters.empty() && upTo(3) == 0)
      return Counters[upTo(unsigned(Counters.size()))];
    return Indices[upTo(6)];
  }
  /// A value below some thousands, in %r10.
  void value() {
    emit(formatv("mul.lo.u32 %r10, {0}, {1};", leaf(), upTo(7)));
    emit(formatv("mad.lo.u32 %r10, {0}, {1}, %r10;", leaf(), upTo(5)));
    switch (upTo(8)) {
    case 0:
      emit(formatv("xor.b32 %r10, %r10, {0};", leaf()));
      break;
    case 1:
      emit(formatv("shr.u32 %r10, %r10, {0};", upTo(4)));
      break;
    case 2:
      emit(formatv("rem.u32 %r10, %r10, {0};", 2 + upTo(30)));
      break;
    case 3:
      emit(formatv("and.b32 %r10, %r10, {0};", upTo(64)));
      break;
    default:
      emit(formatv("add.u32 %r10, %r10, {0};", upTo(50)));
    }
  }
  void access() {
    value();
    static constexpr unsigned Widths[] = {4, 4, 8, 16};
    unsigned Bytes = Widths[upTo(4)];
    const char *Vector = Bytes == 4   ? ".f32 %f0"
                         : Bytes == 8 ? ".v2.f32 {%f0, %f1}"
                                      : ".v4.f32 {%f0, %f1, %f2, %f3}";
    std::string Guard;
    if (upTo(4) == 0) {
      emit(formatv("setp.lt.u32 %p2, {0}, {1};", leaf(), upTo(40)));
      Guard = upTo(2) ? "@%p2 " : "@!%p2 ";
    }
    if (upTo(2)) {
      emit(formatv("and.b32 %r11, %r10, {0};", 511));
      emit(formatv("mad.lo.u32 %r11, %r11, {0}, %r20;", Bytes));
      emit(Guard + formatv("ld.shared{0}, [%r11];", Vector).str());
      return;
    }
    emit(formatv("mul.wide.u32 %rd1, %r10, {0};", Bytes));
    emit("add.s64 %rd1, %rd1, %rd0;");
    emit(Guard + formatv("ld.global{0}, [%rd1];", Vector).str());
  }
  void branch(unsigned Depth) {
    static constexpr const char *Compare[] = {"lt", "ge", "eq", "ne", "gt"};
    value();
    std::string Else = label(), End = label();
    emit(formatv("setp.{0}.{1}32 %p1, %r10, {2};", Compare[upTo(5)],
                 upTo(2) ? "u" : "s", upTo(200)));
    emit(formatv("@%p1 bra {0};", Else));
    body(Depth + 1);
    if (upTo(2)) {
      emit(formatv("bra {0};\n{1}:", End, Else));
      body(Depth + 1);
      emit(End + ":");
    } else {
      emit(Else + ":");
    }
  }
  void loop(unsigned Depth) {
    std::string Counter = formatv("%r{0}", 24 + Depth);
    std::string Limit = formatv("%r{0}", 28 + Depth);
    value();
    emit(formatv("rem.u32 {0}, %r10, {1};", Limit, 1 + upTo(20)));
    emit(formatv("mov.u32 {0}, {1};", Counter, upTo(3)));
    std::string Loop = label();
    emit(Loop + ":");
    Counters.push_back(Counter);
    body(Depth + 1);
    emit(formatv("add.u32 {0}, {0}, {1};", Counter, 1 + upTo(3)));
    emit(formatv("setp.lt.u32 %p3, {0}, {1};", Counter,
                 upTo(2) ? Limit : std::to_string(2 + upTo(40))));
    emit(formatv("@%p3 bra {0};", Loop));
    if (upTo(2)) // else what is behind the loop may use it
      llvm::erase(Counters, Counter);
  }
  void body(unsigned Depth) {
    for (unsigned N = 1 + upTo(3); N != 0; --N)
      switch (Depth == MaxDepth ? 0 : upTo(4)) {
      case 0:
      case 1:
        access();
        break;
      case 2:
        branch(Depth);
        break;
      default:
        loop(Depth);
      }
  }
  std::string label() { return "L" + std::to_string(NumLabels++); }

  std::mt19937 Random;
  std::vector<std::string> Counters;
  unsigned NumLabels = 0;
};

TEST(DecidedRun, CountsWhatRandomKernelsDo) {
  const char *All = std::getenv("PTXPREDICT_RANDOM_KERNELS");
  unsigned Number = 150, Decided = 0;
  ASSERT_TRUE(!All || !StringRef(All).getAsInteger(10, Number));
  for (unsigned Seed = 0; Seed != Number && !testing::Test::HasFailure();
       ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    std::mt19937 Random(Seed);
    static const Dim3 Blocks[] = {{32, 1, 1}, {96, 1, 1}, {16, 4, 1},
                                  {8, 8, 1},  {50, 1, 1}, {33, 2, 1}};
    PTXKernel K(RandomKernel(Seed).Text, Blocks[Random() % 6],
                {{1, Random() % 300}});
    K.Launch.Grid = {1 + Random() % 9, 1 + Random() % 4, 1};
    DecidedRun R = decide(K);
    if (!R.Counts)
      continue;
    ++Decided;
    EXPECT_TRUE(expectSameAsRun(K, *R.Counts, 8 << 20));
  }
  // A few differ too much in all blocks and iterations.
  EXPECT_GE(Decided, Number * 9 / 10);
}

} // namespace
