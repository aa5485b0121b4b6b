//===- DeviceYAML.cpp - Reading a device file -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The fields of DeviceFields.def and the parameters of ModelParameters.def are
// the keys of a file's sections.
//===----------------------------------------------------------------------===//
#include "EmbeddedDevices.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace ptxpredict;
using llvm::yaml::Node;

namespace {

/// What is plainly a slip of the pen: from Low to High, whole where it counts
/// things.
struct Range {
  double Low, High;
  bool Whole;
};

/// A key of a section, and what its number must be.
struct NumberField {
  StringRef Key, Unit;
  Range Allowed;
};

/// `1755` or `{value: 1755, unit: MHz, source: "…"}`.
struct Number {
  const NumberField *Field;
  SMLoc Place; ///< of the whole
  std::optional<YAMLText> Value, Unit, Source;
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

class DeviceReader {
public:
  DeviceReader(DiagnosticEngine &Diags, Device &D, DeviceText What)
      : Diags(Diags), Nodes(Diags), D(D), What(What) {}

  void read(BaseLookup FindBase);

private:
  void readRoot(Node &Root);
  bool isName(const YAMLText &T, StringRef What);
  void readName(Node &N, StringRef Key);
  void readAliases(Node &N, StringRef Key);
  void readAbstract(Node &N, StringRef Key);
  void readSection(Node &N, StringRef Name);
  void readModels(Node &N, StringRef Key);
  void readModel(Node &N, StringRef Model);
  /// \p More adds keys that are no numbers.
  std::vector<Quantity>
  readNumbers(Node &N, StringRef Section, ArrayRef<NumberField> Fields,
              llvm::function_ref<void(YAMLFields &)> More = nullptr);
  void readMemoryStates(Node &N, StringRef Key);
  void readNumber(Node &N, Number &Into);
  Quantity checked(const Number &N, StringRef SectionSource);
  void inherit(BaseLookup FindBase);
  void checkWhole();

  /// What reads a text, and where it stands.
  YAMLFields::ReadFunction text(std::string &Into, SMLoc &Place) {
    return [this, &Into, &Place](Node &N, StringRef Key) {
      if (std::optional<YAMLText> T = Nodes.text(N, Key)) {
        Into = std::move(T->Text);
        Place = T->Loc;
      }
    };
  }

  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  Device &D;
  const DeviceText What;
  SMLoc NamePlace, InheritsPlace;
};

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
      .Case("sectors", {1e-2, 1e3, false})
      .Case("lanes/cycle", {1e-2, 1e5, false})
      .Case("multiply-adds/cycle", {1, 1e6, false})
      .Case("warp instructions/cycle", {1e-2, 1e3, false})
      .Default({1, 1e6, true}); // things to count
}

} // namespace

/// Reads \p N, or the parts that it is written in.
void DeviceReader::readNumber(Node &N, Number &Into) {
  Into.Place = Nodes.place(N);
  const std::string What = ("'" + Into.Field->Key + "'").str();
  constexpr StringRef Wanted = "a number or {value: …, unit: …, source: …}";
  if (!isa<llvm::yaml::MappingNode>(&N)) {
    Into.Value = Nodes.text(N, What, Wanted);
    return;
  }
  auto Text = [this](std::optional<YAMLText> &Part) {
    return [this, &Part](Node &V, StringRef Key) { Part = Nodes.text(V, Key); };
  };
  YAMLFields Fields;
  Fields.required("value", Text(Into.Value));
  Fields.optional("unit", Text(Into.Unit));
  Fields.optional("source", Text(Into.Source));
  if (!Fields.read(Nodes, N, What))
    Into.Value.reset();
}

