//===- YAMLFieldsTest.cpp - Tests of the keys of a YAML mapping -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using llvm::yaml::Node;

namespace {

struct Clocks {
  std::string Name;
  std::optional<double> CoreMHz;
  std::optional<bool> IsMeasured;
  std::optional<size_t> Kind; ///< 0: base, 1: boost
  std::optional<unsigned> Capability;
  bool HasNote = false;
};

/// Reads \p Text; the printed diagnostics, empty when all is well.
std::string read(StringRef Text, Clocks &Result) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "d.yaml"));
  YAMLNodes Nodes(Diags);
  Nodes.readDocument([&](Node &Root) {
    YAMLFields Fields;
    Fields.required("name", [&](Node &N, StringRef Key) {
      if (std::optional<YAMLText> T = Nodes.text(N, Key))
        Result.Name = T->Text;
    });
    Fields.required("core_mhz", [&](Node &N, StringRef Key) {
      Result.CoreMHz = Nodes.number(N, Key);
    });
    Fields.optional("measured", [&](Node &N, StringRef Key) {
      Result.IsMeasured = Nodes.boolean(N, Key);
    });
    Fields.optional("kind", [&](Node &N, StringRef Key) {
      Result.Kind = Nodes.oneOf(N, Key, {"base", "boost"});
    });
    Fields.optional("compute_capability", [&](Node &N, StringRef Key) {
      Result.Capability = Nodes.computeCapability(N, Key);
    });
    Fields.optional("unit", [&](Node &N, StringRef Key) {
      if (std::optional<YAMLText> T = Nodes.text(N, Key))
        Nodes.checkUnit(*T, "a clock", "MHz");
    });
    Fields.skipped("note");
    unsigned Before = Diags.numErrors();
    bool IsGood = Fields.read(Nodes, Root, "a clock");
    EXPECT_TRUE(IsGood || Diags.numErrors() != Before);
    Result.HasNote = Fields.has("note");
  });
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  Diags.print(OS, /*Colors=*/false);
  return Printed;
}

/// The first line of what reading \p Rest behind the required keys reports.
std::string firstError(StringRef Rest) {
  Clocks C;
  std::string Printed = read(("name: toy\ncore_mhz: 1\n" + Rest).str(), C);
  return StringRef(Printed).split('\n').first.str();
}

TEST(YAMLFields, ReadsAMapping) {
  Clocks C;
  EXPECT_EQ(read("core_mhz: 1k\nname: toy\nkind: boost\nmeasured: true\n"
                 "compute_capability: 9.0\nunit: MHz\nnote: [{a: 1}]\n",
                 C),
            "");
  EXPECT_EQ(C.Name, "toy");
  EXPECT_EQ(C.CoreMHz, 1000);
  EXPECT_EQ(C.IsMeasured, true);
  EXPECT_EQ(C.Kind, 1U);
  EXPECT_EQ(C.Capability, 90U);
  EXPECT_TRUE(C.HasNote);
}

TEST(YAMLFields, LeavesOutOptionalKeys) {
  Clocks C;
  EXPECT_EQ(read("name: toy\ncore_mhz: 1000\n", C), "");
  EXPECT_EQ(C.Kind, std::nullopt);
  EXPECT_FALSE(C.HasNote);
}

TEST(YAMLFields, NamesTheNearestKey) {
  EXPECT_EQ(firstError("mesured: true\n"),
            "d.yaml:3:1: error: unknown key 'mesured'; did you mean "
            "'measured'?");
  EXPECT_EQ(firstError("zzz: 5\n"),
            "d.yaml:3:1: error: unknown key 'zzz'; known are name, core_mhz, "
            "measured, kind, compute_capability, unit, note");
  EXPECT_EQ(firstError("name: other\n"),
            "d.yaml:3:1: error: duplicate key 'name'");
}

TEST(YAMLFields, NamesAllMissingKeysAtOnce) {
  Clocks C;
  EXPECT_EQ(read("kind: base\n", C),
            "d.yaml:1:1: error: a clock lacks the keys 'name', 'core_mhz'\n"
            "kind: base\n^\n");
  EXPECT_EQ(read("{name: toy}\n", C),
            "d.yaml:1:1: error: a clock lacks the key 'core_mhz'\n"
            "{name: toy}\n^\n");
}

TEST(YAMLFields, ReportsAWrongValueWhereItStands) {
  Clocks C;
  EXPECT_EQ(read("name: toy\ncore_mhz: fast\nkind: peak\n", C),
            "d.yaml:2:11: error: core_mhz must be a number\ncore_mhz: fast\n"
            "          ^\n"
            "d.yaml:3:7: error: kind is one of base, boost, not 'peak'\n"
            "kind: peak\n      ^\n");
  EXPECT_EQ(firstError("kind: bost\n"),
            "d.yaml:3:7: error: kind is one of base, boost, not 'bost'; did "
            "you mean 'boost'?");
  EXPECT_EQ(firstError("measured: yes\n"),
            "d.yaml:3:11: error: measured must be true or false");
  EXPECT_EQ(firstError("unit: GHz\n"),
            "d.yaml:3:7: error: a clock is in MHz, not GHz");
  for (StringRef Wrong : {"9", "9.x", "sm_90", "9.10", "0.1", "'9.'", "100.0"})
    EXPECT_EQ(firstError(("compute_capability: " + Wrong + "\n").str()),
              "d.yaml:3:21: error: compute_capability is written MAJOR.MINOR, "
              "such as 9.0")
        << Wrong.str();
}

TEST(YAMLFields, ReportsAnEmptyFile) {
  Clocks C;
  EXPECT_EQ(read("", C), "d.yaml:1:1: error: the file is empty\n\n^\n");
  EXPECT_EQ(read("# only a comment\n", C),
            "d.yaml:1:1: error: the file is empty\n# only a comment\n^\n");
}

TEST(YAMLFields, RefusesWhatIsNoMapping) {
  for (StringRef Text : {"{", "name: [", "\"", "\t- x", "just text", "[1]",
                         "name: toy\n  core_mhz: : 5\n"}) {
    Clocks C;
    SCOPED_TRACE(Text.str());
    EXPECT_NE(read(Text, C), "");
  }
}

} // namespace
