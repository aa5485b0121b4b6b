//===- RandomProgramsTest.cpp - Warps against single threads --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Random structured programs, run by warps and then with one thread a block,
// where nothing can diverge. Both give the same results, execute each
// instruction for the same number of lanes, and what is outside loops runs at
// most once per warp and entry of its function.
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::formatv;

namespace {

constexpr unsigned NumVariables = 6, NumCounters = 4, NumFunctions = 3,
                   ResultBytes = 4 * (1 + NumCounters);

/// The text of a program, and what is known of its lines.
class RandomProgram {
public:
  explicit RandomProgram(unsigned Seed) : Random(Seed) {
    emit(".version 9.0\n.target sm_90\n.address_size 64");
    for (unsigned F = NumFunctions; F-- != 0;)
      function(F);
    kernel();
  }

  std::string Text;
  std::vector<bool> IsInLoop{false}; ///< by line; the first is 1
  /// By counter: the line that is passed each time round an outermost loop of
  /// the kernel; 0 without one.
  std::array<unsigned, NumCounters> CounterLines{};

private:
  unsigned upTo(unsigned N) { return unsigned(Random() % N); }
  bool oneIn(unsigned N) { return upTo(N) == 0; }

  void emit(const Twine &Line) {
    std::string L = Line.str();
    Text += L + "\n";
    IsInLoop.resize(IsInLoop.size() + 1 + llvm::count(L, '\n'), Depth != 0);
  }
  std::string label() { return "L" + std::to_string(NumLabels++); }
  std::string variable() { return formatv("%v{0}", upTo(NumVariables)); }
  std::string value() {
    return oneIn(3) ? std::to_string(upTo(100)) : variable();
  }
  /// A predicate that some lanes have, one in about \p N.
  std::string condition(unsigned N) {
    static constexpr const char *Compare[] = {"lt", "ge", "eq", "ne"};
    emit(formatv("and.b32 %t0, {0}, 127;", variable()));
    std::string P = "%p" + std::to_string(NumPredicates++ % 8);
    if (N > 2 || oneIn(2))
      emit(formatv("setp.lt.u32 {0}, %t0, {1};", P, 128 / N));
    else
      emit(formatv("setp.{0}.u32 {1}, {2}, {3};", Compare[upTo(4)], P, value(),
                   value()));
    return P;
  }

  void arithmetic(StringRef Guard = "") {
    static constexpr const char *Ops[] = {"add.u32", "sub.u32", "mul.lo.u32",
                                          "xor.b32", "or.b32",  "min.u32"};
    emit(formatv("{0}{1} {2}, {3}, {4};", Guard, Ops[upTo(6)], variable(),
                 variable(), value()));
  }

  void guarded() {
    std::string P = condition(2);
    arithmetic("@" + P + " ");
    if (oneIn(2))
      arithmetic("@!" + P + " ");
  }

  void branch() {
    std::string P = condition(2), Else = label(), End = label();
    if (oneIn(3)) { // a || b
      std::string Body = label();
      emit("@" + P + " bra " + Body + ";");
      emit("@!" + condition(2) + " bra " + Else + ";");
      emit(Body + ":");
    } else {
      emit("@" + P + " bra " + Else + ";");
    }
    statements();
    if (oneIn(2)) {
      emit("bra " + End + ";");
      emit(Else + ":");
      statements();
    } else {
      emit(Else + ":");
    }
    emit(End + ":");
  }

  void multiway() {
    std::string Table = label(), End = label();
    std::array<std::string, 3> Ways{label(), label(), label()};
    emit(formatv("and.b32 %t0, {0}, 3;", variable()));
    emit(formatv("{0}: .branchtargets {1}, {2}, {3}, {1};", Table, Ways[0],
                 Ways[1], Ways[2]));
    emit(formatv("brx.idx %t0, {0};", Table));
    for (const std::string &Way : Ways) {
      emit(Way + ":");
      statements();
      if (!oneIn(3)) // else on into the next one
        emit("bra " + End + ";");
    }
    emit(End + ":");
  }

  void loop() {
    std::string Header = label(), Latch = label(), End = label();
    std::string Index = formatv("%i{0}", NumIndices++);
    std::string Bound = formatv("%i{0}", NumIndices++);
    bool AtEnd = oneIn(2);
    bool Counted = InKernel && Depth == 0 && NumUsedCounters != NumCounters;
    emit(formatv("mov.u32 {0}, 0;", Index));
    emit(formatv("and.b32 {0}, {1}, 3;", Bound, variable()));
    ++Depth;
    Loops.emplace_back(Latch, End);
    emit(Header + ":");
    if (Counted) {
      emit(formatv("add.u32 %n{0}, %n{0}, 1;", NumUsedCounters));
      CounterLines[NumUsedCounters++] = unsigned(IsInLoop.size() - 1);
    }
    std::string P = "%p" + std::to_string(8 + NumIndices % 8);
    std::string Compare =
        formatv("setp.ge.u32 {0}, {1}, {2};", P, Index, Bound);
    if (!AtEnd) {
      emit(Compare);
      emit("@" + P + " bra " + End + ";");
    }
    statements();
    emit(Latch + ":");
    emit(formatv("add.u32 {0}, {0}, 1;", Index));
    if (AtEnd) {
      emit(Compare);
      emit("@!" + P + " bra " + Header + ";");
    } else {
      emit("bra " + Header + ";");
    }
    Loops.pop_back();
    --Depth;
    emit(End + ":");
  }

