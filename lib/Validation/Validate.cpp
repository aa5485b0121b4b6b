//===- Validate.cpp - Predictions of everything that was measured ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Validate.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <cmath>
#include <map>
#include <set>

using namespace ptxpredict;
using Outcome = ValidatedPoint::Outcome;

/// The terms in which a model says what hardware counts, by MeasuredCount.
static constexpr StringRef CountTerms[NumMeasuredCounts] = {
    "Machine_insts", "DRAM_sectors", "L2_sectors", "Shared_wavefronts"};

Validator::Validator(ValidateOptions Options) : Options(std::move(Options)) {}

DiagnosticEngine &Validator::open(StringRef Path) {
  Engines.push_back(std::make_unique<DiagnosticEngine>());
  (void)readInputFile(Path, *Engines.back()); // callers ask the engine
  return *Engines.back();
}

bool Validator::prepareModels() {
  std::vector<std::string> Names = Options.Models;
  if (Names.empty())
    Names.push_back(hasVariants() ? BottleneckName.str() : "all");
  if (!findModels(Names, General, Models))
    return false;
  for (const Model *M : Models)
    Report.Models.push_back(M->name().str());
  return prepareVariants();
}

bool Validator::hasVariants() const {
  return Options.Ablation || Options.Refit != RefitBy::None ||
         !Options.Model.Without.empty();
}

bool Validator::prepareVariants() {
  auto At = llvm::find(Models, &bottleneckModel());
  const bool IsThere = At != Models.end();
  if (IsThere) {
    Report.Whole = size_t(At - Models.begin());
    std::vector<StringRef> Taken;
    for (auto [N, Name] : llvm::enumerate(bottleneckPartNames()))
      if (Options.Model.Without.has(BottleneckPart(N)))
        Taken.push_back(Name);
    if (!Taken.empty())
      Report.Models[Report.Whole] += " without " + llvm::join(Taken, ", ");
  } else if (hasVariants()) {
    General.error(SMLoc(), "--without, --ablation and --refit change model '" +
                               BottleneckName + "', which --model leaves out");
    return false;
  }
  const std::string Whole = Report.Models[Report.Whole];
  if (Options.Refit != RefitBy::None) {
    Report.Refit = Options.Refit;
    RefitColumn = Report.Models.size();
    Report.Models.push_back(Whole + " refitted");
  }
  if (Options.Ablation) {
    Report.Removed = bottleneckPartNames();
    for (StringRef Part : Report.Removed)
      Report.Models.push_back(Whole + " without " + Part.str());
  }
  return true;
}

bool Validator::findDevices(const Dataset &D, DiagnosticEngine &Diags) {
  auto Find = [&](StringRef Name, SMLoc Place) {
    if (Expected<const Device *> Found = Devices.find(Name); !Found)
      Diags.error(Place, llvm::toString(Found.takeError()));
  };
  if (!D.AlwaysDevice.empty())
    Find(D.AlwaysDevice, D.DevicePlace);
  for (const auto &[Cell, Name] : D.Devices)
    Find(Name.Text, Name.Loc);
  return !Diags.hasErrors();
}

/// \p Name in \p Folder if it is there, or if \p Dataset does not have it
/// beside it.
static std::string pathIn(StringRef Folder, StringRef Dataset, StringRef Name) {
  auto In = [&](StringRef Where) {
    llvm::SmallString<128> Path(Where);
    llvm::sys::path::append(Path, Name);
    return std::string(Path);
  };
  std::string Beside = In(llvm::sys::path::parent_path(Dataset));
  if (Folder.empty())
    return Beside;
  std::string Path = In(Folder);
  return llvm::sys::fs::is_regular_file(Path) ||
                 !llvm::sys::fs::is_regular_file(Beside)
             ? Path
             : Beside;
}

std::string Validator::codePath(const ValidatedDataset &D,
                                StringRef Name) const {
  return pathIn(Options.CodeFolder, D.Path, Name);
}

