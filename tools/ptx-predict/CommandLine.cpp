//===- CommandLine.cpp - Options that subcommands share -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "CapturedRun.h"
#include "Help.h"
#include "OutputFile.h"
#include "TimeReportOption.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Launch/ArgumentPlace.h"
#include "ptxpredict/Review/LintConfig.h"
#include "ptxpredict/Support/InputHandle.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::tool;

cl::OptionCategory &tool::category() {
  static cl::OptionCategory Category("Options");
  return Category;
}

raw_ostream &tool::output() {
  CapturedRun *Run = CapturedRun::current();
  return Run ? Run->outputStream() : llvm::outs();
}

raw_ostream &tool::errors() {
  CapturedRun *Run = CapturedRun::current();
  return Run ? Run->errorStream() : llvm::errs();
}

bool tool::errorsAreWatched() { return errors().is_displayed(); }

/// Prints `ptx-predict: LEVEL: TEXT`.
static void printOwnMessage(Severity Level, const Twine &Message) {
  if (CapturedRun *Run = CapturedRun::current()) {
    Diagnostic D;
    D.Level = Level;
    D.Message = Message.str();
    return Run->add(D, ("ptx-predict: " + toString(Level) + ": " +
                        printable(D.Message) + "\n")
                           .str());
  }
  raw_ostream &OS = llvm::errs();
  OS << "ptx-predict: ";
  bool Colors = useColorsForErrors();
  OS.enable_colors(Colors);
  if (Colors)
    OS.changeColor(Level == Severity::Error ? raw_ostream::RED
                                            : raw_ostream::MAGENTA,
                   /*Bold=*/true);
  OS << toString(Level) << ": ";
  if (Colors)
    OS.resetColor();
  OS << printable(Message.str()) << '\n';
}

int tool::usageError(const Twine &Message) {
  printOwnMessage(Severity::Error, Message);
  return NotDone;
}

void tool::printNote(const Twine &Message) {
  printOwnMessage(Severity::Note, Message);
}

void tool::printWarning(const Twine &Message) {
  printOwnMessage(Severity::Warning, Message);
}

void tool::noteTaken(const Twine &What, StringRef Asked, const Device &Found) {
  if (std::string Taken = takenInPlace(Asked, Found); !Taken.empty())
    printOwnMessage(Severity::Note, What + Asked + ": " + Taken);
}

/// An option as it is written: with one dash if it has one letter.
static std::string dashed(StringRef Option) {
  return ((Option.size() == 1 ? "-" : "--") + Option).str();
}

bool tool::valueError(StringRef Option, const Twine &Takes, StringRef Value) {
  usageError(dashed(Option) + " takes " + Takes + "; not '" + Value + "'");
  return true;
}

/// "grid" of "--grid=4" and "-grid".
static StringRef optionName(StringRef Text) {
  if (!Text.consume_front("--"))
    Text.consume_front("-");
  return Text.split('=').first;
}

/// The value of option \p O, given as \p Text, is the next argument.
static bool takesNext(const cl::Option &O, StringRef Text) {
  return !Text.contains('=') && O.getValueExpectedFlag() == cl::ValueRequired;
}

/// Reports what LLVM would word in its own way: a value that is not there, and
/// one that is neither true nor false. An option that describes its value
/// checks it itself. True on error.
static bool checkValue(const cl::Option &O, StringRef Text, bool IsLast) {
  if (takesNext(O, Text) && IsLast) {
    std::string Form = O.ValueStr.empty() ? "value" : O.ValueStr.str();
    usageError(Text + " takes a value: " + Text + "=<" + Form + ">");
    return true;
  }
  if (!Text.contains('='))
    return false;
  StringRef Value = Text.split('=').second;
  if (O.getValueExpectedFlag() == cl::ValueDisallowed)
    return valueError(O.ArgStr, "no value", Value);
  if (O.getValueExpectedFlag() != cl::ValueOptional || !O.ValueStr.empty())
    return false;
  constexpr StringRef Taken[] = {"",      "true",  "TRUE",  "True", "1",
                                 "false", "FALSE", "False", "0"};
  return !llvm::is_contained(Taken, Value) &&
         valueError(O.ArgStr, "true or false", Value);
}

