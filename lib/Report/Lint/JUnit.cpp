//===- JUnit.cpp - Findings as failed tests -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The XML of Ant's JUnit task, as far as Jenkins, GitLab and others read it
// alike: a test has one failure, as some keep the first or the last one alone.
//===----------------------------------------------------------------------===//
#include "LintViews.h"
#include "Report/Prediction/FindingText.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// \p Text in XML 1.0: valid UTF-8 of the characters that it allows.
static std::string escapeXML(StringRef Text) {
  std::string Escaped;
  for (StringRef Line : llvm::split(Text, '\n'))
    Escaped += escapeHTML(Line) + "\n";
  Escaped.pop_back();
  // Two characters that Unicode has and XML has not.
  for (size_t At = 0; (At = Escaped.find("\xef\xbf", At)) != std::string::npos;
       At += 3)
    if (uint8_t(Escaped[At + 2]) >= 0xbe)
      Escaped[At + 2] = '\xbd';
  return Escaped;
}

static void attribute(raw_ostream &OS, StringRef Name, StringRef Value) {
  // A line break is read as a space.
  OS << ' ' << Name << "=\"" << escapeXML(Value) << '"';
}

namespace {

/// What tests of an input come to.
struct TestCounts {
  size_t Tests = 0, Failures = 0, Errors = 0;

  void print(raw_ostream &OS) const {
    OS << " tests=\"" << Tests << "\" failures=\"" << Failures << "\" errors=\""
       << Errors << "\" skipped=\"0\"";
  }
};

class JUnitPrinter {
public:
  JUnitPrinter(const LintResult &R, raw_ostream &OS) : R(R), OS(OS) {}

  void print();

private:
  const LintResult &R;
  raw_ostream &OS;

  using Findings = ArrayRef<LintFinding>;
  /// Takes what \p Rest begins with and \p Belongs to the same.
  template <typename Predicate>
  static Findings takeFront(Findings &Rest, Predicate Belongs) {
    Findings Front = Rest.take_while(Belongs);
    Rest = Rest.drop_front(Front.size());
    return Front;
  }
  static TestCounts count(const InputRecord &In, Findings Of);
  void printInput(const InputRecord &In, Findings Of);
  void printKernel(const InputRecord &In, const KernelRecord &K, Findings Of);
  void printErrors(const InputRecord &In);
  void beginCase(const InputRecord &In, StringRef Name);
  std::string textOf(const LintFinding &F) const;
};

} // namespace

TestCounts JUnitPrinter::count(const InputRecord &In, Findings Of) {
  TestCounts C;
  C.Errors = In.Failed;
  C.Tests = In.Kernels.size() + C.Errors;
  const LintFinding *Last = nullptr;
  for (const LintFinding &F : Of)
    if (F.Counts) {
      C.Failures += !Last || Last->Kernel != F.Kernel;
      Last = &F;
    }
  return C;
}

void JUnitPrinter::beginCase(const InputRecord &In, StringRef Name) {
  OS << "    <testcase";
  attribute(OS, "classname", In.Path);
  attribute(OS, "name", Name);
  attribute(OS, "file", In.Path);
}

std::string JUnitPrinter::textOf(const LintFinding &F) const {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  printWithLines(R, F, Out, /*Colors=*/false);
  printGainAndHelp(F.Found, Out);
  if (F.State != FindingState::New) {
    auto [State, Why] = stateText(F);
    printItem(Out, State, Why);
  }
  return Text;
}

void JUnitPrinter::printErrors(const InputRecord &In) {
  std::string Text;
  StringRef First = "the input could not be read";
  llvm::raw_string_ostream Out(Text);
  for (const Diagnostic &D : llvm::reverse(In.Messages))
    if (D.Level == Severity::Error)
      First = D.Message;
  for (const Diagnostic &D : In.Messages)
    ptxpredict::print(D, Out, /*Colors=*/false);
  beginCase(In, In.Path);
  OS << ">\n      <error";
  attribute(OS, "message", First);
  attribute(OS, "type", "error");
  OS << '>' << escapeXML(Text) << "</error>\n    </testcase>\n";
}

void JUnitPrinter::printKernel(const InputRecord &In, const KernelRecord &K,
                               Findings Of) {
  beginCase(In, K.Demangled);
  if (K.Line != 0)
    OS << " line=\"" << K.Line << '"';
  if (Of.empty()) {
    OS << "/>\n";
    return;
  }
  OS << ">\n";
  std::string Failure, Output;
  const LintFinding *First = nullptr;
  size_t Failures = 0;
  for (const LintFinding &F : Of) {
    std::string &Text = F.Counts ? Failure : Output;
    if (!Text.empty())
      Text += '\n';
    Text += textOf(F);
    if (F.Counts) {
      First = First ? First : &F;
      ++Failures;
    }
  }
  if (First) {
    std::string Message = First->Found.messageWithId();
    if (Failures != 1)
      Message = plural(Failures, "finding") + ", the first: " + Message;
    OS << "      <failure";
    attribute(OS, "message", Message);
    attribute(OS, "type", First->Found.Id);
    OS << '>' << escapeXML(Failure) << "</failure>\n";
  }
  if (!Output.empty())
    OS << "      <system-out>" << escapeXML(Output) << "</system-out>\n";
  OS << "    </testcase>\n";
}

void JUnitPrinter::printInput(const InputRecord &In, Findings Of) {
  OS << "  <testsuite";
  attribute(OS, "name", In.Path);
  count(In, Of).print(OS);
  OS << ">\n";
  if (In.Failed)
    printErrors(In);
  for (auto [Index, K] : llvm::enumerate(In.Kernels))
    printKernel(In, K, takeFront(Of, [Number = Index](const LintFinding &F) {
                  return F.Kernel == Number;
                }));
  OS << "  </testsuite>\n";
}

void JUnitPrinter::print() {
  std::vector<Findings> ByInput;
  TestCounts All;
  Findings Rest = R.Findings;
  for (auto [Index, In] : llvm::enumerate(R.Inputs)) {
    ByInput.push_back(takeFront(Rest, [Number = Index](const LintFinding &F) {
      return F.Input == Number;
    }));
    TestCounts C = count(In, ByInput.back());
    All.Tests += C.Tests;
    All.Failures += C.Failures;
    All.Errors += C.Errors;
  }
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
  attribute(OS, "name", "ptx-predict lint");
  All.print(OS);
  OS << ">\n";
  for (auto [In, Of] : llvm::zip_equal(R.Inputs, ByInput))
    printInput(In, Of);
  OS << "</testsuites>\n";
}

void ptxpredict::printJUnit(const LintResult &R, raw_ostream &OS) {
  JUnitPrinter(R, OS).print();
}
