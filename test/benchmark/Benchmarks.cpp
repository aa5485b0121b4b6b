//===- Benchmarks.cpp - The speed of every stage --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// STAGE/INPUT[/N]: bytes are those of the PTX, or of the YAML or log, that the
// stage works on, also where it reads a graph of them; items are what the table
// in docs/measurements/Benchmarks.md says. Each stage gets what the former one
// made, ready.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Analysis/Symbolic/DivergenceSources.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "ptxpredict/Driver/Records/Records.h"
#include "ptxpredict/Driver/Toolchain/PtxasInfo.h"
#include "ptxpredict/Frontend/PTX/Lexer.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/PowerRegression.h"
#include "ptxpredict/Review/RecordJSON.h"
#include "ptxpredict/Support/TextSpool.h"
#include "ptxpredict/Validation/Fit/PowerTraining.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>
#include <cmath>
#include <limits>
#include <map>

using namespace ptxpredict;
using namespace ptxpredict::bench;
using benchmark::DoNotOptimize;
using benchmark::State;

static std::unique_ptr<DiagnosticEngine> engineOf(StringRef Text) {
  return std::make_unique<DiagnosticEngine>(
      llvm::MemoryBuffer::getMemBuffer(Text, "input"));
}

//===----------------------------------------------------------------------===//
// Stages; each returns how many items it did.
//===----------------------------------------------------------------------===//

static size_t lex(Input &In) {
  for (const auto &S : In.Sources) {
    ptx::Lexer L(*S->Diags);
    for (ptx::Token T; L.next(T), !T.is(ptx::TokenKind::EndOfFile);)
      DoNotOptimize(T);
  }
  return In.NumTokens;
}

static size_t parse(Input &In) {
  for (const auto &S : In.Sources) {
    std::unique_ptr<DiagnosticEngine> Diags = engineOf(S->Text);
    DoNotOptimize(ptx::parse(*Diags));
  }
  return In.NumInstructions;
}

static size_t lower(Input &In) {
  for (const auto &S : In.Sources)
    DoNotOptimize(ptx::lower(*S->Tree, *S->Diags));
  return In.NumInstructions;
}

static size_t controlFlow(Input &In) {
  for (const auto &F : In.functions())
    DoNotOptimize(ControlFlow(F->G));
  return In.NumInstructions;
}

static size_t uniformity(Input &In) {
  for (const auto &F : In.functions())
    DoNotOptimize(Uniformity(F->G, F->CF, [&](const Instruction &I) {
      return isDivergenceSource(I, F->Launch);
    }));
  return In.NumInstructions;
}

static size_t values(Input &In) {
  for (const auto &F : In.functions()) {
    const LaunchConfig &Launch = F->Launch;
    Expressions E(Launch);
    DoNotOptimize(SymbolicValues(F->G, F->CF, Launch, E).graph());
  }
  return In.NumInstructions;
}

static size_t staticCounts(Input &In) {
  for (const auto &F : In.functions())
    DoNotOptimize(profileStatically(F->V, F->Launch));
  return In.NumInstructions;
}

static size_t registers(Input &In) {
  for (const auto &F : In.functions()) {
    const MachineCode Code(F->G, F->CF);
    DoNotOptimize(registerPressure(Code, LiveOut(Code)));
  }
  return In.NumInstructions;
}

static size_t wholeAnalysis(Input &In) {
  for (const auto &S : In.Sources)
    for (const auto &G : S->M->Functions)
      if (G->IsKernel) {
        std::vector<Assumption> Assumptions;
        LaunchConfig Launch = resolveLaunch(*G, {}, Assumptions);
        DoNotOptimize(analyzeKernel(*G, Launch, std::move(Assumptions)));
      }
  return In.NumInstructions;
}

static size_t textReport(Input &In) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printText(In.report(), OS, Verbosity::Normal, /*Colors=*/false);
  DoNotOptimize(Text.data());
  return In.report().Kernels.size();
}

static size_t jsonReport(Input &In) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printJSON(In.report(), OS);
  DoNotOptimize(Text.data());
  return In.report().Kernels.size();
}

