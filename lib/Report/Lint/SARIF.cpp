//===- SARIF.cpp - What lint found, as SARIF ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", OASIS
// Standard; § are its sections.
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "Report/Prediction/FindingsJSON.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Report/Explain/Explain.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// The name for the root of the sources that readers know.
static constexpr StringRef BaseId = "%SRCROOT%";
static constexpr StringRef FileScheme = "file://";
/// Longer lines are no help.
static constexpr size_t MaxSnippet = 1000;
/// Code scanning of GitHub shows no more results of a run ("SARIF results
/// exceed one or more limits"), and refuses a run of five times as many.
static constexpr size_t MaxResults = 5000;

/// The path of a URI (RFC 3986, 2.3 and 3.3). A colon in a first segment would
/// end a scheme.
static std::string percentEncode(StringRef Path) {
  std::string Result;
  for (char C : Path)
    if (llvm::isAlnum(C) || StringRef("-._~/+=@,").contains(C))
      Result += C;
    else
      (Result += '%') += llvm::toHex(StringRef(&C, 1));
  return Result;
}

/// Literal braces (§3.11.5).
static std::string messageText(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result.append(C == '{' || C == '}' ? 2 : 1, C);
  return Result;
}

/// A section of Markdown as plain text.
static std::string plainText(StringRef Markdown) {
  const std::string Text = withoutLinks(Markdown);
  std::string Result;
  for (StringRef Line : llvm::split(Text, '\n')) {
    if (Line.starts_with("```"))
      continue;
    while (!Line.empty()) {
      if (Line.consume_front("**"))
        continue;
      if (Line.front() != '`')
        Result += Line.front();
      Line = Line.drop_front();
    }
    Result += '\n';
  }
  return StringRef(Result).trim('\n').str();
}

/// The unit of our columns is the byte, that of the document the UTF-16 code
/// unit. Without the line's text they are taken to be the same.
static unsigned utf16Column(std::optional<StringRef> Line, unsigned Column) {
  if (!Line || Column <= 1)
    return Column;
  StringRef Bytes = Line->take_front(Column - 1);
  unsigned Units = Column - unsigned(Bytes.size());
  for (unsigned char C : Bytes)
    if ((C & 0xc0) != 0x80)
      Units += C >= 0xf0 ? 2 : 1;
  return Units;
}

namespace {

class SARIFPrinter {
public:
  SARIFPrinter(const LintResult &R, StringRef SourceRoot, raw_ostream &OS)
      : R(R), SourceRoot(SourceRoot),
        HasRoot(llvm::sys::fs::is_directory(SourceRoot)), J(OS),
        Kept(worstFindings(R, MaxResults)) {}

  void print();

private:
  const LintResult &R;
  StringRef SourceRoot;
  bool HasRoot; ///< it may be that of another machine
  JSONWriter J;
  std::vector<const LintFinding *> Kept; ///< that are results
  SmallVector<const Rule *, 32> Rules;   ///< that have results
  llvm::StringMap<size_t> RuleIndex;     ///< into Rules, by id
  llvm::StringMap<std::string> URIs;     ///< by path

  void collectRules();
  void writeTool();
  static void writeRule(JSONWriter &Out, const Rule &Of);
  void writeInvocation();
  void writeNotification(const Diagnostic &D);
  size_t numLeftOut() const { return R.Findings.size() - Kept.size(); }
  void writeResult(JSONWriter &Out, const LintFinding &F);
  void writeRelated(JSONWriter &Out, const LintFinding &F);
  static void writeKernel(JSONWriter &Out, const KernelRecord &K);
  void writePlace(JSONWriter &Out, StringRef Path, unsigned Line,
                  unsigned Column, std::optional<StringRef> Text);
  /// Relative to the source root, or absolute.
  const std::string &uriOf(StringRef Path);
};

} // namespace

static void writeMessage(JSONWriter &Out, StringRef Key, StringRef Text) {
  Out.attributeObject(Key, [&] { Out.text("text", Text); });
}

void SARIFPrinter::collectRules() {
  for (const LintFinding *F : Kept)
    RuleIndex.try_emplace(F->Found.Id, 0);
  for (const Rule &Of : allRules())
    if (auto It = RuleIndex.find(Of.Id); It != RuleIndex.end()) {
      It->second = Rules.size();
      Rules.push_back(&Of);
    }
}

