//===- Dataset.cpp - What rows of measurements mean -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Dataset/Dataset.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using llvm::yaml::Node;
using llvm::yaml::SequenceNode;

static constexpr StringRef RootKeys[] = {
    "schema",  "version",  "name",    "title",    "source",  "csv",
    "where",   "devices",  "time_us", "core_mhz", "mem_mhz", "power_limit_w",
    "power_w", "counters", "events",  "least_us", "set",     "default",
    "sample",  "kernels",  "kind"};
static constexpr StringRef CounterKeys[NumMeasuredCounts] = {
    "instructions", "dram_sectors", "l2_sectors", "shared_wavefronts"};
static constexpr StringRef KernelKeys[] = {
    "where",    "name",         "code",        "kernel",
    "grid",     "block",        "cluster",     "dynamic_shared",
    "args",     "trip_counts",  "registers",   "branch_probabilities",
    "define",   "warps_per_sm", "core_mhz",    "apart",
    "requires", "buffers",      "spill_bytes", "spill_load_bytes",
    "kind",     "launch",       "entry"};
/// The last one is the default.
static constexpr StringRef Kinds[] = {
    "streaming",    "transpose", "stencil",       "convolution", "reduction",
    "scan",         "sort",      "simt-gemm",     "mma-gemm",    "wgmma-gemm",
    "tcgen05-gemm", "attention", "normalisation", "gather",      "atomic",
    "pipeline",     "waiting",   "unequal",       "compute",     "other"};

ArrayRef<StringRef> ptxpredict::datasetKinds() { return Kinds; }

namespace {

class DatasetReader {
public:
  DatasetReader(DiagnosticEngine &Diags, Dataset &Result)
      : Diags(Diags), Nodes(Diags), Result(Result) {}

  void read() {
    Nodes.readDocument([this](Node &Root) { readRoot(Root); });
  }

private:
  using Places = std::vector<std::pair<YAMLText, Formula>>;

  void readRoot(Node &Root);
  void readDevices(Node &N);
  void readKernel(Node &N);
  void readSample(Node &N);
  void readCounter(StringRef Name, Node &N);
  void readConditions(Node &N, StringRef What, bool AllowsExtremes,
                      std::vector<DatasetCondition> &Into);
  void readCondition(YAMLText Key, Node &N, bool AllowsExtremes,
                     std::vector<DatasetCondition> &Into);
  void readText(Node &N, StringRef What, std::string &Into);
  void readKind(Node &N, std::string &Into);
  void readTemplate(Node &N, StringRef What, Template &Into);
  std::optional<Formula> formula(Node &N, const Twine &What);
  void readFormulas(Node &N, StringRef What, std::vector<Formula> &Into);
  void readPlaces(Node &N, StringRef What, Places &Into);

  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  Dataset &Result;
};

} // namespace

std::optional<Formula> DatasetReader::formula(Node &N, const Twine &What) {
  std::optional<YAMLText> T = Nodes.text(N, What, "a formula");
  return T ? Formula::parse(*T, Diags) : std::nullopt;
}

void DatasetReader::readFormulas(Node &N, StringRef What,
                                 std::vector<Formula> &Into) {
  size_t Count = 0;
  auto Add = [&](Node &E) {
    ++Count;
    if (std::optional<Formula> F = formula(E, "an extent"))
      Into.push_back(std::move(*F));
  };
  if (!isa<SequenceNode>(&N))
    return Add(N);
  if (Nodes.forEachElement(N, What, Add) && (Count == 0 || Count > 3))
    Nodes.error(Nodes.place(N), What + " takes 1 to 3 formulas");
}

void DatasetReader::readPlaces(Node &N, StringRef What, Places &Into) {
  Nodes.forEachEntry(N, What, {}, [&](YAMLText &Key, Node &Value) {
    if (std::optional<Formula> F = formula(Value, "'" + Key.Text + "'"))
      Into.emplace_back(std::move(Key), std::move(*F));
  });
}

void DatasetReader::readText(Node &N, StringRef What, std::string &Into) {
  if (std::optional<YAMLText> T = Nodes.text(N, What)) {
    if (T->Text.empty())
      Nodes.error(T->Loc, What + " must not be empty");
    Into = std::move(T->Text);
  }
}