/// The number with its source, or with \p SectionSource; nothing if something
/// is wrong with it.
Quantity DeviceReader::checked(const Number &N, StringRef SectionSource) {
  const NumberField &F = *N.Field;
  const std::string Name = ("'" + F.Key + "'").str();
  if (!N.Value) // reported
    return {};
  std::optional<double> V = parseNumber(N.Value->Text);
  if (!V) {
    Nodes.error(N.Value->Loc,
                Name + " must be a number, not '" + N.Value->Text + "'");
    return {};
  }
  StringRef Source = N.Source ? StringRef(N.Source->Text) : SectionSource;
  if (What != DeviceText::Numbers && Source.trim().empty()) {
    Nodes.error(N.Place,
                Name + " has no source; write {value: …, source: \"…\"}, or "
                       "source: once for the section");
    return {};
  }
  if (N.Unit && !Nodes.checkUnit(*N.Unit, Name, F.Unit))
    return {};
  if (*V < F.Allowed.Low || *V > F.Allowed.High) {
    Nodes.error(N.Value->Loc, Name + " must lie between " +
                                  shortestDecimal(F.Allowed.Low) + " and " +
                                  shortestDecimal(F.Allowed.High) +
                                  (F.Unit.empty() ? "" : " " + F.Unit));
    return {};
  }
  if (F.Allowed.Whole && *V != std::floor(*V)) {
    Nodes.error(N.Value->Loc, Name + " must be a whole number");
    return {};
  }
  return {V, Source.str(), F.Unit.str()};
}

/// The numbers of \p Fields, in that order, that the section has and that are
/// right. They are checked in the order of the file, and only at its end: the
/// section's source may stand there.
std::vector<Quantity>
DeviceReader::readNumbers(Node &N, StringRef Section,
                          ArrayRef<NumberField> Fields,
                          llvm::function_ref<void(YAMLFields &)> More) {
  std::string Source;
  SMLoc SourcePlace;
  std::vector<Number> Numbers;
  YAMLFields Keys;
  Keys.optional("source", text(Source, SourcePlace));
  auto Read = [this, &Numbers](const NumberField &F, Node &Value) {
    Numbers.push_back({&F, {}, {}, {}, {}});
    readNumber(Value, Numbers.back());
  };
  // Two pointers are kept without memory of their own.
  for (const NumberField &F : Fields)
    Keys.optional(F.Key,
                  [&Read, &F](Node &Value, StringRef) { Read(F, Value); });
  if (More)
    More(Keys);
  Keys.read(Nodes, N, Section);
  std::vector<Quantity> Result(Fields.size());
  for (const Number &Given : Numbers)
    Result[size_t(Given.Field - Fields.data())] = checked(Given, Source);
  return Result;
}

/// `{value: [877, 810], source: "…"}`, without sources the list alone.
void DeviceReader::readMemoryStates(Node &N, StringRef Key) {
  MemoryStates &States = D.MemoryStates;
  auto ReadList = [&](Node &List, StringRef) {
    size_t Count = 0;
    const bool IsList = Nodes.forEachElement(List, Key, [&](Node &Item) {
      ++Count;
      const std::optional<YAMLText> T = Nodes.text(Item, Key);
      const std::optional<double> V = T ? parseNumber(T->Text) : std::nullopt;
      if (V && *V >= 1 && *V <= 1e5 && !llvm::is_contained(States.MHz, *V))
        States.MHz.push_back(*V);
      else if (T)
        Nodes.error(T->Loc, "'" + Key +
                                "' takes different clocks from 1 to 100000 "
                                "MHz, not '" +
                                T->Text + "'");
    });
    if (IsList && Count == 0)
      Nodes.error(Nodes.place(List), "'" + Key + "' needs a clock");
  };
  if (What == DeviceText::Numbers)
    return ReadList(N, Key);
  const SMLoc Place = Nodes.place(N);
  SMLoc SourcePlace;
  YAMLFields Fields;
  Fields.required("value", ReadList);
  Fields.optional("source", text(States.Source, SourcePlace));
  if (Fields.read(Nodes, N, Key) && StringRef(States.Source).trim().empty())
    Nodes.error(Place, "'" + Key +
                           "' has no source; write {value: […], "
                           "source: \"…\"}");
}

