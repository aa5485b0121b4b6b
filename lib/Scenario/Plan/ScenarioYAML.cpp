//===- ScenarioYAML.cpp - Scenario files, read ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScenarioReader.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ptxpredict;
using llvm::yaml::Node;
using llvm::yaml::ScalarNode;
using llvm::yaml::SequenceNode;

static constexpr size_t MaxVariables = 1000, MaxPhases = 10'000;

static constexpr StringRef FixedNames[FirstCounterSlot] = {"rank", "size",
                                                           "node", "gpu"};

std::string Scenario::slotName(SlotNumber S) const {
  if (S < FirstCounterSlot)
    return FixedNames[S].str();
  if (S < FirstVariableSlot)
    return "";
  if (S < firstAttributeSlot())
    return Variables[S - FirstVariableSlot].Name;
  const ScenarioAttribute &A = Attributes[S - firstAttributeSlot()];
  return (A.IsOfGPU ? "gpu." : "cpu.") + A.Name;
}

std::string ptxpredict::describeNames(const ScenarioFormula &F,
                                      ArrayRef<double> Slots) {
  std::string Result;
  for (const auto &[Name, Slot] : llvm::zip(F.Text.names(), F.Slots)) {
    std::string One =
        Name.Text + (std::isnan(Slots[Slot])
                         ? " is no attribute that the system gives it"
                         : " is " + shortestDecimal(Slots[Slot]));
    if (!StringRef(Result).contains(One))
      Result += (Result.empty() ? "; " : ", ") + One;
  }
  return Result;
}

bool ScenarioReader::checkIdentifier(const YAMLText &Name, const Twine &What) {
  StringRef T = Name.Text;
  const bool IsGood =
      !T.empty() && T.size() <= 100 && (llvm::isAlpha(T[0]) || T[0] == '_') &&
      llvm::all_of(T, [](char C) { return llvm::isAlnum(C) || C == '_'; }) &&
      !llvm::is_contained({"and", "or", "not", "div", "mod"}, T);
  if (!IsGood)
    Diags.error(Name.Loc, What + " must be a name of letters, digits and '_'");
  return IsGood;
}

FormulaNumber ScenarioReader::addFormula(const YAMLText &Text) {
  std::optional<Formula> F = Formula::parse(Text, Diags);
  if (!F)
    return NoFormula;
  Result.Formulas.push_back({std::move(*F), {}, false});
  Scopes.push_back(Counters);
  return FormulaNumber(Result.Formulas.size() - 1);
}

FormulaNumber ScenarioReader::readFormula(Node &N, const Twine &What) {
  std::optional<YAMLText> T = Nodes.text(N, What, "a number or a formula");
  return T ? addFormula(*T) : NoFormula;
}

unsigned ScenarioReader::phase(const YAMLText &Name) {
  auto [At, IsNew] =
      Phases.try_emplace(Name.Text, unsigned(Result.Phases.size()));
  if (!IsNew)
    return At->second;
  if (Result.Phases.size() == MaxPhases) {
    Diags.error(Name.Loc,
                "a scenario has at most " + Twine(MaxPhases) + " phases");
    return At->second = 0;
  }
  Result.Phases.push_back(Name.Text);
  return At->second;
}

void ScenarioReader::readVariables(Node &N) {
  Nodes.forEachEntry(N, "variables", {}, [&](YAMLText &Key, Node &Value) {
    if (Result.Variables.size() == MaxVariables)
      return Nodes.error(Key.Loc, "a scenario has at most " +
                                      Twine(MaxVariables) + " variables");
    if (!checkIdentifier(Key, "a variable"))
      return;
    if (HasProcesses &&
        (llvm::is_contained(FixedNames, Key.Text) || Key.Text == "cpu"))
      return Nodes.error(Key.Loc, "'" + Key.Text +
                                      "' has a meaning of its own in formulas; "
                                      "choose another name");
    Result.Variables.push_back(
        {Key.Text, Key.Loc, readFormula(Value, "'" + Key.Text + "'")});
  });
}

void ScenarioReader::readExtents(Node &N, StringRef What,
                                 SmallVectorImpl<FormulaNumber> &Into) {
  if (!isa<SequenceNode>(N)) {
    Into.push_back(readFormula(N, What));
    return;
  }
  const SMLoc Place = Nodes.place(N);
  Nodes.forEachElement(N, What, [&](Node &Element) {
    Into.push_back(readFormula(Element, What));
  });
  if (Into.empty() || Into.size() > 3)
    Nodes.error(Place, What + " takes one to three extents");
}