void DatasetReader::readTemplate(Node &N, StringRef What, Template &Into) {
  std::optional<YAMLText> T = Nodes.text(N, What);
  if (!T)
    return;
  StringRef Rest = T->Text;
  if (Rest.empty())
    return Nodes.error(T->Loc, What + " must not be empty");
  while (!Rest.empty()) {
    auto [Before, After] = Rest.split('{');
    if (Before.contains('}'))
      return Nodes.error(T->Loc, What + ": '}' without '{'");
    if (!Before.empty())
      Into.Parts.push_back({false, Before.str()});
    if (Before.size() == Rest.size())
      break;
    size_t End = After.find('}');
    StringRef Name = After.take_front(End);
    if (End == StringRef::npos || Name.empty() || Name.contains('{'))
      return Nodes.error(T->Loc, What + ": '{' needs a name and '}'");
    Into.Parts.push_back({true, Name.str()});
    Rest = After.drop_front(End + 1);
  }
  Into.Source = std::move(*T);
}

void DatasetReader::readCondition(YAMLText Key, Node &N, bool AllowsExtremes,
                                  std::vector<DatasetCondition> &Into) {
  DatasetCondition C;
  // A column's name need be no formula; which one it is shows the CSV file.
  DiagnosticEngine Unheard;
  C.Compute = Formula::parse({Key.Text, SMLoc()}, Unheard);
  C.Column = std::move(Key);
  if (isa<SequenceNode>(&N)) {
    Nodes.forEachElement(N, "where", [&](Node &E) {
      if (std::optional<YAMLText> T = Nodes.text(E, "a value"))
        C.Values.push_back(std::move(T->Text));
    });
    Into.push_back(std::move(C));
    return;
  }
  std::optional<YAMLText> T =
      Nodes.text(N, "'" + C.Column.Text + "'", "a value or a list of values");
  if (!T)
    return;
  StringRef Text = StringRef(T->Text).trim();
  using Kind = DatasetCondition::Kind;
  if (AllowsExtremes && (Text == "max" || Text == "min")) {
    C.Test = Text == "max" ? Kind::Most : Kind::Least;
  } else if (Text.consume_front("!=")) {
    C.Test = Kind::NotEqual;
    C.Values.push_back(Text.trim().str());
  } else if (Text.starts_with("<") || Text.starts_with(">")) {
    bool IsLess = Text.front() == '<';
    Text = Text.drop_front();
    bool OrEqual = Text.consume_front("=");
    std::optional<double> Limit = parseNumber(Text.trim());
    if (!Limit)
      return Nodes.error(T->Loc, "a comparison takes a number");
    C.Limit = *Limit;
    if (IsLess)
      C.Test = OrEqual ? Kind::LessEqual : Kind::Less;
    else
      C.Test = OrEqual ? Kind::GreaterEqual : Kind::Greater;
  } else {
    C.Values.push_back(std::move(T->Text));
  }
  Into.push_back(std::move(C));
}

void DatasetReader::readConditions(Node &N, StringRef What, bool AllowsExtremes,
                                   std::vector<DatasetCondition> &Into) {
  Nodes.forEachEntry(N, What, {}, [&](YAMLText &Key, Node &Value) {
    readCondition(std::move(Key), Value, AllowsExtremes, Into);
  });
}

void DatasetReader::readDevices(Node &N) {
  Result.DevicePlace = Nodes.place(N);
  bool HasNames = false;
  bool Whole = Nodes.forEachEntry(
      N, "devices", {"column", "names", "always"},
      [&](YAMLText &Key, Node &Value) {
        if (Key.Text == "always") {
          Result.DevicePlace = Nodes.place(Value);
          readText(Value, "always", Result.AlwaysDevice);
        } else if (Key.Text == "column") {
          if (std::optional<YAMLText> T = Nodes.text(Value, "column"))
            Result.DeviceColumn = std::move(*T);
        } else {
          HasNames = true;
          Nodes.forEachEntry(Value, "names", {}, [&](YAMLText &K, Node &V) {
            if (std::optional<YAMLText> T = Nodes.text(V, "a device"))
              Result.Devices.emplace_back(std::move(K), std::move(*T));
          });
        }
      });
  bool HasColumn = !Result.DeviceColumn.Text.empty();
  bool ByColumn = HasColumn && HasNames, Always = !Result.AlwaysDevice.empty();
  if (Whole && !Diags.hasErrors() &&
      (ByColumn == Always || (Always && (HasColumn || HasNames))))
    Nodes.error(Result.DevicePlace,
                "devices takes either column and names, or always");
}

void DatasetReader::readKind(Node &N, std::string &Into) {
  readText(N, "kind", Into);
  if (!Into.empty() && !llvm::is_contained(Kinds, Into))
    Nodes.error(Nodes.place(N),
                "there is no kind '" + Into + "'" + meantOrListed(Into, Kinds));
}