/// Reports \p Text, which is no option.
static void unknownOption(StringRef Text, StringRef Name) {
  std::string Message =
      ("unknown option '" + Text.split('=').first + "'").str();
  std::vector<StringRef> Names;
  for (const auto &Entry : cl::getRegisteredOptions())
    if (Entry.first.size() > 1) // any two letters are one mistake apart
      Names.push_back(Entry.first);
  llvm::sort(Names);
  StringRef Near = nearestName(Name, Names);
  usageError(Message + (Near.empty() ? Twine("; try --help")
                                     : "; did you mean '--" + Near + "'?"));
}

/// Reports the first argument that is no option of ours or lacks its value.
/// LLVM's own message has another form and would also offer what was taken
/// away.
static bool checkOptionNames(ArrayRef<const char *> Arguments) {
  auto &Known = cl::getRegisteredOptions();
  for (size_t I = 1; I < Arguments.size(); ++I) {
    StringRef Text = Arguments[I];
    if (!Text.starts_with("-") || Text == "-")
      continue;
    StringRef Name = optionName(Text);
    auto It = Known.find(Name);
    if (It != Known.end()) {
      if (checkValue(*It->second, Text, I + 1 == Arguments.size()))
        return true;
      if (takesNext(*It->second, Text))
        ++I;
      continue;
    }
    // -j takes its number also without a space.
    auto Letter = Known.find(Name.take_front());
    if (Letter != Known.end() &&
        Letter->second->getFormattingFlag() == cl::Prefix &&
        !Text.starts_with("--"))
      continue;
    unknownOption(Text, Name);
    return true;
  }
  return false;
}

/// Reports the first file of arguments, `@FILE`, that is none: LLVM would wait
/// at it.
static bool checkResponseFiles(ArrayRef<const char *> Arguments) {
  for (StringRef Text : Arguments.drop_front()) {
    StringRef Path = Text;
    if (!Path.consume_front("@"))
      continue;
    Expected<InputHandle> File = InputHandle::open(Path, Streams::Given);
    if (File)
      continue;
    Error E = File.takeError();
    const bool IsNoFile = !E.isA<llvm::ECError>();
    const std::string Why = llvm::toString(std::move(E));
    if (IsNoFile) // one that is not there is an argument like others
      return usageError("'" + Text + "': " + Why) != Done;
  }
  return false;
}

static std::vector<std::string> &afterDashes() {
  static std::vector<std::string> OfCommand;
  CapturedRun *Run = CapturedRun::current();
  return Run ? Run->CompilerArguments : OfCommand;
}

/// --time-report, whatever the subcommand.
static TimeReportOption &timeReport() {
  static TimeReportOption TheOption;
  return TheOption;
}

bool tool::isRegisteredForGood(const cl::Option &O) {
  return O.ArgStr == "time-report";
}

ArrayRef<std::string> tool::compilerArguments() { return afterDashes(); }

