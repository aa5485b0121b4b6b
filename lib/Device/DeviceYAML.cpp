//===- DeviceYAML.cpp - Reading a device file -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// YAMLTraits driven by DeviceFields.def. Values are read through mapping traits
// that look at the YAML node itself: only so does an error point at the number,
// and a value that is missing altogether stays an error (PolymorphicTraits do
// not survive one).
//===----------------------------------------------------------------------===//
#include "EmbeddedDevices.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAML.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace ptxpredict;
using llvm::yaml::IO;

namespace {

/// A scalar's text without quotes and its place, invalid if it is absent.
struct PlacedText {
  std::string Text;
  SMLoc Loc;
};

/// `1755` or `{value: 1755, unit: MHz, source: "…"}`.
struct Number {
  StringRef Key;
  PlacedText Value, Unit, Source;
  SMLoc Loc; ///< of the whole
};

/// What is plainly a slip of the pen: from Low to High, whole where it counts
/// things.
struct Range {
  double Low, High;
  bool Whole;
};

/// What the traits reach through IO::getContext.
struct Reader {
  YAMLDiagnostics &Sink;
  Device &D;
  PlacedText Name, Inherits, Capability, AccessRule, Abstract, Kind;
  /// Fields are read in the order of DeviceFields.def and reported in that of
  /// the file.
  std::vector<std::pair<const char *, std::string>> Errors;
  std::vector<StringRef> ModelKeys = {}; ///< for messages on what was just left

  void error(SMLoc Loc, const Twine &Message) {
    Errors.emplace_back(Loc.getPointer(), Message.str());
  }
  void flushErrors() {
    llvm::sort(Errors);
    for (const auto &E : Errors)
      Sink.Diags.error(SMLoc::getFromPointer(E.first), E.second);
    Errors.clear();
  }
  /// Moves a number into \p Q after all checks but that of its range; true if
  /// there is one.
  bool take(Number &N, const PlacedText &SectionSource, Quantity &Q);
  /// The same with the checks of unit and range.
  bool takeInRange(Number &N, const PlacedText &SectionSource, StringRef Unit,
                   const Range &R, Quantity &Q);
  void takeField(const DeviceField &F, Number &N, const PlacedText &Source);
};

/// One row of ModelParameters.def.
struct ModelParameter {
  StringRef Model, Key, Unit;
  double Lowest, Highest;
};
constexpr ModelParameter ModelParameterTable[] = {
#define MODEL_PARAMETER(MODEL, KEY, UNIT, LOWEST, HIGHEST, MEANING)            \
  {MODEL, KEY, UNIT, LOWEST, HIGHEST},
#include "ptxpredict/Device/ModelParameters.def"
};

struct Section {
  StringRef Name;
};
struct ModelTables {};
struct ModelTable {
  StringRef Name;
};
struct DeviceDocument {};

Reader &readerOf(IO &Io) { return *static_cast<Reader *>(Io.getContext()); }

const llvm::yaml::Node *currentNode(IO &Io) {
  return static_cast<llvm::yaml::Input &>(Io).getCurrentNode();
}

/// Where a node begins for a reader of the file. LLVM places a flow mapping
/// behind its bracket, and a missing value at the token that follows it.
SMLoc placeOf(Reader &R, const llvm::yaml::Node *N) {
  if (!N)
    return SMLoc();
  const char *Begin = R.Sink.Diags.text().begin();
  const char *Where = N->getSourceRange().Start.getPointer();
  if (!Where) // what an unfinished document leaves
    return SMLoc();
  if (llvm::isa<llvm::yaml::NullNode>(N))
    while (Where != Begin && llvm::isSpace(Where[-1]))
      --Where;
  else if (llvm::isa<llvm::yaml::ScalarNode>(N))
    return SMLoc::getFromPointer(Where);
  if (Where != Begin && StringRef("{[:").contains(Where[-1]))
    --Where;
  return SMLoc::getFromPointer(Where);
}

PlacedText textOf(const llvm::yaml::ScalarNode *N) {
  SmallVector<char, 64> Storage;
  return {N->getValue(Storage).str(), N->getSourceRange().Start};
}

constexpr StringRef AccessRules[] = {"cc10", "cc12", "cc20", "sector"};

Range rangeOf(const DeviceField &F) {
  if (F.Member == &Device::SharedReservedPerBlock)
    return {0, 0x1p20, true};
  if (F.Member == &Device::L1HoldsGlobalLoads ||
      F.Member == &Device::SharedPairs)
    return {0, 1, true};
  return llvm::StringSwitch<Range>(F.Unit)
      .Case("MHz", {1, 1e5, false})
      .Case("GB/s", {1e-2, 1e6, false})
      .Case("W", {1e-2, 1e5, false})
      .Case("cycles", {1, 1e5, false})
      .Case("bytes", {1, 0x1p50, true})
      .Case("bytes/cycle", {1e-2, 1e5, false})
      .Case("lanes/cycle", {1e-2, 1e5, false})
      .Case("multiply-adds/cycle", {1, 1e6, false})
      .Case("warp instructions/cycle", {1e-2, 1e3, false})
      .Default({1, 1e6, true}); // things to count
}

} // namespace