void DeviceReader::readSection(Node &N, StringRef Name) {
  std::vector<Quantity Device::*> Members;
  std::vector<NumberField> Fields;
  for (const DeviceField &F : deviceFields())
    if (F.Section == Name) {
      Members.push_back(F.Member);
      Fields.push_back({F.Key, F.Unit, rangeOf(F)});
    }
  auto More = [&](YAMLFields &Keys) {
    if (Name == "clocks")
      Keys.optional("memory_states", [this](Node &Value, StringRef Key) {
        readMemoryStates(Value, Key);
      });
  };
  for (auto [Member, Q] :
       llvm::zip(Members, readNumbers(N, Name, Fields, More)))
    if (Q) {
      Q.Unit.clear();
      D.*Member = std::move(Q);
    }
}

void DeviceReader::readModel(Node &N, StringRef Model) {
  std::vector<NumberField> Fields;
  for (const ModelParameter &P : ModelParameterTable)
    if (P.Model == Model)
      Fields.push_back({P.Key, P.Unit, {P.Lowest, P.Highest, false}});
  auto &Parameters = D.ModelParameters[Model.str()];
  for (auto [F, Q] : llvm::zip(Fields, readNumbers(N, Model, Fields)))
    if (Q)
      Parameters[F.Key.str()] = std::move(Q);
}

void DeviceReader::readModels(Node &N, StringRef Key) {
  YAMLFields Models;
  StringRef Last;
  for (const ModelParameter &P : ModelParameterTable)
    if (P.Model != Last)
      Models.optional(Last = P.Model, [this](Node &Value, StringRef Model) {
        readModel(Value, Model);
      });
  Models.read(Nodes, N, Key);
}

/// Whether \p T may be a name; reports why not.
bool DeviceReader::isName(const YAMLText &T, StringRef What) {
  if (T.Text == "all") {
    Nodes.error(T.Loc, "'all' stands for every device");
    return false;
  }
  const bool IsName = !T.Text.empty() && llvm::all_of(T.Text, [](char C) {
    return llvm::isAlnum(C) || C == '-' || C == '_' || C == '.';
  });
  if (!IsName)
    Nodes.error(T.Loc, "a device's " + What +
                           " consists of letters, digits, '-', '_' and '.'");
  return IsName;
}

void DeviceReader::readName(Node &N, StringRef Key) {
  std::optional<YAMLText> T = Nodes.text(N, Key);
  if (!T)
    return;
  (void)isName(*T, "name");
  D.Name = std::move(T->Text);
  NamePlace = T->Loc;
}

void DeviceReader::readAliases(Node &N, StringRef Key) {
  Nodes.forEachElement(N, Key, [&](Node &Item) {
    std::optional<YAMLText> T = Nodes.text(Item, Key);
    if (T && isName(*T, "alias"))
      D.Aliases.push_back(std::move(T->Text));
  });
}

void DeviceReader::readAbstract(Node &N, StringRef Key) {
  D.Abstract = Nodes.boolean(N, Key).value_or(false);
  if (What == DeviceText::File || !D.Abstract)
    Nodes.error(Nodes.place(N),
                "only the program's own bases are abstract: leave it out");
}

void DeviceReader::readRoot(Node &Root) {
  SMLoc CapabilityPlace, RulePlace, DescriptionPlace;
  YAMLFields Fields;
  Fields.required("name", [this](Node &N, StringRef Key) { readName(N, Key); });
  Fields.optional("description", text(D.Description, DescriptionPlace));
  Fields.optional("aliases",
                  [this](Node &N, StringRef Key) { readAliases(N, Key); });
  Fields.optional("inherits", text(D.Inherits, InheritsPlace));
  Fields.optional("abstract",
                  [this](Node &N, StringRef Key) { readAbstract(N, Key); });
  Fields.optional("kind", [this](Node &N, StringRef Key) {
    D.IsCPU = Nodes.oneOf(N, Key, {"gpu", "cpu"}) == size_t(1);
  });
  Fields.optional("compute_capability", [&](Node &N, StringRef Key) {
    CapabilityPlace = Nodes.place(N);
    D.ComputeCapability = Nodes.computeCapability(N, Key).value_or(0);
  });
  Fields.optional("access_rule", [&](Node &N, StringRef Key) {
    RulePlace = Nodes.place(N);
    if (std::optional<size_t> Rule = Nodes.oneOf(N, Key, AccessRules))
      D.AccessRule = AccessRules[*Rule].str();
  });
  for (StringRef Name :
       {"limits", "clocks", "pipes", "latencies", "memory", "power"})
    Fields.optional(
        Name, [this](Node &N, StringRef Section) { readSection(N, Section); });
  Fields.optional("models",
                  [this](Node &N, StringRef Key) { readModels(N, Key); });
  Fields.read(Nodes, Root, "a device");
  if (!D.IsCPU)
    return;
  for (auto [Place, Problem] :
       {std::pair(CapabilityPlace, "a CPU has no compute capability"),
        std::pair(RulePlace, "a CPU has no access rule"),
        std::pair(InheritsPlace, "a CPU inherits nothing")})
    if (Place.isValid())
      Nodes.error(Place, Problem);
}