std::optional<int> tool::parseArguments(ArrayRef<const char *> Arguments,
                                        StringRef Overview) {
  TimeReportOption &TimeReport = timeReport();
  afterDashes().clear();
  auto AtEnd = llvm::scope_exit([] {
    if (CapturedRun *Run = CapturedRun::current())
      Run->releaseOptions();
  });
  auto Dashes = llvm::find_if(
      Arguments, [](const char *A) { return StringRef(A) == "--"; });
  if (Dashes != Arguments.end()) {
    size_t At = size_t(Dashes - Arguments.begin());
    afterDashes().assign(Dashes + 1, Arguments.end());
    Arguments = Arguments.take_front(At);
  }
  // LLVM brings options of its own, which are not part of our interface.
  SmallVector<cl::Option *, 32> Foreign;
  for (auto &Entry : cl::getRegisteredOptions())
    if (!llvm::is_contained(Entry.second->Categories, &category()) &&
        !llvm::is_contained({"color", "help", "version"}, Entry.first))
      Foreign.push_back(Entry.second);
  for (cl::Option *O : Foreign)
    O->removeArgument();

  auto Answer = [&](HelpForm Form) {
    return writeResult("-", helpText(Form, Arguments.front(), Overview))
               ? NotDone
               : Done;
  };
  if (askedHelp() != HelpForm::None)
    return Answer(askedHelp());

  // Both end a run whatever else is there, and tell whether they could.
  for (const char *A : Arguments.drop_front()) {
    if (StringRef(A) == "--help=man")
      return Answer(HelpForm::Manual);
    if (StringRef(A) == "--help=json")
      return Answer(HelpForm::JSON);
    if (!StringRef(A).starts_with("-") || StringRef(A).contains('='))
      continue;
    StringRef Name = optionName(A);
    if (Name == "version")
      return writeResult("-", versionText()) ? NotDone : Done;
    if (Name == "help" || StringRef(A) == "-h")
      return Answer(HelpForm::Text);
  }
  if (!afterDashes().empty() && !cl::getRegisteredOptions().count("compiler"))
    return usageError("arguments after '--' go to the CUDA compiler or to "
                      "OpenCL's, but this subcommand reads no source");
  if (checkResponseFiles(Arguments) || checkOptionNames(Arguments))
    return NotDone;
  if (!cl::ParseCommandLineOptions(int(Arguments.size()), Arguments.data(),
                                   Overview, &errors()))
    return NotDone;
  if (TimeReport.read())
    return NotDone;
  return std::nullopt;
}

bool tool::readPositive(const StringOpt &O, std::optional<double> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  Result = parseNumber(O);
  return !Result || *Result <= 0
             ? valueError(O.ArgStr, "a positive number", O.getValue())
             : false;
}

bool tool::readPositive(const StringOpt &O, std::optional<unsigned> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  std::optional<int64_t> N = parseInteger(O);
  if (!N || *N <= 0 || *N > INT32_MAX)
    return valueError(O.ArgStr, "a positive whole number", O.getValue());
  Result = unsigned(*N);
  return false;
}

bool tool::readBytes(const StringOpt &O, std::optional<uint64_t> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  std::optional<int64_t> N = parseInteger(O);
  if (!N || *N < 0)
    return valueError(O.ArgStr, "a number of bytes such as 49152 or 48Ki",
                      O.getValue());
  Result = uint64_t(*N);
  return false;
}

bool tool::readShape(const StringOpt &O, LaunchShape Which,
                     std::optional<Dim3> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  Result = parseDim3(O);
  if (!Result)
    return valueError(O.ArgStr,
                      "one to three positive numbers such as 4096 or 32,32",
                      O.getValue());
  std::string Why = whyNoShape(Which, *Result);
  return !Why.empty() && usageError("--" + O.ArgStr + ": " + Why) != Done;
}

bool tool::readPath(const StringOpt &O, std::string &Result) {
  Result = O;
  return O.getNumOccurrences() != 0 && Result.empty() &&
         valueError(O.ArgStr, "a file", Result);
}

bool tool::readNames(const StringList &O, const Twine &Takes,
                     std::vector<std::string> &Result) {
  Result.assign(O.begin(), O.end());
  return llvm::is_contained(Result, "") && valueError(O.ArgStr, Takes, "");
}

bool tool::readOneOf(ArrayRef<const StringOpt *> Options) {
  const StringOpt *Given = nullptr;
  for (const StringOpt *O : Options) {
    if (O->getNumOccurrences() == 0)
      continue;
    if (Given) {
      usageError("--" + Given->ArgStr + " and --" + O->ArgStr +
                 " exclude each other");
      return true;
    }
    Given = O;
  }
  return false;
}

bool tool::readArguments(const StringList &Texts, LaunchSpec &Spec) {
  for (StringRef Text : Texts) {
    auto [Name, Value] = Text.split('=');
    std::optional<ArgumentValue> V = parseArgumentValue(Value);
    if (Name.empty() || !V)
      return valueError("arg", "INDEX=VALUE or NAME=VALUE, VALUE a number",
                        Text);
    ArgumentPlace Place;
    if (std::string Why = parseArgumentPlace(Name, *V, Place); !Why.empty()) {
      usageError("--arg: " + Why);
      return true;
    }
    Spec.Args.push_back({Name.str(), std::move(*V), SMLoc()});
  }
  return false;
}