/// Those that reports compare with the models', and all others by name.
static ArrayRef<StringRef> counterKeys() {
  static const std::vector<StringRef> Keys = [] {
    std::vector<StringRef> All(std::begin(CounterKeys), std::end(CounterKeys));
    for (unsigned C = 0; C != NumCounters; ++C)
      if (!llvm::is_contained(CounterKeys, infoOf(Counter(C)).Name))
        All.push_back(infoOf(Counter(C)).Name);
    return All;
  }();
  return Keys;
}

void DatasetReader::readCounter(StringRef Name, Node &N) {
  std::optional<Formula> F = formula(N, "'" + Name + "'");
  if (const auto *At = llvm::find(CounterKeys, Name);
      At != std::end(CounterKeys))
    Result.Counters[size_t(At - CounterKeys)] = std::move(F);
  else if (F)
    Result.MoreCounters.emplace_back(findCounterName(Name)->Of, std::move(*F));
}

void DatasetReader::readSample(Node &N) {
  bool Whole = Nodes.forEachEntry(
      N, "sample", {"rows", "seed"}, [&](YAMLText &Key, Node &Value) {
        std::optional<uint64_t> V = Nodes.unsignedInteger(Value, Key.Text);
        if (Key.Text == "seed")
          Result.SampleSeed = V.value_or(0);
        else if (V && *V == 0)
          Nodes.error(Nodes.place(Value), "rows must be at least 1");
        else
          Result.SampleRows = V.value_or(1);
      });
  if (Whole && !Result.SampleRows)
    Nodes.error(Nodes.place(N), "sample needs the key 'rows'");
}

void DatasetReader::readKernel(Node &N) {
  DatasetKernel &K = Result.Kernels.emplace_back();
  K.Place = Nodes.place(N);
  bool HasGrid = false, HasBlock = false, HasCode = false, HasGlob = false,
       HasLaunch = false;
  bool Whole = Nodes.forEachEntry(
      N, "a kernel", KernelKeys, [&](YAMLText &Key, Node &Value) {
        StringRef Is = Key.Text;
        if (Is == "where") {
          readConditions(Value, Is, /*AllowsExtremes=*/false, K.Where);
        } else if (Is == "name") {
          readText(Value, Is, K.Name);
        } else if (Is == "code") {
          HasCode = true;
          readTemplate(Value, Is, K.Code);
        } else if (Is == "launch") {
          HasLaunch = true;
          readTemplate(Value, Is, K.LaunchFile);
        } else if (Is == "entry") {
          K.Entry = formula(Value, Is);
        } else if (Is == "kernel") {
          HasGlob = true;
          std::optional<YAMLText> T = Nodes.text(Value, Is);
          if (!T)
            return;
          if (auto Glob = OwnedGlob::create(T->Text); !Glob)
            Nodes.error(T->Loc, "kernel: " + toString(Glob.takeError()));
          K.Glob = std::move(*T);
        } else if (Is == "grid") {
          HasGrid = true;
          readFormulas(Value, Is, K.Grid);
        } else if (Is == "block") {
          HasBlock = true;
          readFormulas(Value, Is, K.Block);
        } else if (Is == "cluster") {
          readFormulas(Value, Is, K.Cluster);
        } else if (Is == "dynamic_shared") {
          K.DynamicShared = formula(Value, Is);
        } else if (Is == "args") {
          readPlaces(Value, Is, K.Args);
        } else if (Is == "buffers") {
          readPlaces(Value, Is, K.Buffers);
          for (const auto &[Place, F] : K.Buffers)
            if (PointedBuffer B; parsePointerPlace(Place.Text, B))
              Nodes.error(Place.Loc, "a buffer's pointer is PARAMETER or "
                                     "PARAMETER+BYTES");
        } else if (Is == "trip_counts") {
          readPlaces(Value, Is, K.TripCounts);
        } else if (Is == "branch_probabilities") {
          readPlaces(Value, Is, K.BranchProbabilities);
        } else if (Is == "registers") {
          K.Registers = formula(Value, Is);
        } else if (Is == "spill_bytes") {
          K.SpillBytes = formula(Value, Is);
        } else if (Is == "spill_load_bytes") {
          K.SpillLoadBytes = formula(Value, Is);
        } else if (Is == "warps_per_sm") {
          K.WarpsPerSM = formula(Value, Is);
        } else if (Is == "core_mhz") {
          K.CoreMHz = formula(Value, Is);
        } else if (Is == "define") {
          readPlaces(Value, Is, K.Define);
        } else if (Is == "apart") {
          readText(Value, Is, K.Apart);
        } else if (Is == "kind") {
          readKind(Value, K.Kind);
        } else {
          readText(Value, Is, K.Requires);
        }
      });
  if (K.Name.empty())
    K.Name = K.Glob.Text;
  if (!Whole)
    return;
  const std::pair<StringRef, bool> Needed[] = {
      {"code", HasCode},
      {"kernel", HasGlob},
      {"grid", HasGrid || HasLaunch},
      {"block", HasBlock || HasLaunch}};
  for (auto [Key, Has] : Needed)
    if (!Has)
      Nodes.error(K.Place, "a kernel needs the key '" + Key + "'");
  if (K.Entry && !HasLaunch)
    Nodes.error(K.Entry->place(), "an entry is of a launch file: 'launch' says "
                                  "which one");
}