/// Files in, JSON out: what the command does, but for starting a process.
static size_t whole(Input &In) {
  Driver D({});
  require(D.prepare(), "the driver's defaults are refused");
  for (const std::string &Path : In.files())
    require(D.read(Path) != nullptr, Path + " is not read");
  std::unique_ptr<ReportForm> Form = jsonForm();
  TextSpool Texts;
  Report R =
      D.run([&](const Report &Head, size_t Number, const KernelReport &K) {
        std::string Text;
        llvm::raw_string_ostream OS(Text);
        Form->printKernel(Head, K, OS);
        Texts.add(Number, Text);
      });
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Form->print(
      R, Texts.size(),
      [&](size_t N, raw_ostream &To) {
        require(!Texts.print(N, To), "the spool is not read");
      },
      OS);
  DoNotOptimize(Text.data());
  return Texts.size();
}

/// What lint and diff do with inputs that they have not seen.
static std::vector<InputRecord> recordsOf(Input &In) {
  std::vector<DriverInput> Inputs;
  for (const std::string &Path : In.files())
    Inputs.push_back({Path});
  RecordAnswer A = recordInputs(std::move(Inputs), {});
  require(!A.Failed, "records are refused");
  return std::move(A.Inputs);
}

static size_t records(Input &In) {
  DoNotOptimize(recordsOf(In));
  return In.NumInstructions;
}

/// And with those that they have.
static size_t keptRecords(Input &In) {
  static std::map<const Input *, std::vector<std::string>> Kept;
  std::vector<std::string> &Texts = Kept[&In];
  if (Texts.empty())
    for (const InputRecord &R : recordsOf(In))
      Texts.push_back(writeRecord(R));
  for (const std::string &Text : Texts)
    require(readRecord(Text, "kept.ptx").has_value(), "a record is not read");
  return In.NumInstructions;
}

//===----------------------------------------------------------------------===//
// Stages that read no PTX
//===----------------------------------------------------------------------===//

static const Device &h100() {
  static DeviceRegistry Registry;
  static const Device &D = **Registry.find("h100-sxm");
  return D;
}

static void occupancy(State &S) {
  const Device &D = h100();
  BlockResources R;
  R.SharedBytes = 4096;
  unsigned N = 0;
  for (auto _ : S) { // every shape and number of registers in turn
    R.Threads = 32 * (1 + N % 32);
    R.RegistersPerThread = 16 + N % 240;
    ++N;
    DoNotOptimize(computeOccupancy(D, R));
  }
  S.SetItemsProcessed(S.iterations());
}

static const KernelCharacteristics &matmul() {
  return *kernels(1).report().Kernels.front().Characteristics;
}

/// From the counts to one prediction.
static void predict(State &S, const Model &M) {
  const KernelCharacteristics &K = matmul();
  const Device &D = h100();
  DevicePoint At = DevicePoint::of(D);
  for (auto _ : S)
    DoNotOptimize(M.prepare({K, D}, {})->predict(At));
  S.SetItemsProcessed(S.iterations());
}

/// N points of one kernel: every embedded device in turn with every number of
/// its SMs and as many pairs of clocks as that takes.
static void sweep(State &S, const Model &Asked) {
  DeviceRegistry Registry;
  std::vector<const Device *> Devices;
  for (StringRef Name : embeddedDeviceNames())
    Devices.push_back(*Registry.find(Name));
  const KernelCharacteristics &K = matmul();
  size_t Points = size_t(S.range(0)) / Devices.size() * Devices.size();
  size_t PerDevice = Points / Devices.size();
  for (auto _ : S) {
    double Best = std::numeric_limits<double>::infinity();
    for (const Device *D : Devices) {
      std::unique_ptr<PreparedModel> M = Asked.prepare({K, *D}, {});
      DevicePoint Most = DevicePoint::of(*D), At;
      size_t PerSMs = llvm::divideCeil(PerDevice, Most.ActiveSMs);
      auto Clocks = size_t(std::ceil(std::sqrt(double(PerSMs))));
      for (size_t I = 0; I != PerDevice; ++I) {
        size_t Core = I / Most.ActiveSMs % Clocks;
        size_t Memory = I / Most.ActiveSMs / Clocks;
        At.ActiveSMs = unsigned(1 + I % Most.ActiveSMs);
        At.CoreMHz = Most.CoreMHz * double(1 + Core) / double(Clocks);
        At.MemMHz = Most.MemMHz * double(1 + Memory) / double(Clocks);
        if (std::optional<PointPrediction> P = M->at(At))
          Best = std::min(Best, P->TimeUs.Value);
      }
    }
    require(std::isfinite(Best), "no point has an answer");
    DoNotOptimize(Best);
  }
  S.SetItemsProcessed(S.iterations() * int64_t(Points));
}