void SARIFPrinter::writeRule(JSONWriter &Out, const Rule &Of) {
  StringRef Section = findingSection(Of.Id);
  std::string Short = Of.FiresWhen.str();
  Short[0] = llvm::toUpper(Short[0]);
  // What it is about stands before the list of when it fires and so on.
  std::string Full = plainText(Section.take_front(Section.find("- **")));
  Out.object([&] {
    Out.text("id", Of.Id);
    Out.text("name", Of.Remark);
    writeMessage(Out, "shortDescription", Short + ".");
    writeMessage(Out, "fullDescription", Full.empty() ? Short + "." : Full);
    Out.attributeObject("help", [&] {
      Out.text("text", plainText(Section));
      Out.text("markdown", withoutLinks(Section));
    });
    Out.attributeObject("defaultConfiguration",
                        [&] { Out.attribute("level", toString(Of.Level)); });
    Out.attributeObject("properties", [&] {
      Out.attributeArray("tags", [&] {
        Out.value("gpu");
        Out.value(Of.Level == Severity::Error ? "correctness" : "performance");
      });
    });
  });
}

void SARIFPrinter::writeTool() {
  J.attributeObject("tool", [&] {
    J.attributeObject("driver", [&] {
      J.attribute("name", "ptx-predict");
      J.attribute("version", PTXPREDICT_VERSION);
      J.attribute("semanticVersion", PTXPREDICT_VERSION);
      J.attributeArray("rules", [&] {
        for (const Rule *Of : Rules)
          writeRule(J, *Of);
      });
    });
  });
}

const std::string &SARIFPrinter::uriOf(StringRef Path) {
  auto [It, IsNew] = URIs.try_emplace(Path);
  if (!IsNew)
    return It->second;
  namespace path = llvm::sys::path;
  llvm::SmallString<128> Clean(Path), Below(Path);
  path::remove_dots(Clean);
  if (!SourceRoot.empty() && !path::is_absolute(Clean)) {
    path::make_absolute(SourceRoot, Below);
    path::remove_dots(Below, /*remove_dot_dot=*/true);
    // A relative reference must not leave its base (§3.10.2). What does not lie
    // there, though the root does, has the path by which the user knows it.
    bool Leaves = Clean.starts_with("..");
    if ((Leaves || (HasRoot && !llvm::sys::fs::exists(Below))) &&
        llvm::sys::fs::exists(Clean))
      Clean = absolutePath(Clean);
    else if (Leaves)
      Clean = Below;
  }
  It->second = percentEncode(Clean);
  if (path::is_absolute(Clean))
    It->second = FileScheme.str() + It->second;
  return It->second;
}

void SARIFPrinter::writePlace(JSONWriter &Out, StringRef Path, unsigned Line,
                              unsigned Column, std::optional<StringRef> Text) {
  unsigned Units = utf16Column(Text, Column);
  if (Text && Text->size() > MaxSnippet)
    Text.reset();
  auto Snippet = [&](StringRef Of) { writeMessage(Out, "snippet", Of); };
  Out.attributeObject("physicalLocation", [&] {
    Out.attributeObject("artifactLocation", [&] {
      const std::string &URI = uriOf(Path);
      Out.text("uri", URI);
      if (!StringRef(URI).starts_with(FileScheme))
        Out.text("uriBaseId", BaseId);
    });
    if (Line == 0)
      return;
    // It goes to the end of its line (§3.30.8).
    Out.attributeObject("region", [&] {
      Out.attribute("startLine", Line);
      if (Column != 0)
        Out.attribute("startColumn", Units);
      if (Text)
        Snippet(Text->drop_front(
            std::min<size_t>(Column == 0 ? 0 : Column - 1, Text->size())));
    });
    if (Text && Column > 1)
      Out.attributeObject("contextRegion", [&] {
        Out.attribute("startLine", Line);
        Snippet(*Text);
      });
  });
}

void SARIFPrinter::writeKernel(JSONWriter &Out, const KernelRecord &K) {
  // The function's own name, without scopes and types (§3.33.4).
  std::string Name;
  llvm::ItaniumPartialDemangler D;
  if (StringRef(K.Name).starts_with("_Z") &&
      !D.partialDemangle(K.Name.c_str()) && D.isFunction())
    if (char *Base = D.getFunctionBaseName(nullptr, nullptr)) {
      Name = Base;
      std::free(Base);
    }
  Out.attributeArray("logicalLocations", [&] {
    Out.object([&] {
      Out.text("name", Name.empty() ? StringRef(K.Demangled) : Name);
      Out.text("fullyQualifiedName", K.Demangled);
      Out.text("decoratedName", K.Name);
      Out.attribute("kind", "function");
    });
  });
}