/// Fills what \p D leaves open with what \p Base says. The highest clock of a
/// board with another boost clock, such as a locked one, is its own, and so are
/// the states of another memory clock.
static void inheritFrom(Device &D, const Device &Base) {
  auto Mark = [&Base](Quantity &Q) {
    if (Q.From.empty() && !Q.Source.empty())
      Q.From = Base.Name;
  };
  const bool HasOwnBoost = bool(D.BoostMHz), HasOwnMemory = bool(D.MemoryMHz);
  for (const DeviceField &F : deviceFields())
    if (!(D.*F.Member) && !(HasOwnBoost && F.Member == &Device::MaxMHz)) {
      D.*F.Member = Base.*F.Member;
      Mark(D.*F.Member);
    }
  if (D.MemoryStates.MHz.empty() && !HasOwnMemory) {
    D.MemoryStates = Base.MemoryStates;
    if (D.MemoryStates.From.empty() && !D.MemoryStates.Source.empty())
      D.MemoryStates.From = Base.Name;
  }
  if (!D.ComputeCapability)
    D.ComputeCapability = Base.ComputeCapability;
  D.IsCPU |= Base.IsCPU;
  if (D.AccessRule.empty())
    D.AccessRule = Base.AccessRule;
  for (const auto &[Model, Parameters] : Base.ModelParameters)
    for (const auto &[Key, Q] : Parameters)
      if (auto [It, IsNew] = D.ModelParameters[Model].insert({Key, Q}); IsNew)
        Mark(It->second);
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
void DeviceReader::checkWhole() {
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
    return Nodes.error(
        NamePlace, "'" + D.Name + "' lacks " + Missing +
                       (D.Inherits.empty() ? ", and has no inherits:" : ""));

  auto AtMost = [&](const Quantity &A, StringRef AName, const Quantity &B,
                    StringRef BName) {
    if (A && B && *A > *B)
      Nodes.error(NamePlace, "'" + D.Name + "': " + AName + " (" +
                                 shortestDecimal(*A) + ") exceeds " + BName +
                                 " (" + shortestDecimal(*B) + ")");
  };
  AtMost(D.BaseMHz, "clocks.base", D.BoostMHz, "clocks.boost");
  AtMost(D.BoostMHz, "clocks.boost", D.MaxMHz, "clocks.max");
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

void DeviceReader::inherit(BaseLookup FindBase) {
  Expected<const Device *> Base = FindBase(D.Inherits);
  if (Base)
    return inheritFrom(D, **Base);
  std::string Reason = llvm::toString(Base.takeError());
  Nodes.error(InheritsPlace, D.Inherits == D.Name
                                 ? "'" + D.Name + "' inherits itself"
                                 : Reason);
}

void DeviceReader::read(BaseLookup FindBase) {
  Nodes.readDocument([this](Node &Root) { readRoot(Root); });
  if (Diags.hasErrors())
    return;
  if (InheritsPlace.isValid())
    inherit(FindBase);
  if (D.IsCPU)
    completeCPU(D);
  if (!Diags.hasErrors() && !D.Abstract)
    checkWhole();
}

std::unique_ptr<Device> ptxpredict::readDevice(DiagnosticEngine &Diags,
                                               BaseLookup FindBase,
                                               DeviceText What) {
  auto D = std::make_unique<Device>();
  DeviceReader(Diags, *D, What).read(FindBase);
  return Diags.hasErrors() ? nullptr : std::move(D);
}