  void leaveLoop() {
    // On with the innermost one, or out of it or of the outermost one.
    if (oneIn(3))
      emit("@" + condition(4) + " bra " + Loops.back().first + ";");
    else
      emit("@" + condition(6) + " bra " +
           (oneIn(3) ? Loops.front() : Loops.back()).second + ";");
  }

  /// What has come out, perhaps with a guard.
  void result(StringRef Guard) {
    emit("mov.u32 %t1, %v0;");
    for (unsigned N = 1; N != NumVariables; ++N)
      emit(formatv("mad.lo.u32 %t1, %t1, 31, %v{0};", N));
    if (!InKernel) {
      emit(Guard + "mov.u32 %result, %t1;");
      return;
    }
    emit(Guard + "st.global.u32 [%out], %t1;");
    for (unsigned N = 0; N != NumCounters; ++N)
      emit(formatv("{0}st.global.u32 [%out+{1}], %n{2};", Guard, 4 * N + 4, N));
  }

  void leave() {
    std::string P = condition(9);
    if (oneIn(2)) {
      result("@" + P + " ");
      emit("@" + P + " ret;");
      return;
    }
    std::string Stay = label();
    emit("@!" + P + " bra " + Stay + ";");
    result("");
    emit(InKernel && oneIn(2) ? "exit;" : "ret;");
    emit(Stay + ":");
  }

  void call() {
    std::string Guard = oneIn(3) ? "@" + condition(2) + " " : "";
    emit(formatv("{0}call ({1}), f{2}, ({3}, {4});", Guard, variable(),
                 FirstCallee + upTo(NumFunctions - FirstCallee), variable(),
                 value()));
  }

  void statement() {
    if (Budget == 0)
      return arithmetic();
    --Budget;
    switch (upTo(12)) {
    case 0:
    case 1:
      return guarded();
    case 2:
    case 3:
      return Nesting < 4 ? branch() : arithmetic();
    case 4:
    case 5:
      return Nesting < 4 && Depth < 2 ? loop() : arithmetic();
    case 6:
      return Nesting < 3 ? multiway() : arithmetic();
    case 7:
      return Depth ? leaveLoop() : guarded();
    case 8:
      return leave();
    case 9:
      return FirstCallee < NumFunctions ? call() : arithmetic();
    default:
      return arithmetic();
    }
  }

  void statements() {
    ++Nesting;
    for (unsigned N = 1 + upTo(4); N != 0; --N)
      statement();
    --Nesting;
  }

  void body() {
    emit(formatv(".reg .pred %p<16>;\n.reg .b32 %t<2>;\n.reg .b32 %v<{0}>;\n"
                 ".reg .b32 %i<200>;\n.reg .b32 %n<{1}>;",
                 NumVariables, NumCounters));
    NumIndices = 0;
  }

  void function(unsigned N) {
    FirstCallee = N + 1;
    Budget = 12;
    emit(formatv(
        ".func (.reg .b32 %result) f{0}(.reg .b32 %a, .reg .b32 %b) {{", N));
    body();
    emit("mov.u32 %v0, %a;\nmov.u32 %v1, %b;");
    for (unsigned V = 2; V != NumVariables; ++V)
      emit(formatv("mad.lo.u32 %v{0}, %a, {1}, %b;", V, 2 * V + 1));
    statements();
    result("");
    emit("ret;\n}");
  }

  void kernel() {
    InKernel = true;
    FirstCallee = 0;
    Budget = 40;
    emit(".visible .entry k(.param .u64 in, .param .u64 out) {\n"
         ".reg .b64 %in, %out, %place;");
    body();
    // The thread's number comes as data.
    emit("ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
         "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %v0, %tid.x;\n"
         "mad.lo.u32 %t0, %t0, %t1, %v0;\nmul.wide.u32 %place, %t0, 4;\n"
         "add.u64 %in, %in, %place;\nld.global.u32 %v0, [%in];");
    emit(formatv("mul.wide.u32 %place, %t0, {0};\nadd.u64 %out, %out, %place;",
                 ResultBytes));
    for (unsigned V = 1; V != NumVariables; ++V)
      emit(formatv("mad.lo.u32 %v{0}, %v0, {1}, {2};", V, upTo(100), upTo(50)));
    for (unsigned N = 0; N != NumCounters; ++N)
      emit(formatv("mov.u32 %n{0}, 0;", N));
    for (unsigned N = 3 + upTo(4); N != 0; --N)
      statement();
    result("");
    emit("ret;\n}");
  }

