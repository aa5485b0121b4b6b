//===- LintDocumentsTest.cpp - Forms of lint for programs -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LintResults.h"
#include "ptxpredict/Report/Lint/LintReport.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using ::testing::HasSubstr;
using ::testing::Not;
namespace json = llvm::json;

namespace {

json::Object parsed(const std::string &Text) {
  Expected<json::Value> V = json::parse(Text);
  EXPECT_TRUE(bool(V)) << llvm::toString(V.takeError());
  return V && V->getAsObject() ? std::move(*V->getAsObject()) : json::Object();
}

/// Follows "runs/0/results" and the like.
json::Value at(const json::Object &O, StringRef Path) {
  json::Value V = json::Object(O);
  while (!Path.empty()) {
    auto [Key, Rest] = Path.split('/');
    Path = Rest;
    size_t Index = 0;
    const json::Value *Next = nullptr;
    if (const json::Array *A = V.getAsArray())
      Next = !Key.getAsInteger(10, Index) && Index < A->size() ? &(*A)[Index]
                                                               : nullptr;
    else if (const json::Object *Inner = V.getAsObject())
      Next = Inner->get(Key);
    if (!Next)
      return nullptr;
    V = json::Value(*Next);
  }
  return V;
}

json::Object sarif(const LintResult &R, StringRef Root = "/home/me/a b/") {
  return parsed(printed([&](raw_ostream &OS) { printSARIF(R, OS, Root); }));
}
json::Object lintJSON(const LintResult &R) {
  return parsed(printed([&](raw_ostream &OS) { printLintJSON(R, OS); }));
}
std::string junit(const LintResult &R) {
  return printed([&](raw_ostream &OS) { printJUnit(R, OS); });
}

TEST(SARIF, PlacesAndNames) {
  json::Object O = sarif(makeLintResult());
  EXPECT_EQ(at(O, "runs/0/originalUriBaseIds/%SRCROOT%/uri"),
            "file:///home/me/a%20b/");
  // In UTF-16 𝄞 takes two units, é one, and in UTF-8 four bytes and two.
  EXPECT_EQ(at(O, "runs/0/columnKind"), "utf16CodeUnits");
  json::Value Place = at(O, "runs/0/results/0/locations/0");
  const json::Object &Banks = *Place.getAsObject();
  EXPECT_EQ(at(Banks, "physicalLocation/artifactLocation/uri"), "src/k.cu");
  EXPECT_EQ(at(Banks, "physicalLocation/artifactLocation/uriBaseId"),
            "%SRCROOT%");
  EXPECT_EQ(at(Banks, "physicalLocation/region/startLine"), 7);
  EXPECT_EQ(at(Banks, "physicalLocation/region/startColumn"), 5);
  EXPECT_EQ(at(Banks, "physicalLocation/region/snippet/text"), "tile[x]");
  EXPECT_EQ(at(Banks, "physicalLocation/contextRegion/snippet/text"),
            *makeLintResult().Findings[0].SourceLine);
  EXPECT_EQ(at(Banks, "logicalLocations/0/name"), "k");
  EXPECT_EQ(at(Banks, "logicalLocations/0/fullyQualifiedName"),
            "void ns::k<int>(int*)");
  EXPECT_EQ(at(Banks, "logicalLocations/0/decoratedName"), "_ZN2ns1kIiEEvPT_");
  EXPECT_EQ(at(O, "runs/0/results/3/locations/0/logicalLocations/0/name"),
            "plain");
  // Where it was inlined, and what it was compiled to.
  json::Value Related = at(O, "runs/0/results/0/relatedLocations");
  ASSERT_EQ(Related.getAsArray()->size(), 2U);
  EXPECT_EQ(at(O, "runs/0/results/0/relatedLocations/0/physicalLocation/region/"
                  "startLine"),
            20);
  EXPECT_EQ(at(O, "runs/0/results/0/relatedLocations/1/physicalLocation/"
                  "artifactLocation/uri"),
            "a%20b%25/k.ptx");
  EXPECT_EQ(at(O, "runs/0/results/4/relatedLocations/0/physicalLocation/region/"
                  "snippet/text"),
            "  ld.global.f32 %f1, [%rd1];");
  // Without a line there is no region.
  EXPECT_EQ(at(O, "runs/0/results/3/locations/0/physicalLocation/region"),
            nullptr);
  EXPECT_EQ(at(O, "runs/0/results/1/relatedLocations"),
            json::Value(json::Array()));
}

TEST(SARIF, OddPaths) {
  LintResult R = makeLintResult();
  auto URI = [&](StringRef Path, StringRef Root = "/home/me") {
    R.Findings[0].Found.Where.Path = Path.str();
    json::Object O = sarif(R, Root);
    return at(O, "runs/0/results/0/locations/0/physicalLocation/"
                 "artifactLocation");
  };
  EXPECT_EQ(URI("/abs/k.cu"),
            json::Value(json::Object{{"uri", "file:///abs/k.cu"}}));
  EXPECT_EQ(URI("../x/./k.cu"),
            json::Value(json::Object{{"uri", "file:///home/x/k.cu"}}));
  EXPECT_EQ(URI("./c:d#?.cu"),
            json::Value(json::Object{{"uri", "c%3Ad%23%3F.cu"},
                                     {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(URI("\xc3\xa9\xff", ""),
            json::Value(json::Object{{"uri", "%C3%A9%FF"},
                                     {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(at(sarif(R, ""), "runs/0/originalUriBaseIds"), nullptr);
}

TEST(SARIF, RulesAreThoseWithResults) {
  json::Object O = sarif(makeLintResult());
  EXPECT_EQ(at(O, "runs/0/tool/driver/rules").getAsArray()->size(), 4U);
  for (unsigned I = 0; I != 5; ++I) {
    std::string Result = "runs/0/results/" + std::to_string(I);
    int64_t Index = *at(O, Result + "/ruleIndex").getAsInteger();
    std::string Rule = "runs/0/tool/driver/rules/" + std::to_string(Index);
    EXPECT_EQ(at(O, Rule + "/id"), at(O, Result + "/ruleId"));
    json::Value Help = at(O, Rule + "/help/text");
    EXPECT_THAT(Help.getAsString()->str(), HasSubstr("- Fires"));
    EXPECT_THAT(Help.getAsString()->str(), Not(HasSubstr("`")));
    EXPECT_THAT(at(O, Rule + "/help/markdown").getAsString()->str(),
                Not(HasSubstr("](")));
  }
}

TEST(SARIF, StatesMessagesAndGains) {
  LintResult R = makeLintResult();
  json::Object O = sarif(R);
  EXPECT_EQ(at(O, "runs/0/results/0/message/text"),
            "32 passes | `x` <b> {{1}}, 100 %\nat @p\ngain: 50 % of the time "
            "on a100, 25 % of the time on h100\nhelp: pad a row");
  EXPECT_EQ(at(O, "runs/0/results/0/properties/gain/h100"), 0.25);
  EXPECT_EQ(at(O, "runs/0/results/0/suppressions"), json::Value(json::Array()));
  EXPECT_EQ(at(O, "runs/0/results/4/suppressions"),
            json::Value(json::Array{json::Object{
                {"kind", "inSource"}, {"justification", "meant | so"}}}));
  EXPECT_EQ(at(O, "runs/0/results/0/baselineState"), "new");
  EXPECT_EQ(at(O, "runs/0/results/1/baselineState"), "unchanged");
  EXPECT_EQ(at(O, "runs/0/invocations/0/executionSuccessful"), false);
  EXPECT_EQ(at(O, "runs/0/invocations/0/toolExecutionNotifications/0/message/"
                  "text"),
            "odd, 100 %: \x01 <tag> \xef\xbf\xbd");
  R.HasBaseline = false;
  R.Findings[4].SuppressedInSource = false;
  O = sarif(R);
  EXPECT_EQ(at(O, "runs/0/results/1/baselineState"), nullptr);
  EXPECT_EQ(at(O, "runs/0/results/4/suppressions/0/kind"), "external");
}

TEST(SARIF, Nothing) {
  json::Object O = sarif(makeCleanResult());
  EXPECT_EQ(at(O, "runs/0/results"), json::Value(json::Array()));
  EXPECT_EQ(at(O, "runs/0/tool/driver/rules"), json::Value(json::Array()));
  EXPECT_EQ(at(O, "runs/0/invocations/0/executionSuccessful"), true);
}

/// The gain of a result; the document is too large to be copied.
std::optional<double> gainOf(const json::Object &Run, size_t Result) {
  const json::Object *O = (*Run.getArray("results"))[Result].getAsObject();
  const json::Object *Of = O->getObject("properties");
  return Of ? Of->getObject("gain")->getNumber("a100") : std::nullopt;
}

TEST(SARIF, TheWorstOfMany) {
  LintResult R = makeLintResult();
  // Notes before what is worse, of which one saves more.
  LintFinding Note = R.Findings[1];
  Note.State = FindingState::New;
  LintFinding Small = R.Findings[0], Large = R.Findings[0];
  Small.Found.Gains = {{"a100", 0.1}};
  Large.Found.Gains = {{"a100", 0.9}};
  LintFinding Suppressed = R.Findings[4];
  R.Findings.assign(5000, Note);
  R.Findings.push_back(Small);
  R.Findings.push_back(Large);
  R.Findings.push_back(Suppressed);
  json::Object O = sarif(R);
  const json::Object *Run = (*O.getArray("runs"))[0].getAsObject();
  EXPECT_EQ(Run->getArray("results")->size(), 5000U);
  EXPECT_EQ(gainOf(*Run, 0), std::nullopt);
  EXPECT_EQ(gainOf(*Run, 4998), 0.1); // in the order of the result
  EXPECT_EQ(gainOf(*Run, 4999), 0.9);
  EXPECT_EQ(Run->getObject("properties")->getInteger("findingsLeftOut"), 3);
  const json::Array *Said =
      (*Run->getArray("invocations"))[0].getAsObject()->getArray(
          "toolExecutionNotifications");
  EXPECT_EQ((*Said)[1].getAsObject()->getObject("message")->getString("text"),
            "3 of 5003 findings are left out; the worst ones are here");

  R.Findings.assign(5000, Large);
  R.Findings.insert(R.Findings.begin(), Small);
  O = sarif(R);
  Run = (*O.getArray("runs"))[0].getAsObject();
  EXPECT_EQ(gainOf(*Run, 0), 0.9);
  R.Findings.erase(R.Findings.begin());
  O = sarif(R);
  EXPECT_EQ((*O.getArray("runs"))[0].getAsObject()->get("properties"), nullptr);
}

TEST(CodeQuality, APlaceIsAViolation) {
  Expected<json::Value> V = json::parse(
      printed([](raw_ostream &OS) { printCodeQuality(makeLintResult(), OS); }));
  ASSERT_TRUE(bool(V));
  json::Object O;
  O["all"] = std::move(*V);
  ASSERT_EQ(at(O, "all").getAsArray()->size(), 3U);
  EXPECT_EQ(at(O, "all/0/severity"), "blocker");
  EXPECT_EQ(at(O, "all/0/check_name"), "input");
  EXPECT_EQ(at(O, "all/0/location/lines/begin"), 3);
  EXPECT_EQ(at(O, "all/1/description"),
            "32 passes | `x` <b> {1}, 100 %\nat @p; would save 50 % of the "
            "time on a100, 25 % of the time on h100; in 2 kernels, such as "
            "void ns::k<int>(int*)");
  EXPECT_EQ(at(O, "all/1/severity"), "major");
  EXPECT_EQ(at(O, "all/1/location/path"), "src/k.cu");
  EXPECT_EQ(at(O, "all/2/severity"), "critical");
  EXPECT_EQ(at(O, "all/2/location/lines/begin"), 1); // it has no line
}

TEST(CodeQuality, PathsAndMessages) {
  LintResult R = makeLintResult();
  R.Findings[0].Found.Where.Path = "./src/./k.cu";
  R.Inputs[1].Messages.push_back(R.Inputs[1].Messages.front());
  Expected<json::Value> V =
      json::parse(printed([&](raw_ostream &OS) { printCodeQuality(R, OS); }));
  ASSERT_TRUE(bool(V));
  json::Object O;
  O["all"] = std::move(*V);
  EXPECT_EQ(at(O, "all/2/location/path"), "src/k.cu");
  EXPECT_NE(at(O, "all/0/fingerprint"), at(O, "all/1/fingerprint"));
  EXPECT_EQ(
      printed([](raw_ostream &OS) { printCodeQuality(makeCleanResult(), OS); }),
      "[]\n");
}

TEST(RDJSON, PlacesAndLevels) {
  json::Object O = parsed(
      printed([](raw_ostream &OS) { printRDJSON(makeLintResult(), OS); }));
  EXPECT_EQ(at(O, "source/name"), "ptx-predict");
  ASSERT_EQ(at(O, "diagnostics").getAsArray()->size(), 3U);
  EXPECT_EQ(at(O, "diagnostics/0/severity"), "ERROR");
  EXPECT_EQ(at(O, "diagnostics/0/code"), nullptr);
  // Bytes of UTF-8.
  EXPECT_EQ(at(O, "diagnostics/1/location/range/start/column"), 8);
  EXPECT_EQ(at(O, "diagnostics/1/code/value"), "bank-conflict");
  EXPECT_EQ(at(O, "diagnostics/2/location/range"), nullptr);
}

TEST(CompilerExplorer, LinesOfTheInput) {
  const std::string Text = printed(
      [](raw_ostream &OS) { printForCompilerExplorer(makeLintResult(), OS); });
  EXPECT_THAT(Text, HasSubstr("<source>:55: warning: 32 passes | `x` <b> {1}, "
                              "100 % at @p [bank-conflict]\n"
                              "  in    2 kernels, such as void "
                              "ns::k<int>(int*)\n"
                              "  from  src/k.cu:7:8\n"
                              "  gain  50 % of the time on a100"));
  // Of the input as a whole.
  EXPECT_THAT(Text, HasSubstr("<source>:1: error: some miss it "
                              "[barrier-in-divergent-code]\n"));
  EXPECT_THAT(Text, Not(HasSubstr("low-occupancy")));
}

TEST(LintJSON, FindingsAndCounts) {
  json::Object O = lintJSON(makeLintResult());
  EXPECT_EQ(at(O, "summary"), json::Value(json::Object{{"errors", 1},
                                                       {"warnings", 2},
                                                       {"notes", 0},
                                                       {"known", 1},
                                                       {"suppressed", 1},
                                                       {"gone", 3},
                                                       {"failing", 3}}));
  EXPECT_EQ(at(O, "findings/2/same_as"), 0);
  EXPECT_EQ(at(O, "findings/2/fails"), true);
  EXPECT_EQ(at(O, "findings/4/fails"), false);
  EXPECT_EQ(at(O, "findings/4/suppression/reason"), "meant | so");
  EXPECT_EQ(at(O, "findings/4/location/input_line"), 60);
  EXPECT_EQ(at(O, "findings/4/input_text"), "  ld.global.f32 %f1, [%rd1];");
  EXPECT_EQ(at(O, "inputs/1/failed"), true);
  EXPECT_EQ(at(O, "inputs/0/kernels/1/name"), "plain");
  EXPECT_EQ(at(O, "diagnostics/0/line"), 3);
}

TEST(JUnit, AKernelIsATest) {
  std::string Text = junit(makeLintResult());
  EXPECT_THAT(Text, HasSubstr("<testsuites name=\"ptx-predict lint\" "
                              "tests=\"4\" failures=\"2\" errors=\"1\" "));
  EXPECT_THAT(Text, HasSubstr("<testsuite name=\"a b%/k.ptx\" tests=\"2\" "
                              "failures=\"2\" errors=\"0\" "));
  EXPECT_THAT(Text, HasSubstr("name=\"void ns::k&lt;int&gt;(int*)\" "));
  EXPECT_THAT(Text, HasSubstr("message=\"2 findings, the first: 32 passes | "
                              "`x` &lt;b&gt; {1}, 100 %\nat @p "
                              "[bank-conflict]\" type=\"bank-conflict\">"));
  EXPECT_THAT(Text, HasSubstr("some miss it [barrier-in-divergent-code]\n"
                              "</failure>\n"));
  EXPECT_THAT(Text, HasSubstr("<system-out>a b%/k.ptx:10:3: note:"));
  EXPECT_THAT(Text, HasSubstr("suppressed  in the source: meant | so\n"
                              "</system-out>"));
  EXPECT_THAT(Text, HasSubstr("name=\"other\" file=\"/abs/other.ptx\"/>"));
}

TEST(JUnit, WhatXMLDoesNotAllow) {
  LintResult R = makeLintResult();
  R.Findings[0].Found.Message = "a\x02"
                                "b\xef\xbf\xbf";
  std::string Text = junit(R);
  EXPECT_THAT(Text, HasSubstr("<error message=\"odd, 100 %: \\x01 &lt;tag&gt; "
                              "\\xff\" type=\"error\">bad.ptx:3:5:"));
  EXPECT_THAT(Text,
              HasSubstr("message=\"a\\x02b\xef\xbf\xbd [bank-conflict]\""));
  // A threshold that nothing reaches.
  for (LintFinding &F : R.Findings)
    F.Counts = false;
  EXPECT_THAT(junit(R), HasSubstr(" failures=\"0\" errors=\"1\""));
  EXPECT_THAT(junit(R), Not(HasSubstr("<failure")));
}

} // namespace
