//===- LintConfig.cpp - The file .ptx-predict.yaml ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/LintConfig.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Support/YAMLNodes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::yaml::Node;
using llvm::yaml::SequenceNode;

std::optional<FailLevel> ptxpredict::parseFailLevel(StringRef Text) {
  if (Text == "never")
    return FailLevel{std::nullopt};
  for (Severity S : {Severity::Error, Severity::Warning, Severity::Note})
    if (Text == toString(S))
      return FailLevel{S};
  return std::nullopt;
}

std::optional<double> ptxpredict::parseShare(StringRef Text) {
  bool IsPercent = Text.consume_back("%");
  std::optional<double> V = parseNumber(Text.rtrim());
  if (V && IsPercent)
    *V /= 100;
  return V && *V >= 0 && *V <= 1 ? V : std::nullopt;
}

std::string ptxpredict::findLintConfig(StringRef Folder) {
  for (; !Folder.empty(); Folder = path::parent_path(Folder)) {
    llvm::SmallString<128> Path(Folder);
    path::append(Path, LintConfigName);
    if (fs::exists(Path))
      return std::string(Path);
  }
  return {};
}

namespace {

class ConfigReader {
public:
  ConfigReader(DiagnosticEngine &Diags, LintConfig &Result)
      : Nodes(Diags), Result(Result), Folder(path::parent_path(Diags.path())) {}

  void read() {
    Nodes.readDocument([this](Node &Root) { readRoot(Root); });
  }

private:
  YAMLNodes Nodes;
  LintConfig &Result;
  StringRef Folder;

  void readRoot(Node &Root);
  void readThresholds(Node &N);
  void readSeverities(Node &N);
  void readSuppression(Node &N);
  /// One text, or a list of texts.
  void readTexts(Node &N, StringRef What,
                 llvm::function_ref<void(YAMLText &)> Take);
  void readNames(Node &N, StringRef What, std::vector<std::string> &Into);
  void readPath(Node &N, StringRef What, std::string &Into);
  /// Whether the project may name the file at \p Path. Reports if not.
  bool isAllowed(StringRef Path, StringRef What, SMLoc Loc);
  /// \p Glob, which \p T was read as; reports its error.
  std::optional<OwnedGlob> valid(const YAMLText &T, Expected<OwnedGlob> Glob);
  std::optional<Severity> readSeverity(Node &N, StringRef What);
  std::string absolute(StringRef Path) const;
};

} // namespace

/// How the files that a key names end; empty for a folder.
static ArrayRef<StringRef> extensionsFor(StringRef Key) {
  static constexpr StringRef YAML[] = {".yaml", ".yml"}, JSON[] = {".json"};
  return Key == "source_root" ? ArrayRef<StringRef>()
         : Key == "baseline" || Key == "compile_commands"
             ? ArrayRef<StringRef>(JSON)
             : ArrayRef<StringRef>(YAML);
}

/// Whether \p Path, links not followed, lies below the folder \p Root.
static bool isNamedIn(StringRef Path, StringRef Root) {
  while (path::has_relative_path(Path)) {
    Path = path::parent_path(Path);
    if (realPath(Path) == Root)
      return true;
  }
  return false;
}

static bool hasExtension(StringRef Path, ArrayRef<StringRef> Wanted) {
  return Wanted.empty() ||
         llvm::is_contained(Wanted, path::extension(Path).lower());
}

bool ConfigReader::isAllowed(StringRef Path, StringRef What, SMLoc Loc) {
  const StringRef Root = Result.ProjectRoot;
  if (Root.empty())
    return true;
  constexpr StringRef HowToGoOn =
      "; name this configuration with --config to trust it";
  // A link to a database, or to its folder, is how builds elsewhere are found.
  const bool IsThere = What == "compile_commands" ? isNamedIn(Path, Root)
                                                  : isInProject(Path, Root);
  ArrayRef<StringRef> Extensions = extensionsFor(What);
  if (!IsThere)
    Nodes.error(Loc, What + " is outside of the project '" + Root +
                         "', whose configuration may only name its own files" +
                         HowToGoOn);
  else if (!hasExtension(realPath(Path), Extensions))
    Nodes.error(Loc, What + " must be a file whose name ends with '" +
                         llvm::join(Extensions, "' or '") + "'" + HowToGoOn);
  else
    return true;
  return false;
}

