//===- Validate.cpp - Predictions of everything that was measured ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Validate.h"
#include "Baselines.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace ptxpredict;

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
  Report.Roofline = Report.Models.size();
  Report.Models.push_back(RooflineName.str());
  Report.Median = Report.Models.size();
  Report.Models.push_back(MedianName.str());
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
  return D.IsProfile ? Name.str() : pathIn(Options.CodeFolder, D.Path, Name);
}

std::string Validator::launchPath(const ValidatedDataset &D,
                                  const MeasuredPoint &P) {
  return D.IsProfile ? P.LaunchFile : pathIn("", D.Path, P.LaunchFile);
}

bool Validator::readLaunches(const std::string &Path, DiagnosticEngine &Diags,
                             SMLoc Place) {
  auto [It, IsNew] = LaunchFiles.try_emplace(Path);
  Launches &L = It->second;
  if (!IsNew)
    return L.Diags && !L.Diags->hasErrors();
  if (!llvm::sys::fs::is_regular_file(Path)) {
    Diags.error(Place, "there is no launch file '" + Path + "'");
    return false;
  }
  L.Diags = &open(Path);
  return !L.Diags->hasErrors() && !parseLaunchFile(*L.Diags, L.File);
}

void Validator::finish(ValidatedPoint &P, SMLoc Place,
                       const DiagnosticEngine &Table) {
  P.Dataset = unsigned(Report.Datasets.size() - 1);
  P.Line = Table.lineAndColumn(Place).first;
  P.On = llvm::cantFail(Devices.find(P.Device));
  P.Device = P.On->Name; // whatever the dataset calls it
  P.Point = DevicePoint::of(*P.On);
  P.Point.CoreMHz = P.CoreMHz.value_or(P.Point.CoreMHz);
  P.Point.MemMHz = P.MemMHz.value_or(P.Point.MemMHz);
  if (!P.CoreMHz)
    P.Point.leaveClock(*P.On, P.PowerLimitW);
  P.Point.WarpsPerSM = P.WarpsPerSM;
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
  TableEngines.push_back(&TableDiags);
  CSVFile &Table = *Tables.emplace_back(std::make_unique<CSVFile>());
  if (TableDiags.hasErrors() || Table.read(TableDiags) ||
      checkNames(D.About, Table, Diags) ||
      readPoints(D.About, Table, Options.Only, TableDiags, D.Rows))
    return false;
  bool Good = true;
  for (const MeasuredPoint &M : D.Rows.Points)
    Good &=
        M.LaunchFile.empty() ||
        readLaunches(launchPath(D, M), Diags, M.Kernel->LaunchFile.Source.Loc);
  if (!Good)
    return false;
  D.NumPoints = D.Rows.Points.size();
  for (MeasuredPoint &M : D.Rows.Points) {
    ValidatedPoint &P = Report.Points.emplace_back();
    static_cast<MeasuredPoint &>(P) = std::move(M);
    finish(P, Table.place(P.Row, 0), TableDiags);
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
  if (!Options.Profiles.empty() && (Good &= readProfiledCode()))
    for (const std::string &Path : Options.Profiles)
      Good &= prepareProfile(Path);
  if (!Good)
    return false;
  std::vector<StringRef> Names;
  for (const ValidatedDataset &D : Report.Datasets)
    for (const DatasetKernel &K : D.About.Kernels)
      Names.emplace_back(K.Name);
  for (const std::string &Name : Options.Only)
    if (!llvm::is_contained(Names, Name))
      General.error(SMLoc(), "--only: no dataset has a kernel '" + Name + "'" +
                                 meantOrListed(Name, Names));
  checkCountersAt();
  return !General.hasErrors();
}

void Validator::checkCountersAt() {
  if (!Options.CountersAt)
    return;
  std::set<std::pair<double, double>> Counted;
  for (const ValidatedPoint &P : Report.Points)
    if (P.CoreMHz && P.MemMHz &&
        llvm::any_of(P.Counters, [](const auto &N) { return N.has_value(); }))
      Counted.emplace(*P.CoreMHz, *P.MemMHz);
  auto Text = [](double Core, double Memory) {
    return shortestDecimal(Core) + "," + shortestDecimal(Memory);
  };
  const ClocksMHz &At = *Options.CountersAt;
  if (Counted.count({At.Core, At.Memory}))
    return;
  std::string Known;
  constexpr size_t Shown = 8;
  size_t Num = 0;
  for (auto [Core, Memory] : Counted)
    if (++Num <= Shown)
      Known += (Known.empty() ? "" : " ") + Text(Core, Memory);
  General.error(
      SMLoc(),
      "--counters-at: no row was counted at " + Text(At.Core, At.Memory) +
          " MHz; " +
          (Known.empty() ? "no row has counters and both clocks"
                         : "there are " + Known) +
          (Num > Shown ? " and " + Twine(Num - Shown) + " more" : Twine()));
}

StringRef Validator::tableText(size_t Dataset) const {
  return TableEngines[Dataset]->text();
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