bool Validator::prepareDataset(StringRef Path) {
  DiagnosticEngine &Diags = open(Path);
  DatasetEngines.push_back(&Diags);
  ValidatedDataset &D = Report.Datasets.emplace_back();
  D.Path = Path.str();
  if (Diags.hasErrors() || readDataset(Diags, D.About) ||
      !findDevices(D.About, Diags))
    return false;
  for (const ValidatedDataset &Other : Report.Datasets)
    if (&Other != &D && Other.About.Name == D.About.Name)
      Diags.error(SMLoc(), "'" + Other.Path + "' has the name '" +
                               D.About.Name + "', too");
  std::string CSV = pathIn(Options.DataFolder, Path, D.About.CSV.Text);
  if (!llvm::sys::fs::is_regular_file(CSV)) {
    Diags.error(D.About.CSV.Loc, "there is no file '" + CSV +
                                     "'; --data=FOLDER says where it lies");
    return false;
  }
  DiagnosticEngine &TableDiags = open(CSV);
  CSVFile &Table = *Tables.emplace_back(std::make_unique<CSVFile>());
  if (TableDiags.hasErrors() || Table.read(TableDiags) ||
      checkNames(D.About, Table, Diags) ||
      readPoints(D.About, Table, Options.Only, TableDiags, D.Rows))
    return false;
  D.NumPoints = D.Rows.Points.size();
  for (MeasuredPoint &M : D.Rows.Points) {
    ValidatedPoint &P = Report.Points.emplace_back();
    static_cast<MeasuredPoint &>(P) = std::move(M);
    P.Dataset = unsigned(Report.Datasets.size() - 1);
    P.Line = TableDiags.lineAndColumn(Table.place(P.Row, 0)).first;
    P.On = llvm::cantFail(Devices.find(P.Device));
    P.Point = DevicePoint::of(*P.On);
    P.Point.CoreMHz = P.CoreMHz.value_or(P.Point.CoreMHz);
    P.Point.MemMHz = P.MemMHz.value_or(P.Point.MemMHz);
    P.Point.WarpsPerSM = P.WarpsPerSM;
  }
  D.Rows.Points.clear();
  return !Diags.hasErrors();
}

bool Validator::prepare() {
  for (const auto &[Option, Folder] :
       {std::pair("--data", &Options.DataFolder),
        std::pair("--code", &Options.CodeFolder)})
    if (!Folder->empty() && !llvm::sys::fs::is_directory(*Folder))
      General.error(SMLoc(),
                    Twine(Option) + ": there is no folder '" + *Folder + "'");
  for (const std::string &Path : Options.DeviceFiles) {
    DiagnosticEngine &Diags = open(Path);
    if (Diags.hasErrors() || Registry.addFile(Diags))
      return false;
  }
  if (!prepareModels() || General.hasErrors())
    return false;
  bool Good = true;
  for (const std::string &Path : Options.Datasets)
    Good &= prepareDataset(Path);
  if (!Good)
    return false;
  std::vector<StringRef> Names;
  for (const ValidatedDataset &D : Report.Datasets)
    for (const DatasetKernel &K : D.About.Kernels)
      Names.emplace_back(K.Name);
  for (const std::string &Name : Options.Only)
    if (!llvm::is_contained(Names, Name))
      General.error(SMLoc(), "--only: no dataset has a kernel '" + Name + "'" +
                                 didYouMean(Name, Names));
  return !General.hasErrors();
}

std::vector<NeededCode> Validator::neededCode() const {
  std::map<std::string, NeededCode> Files;
  for (const ValidatedPoint &P : Report.Points) {
    std::string Path = codePath(Report.Datasets[P.Dataset], P.Code);
    NeededCode &F = Files[Path];
    if (F.Rows++ == 0) {
      F.Path = Path;
      F.Requires = P.Kernel->Requires;
      F.Exists = llvm::sys::fs::is_regular_file(Path);
    }
  }
  std::vector<NeededCode> Result;
  Result.reserve(Files.size());
  for (auto &[Path, F] : Files)
    Result.push_back(std::move(F));
  return Result;
}

