//===- KernelSteps.cpp - Kernels: results, times, clocks, power -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceLaunch.h"
#include "References.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>

using namespace ptxpredict;
using namespace ptxpredict::measure;
using Clock = std::chrono::steady_clock;

static constexpr unsigned Samples = 20, WarmUps = 3;

llvm::ArrayRef<const char *> measure::kernelColumns() {
  static constexpr const char *Columns[] = {"kernel",
                                            "file",
                                            "entry",
                                            "grid",
                                            "block",
                                            "cluster",
                                            "dynamic_shared",
                                            "registers",
                                            "local_bytes",
                                            "result",
                                            "differing",
                                            "largest_diff",
                                            "detail",
                                            "time_us",
                                            "median_us",
                                            "min_us",
                                            "max_us",
                                            "batch",
                                            "batch_us",
                                            "empty_us",
                                            "gpu",
                                            "compute_capability",
                                            "driver",
                                            "core_mhz",
                                            "memory_mhz",
                                            "power_w",
                                            "sustained_us"};
  return Columns;
}

StringRef measure::kernelCell(const Record &Row, StringRef Column) {
  const auto Columns = kernelColumns();
  for (size_t I = 0; I != std::min(Columns.size(), Row.Fields.size()); ++I)
    if (Columns[I] == Column)
      return Row.Fields[I];
  return "";
}

namespace {

/// What a launch starts from and what it should make of it.
struct Oracle {
  Contents Start, Want;
  std::string WhyNone; ///< why there is no Want
};

/// How the buffers of a run compare.
struct Comparison {
  std::string Result = "ok", Detail;
  uint64_t Differing = 0;       ///< elements of other bits than the emulator's
  double LargestDifference = 0; ///< relative to max(1, |emulator's|)
};

} // namespace

static Contents contentsOf(Emulation &E, const KernelCase &Case) {
  Contents Result;
  for (const auto &[Name, Spec] : Case.Entry->Buffers) {
    ArrayRef<uint8_t> Data = E.buffer(Name);
    Result[Name].assign(Data.begin(), Data.end());
  }
  return Result;
}

/// Fills the buffers and runs the kernel on the CPU, for so long at most; with
/// a limit of no time it does not run. The emulation is there afterwards, to
/// check what the launch file expects.
static Expected<Oracle> emulate(const Options &O, const KernelCase &Case,
                                std::unique_ptr<Emulation> &E) {
  std::atomic<bool> Late{false};
  const auto Begin = Clock::now();
  EmulationOptions Run;
  Run.Interrupt = &Late;
  Run.OnProgress = [&](uint64_t, uint64_t) {
    Late = std::chrono::duration<double>(Clock::now() - Begin).count() >
           O.EmulateSeconds;
  };
  E = std::make_unique<Emulation>(*Case.Kernel, Case.Config, Run);
  for (const auto &[Name, Spec] : Case.Entry->Buffers)
    if (Error Err = E->addBuffer(Name, Spec, Case.Files->Launches))
      return Err;
  Oracle Result;
  Result.Start = contentsOf(*E, Case);
  if (O.EmulateSeconds == 0) {
    Result.WhyNone = "not emulated: --emulate-seconds=0";
    return Result;
  }
  Expected<EmulationResult> Ran = E->run();
  if (!Ran)
    Result.WhyNone = toString(Ran.takeError());
  else if (Ran->Fault)
    Result.WhyNone = Ran->Fault->Message;
  else if (Ran->Interrupted)
    Result.WhyNone =
        "the emulation takes more than " + measured(O.EmulateSeconds) + " s";
  else
    Result.Want = contentsOf(*E, Case);
  if (!Result.WhyNone.empty())
    Result.WhyNone = "not emulated: " + Result.WhyNone;
  return Result;
}

/// Counts elements whose bits are not those of the emulator. NaN equals NaN.
static void compareBits(const KernelCase &Case, const Contents &Got,
                        const Contents &Want, Comparison &C) {
  for (const auto &[Name, Spec] : Case.Entry->Buffers) {
    const Bytes &Mine = Got.at(Name), &Its = Want.at(Name);
    const unsigned Size = accuracy::elementBytes(Spec.Type);
    for (uint64_t I = 0; I != Spec.Count; ++I) {
      const unsigned char *G = &Mine[I * Size], *W = &Its[I * Size];
      if (std::memcmp(G, W, Size) == 0)
        continue;
      const double GotValue = accuracy::readElement(Spec.Type, G);
      const double WantValue = accuracy::readElement(Spec.Type, W);
      if (std::isnan(GotValue) && std::isnan(WantValue))
        continue;
      if (C.Differing++ == 0)
        C.Detail = Name + "[" + std::to_string(I) + "] is " +
                   measured(GotValue) + "; the emulator has " +
                   measured(WantValue);
      C.LargestDifference = std::max(C.LargestDifference,
                                     std::fabs(GotValue - WantValue) /
                                         std::max(1.0, std::fabs(WantValue)));
    }
  }
}