bool tool::readVia(const StringOpt &O, std::optional<AssemblerChoice> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  if (O == "auto") {
    Result = AssemblerChoice{"", /*OnlyNearSteps=*/true};
    return false;
  }
  auto [Name, Path] = StringRef(O).split('=');
  if (Name != "ptxas" || (Path.empty() && Name.size() != O.size()))
    return valueError(O.ArgStr, "auto, ptxas or ptxas=PATH", O);
  Result = AssemblerChoice{Path.str()};
  return false;
}

bool tool::readChoice(StringRef Option, StringRef Value,
                      ArrayRef<StringRef> Choices, unsigned &Result) {
  auto It = llvm::find(Choices, Value);
  if (It != Choices.end()) {
    Result = unsigned(It - Choices.begin());
    return false;
  }
  usageError("--" + Option + " takes one of " + llvm::join(Choices, ", ") +
             "; not '" + Value + "'" + didYouMean(Value, Choices));
  return true;
}

bool tool::readShare(const StringOpt &O, std::optional<double> &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  Result = parseShare(O);
  return !Result &&
         valueError(O.ArgStr, "a share such as 3% or 0.03", O.getValue());
}

bool tool::readFailOn(const StringOpt &O, std::optional<Severity> &Result) {
  unsigned Which = 0;
  if (readChoice(O.ArgStr, O, {"never", "note", "warning", "error"}, Which))
    return true;
  Result = parseFailLevel(O)->From;
  return false;
}

/// --color's answer if it was given; no colours where NO_COLOR is set.
static std::optional<bool> colorsAskedFor() {
  cl::Option *Color = cl::getRegisteredOptions().lookup("color");
  if (Color && Color->getNumOccurrences() != 0)
    // WithColor asks the option first; a stream without colours shows it alone.
    return llvm::WithColor(llvm::nulls()).colorsEnabled();
  std::optional<std::string> NoColor = llvm::sys::Process::GetEnv("NO_COLOR");
  if (NoColor && !NoColor->empty())
    return false;
  return std::nullopt;
}

bool tool::useColors(StringRef Path) {
  if (CapturedRun::current())
    return false;
  if (std::optional<bool> Asked = colorsAskedFor())
    return *Asked;
  return Path == "-" && llvm::outs().has_colors();
}

bool tool::useColorsForErrors() {
  if (CapturedRun::current())
    return false;
  if (std::optional<bool> Asked = colorsAskedFor())
    return *Asked;
  return llvm::errs().has_colors();
}

void tool::printDiagnostics(ArrayRef<Diagnostic> Messages) {
  // What several inputs share, or an input that is named twice, is wrong once.
  static std::set<MessageKey> PrintedByCommand;
  CapturedRun *Run = CapturedRun::current();
  std::set<MessageKey> &Printed = Run ? Run->Printed : PrintedByCommand;
  bool Colors = useColorsForErrors();
  if (!Run)
    llvm::errs().enable_colors(Colors);
  bool IsLeftOut = false; // with the notes that belong to it
  for (const Diagnostic &D : Messages) {
    if (D.Level != Severity::Note || D.Path.empty())
      IsLeftOut =
          !Printed.insert({D.Level, D.Path, D.Line, D.Column, D.Message})
               .second;
    if (IsLeftOut)
      continue;
    if (D.Path.empty()) {
      printOwnMessage(D.Level, D.Message);
    } else if (Run) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      print(D, OS, Colors);
      Run->add(D, std::move(Text));
    } else {
      print(D, llvm::errs(), Colors);
    }
  }
}

void tool::printDiagnostics(ArrayRef<const DiagnosticEngine *> Engines) {
  for (const DiagnosticEngine *E : Engines)
    printDiagnostics(E->shown());
}