void DatasetReader::readRoot(Node &Root) {
  Dataset &R = Result;
  bool HasSchema = false, HasVersion = false, HasDevices = false,
       HasTime = false, HasKernels = false;
  bool Whole = Nodes.forEachEntry(
      Root, "a dataset", RootKeys, [&](YAMLText &Key, Node &Value) {
        StringRef K = Key.Text;
        if (K == "schema") {
          HasSchema = true;
          std::optional<YAMLText> T = Nodes.text(Value, K);
          if (T && T->Text != DatasetSchemaName)
            Nodes.error(T->Loc, "schema must be " + DatasetSchemaName);
        } else if (K == "version") {
          HasVersion = true;
          std::optional<uint64_t> V = Nodes.unsignedInteger(Value, K);
          if (V && *V != DatasetSchemaVersion)
            Nodes.error(Nodes.place(Value),
                        "version must be " + Twine(DatasetSchemaVersion));
        } else if (K == "name") {
          readText(Value, K, R.Name);
        } else if (K == "kind") {
          readKind(Value, R.Kind);
        } else if (K == "title") {
          readText(Value, K, R.Title);
        } else if (K == "source") {
          readText(Value, K, R.Source);
        } else if (K == "csv") {
          if (std::optional<YAMLText> T = Nodes.text(Value, K))
            R.CSV = std::move(*T);
        } else if (K == "where") {
          readConditions(Value, K, /*AllowsExtremes=*/false, R.Where);
        } else if (K == "devices") {
          HasDevices = true;
          readDevices(Value);
        } else if (K == "time_us") {
          HasTime = true;
          R.TimeUs = formula(Value, K);
        } else if (K == "core_mhz") {
          R.CoreMHz = formula(Value, K);
        } else if (K == "mem_mhz") {
          R.MemMHz = formula(Value, K);
        } else if (K == "power_limit_w") {
          R.PowerLimitW = formula(Value, K);
        } else if (K == "power_w") {
          R.PowerW = formula(Value, K);
        } else if (K == "counters") {
          Nodes.forEachEntry(
              Value, K, counterKeys(),
              [&](YAMLText &Name, Node &V) { readCounter(Name.Text, V); });
        } else if (K == "events") {
          Nodes.forEachEntry(Value, K, powerEventNames(),
                             [&](YAMLText &Event, Node &V) {
                               R.Events[size_t(*findPowerEvent(Event.Text))] =
                                   formula(V, "'" + Event.Text + "'");
                             });
        } else if (K == "least_us") {
          R.LeastUs = Nodes.number(Value, K).value_or(0);
          if (R.LeastUs < 0)
            Nodes.error(Nodes.place(Value), "least_us must not be negative");
        } else if (K == "set") {
          Nodes.forEachElement(Value, K, [&](Node &E) {
            if (std::optional<YAMLText> T = Nodes.text(E, "a column"))
              R.Set.push_back(std::move(*T));
          });
        } else if (K == "default") {
          readConditions(Value, K, /*AllowsExtremes=*/true, R.Default);
        } else if (K == "sample") {
          readSample(Value);
        } else {
          HasKernels = true;
          if (Nodes.forEachElement(Value, K, [&](Node &N) { readKernel(N); }) &&
              R.Kernels.empty())
            Nodes.error(Nodes.place(Value), "kernels has no entry");
        }
      });
  if (!Whole)
    return;
  const std::pair<StringRef, bool> Needed[] = {
      {"schema", HasSchema},         {"version", HasVersion},
      {"name", !R.Name.empty()},     {"title", !R.Title.empty()},
      {"source", !R.Source.empty()}, {"csv", !R.CSV.Text.empty()},
      {"devices", HasDevices},       {"time_us", HasTime},
      {"kernels", HasKernels}};
  for (auto [Key, Has] : Needed)
    if (!Has)
      Nodes.error(Nodes.place(Root), "the key '" + Key + "' is missing");
}