std::string ConfigReader::absolute(StringRef Path) const {
  llvm::SmallString<128> Full(Path);
  if (path::is_relative(Path)) {
    Full = Folder;
    path::append(Full, Path);
  }
  path::remove_dots(Full, /*remove_dot_dot=*/true);
  return std::string(Full);
}

void ConfigReader::readTexts(Node &N, StringRef What,
                             llvm::function_ref<void(YAMLText &)> Take) {
  auto Element = [&](Node &E) {
    std::optional<YAMLText> T = Nodes.text(E, What);
    if (T && T->Text.empty())
      Nodes.error(T->Loc, What + " must not be empty");
    else if (T)
      Take(*T);
  };
  if (isa<SequenceNode>(&N))
    Nodes.forEachElement(N, What, Element);
  else
    Element(N);
}

void ConfigReader::readNames(Node &N, StringRef What,
                             std::vector<std::string> &Into) {
  readTexts(N, What, [&](YAMLText &T) { Into.push_back(std::move(T.Text)); });
}

void ConfigReader::readPath(Node &N, StringRef What, std::string &Into) {
  std::optional<YAMLText> T = Nodes.text(N, What, "a path");
  if (T && T->Text.empty())
    Nodes.error(T->Loc, What + " must not be empty");
  else if (T && isAllowed(absolute(T->Text), What, T->Loc))
    Into = absolute(T->Text);
}

std::optional<OwnedGlob> ConfigReader::valid(const YAMLText &T,
                                             Expected<OwnedGlob> Glob) {
  if (Glob)
    return std::move(*Glob);
  Nodes.error(T.Loc, llvm::toString(Glob.takeError()));
  return std::nullopt;
}

std::optional<Severity> ConfigReader::readSeverity(Node &N, StringRef What) {
  std::optional<YAMLText> T = Nodes.text(N, What);
  if (!T)
    return std::nullopt;
  std::optional<FailLevel> L = parseFailLevel(T->Text);
  if (L && L->From)
    return L->From;
  Nodes.error(T->Loc, What + " must be note, warning or error");
  return std::nullopt;
}

void ConfigReader::readThresholds(Node &N) {
  static constexpr StringRef Keys[] = {"gain", "regression", "noise"};
  Nodes.forEachEntry(N, "thresholds", Keys, [&](YAMLText &Key, Node &Value) {
    std::optional<YAMLText> T = Nodes.text(Value, Key.Text, "a share");
    if (!T)
      return;
    std::optional<double> V = parseShare(T->Text);
    if (!V)
      return Nodes.error(T->Loc, Key.Text + " must be a share of the time, "
                                            "such as 3% or 0.03");
    (Key.Text == "gain"         ? Result.LeastGain
     : Key.Text == "regression" ? Result.MaxRegression
                                : Result.Noise) = V;
  });
}

void ConfigReader::readSeverities(Node &N) {
  Nodes.forEachEntry(N, "severities", {}, [&](YAMLText &Key, Node &Value) {
    std::optional<OwnedGlob> Rule = valid(Key, createRuleGlob(Key.Text));
    std::optional<Severity> Level = readSeverity(Value, Key.Text);
    if (Rule && Level)
      Result.Severities.push_back({std::move(*Rule), *Level});
  });
}

