//===- ScalingYAML.cpp - Scaling files, read ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalingReader.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using llvm::yaml::Node;
using llvm::yaml::ScalarNode;
using llvm::yaml::SequenceNode;

/// How far beyond the values that are shown solutions are looked for.
static constexpr double RangeFactor = 1000;

//===----------------------------------------------------------------------===//
// n, p and f
//===----------------------------------------------------------------------===//

void ScalingReader::addValue(Node &N, StringRef Key, ScalingAxis &Into) {
  const SMLoc Place = Nodes.place(N);
  std::optional<double> V = Nodes.number(N, "a value of '" + Key + "'");
  if (!V)
    return;
  if (Into.Values.size() == MaxScalingValues)
    return Nodes.error(Place, "'" + Key + "' has at most " +
                                  Twine(MaxScalingValues) + " values");
  Into.Values.push_back(*V);
  ValuePlaces.push_back(Place);
}

void ScalingReader::readValues(Node &N, StringRef Key, ScalingAxis &Into) {
  if (isa<ScalarNode>(N))
    return addValue(N, Key, Into);
  Nodes.forEachElement(N, "'" + Key + "'",
                       [&](Node &E) { addValue(E, Key, Into); });
}

void ScalingReader::readAxis(Node &N, StringRef Key, ScalingAxis &Into) {
  Into.Place = Nodes.place(N);
  ValuePlaces.clear();
  BoundPlaces.clear();
  const unsigned ErrorsBefore = Diags.numErrors();
  if (isa<ScalarNode>(N) || isa<SequenceNode>(N)) {
    readValues(N, Key, Into);
  } else {
    YAMLFields Fields;
    Fields.optional("name", [&](Node &V, StringRef What) {
      if (std::optional<YAMLText> T = Nodes.text(V, What)) {
        Nodes.checkName(*T, "'" + Key + "'");
        Into.Name = std::move(T->Text);
      }
    });
    Fields.optional("values",
                    [&](Node &V, StringRef) { readValues(V, Key, Into); });
    auto Bound = [&](double &To) {
      return [&](Node &V, StringRef What) {
        const SMLoc Place = Nodes.place(V);
        if (std::optional<double> Number = Nodes.number(V, "'" + What + "'")) {
          To = *Number;
          BoundPlaces.push_back({What, To, Place});
        }
      };
    };
    if (Key == "n") {
      Fields.optional("from", Bound(Into.From));
      Fields.optional("to", Bound(Into.To));
      Fields.optional("whole", [&](Node &V, StringRef What) {
        Into.IsWhole = Nodes.boolean(V, What).value_or(false);
      });
    }
    Fields.read(Nodes, N, "'" + Key + "'");
  }
  if (Diags.numErrors() == ErrorsBefore)
    checkAxis(Key, Into);
}

void ScalingReader::checkAxis(StringRef Key, ScalingAxis &A) {
  bool IsGood = true;
  auto Check = [&](StringRef What, double V, SMLoc Place) {
    if (std::optional<StringRef> Why = whyNoSize(A, V)) {
      Nodes.error(Place, "'" + What + "' " + *Why);
      IsGood = false;
    }
  };
  for (const auto &[V, Place] : llvm::zip(A.Values, ValuePlaces))
    Check(Key, V, Place);
  for (const AxisBound &B : BoundPlaces)
    Check(B.Key, B.Value, B.Place);
  if (!IsGood)
    return;
  if (A.Values.empty() && (A.From == 0 || A.To == 0))
    return Nodes.error(A.Place, Key == "n" ? "'n' needs values, or from and to"
                                           : "'" + Key + "' needs values");
  auto Rounded = [&](double V) {
    return A.IsWhole ? std::max(1.0, std::round(V)) : V;
  };
  if (A.From == 0)
    A.From = Rounded(*llvm::min_element(A.Values) / RangeFactor);
  if (A.To == 0)
    A.To = Rounded(*llvm::max_element(A.Values) * RangeFactor);
  if (A.From > A.To)
    return Nodes.error(A.Place, "'from' is above 'to'");
  if (A.Values.empty())
    A.Values = {A.From, Rounded(std::sqrt(A.From) * std::sqrt(A.To)), A.To};
}

//===----------------------------------------------------------------------===//
// The vectors
//===----------------------------------------------------------------------===//

