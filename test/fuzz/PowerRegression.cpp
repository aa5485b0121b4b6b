//===- PowerRegression.cpp - Files of learned power, fuzzed ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Model/PowerRegressionFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static std::string printed(const PowerRegression &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPowerRegression(R, OS);
  return Text;
}

bool fuzz::runPowerRegression(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  PowerRegression R;
  const bool Failed = readPowerRegression(*Diags, R);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;
  const std::string Once = printed(R);
  auto Again = makeEngine(Once, "printed");
  PowerRegression Read;
  check(!readPowerRegression(*Again, Read), "what was printed is refused");
  check(printed(Read) == Once, "printed again, it is another one");
  std::vector<double> Values;
  Values.reserve(R.Inputs.size());
  for (const RegressionInput &In : R.Inputs)
    Values.push_back(In.Most);
  const double Watts = R.watts(Values);
  check(R.Kind != RegressionKind::Network ||
            (Watts >= fromTarget(0, R.LeastW, R.MostW) &&
             Watts <= fromTarget(1, R.LeastW, R.MostW)) ||
            !std::isfinite(Watts),
        "a network gives what no output means");
  return true;
}