void ConfigReader::readSuppression(Node &N) {
  static constexpr StringRef Keys[] = {"rule", "kernel", "path", "reason"};
  std::optional<OwnedGlob> Rule, Kernel, Path;
  std::string Reason;
  bool HasRule = false;
  bool Whole = Nodes.forEachEntry(
      N, "a suppression", Keys, [&](YAMLText &Key, Node &Value) {
        HasRule |= Key.Text == "rule";
        std::optional<YAMLText> T = Nodes.text(Value, Key.Text);
        if (!T)
          return;
        if (Key.Text == "reason")
          Reason = StringRef(T->Text).trim().str();
        else if (Key.Text == "rule")
          Rule = valid(*T, createRuleGlob(T->Text));
        else
          (Key.Text == "kernel" ? Kernel : Path) =
              valid(*T, OwnedGlob::create(T->Text));
      });
  if (!Whole)
    return;
  if (!HasRule)
    Nodes.error(Nodes.place(N), "a suppression needs the key 'rule'");
  if (Reason.empty())
    Nodes.error(Nodes.place(N),
                "a suppression needs a reason, in the key 'reason'");
  if (Rule && !Reason.empty())
    Result.Suppressions.push_back({std::move(*Rule), std::move(Kernel),
                                   std::move(Path), std::move(Reason)});
}

void ConfigReader::readRoot(Node &Root) {
  static constexpr StringRef Keys[] = {
      "devices",     "device_files",     "models",   "launch",
      "rules",       "severities",       "severity", "fail_on",
      "thresholds",  "suppressions",     "exclude",  "baseline",
      "source_root", "compile_commands", "via"};
  Nodes.forEachEntry(
      Root, "a configuration", Keys, [&](YAMLText &Key, Node &Value) {
        StringRef K = Key.Text;
        if (K == "devices")
          return readNames(Value, K, Result.Devices);
        if (K == "models")
          return readNames(Value, K, Result.Models);
        if (K == "device_files")
          return readTexts(Value, K, [&](const YAMLText &T) {
            if (isAllowed(absolute(T.Text), K, T.Loc))
              Result.DeviceFiles.push_back(absolute(T.Text));
          });
        if (K == "launch")
          return readPath(Value, K, Result.LaunchFile);
        if (K == "baseline")
          return readPath(Value, K, Result.BaselineFile);
        if (K == "source_root")
          return readPath(Value, K, Result.SourceRoot);
        if (K == "compile_commands")
          return readPath(Value, K, Result.CompileCommands);
        if (K == "thresholds")
          return readThresholds(Value);
        if (K == "severities")
          return readSeverities(Value);
        if (K == "severity") {
          Result.Least = readSeverity(Value, K);
          return;
        }
        if (K == "via") {
          Result.AsksNearSteps = Nodes.oneOf(Value, K, {"none", "auto"}) == 1;
          return;
        }
        if (K == "rules")
          return readTexts(Value, K, [&](const YAMLText &T) {
            if (Error E = Result.Rules.add(T.Text))
              Nodes.error(T.Loc, llvm::toString(std::move(E)));
          });
        if (K == "exclude")
          return readTexts(Value, K, [&](const YAMLText &T) {
            if (std::optional<OwnedGlob> G =
                    valid(T, OwnedGlob::create(T.Text)))
              Result.Exclude.push_back(std::move(*G));
          });
        if (K == "suppressions") {
          Nodes.forEachElement(Value, K, [&](Node &N) { readSuppression(N); });
          return;
        }
        std::optional<YAMLText> T = Nodes.text(Value, K);
        if (!T)
          return;
        Result.FailOn = parseFailLevel(T->Text);
        if (!Result.FailOn)
          Nodes.error(T->Loc, "fail_on must be never, note, warning or error");
      });
}

bool ptxpredict::readLintConfig(DiagnosticEngine &Diags, LintConfig &Result,
                                ConfigOrigin Origin) {
  Result.Path = Diags.path().str();
  if (Origin == ConfigOrigin::Found) {
    Result.ProjectRoot = projectRoot(path::parent_path(Result.Path));
    if (!isInProject(Result.Path, Result.ProjectRoot) ||
        path::filename(realPath(Result.Path)) != LintConfigName) {
      Diags.hideLines();
      Diags.error(SMLoc(), "a link to another file; name that with --config");
      return true;
    }
  }
  ConfigReader(Diags, Result).read();
  return Diags.hasErrors();
}