/// A regression of 13 inputs, a network, of made-up numbers.
PowerRegression regression() {
  using Kind = RegressionInput::KindTy;
  PowerRegression R;
  R.Kind = RegressionKind::Network;
  for (unsigned E = 0; E != 11; ++E)
    R.Inputs.push_back({Kind::Event, PowerEvent(E)});
  R.Inputs.push_back({Kind::CoreClock, {}, 500, 1500});
  R.Inputs.push_back({Kind::MemoryClock, {}, 500, 1500});
  R.Network.Widths = {13, 4, 4, 1};
  for (size_t I = 0; I != PowerNetwork::numWeights(R.Network.Widths); ++I)
    R.Network.Weights.push_back(std::sin(double(I)));
  return R;
}

void learnedPower(State &S) {
  const PowerRegression R = regression();
  std::vector<double> Values(R.Inputs.size(), 0.5);
  for (auto _ : S) {
    Values.back() = Values.back() < 1500 ? Values.back() + 1 : 500;
    DoNotOptimize(R.watts(Values));
  }
}

/// Ten folds; the largest board of NV-DVFS-Benchmark has 1525 rows.
void powerTraining(State &S, RegressionKind Kind) {
  std::vector<TrainingRow> Rows;
  for (unsigned N = 0; N != unsigned(S.range(0)); ++N) {
    TrainingRow Row;
    for (unsigned I = 0; I != 13; ++I)
      Row.Inputs.push_back(1 + std::sin(double(N % 25 * (I * I + 1))) *
                                   (1 + 0.1 * std::cos(double(N))));
    Row.Watts = 60 + 20 * Row.Inputs[0] * Row.Inputs[1] + 9 * Row.Inputs[2];
    Row.Kernel = N % 25;
    Rows.push_back(std::move(Row));
  }
  TrainingOptions O;
  O.Kind = Kind;
  for (auto _ : S) {
    const TrainingResult R = trainPower(regression().Inputs, Rows, O);
    require(R.Regression.Folds == 10, "nothing was trained");
    DoNotOptimize(R.Regression.Error.MAPE);
  }
}

/// What \p G executes with an argument for each parameter: a buffer, or \p N.
static StaticProfile countsOf(const InstructionGraph &G, LaunchConfig Launch,
                              uint64_t N) {
  for (unsigned P = 0; P != G.Parameters.size(); ++P) {
    ArgumentValue &A = Launch.Args[P];
    if (G.Parameters[P].Bytes == 8)
      A.Kind = ArgumentValue::KindTy::Buffer, A.BufferAlign = PointerAlignment;
    else
      A.Integer = int64_t(N);
  }
  ControlFlow CF(G);
  Expressions E(Launch);
  SymbolicValues V(G, CF, Launch, E);
  return profileStatically(V, Launch);
}

static bool isKnown(const StaticProfile &C) {
  return llvm::all_of(C.Functions.front()->Blocks,
                      [](const BlockCounts &B) { return B.Runs.isKnown(); });
}

/// Of docs/examples/matmul.ptx for matrices of N x N elements.
static void countMatmul(State &S) {
  const InstructionGraph &G = kernels(1).functions().front()->G;
  auto N = uint64_t(S.range(0));
  LaunchConfig Launch;
  Launch.Grid = {N / 16, N / 16, 1};
  Launch.Block = {16, 16, 1};
  for (auto _ : S)
    require(isKnown(countsOf(G, Launch, N)), "matmul is not decided");
  S.SetItemsProcessed(S.iterations());
}