void ScenarioReader::readArguments(Node &N, ScenarioKernel &K) {
  Nodes.forEachEntry(N, "args", {}, [&](YAMLText &Key, Node &Value) {
    ScenarioKernel::Argument A;
    A.Parameter = Key.Text;
    if (isa<ScalarNode>(Value)) {
      A.Value = readFormula(Value, "'" + Key.Text + "'");
    } else {
      YAMLFields Fields;
      Fields.required("buffer", [&](Node &V, StringRef What) {
        A.BufferBytes = readFormula(V, What);
      });
      Fields.read(Nodes, Value, "'" + Key.Text + "'");
    }
    K.Arguments.push_back(std::move(A));
  });
}

void ScenarioReader::readInputs(Node &N, ScenarioKernel &K) {
  static constexpr StringRef Names[] = {
#define LITTLESLAW_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#include "ptxpredict/Model/LittlesLawTerms.def"
  };
  Nodes.forEachEntry(N, LittlesLawName, Names, [&](YAMLText &Key, Node &Value) {
    K.Inputs.emplace_back(Key.Text, readFormula(Value, "'" + Key.Text + "'"));
  });
}

void ScenarioReader::checkKernel(const YAMLFields &Fields, ScenarioKernel &K) {
  static constexpr StringRef Ways[] = {"file", "time_us", "littles_law"};
  SmallVector<StringRef, 3> Given;
  for (StringRef Way : Ways)
    if (Fields.has(Way))
      Given.push_back(Way);
  if (Given.empty())
    return Nodes.error(K.Place, "kernel '" + K.Name +
                                    "' needs one of file, time_us and "
                                    "littles_law: what its time is by");
  if (Given.size() > 1)
    return Nodes.error(K.Place, "kernel '" + K.Name + "' has both " + Given[0] +
                                    " and " + Given[1] +
                                    "; one of them says its time");
  K.By = Given[0] == "file"      ? ScenarioKernel::TimeBy::Code
         : Given[0] == "time_us" ? ScenarioKernel::TimeBy::Given
                                 : ScenarioKernel::TimeBy::LittlesLaw;
  if (K.By != ScenarioKernel::TimeBy::Code)
    for (StringRef OfCode :
         {"kernel", "args", "trip_counts", "dynamic_smem", "registers"})
      if (Fields.has(OfCode))
        Nodes.error(K.Place, "kernel '" + K.Name + "' has " + OfCode +
                                 ", which goes with file");
}

void ScenarioReader::readKernel(const YAMLText &Name, Node &N) {
  if (!checkIdentifier(Name, "a kernel"))
    return;
  ScenarioKernel K;
  K.Name = Name.Text;
  K.Place = Name.Loc;
  auto FormulaInto = [&](FormulaNumber &Into) {
    return [&](Node &V, StringRef Key) { Into = readFormula(V, Key); };
  };
  YAMLFields Fields;
  Fields.optional("file", [&](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key)) {
      K.FilePlace = T->Loc;
      if (T->Text.empty())
        Nodes.error(T->Loc, "file must not be empty");
      K.File = std::move(T->Text);
    }
  });
  Fields.optional("kernel", [&](Node &V, StringRef Key) {
    std::optional<YAMLText> T = Nodes.text(V, Key);
    if (!T)
      return;
    if (auto Glob = OwnedGlob::create(T->Text))
      K.Glob = std::move(T->Text);
    else
      Nodes.error(T->Loc, "kernel: " + toString(Glob.takeError()));
  });
  Fields.optional("grid",
                  [&](Node &V, StringRef Key) { readExtents(V, Key, K.Grid); });
  Fields.optional(
      "block", [&](Node &V, StringRef Key) { readExtents(V, Key, K.Block); });
  Fields.optional("args", [&](Node &V, StringRef) { readArguments(V, K); });
  Fields.optional("trip_counts", [&](Node &V, StringRef Key) {
    Nodes.forEachEntry(V, Key, {}, [&](YAMLText &Label, Node &Count) {
      K.TripCounts.emplace_back(Label.Text,
                                readFormula(Count, "'" + Label.Text + "'"));
    });
  });
  Fields.optional("littles_law", [&](Node &V, StringRef) { readInputs(V, K); });
  Fields.optional("dynamic_smem", FormulaInto(K.DynamicShared));
  Fields.optional("registers", FormulaInto(K.Registers));
  Fields.optional("time_us", FormulaInto(K.TimeUs));
  Fields.optional("power_w", FormulaInto(K.PowerW));
  if (Fields.read(Nodes, N, "kernel '" + Name.Text + "'"))
    checkKernel(Fields, K);
  Result.Kernels.push_back(std::move(K));
}

