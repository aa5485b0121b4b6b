//===- Help.cpp - What the command says of itself -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Help.h"
#include "OptionTable.h"
#include "Subcommands.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/Report/Accuracy/AccuracyReport.h"
#include "ptxpredict/Report/Device/DeviceReport.h"
#include "ptxpredict/Report/Diff/DiffReport.h"
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "ptxpredict/Report/Emulation/EmulationReport.h"
#include "ptxpredict/Report/Lint/LintReport.h"
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Report/Objects/ObjectsReport.h"
#include "ptxpredict/Report/Occupancy/OccupancyReport.h"
#include "ptxpredict/Report/Prediction/AdviceReport.h"
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Report/Ranking/Ranking.h"
#include "ptxpredict/Report/Split/SplitReport.h"
#include "ptxpredict/Scenario/Scaling/ScalingView.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Scenario/View/SystemView.h"
#include "ptxpredict/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// A terminal's width.
static constexpr size_t Columns = 80;

namespace {
struct Request {
  HelpForm Form = HelpForm::None;
  ArrayRef<StringRef> Words;
};
} // namespace

static Request &request() {
  static Request TheRequest;
  return TheRequest;
}

void tool::askForHelp(HelpForm Form, ArrayRef<StringRef> Words) {
  request() = {Form, Words};
}

HelpForm tool::askedHelp() { return request().Form; }

StringRef tool::subcommandOf(StringRef Program) {
  for (const Subcommand &S : subcommands())
    if (Program == S.Program)
      return S.Name;
  return {};
}

/// Appends \p Text from column \p Used on, broken at blanks, further lines
/// behind \p Indent blanks.
static void addWrapped(std::string &To, StringRef Text, size_t Used,
                       size_t Indent) {
  bool IsFirst = true;
  for (StringRef Word : llvm::split(Text, ' ')) {
    if (!IsFirst && Used + 1 + Word.size() > Columns) {
      To += '\n' + std::string(Indent, ' ');
      Used = Indent;
      IsFirst = true;
    }
    To += (IsFirst ? "" : " ") + Word.str();
    Used += Word.size() + (IsFirst ? 0 : 1);
    IsFirst = false;
  }
  To += '\n';
}

/// Where what names mean begins.
static constexpr size_t MeaningColumn = 24;

/// A line for a name, or lines.
static void addRow(std::string &To, StringRef Name, StringRef Meaning) {
  const size_t Begin = To.size();
  To += "  ";
  // Choices may take more than a line.
  size_t Used = 2;
  while (Used + Name.size() > Columns) {
    const size_t Bar = Name.take_front(Columns - Used - 1).rfind('|');
    if (Bar == StringRef::npos)
      break;
    To += Name.take_front(Bar + 1).str() + "\n      ";
    Name = Name.drop_front(Bar + 1);
    Used = 6;
  }
  To += Name;
  Used += Name.size();
  const bool IsLong = Used + 2 > MeaningColumn ||
                      StringRef(To).drop_front(Begin).contains('\n');
  To += IsLong ? "\n" + std::string(MeaningColumn, ' ')
               : std::string(MeaningColumn - Used, ' ');
  addWrapped(To, Meaning, MeaningColumn, MeaningColumn);
}

static std::string plainText(StringRef Program, StringRef Overview) {
  std::string Text;
  addWrapped(Text, ("OVERVIEW: " + Overview).str(), 0, 0);
  Text += '\n';
  addWrapped(Text,
             ("USAGE: " + Program + " [options] " + positionalForm()).str(), 0,
             7);
  if (subcommandOf(Program).empty()) {
    Text += "       ptx-predict SUBCOMMAND [options] ...\n\n"
            "SUBCOMMANDS ('ptx-predict help SUBCOMMAND' tells more):\n";
    for (const Subcommand &S : subcommands())
      addRow(Text, S.Name, S.Summary);
  }
  for (const OptionGroup &G : optionGroups()) {
    Text += ("\n" + G.Title + ":\n").str();
    for (const OptionRow &Row : G.Rows)
      addRow(Text, Row.form(), Row.Meaning);
  }
  return Text;
}

std::string tool::helpText(HelpForm Form, StringRef Program,
                           StringRef Overview) {
  if (subcommandOf(Program).empty())
    Program = "ptx-predict"; // wherever it lies
  switch (Form) {
  case HelpForm::Manual:
    return manualPage(Program, Overview);
  case HelpForm::JSON:
    return optionsJSON(subcommandOf(Program), Overview);
  case HelpForm::Completion:
    return completions(subcommandOf(Program), request().Words);
  default:
    return plainText(Program, Overview);
  }
}

std::string tool::shortUsage() {
  std::string Text = "usage: ptx-predict [options] <file>...\n"
                     "       ptx-predict SUBCOMMAND [options] ...\n"
                     "subcommands: ";
  std::string Names;
  for (const Subcommand &S : subcommands())
    Names += (Names.empty() ? "" : " ") + S.Name.str();
  addWrapped(Text, Names, 13, 13);
  return Text + "'ptx-predict --help' tells more\n";
}

std::string tool::versionText() {
  std::string Text = "ptx-predict " PTXPREDICT_VERSION "\n";
  for (auto [Name, Version] :
       {std::pair(PredictionSchemaName, PredictionSchemaVersion),
        {AdviceSchemaName, AdviceSchemaVersion},
        {CodeSchemaName, CodeSchemaVersion},
        {ComparisonSchemaName, ComparisonSchemaVersion},
        {DevicesSchemaName, DevicesSchemaVersion},
        {DiffSchemaName, DiffSchemaVersion},
        {EmulationSchemaName, EmulationSchemaVersion},
        {LintSchemaName, LintSchemaVersion},
        {ObjectsSchemaName, ObjectsSchemaVersion},
        {OccupancySchemaName, OccupancySchemaVersion},
        {ProfileSchemaName, ProfileSchemaVersion},
        {RankingSchemaName, RankingSchemaVersion},
        {ScalingRunSchemaName, ScalingRunSchemaVersion},
        {ScenarioRunSchemaName, ScenarioRunSchemaVersion},
        {SplitSchemaName, SplitSchemaVersion},
        {SystemsSchemaName, SystemsSchemaVersion},
        {TransfersSchemaName, TransfersSchemaVersion},
        {ValidationSchemaName, ValidationSchemaVersion}})
    Text += ("schema " + Name + " " + Twine(Version) + "\n").str();
  return Text + "LLVM " LLVM_VERSION_STRING "\n" +
         std::to_string(embeddedDeviceNames().size()) + " devices\n";
}