void ScalingReader::readPower(Node &N, StringRef Key, ScalingValue &Into) {
  if (isa<ScalarNode>(N)) {
    Into.Value = Names.readFormula(N, "'" + Key + "'");
    return;
  }
  auto Formula = [this](FormulaNumber &To) {
    return [this, &To](Node &V, StringRef What) {
      To = Names.readFormula(V, "'" + What + "'");
    };
  };
  YAMLFields Fields;
  Fields.optional("fixed", Formula(Into.Fixed));
  Fields.required("c", Formula(Into.Factor));
  Fields.optional("gamma", Formula(Into.Gamma));
  Fields.read(Nodes, N, "'" + Key + "'");
}

void ScalingReader::readMachine(Node &N) {
  MachinePlace = Nodes.place(N);
  YAMLFields Fields;
  auto Keep = [&](ScalingNumber Number) -> ScalingValue & {
    return Result.Numbers[size_t(Number)];
  };
  auto Plain = [&](ScalingNumber Number) {
    return [&, Number](Node &V, StringRef Key) {
      Places[size_t(Number)] = Nodes.place(V);
      Keep(Number).Value = Names.readFormula(V, "'" + Key + "'");
    };
  };
#define SCALING_MACHINE(MEMBER, KEY, UNIT, LEAST, MEANING)                     \
  Fields.optional(KEY, Plain(ScalingNumber::MEMBER));
#define SCALING_POWER(MEMBER, KEY, UNIT, LEAST, MEANING)                       \
  Fields.optional(KEY, [&](Node &V, StringRef Key) {                           \
    Places[size_t(ScalingNumber::MEMBER)] = Nodes.place(V);                    \
    readPower(V, Key, Keep(ScalingNumber::MEMBER));                            \
  });
#define SCALING_LOGGP(MEMBER, KEY, UNIT, LEAST, MEANING)                       \
  Fields.optional(KEY, Plain(ScalingNumber::MEMBER));
#include "ptxpredict/Scenario/Scaling/ScalingNumbers.def"
  Fields.optional("gamma", [&](Node &V, StringRef Key) {
    Result.Gamma = Names.readFormula(V, "'" + Key + "'");
  });
  Fields.optional("network", [&](Node &V, StringRef Key) {
    if (std::optional<size_t> Index =
            Nodes.oneOf(V, Key, {"printed", "pairwise", "loggp"}))
      Result.Network = ScalingNetwork(*Index);
  });
  Fields.optional("device", [&](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key)) {
      Result.DevicePlace = T->Loc;
      Result.DeviceName = std::move(T->Text);
    }
  });
  Fields.skipped("source");
  Fields.read(Nodes, N, "'machine'");
}

void ScalingReader::readKernels(Node &N) {
  HasKernelKey = true;
  if (isa<ScalarNode>(N)) {
    if (std::optional<YAMLText> T = Nodes.text(N, "kernel"))
      Launched.emplace_back(std::move(*T), NoFormula);
    return;
  }
  Nodes.forEachEntry(N, "kernel", {}, [&](YAMLText &Key, Node &Times) {
    Launched.emplace_back(Key, Names.readFormula(Times, "'" + Key.Text + "'"));
  });
}

void ScalingReader::readApplication(Node &N) {
  Result.ApplicationPlace = Nodes.place(N);
  YAMLFields Fields;
#define SCALING_APPLICATION(MEMBER, KEY, UNIT, LEAST, MEANING)                 \
  Fields.optional(KEY, [&](Node &V, StringRef Key) {                           \
    Places[size_t(ScalingNumber::MEMBER)] = Nodes.place(V);                    \
    Result.Numbers[size_t(ScalingNumber::MEMBER)].Value =                      \
        Names.readFormula(V, "'" + Key + "'");                                 \
  });
#include "ptxpredict/Scenario/Scaling/ScalingNumbers.def"
  Fields.optional("kernel", [&](Node &V, StringRef) { readKernels(V); });
  Fields.skipped("source");
  Fields.read(Nodes, N, "'application'");
}

void ScalingReader::readMemory(Node &N) {
  YAMLFields Fields;
  Fields.required("bytes", [&](Node &V, StringRef Key) {
    Result.MemoryBytes = Names.readFormula(V, "'" + Key + "'");
  });
  Fields.required("limit", [&](Node &V, StringRef Key) {
    Result.MemoryLimit = Names.readFormula(V, "'" + Key + "'");
  });
  Fields.skipped("source");
  Fields.read(Nodes, N, "'memory'");
}