/// N loops in a row, each with one in it; together an iteration of each runs
/// 2^31 times. The largest has 200,000 instructions.
static void countLoops(State &S) {
  std::string Text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".entry k(.param .u64 p)\n{\n.reg .b64 %d<4>;\n"
                     ".reg .b32 %r<8>;\n.reg .f32 %f<2>;\n.reg .pred %p;\n"
                     "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n";
  for (int64_t N = 0; N != S.range(0); ++N)
    Text += llvm::formatv(
        "mov.u32 %r2, 0;\nmad.wide.u32 %d2, %r1, 4, %d1;\n$O{0}:\n"
        "mov.u32 %r3, 0;\nmov.u64 %d3, %d2;\n$I{0}:\n"
        "ld.global.f32 %f1, [%d3];\nst.global.f32 [%d3+512], %f1;\n"
        "add.s64 %d3, %d3, 128;\nadd.u32 %r3, %r3, 1;\n"
        "xor.b32 %r4, %r3, %r1;\nmad.lo.u32 %r5, %r4, %r3, %r2;\n"
        "shl.b32 %r6, %r5, 2;\nand.b32 %r6, %r6, 1023;\n"
        "setp.lt.u32 %p, %r3, 32768;\n@%p bra $I{0};\n"
        "add.s64 %d2, %d2, 4096;\nadd.u32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p, %r2, 65536;\n@%p bra $O{0};\n",
        N);
  Source Src(Text + "ret;\n}\n");
  const InstructionGraph &G = *Src.M->Functions.front();
  LaunchConfig Launch;
  Launch.Grid = {1024, 1, 1};
  Launch.Block = {256, 1, 1};
  for (auto _ : S)
    require(isKnown(countsOf(G, Launch, 0)), "the loops are not decided");
  S.SetItemsProcessed(S.iterations() * int64_t(G.NumInstructions));
  S.SetComplexityN(S.range(0));
}

static void deviceFile(State &S) {
  std::string Text = readSource("lib/Device/data/h100-sxm.yaml");
  for (auto _ : S) {
    std::unique_ptr<DiagnosticEngine> Diags = engineOf(Text);
    std::unique_ptr<Device> D = parseDevice(*Diags);
    require(D != nullptr, "the device file is wrong");
    DoNotOptimize(D);
  }
  S.SetBytesProcessed(int64_t(S.iterations() * Text.size()));
  S.SetItemsProcessed(S.iterations());
}

static void launchFile(State &S) {
  std::string Text = "launches:\n";
  for (int64_t I = 0; I != S.range(0); ++I)
    Text += "  - kernel: 'matmul" + std::to_string(I) +
            "*'\n    grid: [64, 64]\n    block: [16, 16]\n"
            "    dynamic_shared: 16Ki\n"
            "    args: {n: 1024, 0: {buffer: a}}\n"
            "    buffers: {a: {type: f32, count: 1Mi, fill: iota}}\n"
            "    trip_counts: {$L__BB0_2: 64}\n";
  for (auto _ : S) {
    std::unique_ptr<DiagnosticEngine> Diags = engineOf(Text);
    LaunchFile File;
    bool Failed = parseLaunchFile(*Diags, File);
    if (Failed)
      Diags->print(llvm::errs(), /*Colors=*/false);
    require(!Failed, "the launch file is wrong");
    DoNotOptimize(File);
  }
  S.SetBytesProcessed(int64_t(S.iterations() * Text.size()));
  S.SetItemsProcessed(S.iterations() * S.range(0));
  S.SetComplexityN(int64_t(Text.size()));
}

static void ptxasLog(State &S) {
  std::string Text;
  for (int64_t I = 0; I != S.range(0); ++I) {
    std::string Name = "kernel" + std::to_string(I);
    Text += (Twine() + "ptxas info    : Compiling entry function '" + Name +
             "' for 'sm_90'\nptxas info    : Function properties for " + Name +
             "\n    8 bytes stack frame, 12 bytes spill stores, 8 bytes spill "
             "loads\nptxas info    : Used 32 registers, used 1 barriers, 4096 "
             "bytes smem, 380 bytes cmem[0]\n")
                .str();
  }
  for (auto _ : S) {
    std::unique_ptr<DiagnosticEngine> Diags = engineOf(Text);
    PtxasInfo Info;
    require(!parsePtxasInfo(*Diags, Info), "the log is wrong");
    DoNotOptimize(Info);
  }
  S.SetBytesProcessed(int64_t(S.iterations() * Text.size()));
  S.SetItemsProcessed(S.iterations() * S.range(0));
  S.SetComplexityN(int64_t(Text.size()));
}

