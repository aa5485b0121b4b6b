//===- Microbenchmarks.cpp - Reads results of microbenchmarks -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MicrobenchmarkRows.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLNodes.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace ptxpredict;

ArrayRef<MicrobenchmarkRow> ptxpredict::microbenchmarkRows() {
  static constexpr MicrobenchmarkRow Rows[] = {
#define MICROBENCHMARK(RULE, NAME, UNIT, FIELD, PARAMETER, MEANING)            \
  {CalibrationRule::RULE, NAME, UNIT, FIELD, PARAMETER},
#include "ptxpredict/Device/Microbenchmarks.def"
  };
  return Rows;
}

bool MicrobenchmarkRow::isOf(StringRef Result) const {
  StringRef Prefix = Name;
  return Prefix.consume_back("*") ? Result.starts_with(Prefix) : Result == Name;
}

namespace {

class ResultsReader {
public:
  ResultsReader(DiagnosticEngine &Diags, MicrobenchmarkResults &Into)
      : Diags(Diags), Nodes(Diags), Into(Into) {}

  void read() {
    Nodes.readDocument([&](llvm::yaml::Node &Root) { readRoot(Root); });
  }

private:
  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  MicrobenchmarkResults &Into;
  std::optional<double> CoreMHz, MemMHz; ///< of the head
  std::set<std::string> Seen;            ///< keys of the head

  void readRoot(llvm::yaml::Node &Root);
  void readHead(const YAMLText &Key, llvm::yaml::Node &Value);
  void readResult(llvm::yaml::Node &N);
  void check(const MicrobenchmarkResult &R, SMLoc NamePlace, SMLoc UnitPlace);
  std::optional<double> positive(llvm::yaml::Node &N, const Twine &What) {
    SMLoc Place = Nodes.place(N);
    std::optional<double> V = Nodes.number(N, What);
    if (V && *V <= 0) {
      Diags.error(Place, What + " must be above 0");
      return std::nullopt;
    }
    return V;
  }
};

} // namespace

void ResultsReader::readHead(const YAMLText &Key, llvm::yaml::Node &Value) {
  StringRef Name = Key.Text;
  if (Name == "core_mhz" || Name == "mem_mhz") {
    (Name == "core_mhz" ? CoreMHz : MemMHz) = positive(Value, Name);
    return;
  }
  std::optional<YAMLText> Text = Nodes.text(Value, Name);
  if (!Text)
    return;
  if (Name == "schema") {
    if (Text->Text != MicrobenchmarksSchemaName)
      Diags.error(Text->Loc, Twine("the schema is not '") +
                                 MicrobenchmarksSchemaName + "'");
  } else if (Name == "version") {
    if (Text->Text != std::to_string(MicrobenchmarksSchemaVersion))
      Diags.error(Text->Loc, "this program reads version " +
                                 Twine(MicrobenchmarksSchemaVersion));
  } else if (Name == "compute_capability") {
    auto [Major, Minor] = StringRef(Text->Text).split('.');
    unsigned High = 0, Low = 0;
    if (Major.getAsInteger(10, High) || Minor.getAsInteger(10, Low) ||
        High == 0 || High > 99 || Low > 9)
      Diags.error(Text->Loc, "a compute capability is written as 9.0");
    Into.ComputeCapability = High * 10 + Low;
    Into.CapabilityPlace = Text->Loc;
  } else {
    (Name == "device" ? Into.Device
     : Name == "date" ? Into.Date
                      : Into.Driver) = Text->Text;
  }
}

void ResultsReader::check(const MicrobenchmarkResult &R, SMLoc NamePlace,
                          SMLoc UnitPlace) {
  for (const MicrobenchmarkRow &Row : microbenchmarkRows())
    if (Row.isOf(R.Name)) {
      if (R.Unit != Row.Unit)
        Diags.error(UnitPlace,
                    "'" + R.Name + "' is in " + Row.Unit + ", not " + R.Unit);
      return;
    }
  std::vector<StringRef> Names;
  for (const MicrobenchmarkRow &Row : microbenchmarkRows())
    Names.push_back(Row.Name);
  Diags.warning(NamePlace, "nothing is known of a result '" + R.Name + "'" +
                               didYouMean(R.Name, Names));
}

void ResultsReader::readResult(llvm::yaml::Node &N) {
  MicrobenchmarkResult R;
  R.CoreMHz = CoreMHz;
  R.MemMHz = MemMHz;
  const SMLoc Place = Nodes.place(N);
  const unsigned ErrorsBefore = Diags.numErrors();
  SMLoc NamePlace, UnitPlace;
  bool Right = Nodes.forEachEntry(
      N, "a result", {"name", "value", "unit", "core_mhz", "mem_mhz"},
      [&](YAMLText &Key, llvm::yaml::Node &Value) {
        if (Key.Text == "name" || Key.Text == "unit") {
          if (std::optional<YAMLText> Text = Nodes.text(Value, Key.Text)) {
            (Key.Text == "name" ? R.Name : R.Unit) = Text->Text;
            (Key.Text == "name" ? NamePlace : UnitPlace) = Text->Loc;
          }
          return;
        }
        SMLoc At = Nodes.place(Value);
        std::optional<double> Number = positive(Value, Key.Text);
        if (!Number)
          return;
        if (Key.Text == "value") {
          R.Value = *Number;
          R.Place = At;
        } else {
          (Key.Text == "core_mhz" ? R.CoreMHz : R.MemMHz) = Number;
        }
      });
  if (!Right || Diags.numErrors() != ErrorsBefore)
    return;
  for (auto [Key, Loc] :
       {std::pair("name", NamePlace), std::pair("value", R.Place),
        std::pair("unit", UnitPlace)})
    if (!Loc.isValid())
      Diags.error(Place, Twine("this result has no ") + Key);
  if (Diags.numErrors() != ErrorsBefore)
    return;
  check(R, NamePlace, UnitPlace);
  Into.Results.push_back(std::move(R));
}

void ResultsReader::readRoot(llvm::yaml::Node &Root) {
  static constexpr StringRef Required[] = {
      "schema", "version", "device", "date", "driver", "compute_capability"};
  static constexpr StringRef Known[] = {
      "schema",   "version", "device", "date", "driver", "compute_capability",
      "core_mhz", "mem_mhz", "results"};
  const SMLoc Place = Nodes.place(Root);
  if (!Nodes.forEachEntry(Root, "a file of results", Known,
                          [&](YAMLText &Key, llvm::yaml::Node &Value) {
                            Seen.insert(Key.Text);
                            if (Key.Text != "results")
                              return readHead(Key, Value);
                            Nodes.forEachElement(
                                Value, "results",
                                [&](llvm::yaml::Node &N) { readResult(N); });
                          }) ||
      Diags.hasErrors())
    return;
  for (StringRef Key : Required)
    if (Seen.count(Key.str()) == 0)
      Diags.error(Place, "there is no '" + Key + "' in this file of results");
  if (!Diags.hasErrors() && Into.Results.empty())
    Diags.error(Place, "there are no results in this file");
}

bool ptxpredict::parseMicrobenchmarks(DiagnosticEngine &Diags,
                                      MicrobenchmarkResults &Result) {
  ResultsReader(Diags, Result).read();
  return Diags.hasErrors();
}
