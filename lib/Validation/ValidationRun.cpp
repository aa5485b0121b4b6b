//===- ValidationRun.cpp - Predictions of all rows, in parallel -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Rows of one kernel and launch are one task: the kernel is analyzed once.
//===----------------------------------------------------------------------===//
#include "Baselines.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Model/Counted.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Validation/Validate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

using namespace ptxpredict;
using Outcome = ValidatedPoint::Outcome;

/// The terms in which a model says what hardware counts, by MeasuredCount.
static constexpr StringRef CountTerms[NumMeasuredCounts] = {
    "Machine_insts", "DRAM_sectors", "L2_sectors", "Shared_wavefronts"};

namespace {

/// A file of code; read when the first of its tasks begins, and dropped after
/// the last one.
struct CodeUse {
  std::string Path;
  size_t Number = 0; ///< files are opened in this order
  std::mutex Mutex;  ///< of Code
  std::unique_ptr<CodeFile> Code;
  std::atomic<size_t> Open{0}; ///< tasks that are not done
};

/// A kernel at a launch, and the rows that are of it.
struct AnalysisTask {
  CodeUse *File = nullptr;
  std::vector<size_t> Points;             ///< at least one
  const LaunchFileEntry *Entry = nullptr; ///< of the launch file, if any
  std::string Problem;                    ///< why it could not be done
  SMLoc ProblemPlace;                     ///< in the launch file, or invalid
  std::vector<LabelWarning> Warnings;
};

/// A kernel that is ready on a device, and its variants.
struct ReadyVariants {
  std::unique_ptr<ReadyKernel> Models;
  std::optional<BottleneckKernel> Roofline; ///< of a launch that can start
  std::vector<std::unique_ptr<PreparedModel>> Removals;
  const BottleneckKernel *Fitted = nullptr; ///< where there is a refit
  const PreparedPower *Power = nullptr;     ///< the same
  PowerEventCounts Events;                  ///< where they are kept
};

} // namespace

/// The work of Validator::run().
class Validator::Run {
public:
  Run(Validator &V, llvm::function_ref<void(size_t, size_t)> OnProgress)
      : V(V), OnProgress(OnProgress), Fitted(V.Report.Points.size()),
        Powers(V.Report.Points.size()) {}

  /// Finds the tasks, those of one file together, so that few files are open
  /// at a time.
  void findTasks();
  void predictAll();
  void refit();
  void refitPower();
  void reportProblems();
  void reportBrokenCode();
  void reportMissingCode();

private:
  /// Predicts all rows of a task. False if there is no kernel to predict.
  bool predict(AnalysisTask &T);
  /// \p K with what was counted of it on \p D at the clocks that were asked
  /// for; null if no row has that.
  std::shared_ptr<const KernelCharacteristics>
  withCounters(const AnalysisTask &T, const KernelCharacteristics &K,
               const Device &D) const;
  /// The launch of a task's rows, with what its launch file says. An error has
  /// been noted in the task.
  std::optional<LaunchSpec> launchFor(AnalysisTask &T, const CodeFile &Code);
  void reportProblems(const AnalysisTask &T);
  void predict(size_t Row, const ReadyVariants &R);
  ReadyVariants prepare(const KernelCharacteristics &K, const Device &D);

  Validator &V;
  llvm::function_ref<void(size_t Done, size_t All)> OnProgress;
  std::deque<CodeUse> Files;
  std::vector<AnalysisTask> Tasks;
  std::vector<size_t> Order; ///< of the tasks

  std::mutex Mutex; ///< of what follows, and of OnProgress
  std::map<std::string, std::unique_ptr<CodeFile>> Broken; ///< by path
  size_t NumDone = 0;
  // They outlive their tasks.
  std::deque<BottleneckKernel> AllFitted;
  std::deque<PreparedPower> AllPowers;

