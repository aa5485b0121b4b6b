//===- BottleneckPageTest.cpp - What the model's page says of it ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Bottleneck.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <sstream>

using namespace ptxpredict;
using testing::HasSubstr;

namespace {

struct Fact {
  StringRef Name, Unit, Meaning;
};

std::string page(StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(
      (Twine(PTXPREDICT_SOURCE_DIR "/docs/") + Path).str());
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

std::string unit(StringRef Unit) { return Unit.empty() ? "–" : Unit.str(); }

TEST(BottleneckPage, HasEveryResource) {
  const std::string Text = page("models/Bottleneck.md");
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  EXPECT_THAT(Text, HasSubstr("| `" NAME "` | " WORDS " | " #SCOPE " | `" +    \
                              toString(TimeLimiter::LIMITER).str() +           \
                              "` | " UNIT " | " MEANING " |\n"));
#include "ptxpredict/Model/BottleneckTerms.def"
  // Those that the latency divides into.
  for (TimeLimiter L :
       {TimeLimiter::Latency, TimeLimiter::Occupancy, TimeLimiter::Launch})
    EXPECT_THAT(Text, HasSubstr(("| `" + toString(L) + "` | ").str()));
}

TEST(TimeLimiter, IsFoundByItsNameAndExplained) {
  const std::string Reports = page("formats/Reports.md");
#define TIME_LIMITER(MEMBER, NAME, WORDS)                                      \
  EXPECT_EQ(findTimeLimiter(NAME), TimeLimiter::MEMBER);                       \
  EXPECT_THAT(Reports, HasSubstr("| `" NAME "` | " WORDS " | "));
#include "ptxpredict/Model/TimeLimiters.def"
  EXPECT_EQ(findTimeLimiter(""), TimeLimiter::None);
  EXPECT_EQ(findTimeLimiter("memory"), std::nullopt);
}

TEST(BottleneckPage, HasEveryTerm) {
  const std::string Text = page("models/Bottleneck.md");
  static constexpr Fact Terms[] = {
#define BOTTLENECK_INPUT(MEMBER, NAME, UNIT, MEANING) {NAME, UNIT, MEANING},
#define BOTTLENECK_RESULT(MEMBER, NAME, UNIT, MEANING) {NAME, UNIT, MEANING},
#define BOTTLENECK_COUNT(MEMBER, NAME, UNIT, MEANING) {NAME, UNIT, MEANING},
#include "ptxpredict/Model/BottleneckTerms.def"
  };
  for (const Fact &F : Terms)
    EXPECT_THAT(Text, HasSubstr(llvm::formatv("| `{0}` | {1} | {2} |\n", F.Name,
                                              unit(F.Unit), F.Meaning)
                                    .str()));
}

TEST(BottleneckPage, HasEveryPart) {
  const std::string Text = page("models/Bottleneck.md");
#define BOTTLENECK_PART(MEMBER, NAME, MEANING)                                 \
  EXPECT_THAT(Text, HasSubstr("| `" NAME "` | " MEANING " |\n"));
#include "ptxpredict/Model/BottleneckTerms.def"
}

TEST(BottleneckPage, HasEveryParameter) {
  const std::string Text = page("models/Bottleneck.md");
  struct Parameter {
    Fact What;
    double Lowest, Highest, Default;
  };
  static constexpr Parameter Parameters[] = {
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  {{KEY, UNIT, MEANING}, LOWEST, HIGHEST, DEFAULT},
#include "ptxpredict/Device/BottleneckParameters.def"
  };
  for (const Parameter &P : Parameters) {
    EXPECT_GE(P.Default, P.Lowest) << P.What.Name.str();
    EXPECT_LE(P.Default, P.Highest) << P.What.Name.str();
    // Shown as briefly as can be.
    std::ostringstream Default;
    Default << P.Default;
    EXPECT_THAT(Text, HasSubstr(llvm::formatv("| `{0}` | {1} | {2} | {3} |\n",
                                              P.What.Name, unit(P.What.Unit),
                                              Default.str(), P.What.Meaning)
                                    .str()));
  }
}

} // namespace