bool Reader::take(Number &N, const PlacedText &SectionSource, Quantity &Q) {
  if (!N.Loc.isValid())
    return false;
  if (!N.Value.Loc.isValid()) {
    error(N.Loc, "'" + N.Key + "' has no value");
    return false;
  }
  std::optional<double> V = parseNumber(N.Value.Text);
  if (!V) {
    error(N.Value.Loc,
          "'" + N.Key + "' must be a number, not '" + N.Value.Text + "'");
    return false;
  }
  Q.Value = V;
  Q.Unit = std::move(N.Unit.Text);
  Q.Source = N.Source.Loc.isValid() ? N.Source.Text : SectionSource.Text;
  if (StringRef(Q.Source).trim().empty()) {
    error(N.Loc, "'" + N.Key +
                     "' has no source; write {value: …, source: \"…\"}, or "
                     "source: once for the section");
    return false;
  }
  return true;
}

bool Reader::takeInRange(Number &N, const PlacedText &SectionSource,
                         StringRef Unit, const Range &R, Quantity &Q) {
  SMLoc UnitLoc = N.Unit.Loc;
  if (!take(N, SectionSource, Q))
    return false;
  if (UnitLoc.isValid() && Q.Unit != Unit) {
    error(UnitLoc, "'" + N.Key + "' " +
                       (Unit.empty() ? "has no unit"
                                     : "is in " + Unit + ", not " + Q.Unit));
    return false;
  }
  if (*Q.Value < R.Low || *Q.Value > R.High) {
    error(N.Value.Loc, "'" + N.Key + "' must lie between " +
                           shortestDecimal(R.Low) + " and " +
                           shortestDecimal(R.High) +
                           (Unit.empty() ? "" : " " + Unit));
    return false;
  }
  if (R.Whole && *Q.Value != std::floor(*Q.Value)) {
    error(N.Value.Loc, "'" + N.Key + "' must be a whole number");
    return false;
  }
  Q.Unit = Unit.str();
  return true;
}

void Reader::takeField(const DeviceField &F, Number &N,
                       const PlacedText &Source) {
  Quantity Q;
  if (!takeInRange(N, Source, F.Unit, rangeOf(F), Q))
    return;
  Q.Unit.clear();
  D.*F.Member = std::move(Q);
}

template <>
struct llvm::yaml::MappingTraits<PlacedText> {
  static void mapping(IO &Io, PlacedText &T) {
    if (const auto *N = dyn_cast_or_null<ScalarNode>(currentNode(Io)))
      T = textOf(N);
    else
      readerOf(Io).error(placeOf(readerOf(Io), currentNode(Io)),
                         "a plain value must stand here");
  }
};