  std::set<std::pair<const char *, std::string>> Said; ///< where, and what
  // By row, where there is a refit:
  std::vector<const BottleneckKernel *> Fitted;
  std::vector<const PreparedPower *> Powers;
};

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// What tells launches of one kernel apart.
static std::string keyOf(const MeasuredPoint &P, StringRef LaunchPath) {
  std::string Key = P.Kernel->Glob.Text + "\n" + LaunchPath.str() + "\n" +
                    std::to_string(P.LaunchEntry) + "\n";
  auto Add = [&Key](const Twine &Text) { Key += (Text + ";").str(); };
  const LaunchSpec &L = P.Launch;
  for (const auto &Shape : {L.Grid, L.Block, L.Cluster})
    Add(Shape ? toString(*Shape) : "-");
  Add(Twine(L.DynamicSharedBytes.value_or(0)));
  Add(Twine(P.Compiled.Registers.value_or(0)));
  Add(shortestDecimal(P.Compiled.SpillBytes.value_or(0)));
  Add(shortestDecimal(P.Compiled.SpillLoadBytes.value_or(0)));
  for (const LaunchArgument &A : L.Args)
    Add(A.Parameter + "=" + shortestDecimal(A.Value.Float));
  for (const PointedBuffer &B : L.Buffers)
    Add("buffer " + B.Parameter + "+" + Twine(B.Offset) + "=" + Twine(B.Bytes));
  for (const auto &[Label, N] : L.TripCounts)
    Add("loop " + Label + "=" + shortestDecimal(N));
  for (const auto &[Label, N] : L.BranchProbabilities)
    Add("branch " + Label + "=" + shortestDecimal(N));
  return Key;
}

