//===- YAMLTest.cpp - Tests of YAML input with our diagnostics ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/YAML.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace {
struct Clocks {
  std::string Name;
  unsigned CoreMHz = 0;
  unsigned MemMHz = 0;
};
} // namespace

template <>
struct llvm::yaml::MappingTraits<Clocks> {
  static void mapping(IO &IO, Clocks &C) {
    IO.mapRequired("name", C.Name);
    IO.mapRequired("core_mhz", C.CoreMHz);
    IO.mapOptional("mem_mhz", C.MemMHz);
  }
  static std::string validate(IO &, Clocks &C) {
    return C.CoreMHz == 0 ? "core_mhz must not be 0" : "";
  }
};

using namespace ptxpredict;

namespace {

/// Reads \p Text; the printed diagnostics, empty when all is well.
std::string read(StringRef Text, Clocks &Result) {
  static const StringRef Keys[] = {"name", "core_mhz", "mem_mhz"};
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "d.yaml"));
  bool Failed = readYAML(Diags, Keys, Result);
  EXPECT_EQ(Failed, Diags.hasErrors());
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  Diags.print(OS, /*Colors=*/false);
  return Printed;
}

TEST(YAML, ReadsAMapping) {
  Clocks C;
  EXPECT_EQ(read("name: toy\ncore_mhz: 1000\n", C), "");
  EXPECT_EQ(C.Name, "toy");
  EXPECT_EQ(C.CoreMHz, 1000u);
  EXPECT_EQ(C.MemMHz, 0u);
}

TEST(YAML, NamesTheNearestKey) {
  Clocks C;
  EXPECT_EQ(read("name: toy\ncore_mhz: 1000\nmen_mhz: 5\n", C),
            "d.yaml:3:1: error: unknown key 'men_mhz'; did you mean "
            "'mem_mhz'?\nmen_mhz: 5\n^\n");
}

TEST(YAML, NamesNoKeyThatIsFarAway) {
  Clocks C;
  EXPECT_EQ(read("name: toy\ncore_mhz: 1000\nzzz: 5\n", C),
            "d.yaml:3:1: error: unknown key 'zzz'\nzzz: 5\n^\n");
}

TEST(YAML, ReportsAMissingKey) {
  Clocks C;
  std::string Printed = read("name: toy\n", C);
  EXPECT_NE(Printed.find("error: missing required key 'core_mhz'"),
            std::string::npos)
      << Printed;
}

TEST(YAML, ReportsAWrongValueWhereItStands) {
  Clocks C;
  EXPECT_EQ(read("name: toy\ncore_mhz: 1\nmem_mhz: fast\n", C),
            "d.yaml:3:10: error: invalid number\nmem_mhz: fast\n"
            "         ^\n");
}

TEST(YAML, ReportsAnEmptyFile) {
  Clocks C;
  EXPECT_EQ(read("", C), "d.yaml:1:1: error: the file is empty\n\n^\n");
  EXPECT_EQ(read("# only a comment\n", C),
            "d.yaml:1:1: error: the file is empty\n# only a comment\n^\n");
}

TEST(YAML, ReportsWhatValidateFinds) {
  Clocks C;
  std::string Printed = read("name: toy\ncore_mhz: 0\n", C);
  EXPECT_NE(Printed.find("error: core_mhz must not be 0"), std::string::npos)
      << Printed;
}

TEST(YAML, RefusesWhatIsNoYAML) {
  for (StringRef Text : {"{", "name: [", "\"", "\t- x", "just text",
                         "name: toy\n  core_mhz: : 5\n"}) {
    Clocks C;
    SCOPED_TRACE(Text.str());
    EXPECT_NE(read(Text, C), "");
  }
}

} // namespace