template <>
struct llvm::yaml::MappingTraits<Number> {
  static void mapping(IO &Io, Number &N) {
    static constexpr StringRef Keys[] = {"value", "unit", "source"};
    Reader &R = readerOf(Io);
    const Node *Current = currentNode(Io);
    if (!Current || !isa<ScalarNode, MappingNode>(Current)) {
      R.error(placeOf(R, Current),
              "'" + N.Key +
                  "' must be a number or {value: …, unit: …, source: …}");
      return;
    }
    N.Loc = placeOf(R, Current);
    if (const auto *S = dyn_cast<ScalarNode>(Current)) {
      N.Value = textOf(S);
      return;
    }
    Io.mapOptional("value", N.Value);
    Io.mapOptional("unit", N.Unit);
    Io.mapOptional("source", N.Source);
    R.Sink.KnownKeys = Keys;
  }
};

template <>
struct llvm::yaml::MappingTraits<Section> {
  static void mapping(IO &Io, Section &S) {
    Reader &R = readerOf(Io);
    PlacedText Source;
    Io.mapOptional("source", Source);
    for (const DeviceField &F : deviceFields()) {
      if (F.Section != S.Name)
        continue;
      Number N;
      N.Key = F.Key;
      Io.mapOptional(F.Key, N);
      R.takeField(F, N, Source);
    }
    R.Sink.KnownKeys = keysOf(S.Name);
  }

private:
  /// Names for messages; built when the first section is left, then kept.
  static ArrayRef<StringRef> keysOf(StringRef Section) {
    static const std::vector<std::pair<StringRef, std::vector<StringRef>>>
        Tables = [] {
          std::vector<std::pair<StringRef, std::vector<StringRef>>> Result;
          for (const DeviceField &F : deviceFields()) {
            if (Result.empty() || Result.back().first != F.Section)
              Result.push_back({F.Section, {"source"}});
            Result.back().second.push_back(F.Key);
          }
          return Result;
        }();
    for (const auto &Table : Tables)
      if (Table.first == Section)
        return Table.second;
    return {};
  }
};

template <>
struct llvm::yaml::MappingTraits<ModelTable> {
  static void mapping(IO &Io, ModelTable &M) {
    Reader &R = readerOf(Io);
    PlacedText Source;
    Io.mapOptional("source", Source);
    auto &Parameters = R.D.ModelParameters[M.Name.str()];
    R.ModelKeys.assign(1, "source");
    for (const ModelParameter &P : ModelParameterTable) {
      if (P.Model != M.Name)
        continue;
      R.ModelKeys.push_back(P.Key);
      Number N;
      N.Key = P.Key;
      Io.mapOptional(P.Key, N);
      Quantity Q;
      if (R.takeInRange(N, Source, P.Unit, {P.Lowest, P.Highest, false}, Q))
        Parameters[P.Key.str()] = std::move(Q);
    }
    R.Sink.KnownKeys = R.ModelKeys;
  }
};

template <>
struct llvm::yaml::MappingTraits<ModelTables> {
  static void mapping(IO &Io, ModelTables &) {
    Reader &R = readerOf(Io);
    std::vector<StringRef> Models;
    for (const ModelParameter &P : ModelParameterTable)
      if (Models.empty() || Models.back() != P.Model)
        Models.push_back(P.Model);
    for (StringRef Name : Models) {
      ModelTable M{Name};
      Io.mapOptional(Name, M);
    }
    R.ModelKeys = std::move(Models);
    R.Sink.KnownKeys = R.ModelKeys;
  }
};

template <>
struct llvm::yaml::MappingTraits<DeviceDocument> {
  static void mapping(IO &Io, DeviceDocument &) {
    static constexpr StringRef Keys[] = {"name",
                                         "description",
                                         "inherits",
                                         "abstract",
                                         "limits",
                                         "clocks",
                                         "pipes",
                                         "latencies",
                                         "memory",
                                         "power",
                                         "access_rule",
                                         "models",
                                         "compute_capability",
                                         "kind"};
    Reader &R = readerOf(Io);
    PlacedText Description;
    Io.mapRequired("name", R.Name);
    Io.mapOptional("description", Description);
    Io.mapOptional("inherits", R.Inherits);
    Io.mapOptional("abstract", R.Abstract);
    Io.mapOptional("kind", R.Kind);
    Io.mapOptional("compute_capability", R.Capability);
    Io.mapOptional("access_rule", R.AccessRule);
    for (StringRef Name :
         {"limits", "clocks", "pipes", "latencies", "memory", "power"}) {
      Section S{Name};
      Io.mapOptional(Name, S);
    }
    ModelTables Models;
    Io.mapOptional("models", Models);
    R.D.Name = R.Name.Text;
    R.D.Description = std::move(Description.Text);
    R.D.Inherits = R.Inherits.Text;
    R.D.AccessRule = R.AccessRule.Text;
    R.Sink.KnownKeys = Keys;
  }
};