void Validator::Run::findTasks() {
  std::map<std::string, CodeUse *> ByPath;
  std::map<std::pair<CodeUse *, std::string>, size_t> ByKey;
  for (auto [Number, P] : llvm::enumerate(V.Report.Points)) {
    std::string Path = V.codePath(V.Report.Datasets[P.Dataset], P.Code);
    auto [At, IsNew] = ByPath.try_emplace(Path, nullptr);
    if (IsNew && llvm::sys::fs::is_regular_file(Path)) {
      At->second = &Files.emplace_back();
      At->second->Path = Path;
      At->second->Number = Files.size();
    }
    if (!At->second) {
      P.Result = Outcome::NoCode;
      continue;
    }
    const std::string LaunchPath =
        P.LaunchFile.empty() ? ""
                             : V.launchPath(V.Report.Datasets[P.Dataset], P);
    std::string Key = keyOf(P, LaunchPath);
    if (V.Options.CountersAt) // which are the dataset's own
      Key += std::to_string(P.Dataset);
    auto [Place, IsFirst] =
        ByKey.try_emplace({At->second, std::move(Key)}, Tasks.size());
    if (IsFirst) {
      Tasks.emplace_back().File = At->second;
      ++At->second->Open;
    }
    P.Task = Place->second;
    Tasks[P.Task].Points.push_back(Number);
  }
  Order.resize(Tasks.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  llvm::stable_sort(Order, [&](size_t A, size_t B) {
    return Tasks[A].File->Number < Tasks[B].File->Number;
  });
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

static ModelAnswer answerOf(Prediction P, bool KeepTerms) {
  ModelAnswer A;
  A.Limiter = P.Limiter;
  A.Kind = P.Kind;
  for (unsigned N = 0; N != NumMeasuredCounts; ++N)
    A.Counts[N] = P.term(CountTerms[N]);
  if (P.TimeUs && P.TimeUs->Value > 0 && std::isfinite(P.TimeUs->Value)) {
    A.TimeUs = P.TimeUs;
    A.NoUpperBound = std::move(P.NoUpperBound);
  } else {
    A.Problem =
        P.Refusal.empty() ? llvm::join(P.Applies.Notes, "; ") : P.Refusal;
  }
  if (P.PowerW)
    A.PowerW = P.PowerW;
  if (KeepTerms) {
    A.Terms = std::move(P.Terms);
    A.PowerUnits = std::move(P.PowerUnits);
  }
  return A;
}

static ModelAnswer answerOf(const std::optional<PointPrediction> &P) {
  ModelAnswer A;
  if (P && P->TimeUs.Value > 0 && std::isfinite(P->TimeUs.Value)) {
    A.TimeUs = P->TimeUs;
    A.Limiter = P->Limiter;
  }
  return A;
}

static ModelAnswer rooflineAnswer(const std::optional<BottleneckKernel> &K,
                                  const DevicePoint &P) {
  ModelAnswer A;
  A.HasRange = false;
  if (!K)
    return A;
  const double TimeUs = K->evaluate(P).Result.TimeUs;
  if (TimeUs > 0 && std::isfinite(TimeUs))
    A.TimeUs = Estimate::make(TimeUs, Status::Estimated);
  return A;
}

/// What \p M says of \p P, at the clock that its limit of power leaves.
static std::optional<PointPrediction> sustained(const PreparedModel &M,
                                                const PreparedPower &Power,
                                                const DevicePoint &P) {
  if (!M.at(P))
    return std::nullopt;
  return predictAt(findSustainedClock(M, Power, P), M, P);
}

ReadyVariants Validator::Run::prepare(const KernelCharacteristics &K,
                                      const Device &D) {
  ReadyVariants R;
  R.Models = std::make_unique<ReadyKernel>(KernelOnDevice(K, D), V.Models,
                                           V.Options.Model);
  if (R.Models->place().Occ.BlocksPerSM != 0)
    R.Roofline = rooflineOf(R.Models->place());
  if (V.Options.KeepEvents)
    R.Events = countPowerEvents(R.Models->place());
  if (V.Options.Refit != RefitBy::None) {
    BottleneckKernel Kernel(R.Models->place(), V.Options.Model.Without);
    PreparedPower Power = R.Models->power();
    std::lock_guard<std::mutex> Lock(Mutex);
    R.Fitted = &AllFitted.emplace_back(std::move(Kernel));
    R.Power = &AllPowers.emplace_back(std::move(Power));
  }
  for (size_t N = 0; N != V.Report.Removed.size(); ++N) {
    ModelOptions Less = V.Options.Model;
    Less.Without.add(BottleneckPart(N));
    R.Removals.push_back(bottleneckModel().prepare(R.Models->place(), Less));
  }
  return R;
}

void Validator::Run::predict(size_t Row, const ReadyVariants &R) {
  ValidatedPoint &P = V.Report.Points[Row];
  for (size_t M = 0; M != V.Models.size(); ++M)
    P.Answers.push_back(
        answerOf(R.Models->predict(M, P.Point), V.Options.KeepTerms));
  P.Counted = R.Events;
  const DevicePoint Asked = P.Point;
  // Refits are at the clock of the model as it is.
  const auto Whole = llvm::find(V.Models, &bottleneckModel());
  if (Whole != V.Models.end())
    P.Point = R.Models->settled(size_t(Whole - V.Models.begin()), P.Point);
  P.Point.fixClock();
  Fitted[Row] = R.Fitted;
  Powers[Row] = R.Power;
  if (R.Fitted)
    P.Answers.emplace_back(); // until all is known
  P.Answers.push_back(rooflineAnswer(R.Roofline, P.Point));
  P.Answers.emplace_back(); // the device's median, likewise
  for (const auto &Removal : R.Removals)
    P.Answers.push_back(
        answerOf(sustained(*Removal, R.Models->power(), Asked)));
}

std::optional<LaunchSpec> Validator::Run::launchFor(AnalysisTask &T,
                                                    const CodeFile &Code) {
  const ValidatedPoint &P = V.Report.Points[T.Points.front()];
  if (P.LaunchFile.empty())
    return P.Launch;
  const std::string Path = launchPath(V.Report.Datasets[P.Dataset], P);
  Expected<std::string> Name = Code.kernelName(P.Kernel->Glob.Text);
  if (!Name) {
    T.Problem = T.File->Path + ": " + llvm::toString(Name.takeError());
    return std::nullopt;
  }
  const KernelNames Names(*Name);
  const auto Entries =
      V.LaunchFiles.find(Path)->second.File.findAll(Names.all());
  if (P.LaunchEntry > Entries.size()) {
    T.Problem = Path + ": there is no entry " + std::to_string(P.LaunchEntry) +
                " of kernel '" + Names.Short + "', but " +
                std::to_string(Entries.size());
    return std::nullopt;
  }
  T.Entry = Entries[P.LaunchEntry - 1];
  const LaunchSpec FromFile = launchOf(
      *T.Entry,
      [&](const BufferSpec &B) -> std::shared_ptr<const BufferContents> {
        if (!B.IsFillGiven)
          return nullptr;
        auto Opened =
            BufferContents::open(B, llvm::sys::path::parent_path(Path));
        if (Opened)
          return std::move(*Opened);
        T.ProblemPlace = B.placeOfFill();
        T.Problem = llvm::toString(Opened.takeError());
        return nullptr;
      });
  if (!T.Problem.empty())
    return std::nullopt;
  return merge(P.Launch, FromFile);
}

/// What a dataset counted of a row, as a profiler's file would have it.
static KernelCounters countersOf(const MeasuredPoint &P) {
  KernelCounters Counters;
  Counters.Launches = 1;
  auto Add = [&](MeasuredCount Which, Counter C, double Factor = 1) {
    if (const std::optional<double> N = P.Counters[size_t(Which)])
      Counters.add(C).Value = *N * Factor;
  };
  Add(MeasuredCount::Instructions, Counter::InstructionsPerWarp);
  Add(MeasuredCount::DRAMSectors, Counter::DRAMBytes, SectorBytes);
  Add(MeasuredCount::L2Sectors, Counter::L2Sectors);
  Add(MeasuredCount::SharedWavefronts, Counter::SharedWavefronts);
  for (const auto &[Which, N] : P.MoreCounters)
    Counters.add(Which).Value = N;
  return Counters;
}

bool Validator::Run::predict(AnalysisTask &T) {
  {
    std::lock_guard<std::mutex> Lock(T.File->Mutex);
    if (!T.File->Code)
      T.File->Code = std::make_unique<CodeFile>(T.File->Path, V.Devices);
  }
  CodeFile &Code = *T.File->Code;
  if (Code.failed())
    return false;
  const ValidatedPoint &First = V.Report.Points[T.Points.front()];
  std::optional<LaunchSpec> Launch = launchFor(T, Code);
  if (!Launch)
    return false;
  auto K = Code.analyze(First.Kernel->Glob.Text, *Launch, First.Compiled,
                        T.Warnings, &T.ProblemPlace);
  if (!K) {
    T.Problem = T.File->Path + ": " + llvm::toString(K.takeError());
    return false;
  }
  if ((*K)->Launch.GridIsAssumed || (*K)->Launch.BlockIsAssumed) {
    T.ProblemPlace = T.Entry->Place;
    T.Problem = "a launch that was measured has 'grid' and 'block'";
    return false;
  }
  for (size_t Row : T.Points) {
    V.Report.Points[Row].Launch.Grid = Launch->Grid;
    V.Report.Points[Row].Launch.Block = Launch->Block;
  }
  struct OnDevice {
    std::shared_ptr<const KernelCharacteristics> Kernel;
    ReadyVariants Models;
  };
  std::map<const Device *, OnDevice> Ready;
  for (size_t Row : T.Points) {
    ValidatedPoint &P = V.Report.Points[Row];
    if (V.Options.WithOwnCounters) {
      const KernelCounters Counters = countersOf(P);
      P.HasCounters = !Counters.Values.empty();
      KernelCharacteristics Counted(**K);
      if (P.HasCounters)
        Counted.Counted = findCorrections(Counted, *P.On, Counters);
      predict(Row, prepare(Counted, *P.On));
      continue;
    }
    auto [It, IsNew] = Ready.try_emplace(P.On);
    OnDevice &R = It->second;
    if (IsNew) {
      R.Kernel = V.Options.CountersAt ? withCounters(T, **K, *P.On) : *K;
      if (R.Kernel)
        R.Models = prepare(*R.Kernel, *P.On);
    }
    if (R.Kernel)
      predict(Row, R.Models);
    else
      P.Result = Outcome::NoCounters;
  }
  return true;
}

static bool isAt(const MeasuredPoint &P, const ClocksMHz &Clocks) {
  return P.CoreMHz == Clocks.Core && P.MemMHz == Clocks.Memory;
}

std::shared_ptr<const KernelCharacteristics>
Validator::Run::withCounters(const AnalysisTask &T,
                             const KernelCharacteristics &K,
                             const Device &D) const {
  KernelCounters Best; // of several rows that which has most
  for (size_t Row : T.Points) {
    const ValidatedPoint &P = V.Report.Points[Row];
    if (P.On != &D || !isAt(P, *V.Options.CountersAt))
      continue;
    KernelCounters Counters = countersOf(P);
    if (Counters.Values.size() > Best.Values.size())
      Best = std::move(Counters);
  }
  if (Best.Values.empty())
    return nullptr;
  auto Counted = std::make_shared<KernelCharacteristics>(K);
  Counted->Counted = findCorrections(K, D, Best);
  return Counted;
}

void Validator::Run::predictAll() {
  const size_t Threads = numThreads(V.Options.Jobs);
  forEachInParallel(Order.size(), Threads, [&](size_t N) {
    AnalysisTask &T = Tasks[Order[N]];
    if (!predict(T))
      for (size_t Row : T.Points)
        V.Report.Points[Row].Result = Outcome::Failed;
    std::unique_ptr<CodeFile> Last;
    if (--T.File->Open == 0)
      Last = std::move(T.File->Code);
    std::lock_guard<std::mutex> Lock(Mutex);
    if (Last && Last->messages().hasErrors())
      Broken[T.File->Path] = std::move(Last);
    if (++NumDone, OnProgress)
      OnProgress(NumDone, Order.size());
  });
}

//===----------------------------------------------------------------------===//
// Refits
//===----------------------------------------------------------------------===//

StringRef ptxpredict::toString(RefitBy By) {
  static constexpr StringRef Names[] = {"none", "kernel", "device",
                                        "kernel-and-device"};
  return Names[unsigned(By)];
}

/// What \p P is left out with.
static LeftOut groupOf(const ValidatedPoint &P, RefitBy By) {
  LeftOut Group;
  if (By != RefitBy::Device)
    Group.Kernel = P.Kernel->Name;
  if (By != RefitBy::Kernel)
    Group.Device = P.Device;
  return Group;
}

/// Each dataset has parameters of its own.
void Validator::Run::refit() {
  for (auto [Number, D] : llvm::enumerate(V.Report.Datasets)) {
    std::vector<RefitRow> Rows;
    std::vector<ModelAnswer *> Answers;
    for (auto [N, P] : llvm::enumerate(V.Report.Points)) {
      if (P.Dataset != Number || !Fitted[N] ||
          !P.Answers[V.Report.Whole].TimeUs)
        continue;
      RefitRow &R = Rows.emplace_back();
      R.Kernel = Fitted[N];
      R.Point = P.Point;
      R.TimeUs = P.TimeUs;
      R.Group = groupOf(P, V.Options.Refit);
      R.Kind = P.Kernel->Name + "\n" + P.Device;
      R.IsDefault = P.IsDefault;
      R.IsFitted = P.Kernel->Apart.empty();
      Answers.push_back(&P.Answers[V.RefitColumn]);
    }
    D.Refit = refitBottleneck(Rows, unsigned(numThreads(V.Options.Jobs)));
    for (auto [Answer, Refitted] : llvm::zip(Answers, D.Refit->Answers))
      *Answer = answerOf(Refitted);
    D.Refit->Answers.clear();
  }
}

/// Of all datasets together: a device draws what it draws.
void Validator::Run::refitPower() {
  std::vector<PowerRow> Rows;
  std::vector<ModelAnswer *> Answers;
  std::set<StringRef> Measured;
  for (auto [N, P] : llvm::enumerate(V.Report.Points)) {
    if (!P.PowerW || !Powers[N] || !*Powers[N] ||
        !P.Answers[V.Report.Whole].TimeUs || !P.Answers[V.RefitColumn].TimeUs)
      continue;
    PowerRow &R = Rows.emplace_back();
    R.Power = Powers[N];
    R.On = P.On;
    R.Point = P.Point;
    R.Cycles = P.Answers[V.Report.Whole].TimeUs->scaled(P.Point.CoreMHz);
    R.LeftOutCycles = P.Answers[V.RefitColumn].TimeUs->scaled(P.Point.CoreMHz);
    R.Watts = *P.PowerW;
    R.Kernel = P.Kernel->Name;
    R.Group = groupOf(P, V.Options.Refit);
    R.IsFitted = P.Kernel->Apart.empty();
    Answers.push_back(&P.Answers[V.RefitColumn]);
    Measured.insert(P.On->Name);
  }
  if (Rows.empty())
    return;
  std::vector<const Device *> Others;
  for (const std::string &Name : V.Registry.names())
    if (!Measured.count(Name))
      Others.push_back(llvm::cantFail(V.Devices.find(Name)));
  PowerRefitResult Power = ptxpredict::refitPower(
      Rows, Others, unsigned(numThreads(V.Options.Jobs)));
  for (auto [Answer, Watts] : llvm::zip(Answers, Power.Watts))
    Answer->PowerW = Watts;
  V.Report.Power = std::move(Power.Devices);
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

/// Where \p T's entry of a launch file has trip counts or the like of a label;
/// nothing where it has none.
static SMLoc placeOfLabel(const AnalysisTask &T, StringRef Key) {
  if (T.Entry)
    for (const auto *Places :
         {&T.Entry->TripCountPlaces, &T.Entry->BranchProbabilityPlaces})
      if (const auto It = Places->find(Key); It != Places->end())
        return It->second;
  return SMLoc();
}

static bool isIn(const DiagnosticEngine &File, SMLoc Place) {
  const StringRef Text = File.text();
  return Place.isValid() && Place.getPointer() >= Text.begin() &&
         Place.getPointer() <= Text.end();
}

void Validator::Run::reportProblems(const AnalysisTask &T) {
  const ValidatedPoint &First = V.Report.Points[T.Points.front()];
  const ValidatedDataset &D = V.Report.Datasets[First.Dataset];
  // At the launch file's place, if there is one, else at the dataset's entry.
  auto Say = [&](bool IsError, SMLoc Place, const std::string &Text) {
    DiagnosticEngine *Diags = V.DatasetEngines[First.Dataset];
    const auto File = V.LaunchFiles.find(launchPath(D, First));
    if (File != V.LaunchFiles.end() && isIn(*File->second.Diags, Place))
      Diags = File->second.Diags;
    else
      Place = First.Kernel->Place;
    if (!Said.insert({Place.getPointer(), Text}).second)
      return;
    if (IsError)
      Diags->error(Place, Text);
    else
      Diags->warning(Place, Text);
  };
  if (!T.Problem.empty())
    Say(true, T.ProblemPlace, T.Problem);
  for (const LabelWarning &W : T.Warnings)
    Say(false, placeOfLabel(T, W.Key), T.File->Path + ": " + W.Text);
}

/// In the order of the tasks; once for each entry of a dataset.
void Validator::Run::reportProblems() {
  for (size_t N : Order)
    reportProblems(Tasks[N]);
}

void Validator::Run::reportBrokenCode() {
  constexpr size_t MostBroken = 3; // whose messages are shown
  size_t Shown = 0;
  for (auto &[Path, Code] : Broken) {
    if (++Shown > MostBroken)
      continue;
    DiagnosticEngine &Own =
        *V.Engines.emplace_back(std::make_unique<DiagnosticEngine>());
    Own.setBuffer(llvm::MemoryBuffer::getMemBufferCopy("", Path));
    for (const Diagnostic &D : Code->messages().diagnostics())
      Own.add(D);
  }
  if (Shown > MostBroken)
    V.General.error(SMLoc(), Twine(Shown - MostBroken) +
                                 " more files of code have errors");
}

/// Counts the rows without a prediction, too.
void Validator::Run::reportMissingCode() {
  std::vector<std::set<std::string>> Missing(V.Report.Datasets.size());
  for (const ValidatedPoint &P : V.Report.Points) {
    ValidatedDataset &D = V.Report.Datasets[P.Dataset];
    if (P.Result == Outcome::NoCode) {
      ++D.NoCode;
      Missing[P.Dataset].insert(V.codePath(D, P.Code));
    }
    D.NoCounters += P.Result == Outcome::NoCounters;
    D.Failed += P.Result == Outcome::Failed;
  }
  for (auto [Number, Paths] : llvm::enumerate(Missing))
    if (!Paths.empty())
      V.DatasetEngines[Number]->warning(
          SMLoc(), Twine(V.Report.Datasets[Number].NoCode) + " of " +
                       Twine(V.Report.Datasets[Number].NumPoints) +
                       " rows have no code: " + Twine(Paths.size()) +
                       " files are not there, such as '" + *Paths.begin() +
                       "'; --list shows them");
}

ValidationReport
Validator::run(llvm::function_ref<void(size_t Done, size_t All)> OnProgress) {
  Run R(*this, OnProgress);
  R.findTasks();
  R.predictAll();
  answerMedians(Report);
  if (Options.Refit != RefitBy::None) {
    R.refit();
    R.refitPower();
  }
  R.reportProblems();
  R.reportBrokenCode();
  R.reportMissingCode();
  return std::move(Report);
}