void ScalingReader::readScenario(Node &N) {
  Result.Form = ScalingForm::Scenario;
  YAMLFields Fields;
  auto Text = [this](std::string &To, SMLoc *Place) {
    return [this, &To, Place](Node &V, StringRef Key) {
      std::optional<YAMLText> T = Nodes.text(V, Key);
      if (!T)
        return;
      if (T->Text.empty())
        Nodes.error(T->Loc, "'" + Key + "' must not be empty");
      if (Place)
        *Place = T->Loc;
      To = std::move(T->Text);
    };
  };
  Fields.required("file", Text(Result.ScenarioPath, &Result.ScenarioPlace));
  Fields.required("n", Text(Result.SizeVariable, &Result.SizePlace));
  Fields.optional("system", Text(Result.SystemName, nullptr));
  Fields.optional("set", [&](Node &V, StringRef Key) {
    Nodes.forEachEntry(V, Key, {}, [&](YAMLText &Name, Node &Value) {
      if (std::optional<double> Number =
              Nodes.number(Value, "'" + Name.Text + "'"))
        Result.Settings.push_back({Name.Text, *Number, Name.Loc});
    });
  });
  Fields.read(Nodes, N, "'scenario'");
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

void ScalingReader::readHead(YAMLFields &Fields) {
  Fields.required("schema", [&](Node &V, StringRef Key) {
    std::optional<YAMLText> T = Nodes.text(V, Key);
    if (T && T->Text != ScalingSchemaName)
      Nodes.error(T->Loc, "schema must be " + ScalingSchemaName);
  });
  Fields.required("version", [&](Node &V, StringRef Key) {
    const SMLoc Place = Nodes.place(V);
    std::optional<uint64_t> Version = Nodes.unsignedInteger(V, Key);
    if (Version && *Version != ScalingSchemaVersion)
      Nodes.error(Place, "version " + Twine(*Version) +
                             " is not known; this program reads " +
                             Twine(ScalingSchemaVersion));
  });
  Fields.optional("name", [&](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key)) {
      Nodes.checkName(*T, "the file");
      Result.Name = std::move(T->Text);
    }
  });
  Fields.skipped("description");
  Fields.skipped("source");
}

void ScalingReader::readRoot(Node &Root) {
  YAMLFields Fields;
  readHead(Fields);
  Fields.optional("variables", [&](Node &V, StringRef) {
    Names.readVariables(V);
    for (const ScenarioVariable &Own : Result.Names.Variables)
      if (Own.Place.isValid() &&
          llvm::is_contained({"n", "p", "f"}, StringRef(Own.Name)))
        Nodes.error(Own.Place, "'" + Own.Name +
                                   "' has a meaning of its own in formulas; "
                                   "choose another name");
  });
  Fields.required("n",
                  [&](Node &V, StringRef Key) { readAxis(V, Key, Result.N); });
  Fields.required("p",
                  [&](Node &V, StringRef Key) { readAxis(V, Key, Result.P); });
  Fields.optional("f",
                  [&](Node &V, StringRef Key) { readAxis(V, Key, Result.F); });
  Fields.optional("machine", [&](Node &V, StringRef) { readMachine(V); });
  Fields.optional("application",
                  [&](Node &V, StringRef) { readApplication(V); });
  Fields.optional("kernels", [&](Node &V, StringRef Key) {
    Nodes.forEachEntry(V, Key, {}, [&](YAMLText &Name, Node &Value) {
      Names.readKernel(Name, Value);
    });
  });
  Fields.optional("memory", [&](Node &V, StringRef) { readMemory(V); });
  Fields.optional("scenario", [&](Node &V, StringRef) { readScenario(V); });
  RootPlace = Nodes.place(Root);
  if (Fields.read(Nodes, Root, "a scaling file"))
    checkForm(Fields);
}

void ScalingReader::read() {
  Result.N.Name = "n";
  Result.P.Name = "p";
  Result.F.Name = "f";
  Result.P.IsWhole = true;
  Names.HasProcesses = false;
  for (StringRef Name : {"n", "p", "f"})
    Result.Names.Variables.push_back({Name.str(), {}, NoFormula});
  Nodes.readDocument([this](Node &Root) { readRoot(Root); });
  Names.findNames();
  if (!Diags.hasErrors()) // all formulas have their slots
    checkNames();
  findKernels();
  checkNumbers();
}

bool ptxpredict::parseScaling(DiagnosticEngine &Diags, ScalingFile &Result) {
  ScalingReader(Diags, Result).read();
  return Diags.hasErrors();
}