  std::mt19937 Random;
  std::vector<std::pair<std::string, std::string>> Loops; ///< latch, end
  unsigned NumLabels = 0, NumPredicates = 0, NumIndices = 0;
  unsigned NumUsedCounters = 0, Depth = 0, Nesting = 0, Budget = 0;
  unsigned FirstCallee = 0;
  bool InKernel = false;
};

using Results = std::vector<std::array<uint32_t, 1 + NumCounters>>;

/// Runs the program for \p Threads threads in blocks of \p PerBlock.
std::unique_ptr<EmulatedText> runProgram(const RandomProgram &P,
                                         unsigned Threads, unsigned PerBlock) {
  auto T = std::make_unique<EmulatedText>(P.Text);
  std::vector<uint32_t> In(Threads);
  for (unsigned N = 0; N != Threads; ++N)
    In[N] = N;
  T->Launch.Grid = {Threads / PerBlock, 1, 1};
  T->Launch.Block = {PerBlock, 1, 1};
  T->Options.Jobs = 1;
  T->buffer<uint32_t>(In).buffer(size_t(Threads) * ResultBytes).run();
  return T;
}

struct Seen {
  unsigned Diverged = 0, Loops = 0, Called = 0;
};

void checkProgram(unsigned Seed, Seen &S) {
  RandomProgram P(Seed);
  static constexpr unsigned Shapes[][2] = {{64, 32}, {64, 64}, {80, 40}};
  auto [Threads, PerBlock] = Shapes[Seed % 3];
  auto Warps = runProgram(P, Threads, PerBlock),
       Single = runProgram(P, Threads, 1);
  auto Got = Warps->contents<Results::value_type>(1);
  ASSERT_EQ(Got, Single->contents<Results::value_type>(1)) << P.Text;

  const KernelProfile &K = Warps->Result.Profile;
  ASSERT_EQ(K.Instructions.size(), Single->Result.Profile.Instructions.size());
  std::map<std::string, uint64_t> Entries;
  for (const InstructionProfile &I : K.Instructions) {
    // "call ({0}), f1, ..." by its line.
    if (I.Opcode != "call")
      continue;
    SmallVector<StringRef, 0> Lines;
    StringRef(P.Text).split(Lines, '\n');
    StringRef Line = Lines[I.Line - 1];
    Entries[Line.split(", ").second.split(',').first.str()] += I.Executions;
    S.Called += I.Executions != 0;
  }
  Entries["k"] = K.Warps;
  for (size_t N = 0; N != K.Instructions.size(); ++N) {
    const InstructionProfile &I = K.Instructions[N],
                             &Alone = Single->Result.Profile.Instructions[N];
    ASSERT_EQ(I.Line, Alone.Line);
    EXPECT_EQ(I.Lanes, Alone.Lanes) << "line " << I.Line << "\n" << P.Text;
    EXPECT_EQ(I.Taken, Alone.Taken) << "line " << I.Line << "\n" << P.Text;
    EXPECT_EQ(Alone.Divergent, 0u);
    if (!P.IsInLoop[I.Line]) {
      EXPECT_LE(I.Executions, Entries[I.Function])
          << "line " << I.Line << " of seed " << Seed << "\n"
          << P.Text;
    }
    S.Diverged += I.Divergent != 0;
  }

  // A warp goes round a loop as often as its longest lane.
  for (unsigned C = 0; C != NumCounters && P.CounterLines[C]; ++C) {
    uint64_t Want = 0;
    for (unsigned Block = 0; Block != Threads; Block += PerBlock)
      for (unsigned Warp = 0; Warp < PerBlock; Warp += 32) {
        uint32_t Longest = 0;
        for (unsigned L = Warp; L != std::min(Warp + 32, PerBlock); ++L)
          Longest = std::max(Longest, Got[Block + L][1 + C]);
        Want += Longest;
      }
    for (const InstructionProfile &I : K.Instructions)
      if (I.Line == P.CounterLines[C]) {
        EXPECT_EQ(I.Executions, Want)
            << "line " << I.Line << " of seed " << Seed << "\n"
            << P.Text;
      }
    S.Loops += Want != 0;
  }
}

TEST(EmulatorRandomPrograms, WarpsDoWhatSingleThreadsDo) {
  constexpr unsigned Parts = PTXPREDICT_IS_SANITIZED ? 4 : 1;
  Seen S;
  for (unsigned Seed = 0; Seed != 300 / Parts && !testing::Test::HasFailure();
       ++Seed)
    checkProgram(Seed, S);
  // The programs are no trivial ones.
  EXPECT_GT(S.Diverged, 1500 / Parts);
  EXPECT_GT(S.Loops, 200 / Parts);
  EXPECT_GT(S.Called, 200 / Parts);
}

} // namespace
