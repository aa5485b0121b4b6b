//===- Microbenchmarks.cpp - Reads results of microbenchmarks -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MicrobenchmarkRows.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using llvm::yaml::Node;

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
    Nodes.readDocument([&](Node &Root) { readRoot(Root); });
  }

private:
  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  MicrobenchmarkResults &Into;
  std::optional<double> CoreMHz, MemMHz; ///< of the head

  void readRoot(Node &Root);
  void readSchema(Node &N, StringRef Key);
  void readVersion(Node &N, StringRef Key);
  void readResult(Node &N);
  void check(const MicrobenchmarkResult &R, SMLoc NamePlace,
             const YAMLText &Unit);
  YAMLFields::ReadFunction text(std::string &Out) {
    return [this, &Out](Node &N, StringRef Key) {
      if (std::optional<YAMLText> T = Nodes.text(N, Key))
        Out = std::move(T->Text);
    };
  }
  YAMLFields::ReadFunction text(YAMLText &Out) {
    return [this, &Out](Node &N, StringRef Key) {
      Out = Nodes.text(N, Key).value_or(YAMLText());
    };
  }
  /// A number above 0.
  YAMLFields::ReadFunction positive(std::optional<double> &Out) {
    return [this, &Out](Node &N, StringRef Key) {
      SMLoc Place = Nodes.place(N);
      Out = Nodes.number(N, Key);
      if (Out && *Out <= 0) {
        Nodes.error(Place, Key + " must be above 0");
        Out.reset();
      }
    };
  }
};

} // namespace

void ResultsReader::check(const MicrobenchmarkResult &R, SMLoc NamePlace,
                          const YAMLText &Unit) {
  for (const MicrobenchmarkRow &Row : microbenchmarkRows())
    if (Row.isOf(R.Name)) {
      Nodes.checkUnit(Unit, "'" + R.Name + "'", Row.Unit);
      return;
    }
  std::vector<StringRef> Names;
  for (const MicrobenchmarkRow &Row : microbenchmarkRows())
    Names.push_back(Row.Name);
  Diags.warning(NamePlace, "nothing is known of a result '" + R.Name + "'" +
                               didYouMean(R.Name, Names));
}

void ResultsReader::readResult(Node &N) {
  const unsigned ErrorsBefore = Diags.numErrors();
  std::optional<double> Value, Core, Mem;
  YAMLText Name, Unit;
  MicrobenchmarkResult R;
  YAMLFields Fields;
  Fields.required("name", text(Name));
  Fields.required("value", [&](Node &V, StringRef Key) {
    R.Place = Nodes.place(V);
    positive(Value)(V, Key);
  });
  Fields.required("unit", text(Unit));
  Fields.optional("core_mhz", positive(Core));
  Fields.optional("mem_mhz", positive(Mem));
  Fields.read(Nodes, N, "a result");
  if (Diags.numErrors() != ErrorsBefore)
    return;
  R.Name = Name.Text;
  R.Value = *Value;
  R.Unit = Unit.Text;
  R.CoreMHz = Core ? Core : CoreMHz;
  R.MemMHz = Mem ? Mem : MemMHz;
  check(R, Name.Loc, Unit);
  Into.Results.push_back(std::move(R));
}

void ResultsReader::readSchema(Node &N, StringRef Key) {
  std::optional<YAMLText> T = Nodes.text(N, Key);
  if (T && T->Text != MicrobenchmarksSchemaName)
    Nodes.error(T->Loc,
                Twine("the schema is not '") + MicrobenchmarksSchemaName + "'");
}

void ResultsReader::readVersion(Node &N, StringRef Key) {
  std::optional<YAMLText> T = Nodes.text(N, Key);
  if (T && T->Text != std::to_string(MicrobenchmarksSchemaVersion))
    Nodes.error(T->Loc, "this program reads version " +
                            Twine(MicrobenchmarksSchemaVersion));
}

void ResultsReader::readRoot(Node &Root) {
  const SMLoc Place = Nodes.place(Root);
  YAMLFields Fields;
  Fields.required("schema",
                  [this](Node &N, StringRef Key) { readSchema(N, Key); });
  Fields.required("version",
                  [this](Node &N, StringRef Key) { readVersion(N, Key); });
  Fields.required("device", text(Into.Device));
  Fields.required("date", text(Into.Date));
  Fields.required("driver", text(Into.Driver));
  Fields.required("compute_capability", [this](Node &N, StringRef Key) {
    Into.CapabilityPlace = Nodes.place(N);
    Into.ComputeCapability = Nodes.computeCapability(N, Key).value_or(0);
  });
  Fields.optional("core_mhz", positive(CoreMHz));
  Fields.optional("mem_mhz", positive(MemMHz));
  Fields.optional("results", [this](Node &List, StringRef Key) {
    Nodes.forEachElement(List, Key, [this](Node &N) { readResult(N); });
  });
  Fields.read(Nodes, Root, "a file of results");
  if (!Diags.hasErrors() && Into.Results.empty())
    Nodes.error(Place, "there are no results in this file");
}

bool ptxpredict::parseMicrobenchmarks(DiagnosticEngine &Diags,
                                      MicrobenchmarkResults &Result) {
  ResultsReader(Diags, Result).read();
  return Diags.hasErrors();
}