void ScenarioReader::readProcess(Node &N) {
  const size_t Index = Result.Processes.size();
  ScenarioProcess P;
  P.Place = Nodes.place(N);
  OperationReader *Reader = nullptr;
  YAMLFields Fields;
  Fields.required("label", [&](Node &V, StringRef Key) {
    std::optional<YAMLText> T = Nodes.text(V, Key);
    if (!T || !checkIdentifier(*T, "a label"))
      return;
    if (!Labels.try_emplace(T->Text, 0).second)
      Nodes.error(T->Loc, "there are processes '" + T->Text +
                              "' already; processes of one label do the "
                              "same, with 'if: {when: rank == 0}' for what "
                              "one of them does");
    P.Place = T->Loc;
    P.Label = std::move(T->Text);
  });
  Fields.optional(
      "count", [&](Node &V, StringRef Key) { P.Count = readFormula(V, Key); });
  Fields.required("operations", [&](Node &V, StringRef Key) {
    Reader = &Readers.emplace_back(Nodes, *this, P, Index);
    Reader->readList(V, Key, P.Operations);
  });
  Fields.read(Nodes, N, "a process");
  if (Reader)
    Reader->findOwnNames();
  Result.Processes.push_back(std::move(P));
}

void ScenarioReader::readRoot(Node &Root) {
  YAMLFields Fields;
  Fields.required("schema", [&](Node &V, StringRef Key) {
    std::optional<YAMLText> T = Nodes.text(V, Key);
    if (T && T->Text != ScenarioSchemaName)
      Nodes.error(T->Loc, "schema must be " + ScenarioSchemaName);
  });
  Fields.required("version", [&](Node &V, StringRef Key) {
    const SMLoc Place = Nodes.place(V);
    std::optional<uint64_t> Version = Nodes.unsignedInteger(V, Key);
    if (Version && *Version != ScenarioSchemaVersion)
      Nodes.error(Place, "version " + Twine(*Version) +
                             " is not known; this "
                             "program reads " +
                             Twine(ScenarioSchemaVersion));
  });
  Fields.optional("name", [&](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key)) {
      Nodes.checkName(*T, "the scenario");
      Result.Name = std::move(T->Text);
    }
  });
  Fields.skipped("description");
  Fields.optional("system", [&](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key)) {
      Result.SystemPlace = T->Loc;
      Result.SystemName = std::move(T->Text);
    }
  });
  Fields.optional("variables", [&](Node &V, StringRef) { readVariables(V); });
  Fields.optional("work", [&](Node &V, StringRef Key) {
    Result.Work = readFormula(V, Key);
  });
  Fields.optional("work_unit", [&](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key)) {
      Nodes.checkName(*T, "the unit");
      Result.WorkUnit = std::move(T->Text);
    }
  });
  Fields.optional("concurrent_kernels", [&](Node &V, StringRef Key) {
    const SMLoc Place = Nodes.place(V);
    std::optional<uint64_t> K = Nodes.unsignedInteger(V, Key);
    if (K && (*K == 0 || *K > 128))
      Nodes.error(Place, "concurrent_kernels takes a number from 1 to 128");
    else if (K)
      Result.ConcurrentKernels = unsigned(*K);
  });
  Fields.optional("launch_us", [&](Node &V, StringRef Key) {
    const SMLoc Place = Nodes.place(V);
    Result.LaunchUs = Nodes.number(V, Key);
    if (Result.LaunchUs && !(*Result.LaunchUs >= 0))
      Nodes.error(Place, "launch_us must not be negative");
  });
  Fields.optional("kernels", [&](Node &V, StringRef Key) {
    Nodes.forEachEntry(V, Key, {}, [&](YAMLText &Name, Node &Value) {
      readKernel(Name, Value);
    });
  });
  Fields.required("processes", [&](Node &V, StringRef Key) {
    const SMLoc Place = Nodes.place(V);
    if (Nodes.forEachElement(V, Key, [&](Node &E) { readProcess(E); }) &&
        Result.Processes.empty())
      Nodes.error(Place, "processes has no entry");
  });
  Fields.read(Nodes, Root, "a scenario");
}