void SARIFPrinter::writeRelated(JSONWriter &Out, const LintFinding &F) {
  const FindingLocation &Where = F.Found.Where;
  int64_t Id = 0; // each its own, as no two may be alike (§3.27.22)
  auto Write = [&](StringRef Path, unsigned Line, unsigned Column,
                   std::optional<StringRef> Text, StringRef Message) {
    Out.object([&] {
      Out.attribute("id", Id++);
      writePlace(Out, Path, Line, Column, Text);
      writeMessage(Out, "message", Message);
    });
  };
  const std::string &Input = R.Inputs[F.Input].Path;
  Out.attributeArray("relatedLocations", [&] {
    for (StringRef Frame : Where.InlinedAt)
      if (PathPlace P = splitPlace(Frame);
          P.Line != 0 && isElsewhere(Where, Frame))
        Write(P.Path, P.Line, P.Column, std::nullopt, "inlined here");
    if (Where.Path != Input && Where.InputLine != 0)
      Write(Input, Where.InputLine, 0,
            F.InputLine.empty() ? std::nullopt
                                : std::optional<StringRef>(F.InputLine),
            "compiled to");
  });
}

void SARIFPrinter::writeResult(JSONWriter &Out, const LintFinding &F) {
  const Finding &Found = F.Found;
  Out.text("ruleId", Found.Id);
  Out.attribute("ruleIndex", RuleIndex.lookup(Found.Id));
  Out.attribute("level", toString(Found.Level));
  writeMessage(Out, "message", messageText(messageWithDetails(Found)));
  Out.attributeArray("locations", [&] {
    Out.object([&] {
      writePlace(Out, Found.Where.Path, Found.Where.Line, Found.Where.Column,
                 F.SourceLine);
      writeKernel(Out, kernelOf(R, F));
    });
  });
  writeRelated(Out, F);
  Out.attributeObject("partialFingerprints",
                      [&] { Out.text("ptxPredict/v1", F.Fingerprint); });
  // For all or for none (§3.27.23 and 24).
  Out.attributeArray("suppressions", [&] {
    if (F.State == FindingState::Suppressed)
      Out.object([&] {
        Out.attribute("kind", F.SuppressedInSource ? "inSource" : "external");
        if (!F.Reason.empty())
          Out.text("justification", F.Reason);
      });
  });
  if (R.HasBaseline)
    Out.attribute("baselineState",
                  F.State == FindingState::Known ? "unchanged" : "new");
  if (!Found.Gains.empty())
    Out.attributeObject("properties", [&] { writeGains(Out, Found); });
}

void SARIFPrinter::writeNotification(const Diagnostic &D) {
  J.object([&] {
    J.attribute("level", toString(D.Level));
    writeMessage(J, "message", messageText(D.Message));
    if (!D.Path.empty())
      J.attributeArray("locations", [&] {
        J.object(
            [&] { writePlace(J, D.Path, D.Line, D.Column, std::nullopt); });
      });
  });
}

void SARIFPrinter::writeInvocation() {
  J.attributeArray("invocations", [&] {
    J.object([&] {
      J.attribute(
          "executionSuccessful",
          llvm::none_of(R.Inputs,
                        [](const InputRecord &In) { return In.Failed; }) &&
              llvm::none_of(R.Messages, [](const Diagnostic &D) {
                return D.Level == Severity::Error;
              }));
      J.attributeArray("toolExecutionNotifications", [&] {
        for (const InputRecord &In : R.Inputs)
          for (const Diagnostic &D : In.Messages)
            writeNotification(D);
        for (const Diagnostic &D : R.Messages)
          writeNotification(D);
        if (numLeftOut() != 0) {
          Diagnostic Cut;
          Cut.Level = Severity::Warning;
          Cut.Message = std::to_string(numLeftOut()) + " of " +
                        std::to_string(R.Findings.size()) +
                        " findings are left out; the worst ones are here";
          writeNotification(Cut);
        }
      });
    });
  });
}

void SARIFPrinter::print() {
  collectRules();
  J.object([&] {
    J.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                           "errata01/os/schemas/sarif-schema-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        writeTool();
        writeInvocation();
        if (!SourceRoot.empty())
          J.attributeObject("originalUriBaseIds", [&] {
            J.attributeObject(BaseId, [&] {
              J.text("uri", FileScheme.str() +
                                percentEncode(SourceRoot.rtrim('/')) + "/");
            });
          });
        J.attribute("columnKind", "utf16CodeUnits");
        J.attributeArray("results", [&] {
          for (const LintFinding *F : Kept)
            writeOnOneLine(J, [&](JSONWriter &Line) { writeResult(Line, *F); });
        });
        if (numLeftOut() != 0)
          J.attributeObject("properties", [&] {
            J.attribute("findingsLeftOut", numLeftOut());
          });
      });
    });
  });
}

void ptxpredict::printSARIF(const LintResult &R, raw_ostream &OS,
                            StringRef SourceRoot) {
  SARIFPrinter(R, SourceRoot, OS).print();
  OS << '\n';
}