namespace {

/// A file of code; read when the first of its tasks begins, and dropped after
/// the last one.
struct CodeUse {
  std::string Path;
  std::mutex Mutex; ///< of Code
  std::unique_ptr<CodeFile> Code;
  std::atomic<size_t> Open{0}; ///< tasks that are not done
};

/// A kernel at a launch, and the rows that are of it.
struct AnalysisTask {
  CodeUse *File = nullptr;
  std::vector<size_t> Points; ///< at least one
  std::string Problem;        ///< why it could not be done
  std::vector<std::string> Warnings;
};

} // namespace

/// What tells launches of one kernel apart.
static std::string keyOf(const MeasuredPoint &P) {
  std::string Key = P.Kernel->Glob.Text + "\n";
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

static ModelAnswer answerOf(Prediction P, bool KeepTerms) {
  ModelAnswer A;
  A.Limiter = P.Limiter;
  for (unsigned N = 0; N != NumMeasuredCounts; ++N)
    A.Counts[N] = P.term(CountTerms[N]);
  if (P.TimeUs && P.TimeUs->Value > 0 && std::isfinite(P.TimeUs->Value))
    A.TimeUs = P.TimeUs;
  else
    A.Problem =
        P.Refusal.empty() ? llvm::join(P.Applies.Notes, "; ") : P.Refusal;
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

/// Each dataset has parameters of its own.
void Validator::addRefit(ArrayRef<const BottleneckKernel *> OfPoints) {
  for (auto [Number, D] : llvm::enumerate(Report.Datasets)) {
    std::vector<RefitRow> Rows;
    std::vector<ModelAnswer *> Answers;
    for (auto [N, P] : llvm::enumerate(Report.Points)) {
      if (P.Dataset != Number || !OfPoints[N] ||
          !P.Answers[Report.Whole].TimeUs)
        continue;
      RefitRow &R = Rows.emplace_back();
      R.Kernel = OfPoints[N];
      R.Point = P.Point;
      R.TimeUs = P.TimeUs;
      R.Group = Options.Refit == RefitBy::Kernel ? P.Kernel->Name : P.Device;
      R.Kind = P.Kernel->Name + "\n" + P.Device;
      R.IsDefault = P.IsDefault;
      R.IsFitted = P.Kernel->Apart.empty();
      Answers.push_back(&P.Answers[RefitColumn]);
    }
    D.Refit = refitBottleneck(Rows, unsigned(numThreads(Options.Jobs)));
    for (auto [Answer, Refitted] : llvm::zip(Answers, D.Refit->Answers))
      *Answer = answerOf(Refitted);
    D.Refit->Answers.clear();
  }
}

/// Of all datasets together: a device draws what it draws.
void Validator::addPowerRefit(ArrayRef<const PreparedPower *> OfPoints) {
  std::vector<PowerRow> Rows;
  std::vector<ModelAnswer *> Answers;
  std::set<StringRef> Measured;
  for (auto [N, P] : llvm::enumerate(Report.Points)) {
    if (!P.PowerW || !OfPoints[N] || !*OfPoints[N] ||
        !P.Answers[Report.Whole].TimeUs || !P.Answers[RefitColumn].TimeUs)
      continue;
    PowerRow &R = Rows.emplace_back();
    R.Power = OfPoints[N];
    R.On = P.On;
    R.Point = P.Point;
    R.Cycles = P.Answers[Report.Whole].TimeUs->scaled(P.Point.CoreMHz);
    R.LeftOutCycles = P.Answers[RefitColumn].TimeUs->scaled(P.Point.CoreMHz);
    R.Watts = *P.PowerW;
    R.Kernel = P.Kernel->Name;
    R.Group = Options.Refit == RefitBy::Kernel ? P.Kernel->Name : P.Device;
    R.IsFitted = P.Kernel->Apart.empty();
    Answers.push_back(&P.Answers[RefitColumn]);
    Measured.insert(P.On->Name);
  }
  if (Rows.empty())
    return;
  std::vector<const Device *> Others;
  for (const std::string &Name : Registry.names())
    if (!Measured.count(Name))
      Others.push_back(llvm::cantFail(Devices.find(Name)));
  PowerRefitResult Power =
      refitPower(Rows, Others, unsigned(numThreads(Options.Jobs)));
  for (auto [Answer, Watts] : llvm::zip(Answers, Power.Watts))
    Answer->PowerW = Watts;
  Report.Power = std::move(Power.Devices);
}

ValidationReport
Validator::run(llvm::function_ref<void(size_t Done, size_t All)> OnProgress) {
  std::deque<CodeUse> Files;
  std::map<std::string, CodeUse *> ByPath;
  std::vector<AnalysisTask> Tasks;
  std::map<std::pair<CodeUse *, std::string>, size_t> ByKey;
  for (auto [Number, P] : llvm::enumerate(Report.Points)) {
    std::string Path = codePath(Report.Datasets[P.Dataset], P.Code);
    auto [At, IsNew] = ByPath.try_emplace(Path, nullptr);
    if (IsNew && llvm::sys::fs::is_regular_file(Path)) {
      At->second = &Files.emplace_back();
      At->second->Path = Path;
    }
    if (!At->second) {
      P.Result = Outcome::NoCode;
      continue;
    }
    auto [Place, IsFirst] =
        ByKey.try_emplace({At->second, keyOf(P)}, Tasks.size());
    if (IsFirst) {
      Tasks.emplace_back().File = At->second;
      ++At->second->Open;
    }
    P.Task = Place->second;
    Tasks[P.Task].Points.push_back(Number);
  }
  // Those of one file together, so that few files are open at a time.
  std::map<const CodeUse *, size_t> FileOrder;
  for (const CodeUse &F : Files)
    FileOrder.try_emplace(&F, FileOrder.size());
  std::vector<size_t> Order(Tasks.size());
  for (size_t N = 0; N != Order.size(); ++N)
    Order[N] = N;
  llvm::stable_sort(Order, [&](size_t A, size_t B) {
    return FileOrder[Tasks[A].File] < FileOrder[Tasks[B].File];
  });

  std::mutex Mutex; // of Broken, Done and OnProgress
  std::map<std::string, std::unique_ptr<CodeFile>> Broken;
  size_t NumDone = 0;
  // Outlive their tasks; by point, where there is a refit.
  std::deque<BottleneckKernel> Fitted; // of Mutex, too
  std::vector<const BottleneckKernel *> FittedOf(Report.Points.size());
  std::deque<PreparedPower> Powers;
  std::vector<const PreparedPower *> PowerOf(Report.Points.size());

  auto Do = [&](AnalysisTask &T) {
    {
      std::lock_guard<std::mutex> Lock(T.File->Mutex);
      if (!T.File->Code)
        T.File->Code = std::make_unique<CodeFile>(T.File->Path, Devices);
    }
    CodeFile &Code = *T.File->Code;
    const ValidatedPoint &First = Report.Points[T.Points.front()];
    if (Code.failed())
      return false;
    Expected<KernelCharacteristics> K = Code.analyze(
        First.Kernel->Glob.Text, First.Launch, First.Compiled, T.Warnings);
    if (!K) {
      T.Problem = llvm::toString(K.takeError());
      return false;
    }
    struct OnDevice {
      std::unique_ptr<ReadyKernel> Models;
      const BottleneckKernel *Fitted = nullptr;
      const PreparedPower *Power = nullptr;
      std::vector<std::unique_ptr<PreparedModel>> Removals;
    };
    std::map<const Device *, OnDevice> Ready;
    auto Prepare = [&](const Device &D) {
      OnDevice Of;
      Of.Models = std::make_unique<ReadyKernel>(KernelOnDevice(*K, D), Models,
                                                Options.Model);
      if (Options.Refit != RefitBy::None) {
        BottleneckKernel Kernel(Of.Models->place(), Options.Model.Without);
        PreparedPower Power = Of.Models->power();
        std::lock_guard<std::mutex> Lock(Mutex);
        Of.Fitted = &Fitted.emplace_back(std::move(Kernel));
        Of.Power = &Powers.emplace_back(std::move(Power));
      }
      for (size_t N = 0; N != Report.Removed.size(); ++N) {
        ModelOptions Less = Options.Model;
        Less.Without.add(BottleneckPart(N));
        Of.Removals.push_back(
            bottleneckModel().prepare(Of.Models->place(), Less));
      }
      return Of;
    };
    for (size_t Number : T.Points) {
      ValidatedPoint &P = Report.Points[Number];
      OnDevice &R = Ready[P.On];
      if (!R.Models)
        R = Prepare(*P.On);
      for (size_t M = 0; M != Models.size(); ++M)
        P.Answers.push_back(
            answerOf(R.Models->predict(M, P.Point), Options.KeepTerms));
      FittedOf[Number] = R.Fitted;
      PowerOf[Number] = R.Power;
      if (R.Fitted)
        P.Answers.emplace_back(); // until all is known
      for (const auto &Removal : R.Removals)
        P.Answers.push_back(answerOf(Removal->at(P.Point)));
    }
    return true;
  };
  forEachInParallel(Order.size(), numThreads(Options.Jobs), [&](size_t N) {
    AnalysisTask &T = Tasks[Order[N]];
    if (!Do(T))
      for (size_t Number : T.Points)
        Report.Points[Number].Result = Outcome::Failed;
    std::unique_ptr<CodeFile> Last;
    if (--T.File->Open == 0)
      Last = std::move(T.File->Code);
    std::lock_guard<std::mutex> Lock(Mutex);
    if (Last && Last->messages().hasErrors())
      Broken[T.File->Path] = std::move(Last);
    if (++NumDone, OnProgress)
      OnProgress(NumDone, Order.size());
  });
  if (Options.Refit != RefitBy::None) {
    addRefit(FittedOf);
    addPowerRefit(PowerOf);
  }

  // What went wrong, in the order of the rows; of one entry once.
  std::set<std::pair<const DatasetKernel *, std::string>> Said;
  for (size_t N : Order) {
    const AnalysisTask &T = Tasks[N];
    const ValidatedPoint &First = Report.Points[T.Points.front()];
    DiagnosticEngine &Diags = *DatasetEngines[First.Dataset];
    if (!T.Problem.empty() && Said.insert({First.Kernel, T.Problem}).second)
      Diags.error(First.Kernel->Place, T.File->Path + ": " + T.Problem);
    for (const std::string &W : T.Warnings)
      if (Said.insert({First.Kernel, W}).second)
        Diags.warning(First.Kernel->Place, T.File->Path + ": " + W);
  }
  constexpr size_t MostBroken = 3; // whose messages are shown
  size_t Shown = 0;
  for (auto &[Path, Code] : Broken) {
    if (++Shown > MostBroken)
      continue;
    DiagnosticEngine &Own =
        *Engines.emplace_back(std::make_unique<DiagnosticEngine>());
    Own.setBuffer(llvm::MemoryBuffer::getMemBufferCopy("", Path));
    for (const Diagnostic &D : Code->messages().diagnostics())
      Own.add(D);
  }
  if (Shown > MostBroken)
    General.error(SMLoc(), Twine(Shown - MostBroken) +
                               " more files of code have errors");

  std::vector<std::set<std::string>> Missing(Report.Datasets.size());
  for (const ValidatedPoint &P : Report.Points) {
    ValidatedDataset &D = Report.Datasets[P.Dataset];
    if (P.Result == Outcome::NoCode) {
      ++D.NoCode;
      Missing[P.Dataset].insert(codePath(D, P.Code));
    }
    D.Failed += P.Result == Outcome::Failed;
  }
  for (auto [Number, Paths] : llvm::enumerate(Missing))
    if (!Paths.empty())
      DatasetEngines[Number]->warning(
          SMLoc(), Twine(Report.Datasets[Number].NoCode) + " of " +
                       Twine(Report.Datasets[Number].NumPoints) +
                       " rows have no code: " + Twine(Paths.size()) +
                       " files are not there, such as '" + *Paths.begin() +
                       "'; --list shows them");
  return std::move(Report);
}

std::vector<const DiagnosticEngine *> Validator::diagnostics() const {
  std::vector<const DiagnosticEngine *> All{&General};
  for (const auto &E : Engines)
    All.push_back(E.get());
  return All;
}

bool Validator::hasErrors() const {
  return llvm::any_of(diagnostics(),
                      [](const DiagnosticEngine *E) { return E->hasErrors(); });
}
