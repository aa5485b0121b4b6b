//===- StaticProfileRandomTest.cpp - Random kernels against their runs ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTXPREDICT_RANDOM_KERNELS=2000 for as many.
//===----------------------------------------------------------------------===//
#include "RunKernel.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>

using namespace ptxpredict;
using llvm::formatv;

namespace {

/// Nested loops and branches over linear and other forms of indices and
/// counters, with accesses to global and shared memory at such places.
class RandomKernel {
public:
  /// With \p Open, some branches, loops and places depend on loaded data. With
  /// \p Waits, lanes wait for others and end. With \p Typed, data of all types
  /// are loaded, and places that data name.
  RandomKernel(unsigned Seed, bool Open, bool Waits, bool Typed)
      : Random(Seed), IsOpen(Open), HasWaits(Waits), IsTyped(Typed) {
    Text = RunHead.str() + "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %tid.y;\n"
                           ".shared .align 16 .b8 tile[8192];\n"
                           "mov.u32 %r24, 1;\nmov.u32 %r25, 2;\n"
                           "mov.u32 %r26, 3;\n";
    if (IsOpen) // what loops carry may be read where none was
      Text += "mov.u32 %r16, 1;\nmov.u32 %r17, 2;\nmov.u32 %r18, 3;\n";
    Text += "mov.u32 %r20, tile;\n";
    body(0);
    Text += "End: mov.u32 %r14, 1;\n";
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
  /// A value that is loaded from the place in %r10, in %r10.
  void loadTyped() {
    static constexpr const char *Types[] = {"u8",  "s8",  "u16", "s16",
                                            "u32", "s32", "b32"};
    emit("and.b32 %r10, %r10, 511;");
    emit("mad.wide.u32 %rd2, %r10, 8, %rd0;");
    switch (upTo(10)) {
    case 0:
      emit("ld.global.u64 %rd3, [%rd2+8];");
      return emit("cvt.u32.u64 %r10, %rd3;");
    case 1:
      emit("ld.global.v2.u32 {%r11, %r12}, [%rd2];");
      return emit("add.u32 %r10, %r11, %r12;");
    case 2:
      emit("ld.global.nc.v2.s16 {%r11, %r12}, [%rd2+4];");
      return emit("xor.b32 %r10, %r11, %r12;");
    default:
      emit(formatv("ld.global.{0} %r10, [%rd2+{1}];", Types[upTo(7)],
                   4 * upTo(3)));
    }
  }
  /// A loaded value below 16, in %r10.
  void loaded() {
    value();
    if (IsTyped) {
      for (unsigned N = 1 + upTo(2); N != 0; --N)
        loadTyped();
      return emit("and.b32 %r10, %r10, 15;");
    }
    emit("and.b32 %r10, %r10, 511;");
    emit("mad.wide.u32 %rd2, %r10, 4, %rd0;");
    emit("ld.global.u32 %r10, [%rd2];");
    emit("and.b32 %r10, %r10, 15;");
  }
  bool isOpenNow() { return IsOpen && upTo(4) == 0; }
  /// %r10 from any type of integers to any.
  void convert() {
    static constexpr const char *Types[] = {"u8",  "s8",  "u16", "s16",
                                            "u32", "s32", "u64", "s64"};
    const unsigned To = upTo(8), From = upTo(8);
    const bool IsWide = To >= 6;
    std::string Source = "%r10";
    if (From >= 6) {
      emit("cvt.s64.s32 %rd3, %r10;");
      Source = "%rd3";
    }
    emit(formatv("cvt.{0}.{1} {2}, {3};", Types[To], Types[From],
                 IsWide ? "%rd3" : "%r10", Source));
    if (IsWide)
      emit("cvt.u32.u64 %r10, %rd3;");
  }
  /// A value below some thousands, in %r10.
  void value() {
    emit(formatv("mul.lo.u32 %r10, {0}, {1};", leaf(), upTo(7)));
    emit(formatv("mad.lo.u32 %r10, {0}, {1}, %r10;", leaf(), upTo(5)));
    switch (upTo(9)) {
    case 8:
      for (unsigned N = 1 + upTo(2); N != 0; --N)
        convert();
      emit(formatv("and.b32 %r10, %r10, {0};", upTo(2) ? 1023 : 63));
      break;
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
    if (isOpenNow())
      loaded();
    else
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
  void wait() {
    static constexpr const char *Masks[] = {"-1", "-1", "0xffff", "0xf0"};
    switch (upTo(6)) {
    case 0:
      return emit("bar.sync 0;");
    case 1:
      return emit(
          formatv("shfl.sync.bfly.b32 %r12, %r0, 1, 31, {0};", Masks[upTo(4)]));
    case 2:
      return emit("activemask.b32 %r13;\nbar.warp.sync %r13;");
    case 3:
      emit(formatv("setp.eq.u32 %p2, {0}, {1};", leaf(), upTo(30)));
      return emit(upTo(2) ? "@%p2 ret;" : "@%p2 bra End;");
    case 4:
      emit(formatv("setp.lt.u32 %p2, {0}, {1};", leaf(), upTo(30)));
      return emit("@%p2 bar.sync 0;");
    default:
      return emit(formatv("bar.warp.sync {0};", Masks[upTo(4)]));
    }
  }
  void branch(unsigned Depth) {
    static constexpr const char *Compare[] = {"lt", "ge", "eq", "ne", "gt"};
    bool Open = isOpenNow();
    if (Open)
      loaded();
    else
      value();
    std::string Else = label(), End = label();
    emit(formatv("setp.{0}.{1}32 %p1, %r10, {2};", Compare[upTo(5)],
                 upTo(2) ? "u" : "s", upTo(Open ? 15 : 200)));
    if (Open && upTo(2)) { // together with what is decided
      emit(formatv("setp.lt.u32 %p4, {0}, {1};", leaf(), upTo(40)));
      emit(formatv("{0}.pred %p1, %p1, %p4;", upTo(2) ? "and" : "or"));
    }
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
  /// Changes what a loop carries from one iteration to the next: by loaded
  /// data, those of each lane or the same for all, to what the counter is,
  /// within eight bits, or by way of any types.
  void carry(const std::string &Carried, const std::string &Counter) {
    switch (upTo(5)) {
    case 4: {
      emit(formatv("mad.lo.u32 %r10, {0}, {1}, {2};", Carried, 1 + upTo(2),
                   upTo(20)));
      convert();
      return emit(formatv("and.b32 {0}, %r10, 1023;", Carried));
    }
    case 0:
      loaded();
      return emit(formatv("add.u32 {0}, {0}, %r10;", Carried));
    case 1:
      emit(formatv("and.b32 %r10, {0}, 15;", upTo(2) ? "%r2" : Counter));
      emit("mad.wide.u32 %rd2, %r10, 4, %rd0;");
      emit("ld.global.u32 %r10, [%rd2];\nand.b32 %r10, %r10, 15;");
      return emit(formatv("add.u32 {0}, {0}, %r10;", Carried));
    case 2:
      return emit(formatv("mov.u32 {0}, {1};", Carried, Counter));
    default:
      emit(formatv("and.b32 %r10, {0}, 255;", Carried));
      return emit(formatv("add.u32 {0}, %r10, {1};", Carried, upTo(20)));
    }
  }
  void loop(unsigned Depth) {
    std::string Counter = formatv("%r{0}", 24 + Depth);
    std::string Carried;
    std::string Limit = formatv("%r{0}", 28 + Depth);
    bool Open = isOpenNow();
    if (Open)
      loaded();
    else
      value();
    emit(formatv("rem.u32 {0}, %r10, {1};", Limit, 1 + upTo(20)));
    emit(formatv("mov.u32 {0}, {1};", Counter, upTo(3)));
    if (IsOpen && upTo(2)) {
      Carried = formatv("%r{0}", 16 + Depth);
      emit(formatv("mov.u32 {0}, {1};", Carried, leaf()));
      Counters.push_back(Carried);
    }
    std::string Loop = label();
    emit(Loop + ":");
    Counters.push_back(Counter);
    body(Depth + 1);
    if (!Carried.empty())
      carry(Carried, Counter);
    std::string Break;
    if (isOpenNow()) {
      Break = label();
      loaded();
      emit(formatv("setp.eq.u32 %p5, %r10, {0};", upTo(16)));
      emit(formatv("@%p5 bra {0};", Break));
    }
    emit(formatv("add.u32 {0}, {0}, {1};", Counter, 1 + upTo(3)));
    emit(formatv("setp.lt.u32 %p3, {0}, {1};", Counter,
                 Open || upTo(2) ? Limit : std::to_string(2 + upTo(40))));
    emit(formatv("@%p3 bra {0};", Loop));
    if (!Break.empty())
      emit(Break + ":");
    if (upTo(2)) { // else what is behind the loop may use it
      llvm::erase(Counters, Counter);
      llvm::erase(Counters, Carried);
    }
  }
  void body(unsigned Depth) {
    for (unsigned N = 1 + upTo(3); N != 0; --N) {
      if (HasWaits && upTo(8) == 0)
        wait();
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
  }
  std::string label() { return "L" + std::to_string(NumLabels++); }

  std::mt19937 Random;
  bool IsOpen, HasWaits, IsTyped;
  std::vector<std::string> Counters;
  unsigned NumLabels = 0;
};

unsigned numberOfKernels(unsigned Usual) {
  const char *All = std::getenv("PTXPREDICT_RANDOM_KERNELS");
  EXPECT_TRUE(!All || !StringRef(All).getAsInteger(10, Usual));
  return Usual;
}

constexpr uint64_t BufferBytes = 8 << 20;

/// The kernel of a seed, with its counts.
struct CountedKernel {
  RandomKernel Source;
  PTXKernel K;
  std::string Name;

  /// With \p Data the launch says what the buffer holds.
  CountedKernel(unsigned Seed, bool Open, bool Waits,
                const BufferSpec *Data = nullptr,
                uint64_t Budget = StaticProfileBudget)
      : Source(Seed, Open, Waits, Data != nullptr), K(Source.Text) {
    std::mt19937 Random(Seed);
    static const Dim3 Blocks[] = {{32, 1, 1}, {96, 1, 1}, {16, 4, 1},
                                  {8, 8, 1},  {50, 1, 1}, {33, 2, 1}};
    K.Launch.Block = Blocks[Random() % 6];
    K.Launch.Args[1].Integer = Random() % 300;
    K.Launch.Grid = {1 + Random() % 9, 1 + Random() % 4, 1};
    Name = formatv("seed {0}, grid {1}, block {2}, n = {3}\n{4}", Seed,
                   toString(K.Launch.Grid), toString(K.Launch.Block),
                   K.Launch.Args[1].Integer, Source.Text);
    std::shared_ptr<const BufferContents> Contents;
    if (Data)
      Contents = cantFail(BufferContents::open(*Data, ""));
    analyze(K, Budget, std::move(Contents));
  }
};

/// One that the launch may give, by seed.
BufferSpec givenBuffer(unsigned Seed) {
  BufferSpec Spec = randomBuffer(BufferBytes);
  switch (Seed % 5) {
  case 0:
    Spec.Fill.Kind = BufferFill::KindTy::Iota;
    break;
  case 1:
    Spec.Fill.Kind = BufferFill::KindTy::Constant;
    Spec.Fill.Constant = Seed % 40;
    break;
  case 2:
    Spec.Fill.High = 40;
    break;
  case 3:
    Spec.Type = "s16";
    Spec.Count *= 2;
    Spec.Fill.Low = -40;
    Spec.Fill.High = 40;
    break;
  default:
    break;
  }
  return Spec;
}

/// Runs so many kernels and returns which share of the numbers was known.
double runKernels(unsigned Number, bool Open, bool Waits = false) {
  double Known = 0, All = 0;
  for (unsigned Seed = 0; Seed != Number && !testing::Test::HasFailure();
       ++Seed) {
    CountedKernel Counted(Seed, Open, Waits);
    SCOPED_TRACE(Counted.Name);
    std::optional<KnownCounts> C = compareWithRun(Counted.K, BufferBytes);
    if (!C)
      continue;
    EXPECT_THAT(C->Differences, testing::IsEmpty());
    Known += C->Known;
    All += C->Known + C->Open;
  }
  return Known / All;
}

TEST(StaticCountsRandomTest, KernelsWhoseDataTheLaunchGives) {
  double Known = 0, All = 0;
  for (unsigned Seed = 0; Seed != numberOfKernels(150) && !HasFailure();
       ++Seed) {
    const BufferSpec Data = givenBuffer(Seed);
    CountedKernel Counted(Seed, /*Open=*/true, /*Waits=*/false, &Data);
    SCOPED_TRACE(Counted.Name);
    if (!Counted.K.Counts.ReadBeyond.empty())
      continue;
    std::optional<KnownCounts> C = compareWithRun(Counted.K, Data);
    if (!C)
      continue;
    EXPECT_THAT(C->Differences, testing::IsEmpty());
    Known += C->Known;
    All += C->Known + C->Open;
  }
  EXPECT_GE(Known / All, 0.75); // loops carry some data on, which stays open
}

TEST(StaticCountsRandomTest, DecidedKernels) {
  // A few differ too much in all blocks and iterations.
  EXPECT_GE(runKernels(numberOfKernels(150), /*Open=*/false), 0.9);
}

/// What is not looked at lies within the bounds, too.
TEST(StaticCountsRandomTest, KernelsOfWhichPartsAreLookedAt) {
  const unsigned Wanted = numberOfKernels(200) / 6;
  unsigned Sampled = 0;
  for (unsigned Seed = 0;
       Sampled != Wanted && Seed != 50 * Wanted && !HasFailure(); ++Seed) {
    const uint64_t Budget = uint64_t(20) << Seed % 9;
    CountedKernel Counted(Seed, /*Open=*/Seed % 4 == 0, /*Waits=*/false,
                          /*Data=*/nullptr, Budget);
    if (!Counted.K.Counts.IsSampled)
      continue;
    SCOPED_TRACE(Counted.Name);
    std::optional<KnownCounts> C = compareWithRun(Counted.K, BufferBytes);
    if (!C)
      continue;
    EXPECT_THAT(C->Differences, testing::IsEmpty());
    ++Sampled;
  }
  EXPECT_EQ(Sampled, Wanted);
}

TEST(StaticCountsRandomTest, KernelsWhoseLanesWaitForOthers) {
  EXPECT_GE(runKernels(numberOfKernels(60), /*Open=*/false, /*Waits=*/true),
            0.5);
  EXPECT_GT(runKernels(numberOfKernels(30), /*Open=*/true, /*Waits=*/true), 0);
}

TEST(StaticCountsRandomTest, BarriersThatThreadsMiss) {
  unsigned Said = 0, Missed = 0;
  for (unsigned Seed = 0; Seed != numberOfKernels(100) && !HasFailure();
       ++Seed) {
    CountedKernel Counted(Seed, /*Open=*/false, /*Waits=*/true);
    SCOPED_TRACE(Counted.Name);
    std::optional<bool> IsMissed = missesBarrier(Counted.K, BufferBytes);
    if (!IsMissed)
      continue;
    bool IsSaid = saysMissed(Counted.K);
    EXPECT_TRUE(*IsMissed || !IsSaid);
    Said += IsSaid;
    Missed += *IsMissed;
  }
  // Of some not everything is looked at, or lanes wait who knows where; few
  // seeds miss few.
  EXPECT_GE(Said, std::floor(0.7 * Missed));
}

TEST(StaticCountsRandomTest, KernelsThatLoadedDataDecideInPart) {
  EXPECT_GE(runKernels(numberOfKernels(150), /*Open=*/true), 0.25);
}

} // namespace