bool ptxpredict::readDataset(DiagnosticEngine &Diags, Dataset &Result) {
  DatasetReader(Diags, Result).read();
  for (DatasetKernel &K : Result.Kernels)
    if (K.Kind.empty())
      K.Kind = Result.Kind.empty() ? std::end(Kinds)[-1].str() : Result.Kind;
  if (!Diags.hasErrors() && Result.Kernels.empty())
    Diags.error(SMLoc::getFromPointer(Diags.text().data()), "not valid YAML");
  return Diags.hasErrors();
}

namespace {

/// Looks names up among columns and definitions.
struct NameChecker {
  const Dataset &D;
  const CSVFile &Table;
  DiagnosticEngine &Diags;
  std::vector<StringRef> Defined = {}; ///< of the present entry, so far

  /// A column, COLUMN.KEY, or what is defined.
  bool isKnown(StringRef Name) const {
    if (llvm::is_contained(Defined, Name) || Table.column(Name))
      return true;
    for (size_t Dot = Name.find('.'); Dot != StringRef::npos;
         Dot = Name.find('.', Dot + 1))
      if (Table.column(Name.take_front(Dot)))
        return true;
    return false;
  }
  void check(StringRef Name, SMLoc Place) const {
    if (isKnown(Name))
      return;
    std::vector<StringRef> Known(Defined);
    llvm::append_range(Known, Table.columns());
    Diags.error(Place, "'" + D.CSV.Text + "' has no column '" + Name + "'" +
                           meantOrListed(Name, Known));
  }
  void check(const Formula &F) const {
    for (const Formula::Name &N : F.names())
      check(N.Text, N.Place);
  }
  void check(const std::optional<Formula> &F) const {
    if (F)
      check(*F);
  }
  void check(ArrayRef<Formula> Formulas) const {
    for (const Formula &F : Formulas)
      check(F);
  }
  void check(ArrayRef<std::pair<YAMLText, Formula>> Places) const {
    for (const auto &[Key, F] : Places)
      check(F);
  }
  void check(ArrayRef<DatasetCondition> Conditions) const {
    for (const DatasetCondition &C : Conditions)
      if (!C.Compute || C.Compute->names().empty())
        check(C.Column.Text, C.Column.Loc); // a column whose name is no formula
      else if (!isKnown(C.Column.Text))
        for (const Formula::Name &N : C.Compute->names())
          check(N.Text, C.Column.Loc);
  }
};

} // namespace

bool ptxpredict::checkNames(const Dataset &D, const CSVFile &Table,
                            DiagnosticEngine &Diags) {
  NameChecker Checker{D, Table, Diags};
  Checker.check(D.Where);
  Checker.check(D.Default);
  if (D.AlwaysDevice.empty())
    Checker.check(D.DeviceColumn.Text, D.DeviceColumn.Loc);
  for (const auto *F :
       {&D.TimeUs, &D.CoreMHz, &D.MemMHz, &D.PowerW, &D.PowerLimitW})
    Checker.check(*F);
  for (const std::optional<Formula> &F : D.Counters)
    Checker.check(F);
  for (const std::optional<Formula> &F : D.Events)
    Checker.check(F);
  for (const auto &[Which, F] : D.MoreCounters)
    Checker.check(F);
  for (const YAMLText &Column : D.Set)
    Checker.check(Column.Text, Column.Loc);
  for (const DatasetKernel &K : D.Kernels) {
    Checker.Defined.clear();
    Checker.check(K.Where);
    for (const auto &[Name, F] : K.Define) {
      Checker.check(F);
      Checker.Defined.emplace_back(Name.Text);
    }
    for (const Template *T : {&K.Code, &K.LaunchFile})
      for (const Template::Part &P : T->Parts)
        if (P.IsName)
          Checker.check(P.Text, T->Source.Loc);
    for (const auto *Formulas : {&K.Grid, &K.Block, &K.Cluster})
      Checker.check(*Formulas);
    for (const auto *F :
         {&K.Entry, &K.DynamicShared, &K.Registers, &K.SpillBytes,
          &K.SpillLoadBytes, &K.WarpsPerSM, &K.CoreMHz})
      Checker.check(*F);
    for (const auto *Places :
         {&K.Args, &K.Buffers, &K.TripCounts, &K.BranchProbabilities})
      Checker.check(*Places);
  }
  return Diags.hasErrors();
}