/// What References.cpp says of a kernel of test/accuracy. Nothing if it says
/// nothing.
static std::optional<std::string> compareWithReference(const Options &O,
                                                       const KernelCase &Case,
                                                       const Oracle &Known,
                                                       const Contents &Got) {
  if (Case.Files->Launches != O.Folder + "/launch")
    return std::nullopt;
  const std::vector<accuracy::Launch> All = accuracy::allLaunches();
  auto L = llvm::find_if(All, [&](const accuracy::Launch &Other) {
    return Case.Kernel->Name == Other.Kernel;
  });
  accuracy::Contents Want = Known.Start;
  accuracy::Tolerances Allowed;
  if (L == All.end() || !accuracy::computeReference(*L, Want, Allowed))
    return std::nullopt;
  for (const accuracy::Buffer &B : L->Buffers)
    if (std::string Fault =
            accuracy::compare(B, Got.at(B.Name), Want[B.Name], Allowed[B.Name]);
        !Fault.empty())
      return Fault;
  return "";
}

/// What the launch file expects; nothing if it expects nothing.
static std::optional<std::string> compareWithLaunchFile(const KernelCase &Case,
                                                        const Contents &Got,
                                                        Emulation &E) {
  bool IsAnyExpected = false;
  for (const auto &[Name, Spec] : Case.Entry->Buffers) {
    IsAnyExpected |= Spec.Expect.has_value();
    llvm::copy(Got.at(Name), E.buffer(Name).begin());
  }
  if (!IsAnyExpected)
    return std::nullopt;
  Expected<std::vector<BufferFailure>> Failures = E.checkBuffers();
  if (!Failures)
    return toString(Failures.takeError());
  if (Failures->empty())
    return "";
  const BufferFailure &F = Failures->front();
  return F.Buffer + "[" + std::to_string(F.Index) + "] is " + F.Got +
         " instead of " + F.Want + "; " + std::to_string(F.Count) +
         " elements are wrong";
}

static Comparison compare(const Measurement &S, const KernelCase &Case,
                          const Oracle &Known, const Contents &Got,
                          bool IsIntact, Emulation &E) {
  const Options &O = S.O;
  Comparison C;
  if (S.G.driver().StubPlay && !Known.WhyNone.empty()) {
    C.Result = "unchecked"; // the stub had nothing to play back
    C.Detail = Known.WhyNone;
    return C;
  }
  if (Known.WhyNone.empty())
    compareBits(Case, Got, Known.Want, C);
  std::optional<std::string> Fault = compareWithReference(O, Case, Known, Got);
  if (!Fault)
    Fault = compareWithLaunchFile(Case, Got, E);
  if (Fault && !Fault->empty()) {
    C.Result = "wrong";
    C.Detail = *Fault;
  } else if (!Fault && !Known.WhyNone.empty()) {
    C.Result = "unchecked";
    C.Detail = Known.WhyNone;
  } else if (!Fault && C.Differing != 0) {
    C.Result = "differs";
  }
  if (!IsIntact) {
    C.Result = "wrong";
    C.Detail = "something is written behind a buffer's end";
  }
  return C;
}

/// Whether launches may follow each other without filling the buffers again:
/// the kernel writes only buffers that start as a constant, and writes the same
/// again. Otherwise a second launch would find other work.
static Expected<bool> mayRepeat(const KernelCase &Case, DeviceLaunch &L,
                                const Contents &Start, const Contents &Once) {
  for (const auto &[Name, Spec] : Case.Entry->Buffers)
    if (Spec.Fill.Kind != BufferFill::KindTy::Zeros &&
        Spec.Fill.Kind != BufferFill::KindTy::Constant &&
        Start.at(Name) != Once.at(Name))
      return false;
  Contents Twice;
  bool IsIntact = true;
  L.play(Once);
  if (Error E = L.launch())
    return E;
  if (Error E = L.read(Twice, IsIntact))
    return E;
  return Twice == Once;
}

namespace {

/// What times, clocks and power there are of a kernel.
struct Timing {
  Times Single, Batch, Empty;
  unsigned Count = 0; ///< launches of a batch; 0 without one
  Gpu::Readings Board;
};

} // namespace