void ScenarioReader::findNames(ScenarioFormula &F, ArrayRef<std::string> Scope,
                               size_t NumVariables,
                               const ScenarioNames &Known) {
  for (const Formula::Name &Name : F.Text.names()) {
    StringRef Text = Name.Text;
    const auto *Counter = llvm::find(Scope, Text);
    const auto *Fixed =
        HasProcesses ? llvm::find(FixedNames, Text) : std::end(FixedNames);
    const auto Variable = Known.Variables.find(Text);
    if (Counter != Scope.end()) {
      F.Slots.push_back(FirstCounterSlot + SlotNumber(Counter - Scope.begin()));
      F.IsOfProcess = true;
    } else if (Fixed != std::end(FixedNames)) {
      F.Slots.push_back(SlotNumber(Fixed - FixedNames));
      F.IsOfProcess = true;
    } else if (Variable != Known.Variables.end()) {
      const unsigned Index = Variable->second;
      if (Index >= NumVariables)
        Diags.error(Name.Place, "'" + Text +
                                    "' stands further below; a variable is of "
                                    "those before it");
      F.Slots.push_back(SlotNumber(FirstVariableSlot + Index));
    } else if (HasProcesses &&
               (Text.starts_with("cpu.") || Text.starts_with("gpu."))) {
      const bool IsOfGPU = Text.starts_with("gpu.");
      const StringRef Own = Text.drop_front(4);
      auto At = llvm::find_if(Result.Attributes, [&](const auto &A) {
        return A.IsOfGPU == IsOfGPU && A.Name == Own;
      });
      const auto Index = size_t(At - Result.Attributes.begin());
      if (At == Result.Attributes.end())
        Result.Attributes.push_back({IsOfGPU, Own.str()});
      F.Slots.push_back(SlotNumber(Result.firstAttributeSlot() + Index));
      F.IsOfProcess = true;
    } else {
      SmallVector<StringRef, 16> Names(Scope.begin(), Scope.end());
      for (const ScenarioVariable &V : Result.Variables)
        Names.push_back(V.Name);
      if (HasProcesses)
        llvm::append_range(Names, FixedNames);
      Diags.error(Name.Place, "there is no variable '" + Text + "'" +
                                  meantOrListed(Text, Names));
    }
  }
}

void ScenarioReader::findNames() {
  ScenarioNames Known;
  for (const auto &[Index, K] : llvm::enumerate(Result.Kernels))
    Known.Kernels.try_emplace(K.Name, unsigned(Index));
  for (const auto &[Index, P] : llvm::enumerate(Result.Processes))
    Known.Labels.try_emplace(P.Label, unsigned(Index));
  for (const auto &[Index, V] : llvm::enumerate(Result.Variables))
    Known.Variables.try_emplace(V.Name, unsigned(Index));
  for (OperationReader &R : Readers)
    R.findNames(Known);
  // Those of variables see what stands above them.
  std::vector<size_t> Sees(Result.Formulas.size(), SIZE_MAX);
  for (const auto &[Index, V] : llvm::enumerate(Result.Variables))
    if (V.Value != NoFormula)
      Sees[V.Value] = Index;
  for (const auto &[Index, F] : llvm::enumerate(Result.Formulas)) {
    const bool IsVariable = Sees[Index] != SIZE_MAX;
    findNames(F, Scopes[Index], Sees[Index], Known);
    if (IsVariable && F.IsOfProcess)
      Diags.error(F.Text.place(),
                  "a variable is the same for all processes; rank, size, node, "
                  "gpu and attributes go into the formulas that need them");
  }
}

void ScenarioReader::read() {
  Nodes.readDocument([this](Node &Root) { readRoot(Root); });
  findNames();
}

bool ptxpredict::parseScenario(DiagnosticEngine &Diags, Scenario &Result) {
  ScenarioReader(Diags, Result).read();
  return Diags.hasErrors();
}