//===----------------------------------------------------------------------===//

static void measure(State &S, Input &In, size_t (*Stage)(Input &)) {
  size_t Items = Stage(In); // makes what the stage needs, outside the timing
  for (auto _ : S)
    Stage(In);
  S.SetBytesProcessed(int64_t(S.iterations() * In.Bytes));
  S.SetItemsProcessed(int64_t(S.iterations() * Items));
  S.SetComplexityN(int64_t(In.Bytes));
}

/// A stage on every input. What runs in several threads is timed by the clock
/// on the wall.
static void add(const std::string &Name, size_t (*Stage)(Input &),
                bool InThreads = false) {
  auto Register = [&](StringRef Input, auto Run) {
    auto *B = benchmark::RegisterBenchmark((Name + Input).str().c_str(), Run);
    return InThreads ? B->MeasureProcessCPUTime()->UseRealTime() : B;
  };
  Register("/saxpy", [Stage](State &S) {
    measure(S, saxpy(), Stage);
  })->Unit(benchmark::kMicrosecond);
  Register("/corpus", [Stage](State &S) {
    measure(S, corpus(), Stage);
  })->Unit(benchmark::kMicrosecond);
  // Sizes of the scaled kernel, from a few kB to a few MB.
  for (auto [Input, Make] :
       {std::pair("/kernels", &kernels), std::pair("/bodies", &bodies)})
    Register(Input,
             [Stage, Make = Make](State &S) {
               measure(S, Make(unsigned(S.range(0))), Stage);
             })
        ->RangeMultiplier(8)
        ->Range(1, 512)
        ->Unit(benchmark::kMicrosecond)
        ->Complexity(benchmark::oN);
}

int main(int argc, char **argv) {
  add("Lex", lex);
  add("Parse", parse);
  add("Lower", lower);
  add("ControlFlow", controlFlow);
  add("Uniformity", uniformity);
  add("Values", values);
  add("StaticProfile", staticCounts);
  add("Registers", registers);
  add("Analysis", wholeAnalysis);
  add("TextReport", textReport);
  add("JSONReport", jsonReport);
  add("Whole", whole, /*InThreads=*/true);
  add("Records", records, /*InThreads=*/true);
  add("KeptRecords", keptRecords);
  addEmulatorBenchmarks();
  addSASSBenchmarks();
  addScenarioBenchmarks();
  benchmark::RegisterBenchmark("Occupancy", occupancy);
  benchmark::RegisterBenchmark("LearnedPower", learnedPower);
  for (RegressionKind Kind : {RegressionKind::MLR, RegressionKind::Network})
    benchmark::RegisterBenchmark(
        ("PowerTraining/" + toString(Kind)).str().c_str(), powerTraining, Kind)
        ->Arg(100)
        ->Arg(1525)
        ->Unit(benchmark::kMillisecond);
  for (StringRef Name : modelNames()) {
    const Model &M = *findModel(Name);
    benchmark::RegisterBenchmark(("Predict/" + Name).str().c_str(),
                                 [&M](State &S) { predict(S, M); });
    benchmark::RegisterBenchmark(("Sweep/" + Name).str().c_str(),
                                 [&M](State &S) { sweep(S, M); })
        ->Arg(4096)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("StaticProfile/matmul", countMatmul)
      ->RangeMultiplier(8)
      ->Range(64, 32768)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("StaticProfile/loops", countLoops)
      ->RangeMultiplier(10)
      ->Range(1, 10000)
      ->Unit(benchmark::kMillisecond)
      ->Complexity(benchmark::oN);
  benchmark::RegisterBenchmark("DeviceFile", deviceFile)
      ->Unit(benchmark::kMicrosecond);
  for (auto [Name, Run] :
       {std::pair("LaunchFile", &launchFile), std::pair("PtxasLog", &ptxasLog)})
    benchmark::RegisterBenchmark(Name, Run)
        ->RangeMultiplier(8)
        ->Range(1, 4096)
        ->Unit(benchmark::kMicrosecond)
        ->Complexity(benchmark::oN);

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  // A filter that matches nothing is an error, so that no test passes by it.
  return benchmark::RunSpecifiedBenchmarks() == 0;
}