static Expected<Timing> takeTimes(Measurement &S, DeviceLaunch &L,
                                  bool Repeats) {
  constexpr double BatchMicroseconds = 1000;
  constexpr double MostLaunches = 500;
  auto Launch = [&] { return L.launch(); };
  auto Reset = [&] { return L.reset(); };
  auto Nothing = [] { return Error::success(); };
  Timing T;
  Expected<cuda::Function> Empty = S.kernel("arithmetic.sm_61", "empty");
  if (!Empty)
    return Empty.takeError();
  BenchmarkArguments None;
  std::vector<void *> Pointers = None.pointers();
  LaunchExtents One;
  One.Block[0] = 32;
  Expected<Times> E = S.G.time(Samples, WarmUps, 1, Nothing, [&] {
    return S.G.launch(*Empty, One, Pointers.data());
  });
  if (!E)
    return E.takeError();
  T.Empty = *E;
  E = S.G.time(Samples, WarmUps, 1, Reset, Launch);
  if (!E)
    return E.takeError();
  T.Single = *E;
  if (Repeats) {
    T.Count = unsigned(std::min(
        BatchMicroseconds / std::max(E->Median, 0.1) + 1, MostLaunches));
    E = S.G.time(Samples, WarmUps, T.Count, Reset, Launch);
    if (!E)
      return E.takeError();
    T.Batch = *E;
  }
  if (Repeats && S.O.PowerSeconds > 0) {
    Expected<Gpu::Readings> R = S.G.watch(S.O.PowerSeconds, Launch);
    if (!R)
      return R.takeError();
    T.Board = *R;
  }
  if (T.Board.CoreMHz <= 0) {
    Expected<double> MHz = S.coreMHz();
    if (!MHz)
      return MHz.takeError();
    T.Board.CoreMHz = *MHz;
  }
  if (T.Board.MemoryMHz <= 0)
    T.Board.MemoryMHz = S.G.management().memoryMHz();
  if (T.Board.MemoryMHz <= 0)
    T.Board.MemoryMHz = S.G.facts().MemoryMHz;
  return T;
}

static std::string extents(const Dim3 &D) {
  return std::to_string(D.X) + "x" + std::to_string(D.Y) + "x" +
         std::to_string(D.Z);
}

static Error writeRow(Measurement &S, const KernelCase &Case, DeviceLaunch &L,
                      const Comparison &C, const Timing &T) {
  Expected<int> Registers = S.G.attribute(L.function(), cuda::NumRegisters);
  if (!Registers)
    return Registers.takeError();
  Expected<int> Local = S.G.attribute(L.function(), cuda::LocalBytes);
  if (!Local)
    return Local.takeError();
  auto OrEmpty = [](double Value) { return Value > 0 ? measured(Value) : ""; };
  const DeviceFacts &D = S.G.facts();
  Record Row{kinds::Kernel,
             {Case.name(),
              Case.Files->Stem,
              std::to_string(Case.Number),
              extents(Case.Config.Grid),
              extents(Case.Config.Block),
              extents(Case.Config.Cluster),
              std::to_string(Case.Config.DynamicSharedBytes),
              std::to_string(*Registers),
              std::to_string(*Local),
              C.Result,
              std::to_string(C.Differing),
              measured(C.LargestDifference),
              C.Detail,
              measured(T.Count ? T.Batch.Median : T.Single.Median),
              measured(T.Single.Median),
              measured(T.Single.Least),
              measured(T.Single.Most),
              T.Count ? std::to_string(T.Count) : "",
              T.Count ? measured(T.Batch.Median) : "",
              measured(T.Empty.Median),
              D.Name,
              std::to_string(D.Capability / 10) + "." +
                  std::to_string(D.Capability % 10),
              D.Driver,
              measured(T.Board.CoreMHz),
              OrEmpty(T.Board.MemoryMHz),
              OrEmpty(T.Board.Watts),
              OrEmpty(T.Board.Microseconds)}};
  S.Out.write(Row);
  return Error::success();
}

/// Writes what a kernel left in its buffers, raw. False if that fails.
static bool dump(const std::string &Folder, const KernelCase &Case,
                 const Contents &Got) {
  for (const auto &[Name, Data] : Got) {
    const std::string Path =
        (llvm::Twine(Folder) + "/" + Case.label() + "." + Name + ".bin").str();
    std::ofstream File(Path, std::ios::binary);
    File.write(reinterpret_cast<const char *>(Data.data()),
               std::streamsize(Data.size()));
    if (!File.flush())
      return false;
  }
  return true;
}

Error measure::runKernel(Measurement &S, const KernelCase &Case) {
  // Calls need a stack whose size the driver may not know.
  constexpr size_t StackBytes = 4096;
  if (StringRef(Case.Files->CodeMessages.text()).contains("call"))
    if (Error E =
            S.G.check(S.G.driver().CtxSetLimit(cuda::StackBytes, StackBytes),
                      "room for a stack"))
      return E;
  std::unique_ptr<Emulation> E;
  Expected<Oracle> Known = emulate(S.O, Case, E);
  if (!Known)
    return Known.takeError();
  DeviceLaunch L(S.G, Case);
  if (Error Err = L.prepare(Known->Start))
    return Err;
  L.play(Known->Want);
  if (Error Err = L.launch())
    return Err;
  if (S.O.Once)
    return S.G.synchronize(Case.name());
  Contents Got;
  bool IsIntact = true;
  if (Error Err = L.read(Got, IsIntact))
    return Err;
  if (!S.O.Dump.empty() && !dump(S.O.Dump, Case, Got))
    return failure("its buffers cannot be written to " + S.O.Dump);
  const Comparison C = compare(S, Case, *Known, Got, IsIntact, *E);
  Expected<bool> Repeats = mayRepeat(Case, L, Known->Start, Got);
  if (!Repeats)
    return Repeats.takeError();
  Expected<Timing> T = takeTimes(S, L, *Repeats);
  if (!T)
    return T.takeError();
  return writeRow(S, Case, L, C, *T);
}