/// Checks what stands beside the sections.
static void checkHead(Reader &R, bool Embedded) {
  Device &D = R.D;
  if (R.Name.Loc.isValid() &&
      (D.Name.empty() || D.Name == "all" || !llvm::all_of(D.Name, [](char C) {
         return llvm::isAlnum(C) || C == '-' || C == '_' || C == '.';
       })))
    R.error(R.Name.Loc, D.Name == "all"
                            ? "'all' stands for every device"
                            : "a device's name consists of letters, digits, "
                              "'-', '_' and '.'");
  if (R.Abstract.Loc.isValid()) {
    D.Abstract = R.Abstract.Text == "true";
    if (!Embedded || !D.Abstract)
      R.error(R.Abstract.Loc,
              "only the program's own bases are abstract: leave it out");
  }
  if (R.Kind.Loc.isValid()) {
    D.IsCPU = R.Kind.Text == "cpu";
    if (!D.IsCPU && R.Kind.Text != "gpu")
      R.error(R.Kind.Loc,
              "kind is one of gpu and cpu, not '" + R.Kind.Text + "'");
    if (D.IsCPU && R.Capability.Loc.isValid())
      R.error(R.Capability.Loc, "a CPU has no compute capability");
    if (D.IsCPU && R.AccessRule.Loc.isValid())
      R.error(R.AccessRule.Loc, "a CPU has no access rule");
    if (D.IsCPU && R.Inherits.Loc.isValid())
      R.error(R.Inherits.Loc, "a CPU inherits nothing");
  }
  if (R.Capability.Loc.isValid()) {
    auto [Major, Minor] = StringRef(R.Capability.Text).split('.');
    unsigned MajorValue = 0, MinorValue = 0;
    if (Major.getAsInteger(10, MajorValue) ||
        Minor.getAsInteger(10, MinorValue) || MajorValue < 1 ||
        MajorValue > 99 || Minor.size() != 1)
      R.error(R.Capability.Loc, "a compute capability is written MAJOR.MINOR, "
                                "such as 9.0");
    D.ComputeCapability = MajorValue * 10 + MinorValue;
  }
  if (R.AccessRule.Loc.isValid() &&
      !llvm::is_contained(AccessRules, D.AccessRule)) {
    R.error(R.AccessRule.Loc,
            "access_rule is one of cc10, cc12, cc20 and sector" +
                didYouMean(D.AccessRule, AccessRules));
  }
}

/// Fills what \p D leaves open with what \p Base says.
static void inheritFrom(Device &D, const Device &Base) {
  for (const DeviceField &F : deviceFields())
    if (!(D.*F.Member))
      D.*F.Member = Base.*F.Member;
  if (!D.ComputeCapability)
    D.ComputeCapability = Base.ComputeCapability;
  D.IsCPU |= Base.IsCPU;
  if (D.AccessRule.empty())
    D.AccessRule = Base.AccessRule;
  for (const auto &[Model, Parameters] : Base.ModelParameters)
    D.ModelParameters[Model].insert(Parameters.begin(), Parameters.end());
}

