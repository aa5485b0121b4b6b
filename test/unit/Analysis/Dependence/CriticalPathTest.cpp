//===- CriticalPathTest.cpp - How long a warp takes by itself -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <map>

using namespace ptxpredict;

namespace {

using GoldenRow = std::map<std::string, std::string>;

/// The rows of a golden file by column name; a quoted field may have commas.
std::vector<GoldenRow> golden(StringRef Name) {
  auto File = llvm::MemoryBuffer::getFile(
      Twine(PTXPREDICT_TEST_INPUTS "/golden/") + Name, /*IsText=*/true);
  std::vector<GoldenRow> Rows;
  if (!File) {
    ADD_FAILURE() << "cannot read " << Name.str();
    return Rows;
  }
  std::vector<std::string> Columns;
  SmallVector<StringRef, 0> Lines;
  (*File)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    if (Line.starts_with("#"))
      continue;
    std::vector<std::string> Fields(1);
    bool Quoted = false;
    for (char C : Line.trim()) {
      if (C == '"')
        Quoted = !Quoted;
      else if (C == ',' && !Quoted)
        Fields.emplace_back();
      else
        Fields.back() += C;
    }
    if (Columns.empty()) {
      Columns = Fields;
      continue;
    }
    GoldenRow &R = Rows.emplace_back();
    for (size_t N = 0; N != std::min(Columns.size(), Fields.size()); ++N)
      R[Columns[N]] = Fields[N];
  }
  return Rows;
}

/// Registers by name, as operands of one function.
class Builder {
public:
  explicit Builder(FunctionDependence &F) : F(F) {}

  IssuedInstruction &add(SchedClass L, ArrayRef<StringRef> Writes,
                         ArrayRef<StringRef> Reads) {
    IssuedInstruction I;
    I.Result = L;
    I.IsLongLoad = L == SchedClass::Global;
    I.IsSharedLoad = L == SchedClass::Shared;
    I.FirstRegister = uint32_t(F.Registers.size());
    I.NumWrites = uint8_t(Writes.size());
    I.NumReads = uint8_t(Reads.size());
    I.Line = uint32_t(F.Instructions.size() + 1);
    for (StringRef R : Writes)
      F.Registers.push_back(number(R));
    for (StringRef R : Reads)
      F.Registers.push_back(number(R));
    F.Instructions.push_back(I);
    return F.Instructions.back();
  }
  /// Ends a block with what has been added since the last one.
  IssuedBlock &end(double Runs, ArrayRef<IssuedBlock::Edge> Edges) {
    IssuedBlock B;
    B.FirstInstruction = F.Blocks.empty() ? 0 : F.Blocks.back().EndInstruction;
    B.EndInstruction = uint32_t(F.Instructions.size());
    B.Runs = Runs;
    B.Edges.assign(Edges.begin(), Edges.end());
    SchedClass Last = F.Instructions.back().Result;
    B.IsBranch = Last == SchedClass::BranchTaken || Last == SchedClass::Exit;
    F.Blocks.push_back(B);
    return F.Blocks.back();
  }

private:
  uint32_t number(StringRef Name) {
    auto [It, IsNew] = Numbers.try_emplace(Name.str(), F.NumRegisters);
    F.NumRegisters += IsNew;
    return It->second;
  }
  FunctionDependence &F;
  std::map<std::string, uint32_t> Numbers;
};

constexpr uint32_t Leave = IssuedBlock::Leave;

/// The kernel saxpy2 of T. Gajger's thesis (5.2.2) from the golden tables of
/// its SASS instructions and of the dependences between them.
class Saxpy2 {
public:
  /// The loop runs \p A times.
  explicit Saxpy2(double A) {
    std::map<std::string, std::vector<std::string>> Writes, Reads;
    for (const GoldenRow &E : golden("gajger_saxpy2_edges.csv")) {
      if (E.at("kind") == "seq" && E.at("from") != "start")
        T.Issue = std::stod(E.at("latency"));
      if (!StringRef(E.at("kind")).starts_with("raw"))
        continue;
      note(Writes[E.at("from")], E.at("resource"));
      note(Reads[E.at("to")], E.at("resource"));
    }
    S.Functions.emplace_back();
    FunctionDependence &F = S.Functions[0];
    Builder Build(F);
    std::string Pair;
    for (const GoldenRow &I : golden("gajger_saxpy2_sass.csv")) {
      if (I.at("count_class") == "pad")
        continue;
      const std::string &Index = I.at("idx");
      SchedClass L = latencyFor(I.at("opcode"));
      StringRef Cycles = I.at("latency_cycles");
      if (L == SchedClass::BranchTaken) { // "taken/not taken"
        T.of(L) = std::stod(Cycles.split('/').first.str());
        T.of(SchedClass::BranchNotTaken) =
            std::stod(Cycles.split('/').second.str());
      } else if (I.at("pred").empty()) { // of an exit that all lanes take
        T.of(L) = std::stod(Cycles.str());
      }
      std::vector<StringRef> W(Writes[Index].begin(), Writes[Index].end());
      std::vector<StringRef> R(Reads[Index].begin(), Reads[Index].end());
      if (const std::string &Now = I.at("dual_issue_group"); !Now.empty()) {
        if (Now == Pair)
          F.Instructions.back().IsPaired = true;
        Pair = Now;
      }
      Build.add(L, W, R);
      IsMemory.push_back(I.at("count_class") == "mem");
      // Blocks end at branches and before targets.
      if (Index == "8")
        Build.end(1, {{Leave, 0}, {1, 1}});
      else if (Index == "16")
        Build.end(1, {{5, 0}, {2, 1}});
      else if (Index == "19")
        Build.end(1, {{3, 1}});
      else if (Index == "23")
        Build.end(A, {{3, (A - 1) / A}, {4, 1 / A}});
      else if (Index == "24")
        Build.end(1, {{5, 1}});
    }
    Build.end(1, {{Leave, 1}});
    F.Loops.push_back({3, 4, A, ""});
  }

  /// Executed instructions that access no memory.
  double coreInstructions() const {
    double Sum = 0;
    for (const IssuedBlock &B : S.Functions[0].Blocks)
      for (uint32_t I = B.FirstInstruction; I != B.EndInstruction; ++I)
        Sum += IsMemory[I] ? 0 : B.Runs;
    return Sum;
  }

  DependenceSummary S;
  LatencyTable T;
  std::vector<bool> IsMemory;

private:
  static void note(std::vector<std::string> &To, const std::string &R) {
    if (!llvm::is_contained(To, R))
      To.push_back(R);
  }
  static SchedClass latencyFor(StringRef Opcode) {
    if (Opcode.starts_with("XMAD"))
      return SchedClass::IntMultiply;
    if (Opcode.starts_with("IADD"))
      return SchedClass::Int;
    if (Opcode.starts_with("SH"))
      return SchedClass::Logic;
    if (Opcode.starts_with("ISETP"))
      return SchedClass::Compare;
    if (Opcode.starts_with("FADD"))
      return SchedClass::FP32;
    if (Opcode.starts_with("LDG"))
      return SchedClass::Global;
    if (Opcode.starts_with("BRA"))
      return SchedClass::BranchTaken;
    if (Opcode.starts_with("EXIT"))
      return SchedClass::Exit;
    return Opcode.starts_with("STG") ? SchedClass::Other : SchedClass::Move;
  }
};

} // namespace

TEST(CriticalPathTest, IsThatOfGajgersSaxpy2) {
  // T eq. 5.1: 942 + 24 a cycles; 4.1: 23 + 4 a instructions of CUDA cores.
  for (double A : {1.0, 2.0, 3.0, 7.0, 128.0, 4096.0, 1e9}) {
    Saxpy2 K(A);
    CriticalPath P = findCriticalPath(K.S, K.T);
    EXPECT_DOUBLE_EQ(P.Cycles, 942 + 24 * A) << A;
    EXPECT_DOUBLE_EQ(K.coreInstructions(), 23 + 4 * A);
    EXPECT_DOUBLE_EQ(P.Instructions, 26 + 4 * A);
    EXPECT_EQ(P.LongLoads, 2);
    EXPECT_EQ(P.RoundTrips, 2);
    EXPECT_TRUE(P.IsExact);
  }
}

TEST(CriticalPathTest, ForgetsWhatNothingWaitsFor) {
  // Each block loads what only the last one of them is waited for.
  constexpr unsigned Blocks = 2000;
  DependenceSummary S;
  FunctionDependence &F = S.Functions.emplace_back();
  Builder Build(F);
  for (unsigned N = 0; N != Blocks; ++N) {
    std::string Name = "r" + std::to_string(N);
    Build.add(SchedClass::Global, {Name}, {});
    Build.end(1, {{N + 1, 1}});
  }
  Build.add(SchedClass::FP32, {"sum"}, {"r" + std::to_string(Blocks - 1)});
  Build.add(SchedClass::Exit, {}, {});
  Build.end(1, {{Leave, 1}});
  LatencyTable T = LatencyTable::unit();
  T.of(SchedClass::Global) = 1e6;
  CriticalPath P = findCriticalPath(S, T);
  EXPECT_EQ(P.Cycles, Blocks - 1 + 1e6 + 1 + 1);
  EXPECT_EQ(P.RoundTrips, 1);
  EXPECT_EQ(P.memoryParallelism(), Blocks);
}

TEST(CriticalPathTest, LetsLanesWaitAtVeryManyPlaces) {
  // Branches nested deeply, each of which sends some lanes behind all of it.
  constexpr unsigned Depth = 1000;
  DependenceSummary S;
  FunctionDependence &F = S.Functions.emplace_back();
  Builder Build(F);
  for (unsigned N = 0; N != Depth; ++N) {
    Build.add(SchedClass::BranchTaken, {}, {});
    Build.end(1, {{2 * Depth - N, 0}, {N + 1, 0}}).Both = 1;
  }
  for (unsigned N = 0; N != Depth; ++N) {
    Build.add(SchedClass::FP32, {}, {});
    Build.end(1, {{Depth + N + 1, 1}});
  }
  Build.add(SchedClass::Exit, {}, {});
  Build.end(1, {{Leave, 1}});
  // Nothing is done twice, or never.
  CriticalPath P = findCriticalPath(S, LatencyTable::unit());
  EXPECT_EQ(P.Cycles, 2 * Depth + 1);
  EXPECT_EQ(P.Instructions, 2 * Depth + 1);
}