/// Gives a CPU what all GPUs have and it lacks: limits that nothing reaches,
/// one block at a time on a core, and requests of whole sectors.
static void completeCPU(Device &D) {
  D.AccessRule = "sector";
  for (const DeviceField &F : deviceFields()) {
    Quantity &Q = D.*F.Member;
    if (!F.Required || Q || F.Section != "limits")
      continue;
    if (F.Member == &Device::NumSMs || F.Member == &Device::WarpSize ||
        F.Member == &Device::MaxThreadsPerBlock)
      continue; // every processor has them
    bool One = F.Member == &Device::MaxWarpsPerSM ||
               F.Member == &Device::MaxBlocksPerSM ||
               F.Member == &Device::RegisterAllocationUnit ||
               F.Member == &Device::WarpAllocationGranularity ||
               F.Member == &Device::SharedAllocationUnit;
    Q.Value = F.Member == &Device::SharedReservedPerBlock ? 0
              : One                                       ? 1
                                                          : rangeOf(F).High;
    Q.Source = "a CPU has no such limit";
  }
  if (!D.SharedBanks) {
    D.SharedBanks.Value = 1;
    D.SharedBanks.Source = "a CPU has no banks";
  }
}

/// Checks what only the whole device shows. All of it is reported at the name:
/// a number may come from a base.
static void checkWhole(Reader &R) {
  const Device &D = R.D;
  std::string Missing;
  auto Lacks = [&](const Twine &What) {
    Missing += (Missing.empty() ? "" : ", ") + What.str();
  };
  if (!D.ComputeCapability && !D.IsCPU)
    Lacks("compute_capability");
  if (D.AccessRule.empty())
    Lacks("access_rule");
  for (const DeviceField &F : deviceFields())
    if (F.Required && !(D.*F.Member))
      Lacks(F.Section + "." + F.Key);
  if (!Missing.empty())
    return R.error(R.Name.Loc,
                   "'" + D.Name + "' lacks " + Missing +
                       (D.Inherits.empty() ? ", and has no inherits:" : ""));

  auto AtMost = [&](const Quantity &A, StringRef AName, const Quantity &B,
                    StringRef BName) {
    if (A && B && *A > *B)
      R.error(R.Name.Loc, "'" + D.Name + "': " + AName + " (" +
                              shortestDecimal(*A) + ") exceeds " + BName +
                              " (" + shortestDecimal(*B) + ")");
  };
  AtMost(D.BaseMHz, "clocks.base", D.BoostMHz, "clocks.boost");
  AtMost(D.SharedBytesPerBlock, "limits.shared_per_block",
         D.SharedBytesPerBlockOptIn, "limits.shared_per_block_optin");
  AtMost(D.SharedBytesPerBlockOptIn, "limits.shared_per_block_optin",
         D.SharedBytesPerSM, "limits.shared_per_sm");
  AtMost(D.MaxThreadsPerBlock, "limits.max_threads_per_block",
         D.MaxThreadsPerSM, "limits.max_threads_per_sm");
  AtMost(D.WarpSize, "limits.warp_size", D.MaxThreadsPerBlock,
         "limits.max_threads_per_block");
  AtMost(D.RegistersPerBlock, "limits.registers_per_block", D.RegistersPerSM,
         "limits.registers_per_sm");
}

std::unique_ptr<Device> ptxpredict::readDevice(DiagnosticEngine &Diags,
                                               BaseLookup FindBase,
                                               bool Embedded) {
  auto D = std::make_unique<Device>();
  YAMLDiagnostics Sink{Diags, {}, /*Trusted=*/Embedded};
  Reader R{Sink, *D, {}, {}, {}, {}, {}, {}, {}};
  DeviceDocument Document;
  if (!readYAML(Sink, Document, &R)) {
    checkHead(R, Embedded);
    if (R.Inherits.Loc.isValid()) {
      Expected<const Device *> Base = FindBase(D->Inherits);
      if (Base) {
        inheritFrom(*D, **Base);
      } else {
        std::string Why = llvm::toString(Base.takeError());
        R.error(R.Inherits.Loc, D->Inherits == D->Name
                                    ? "'" + D->Name + "' inherits itself"
                                    : Why);
      }
    }
    if (D->IsCPU)
      completeCPU(*D);
    if (R.Errors.empty() && !D->Abstract)
      checkWhole(R);
  }
  R.flushErrors();
  return Diags.hasErrors() ? nullptr : std::move(D);
}
