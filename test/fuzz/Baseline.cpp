//===- Baseline.cpp - Baselines of lint as inputs of the fuzzer -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/Baseline.h"
#include "Targets.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

bool fuzz::runBaseline(StringRef Text) {
  auto Diags = makeEngine(Text, "input");
  llvm::StringSet<> First;
  bool Failed = readBaseline(*Diags, First);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;

  LintResult Result;
  for (const auto &Entry : First)
    Result.Findings.emplace_back().Fingerprint = Entry.getKey().str();
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  printBaseline(Result, OS);
  auto Again = makeEngine(Printed, "printed");
  llvm::StringSet<> Second;
  check(!readBaseline(*Again, Second),
        "what was printed is not read:\n" + Printed);
  check(First.size() == Second.size(), "fingerprints were lost:\n" + Printed);
  for (const auto &Entry : First)
    check(Second.contains(Entry.getKey()),
          "a fingerprint was lost: " + Entry.getKey());
  return true;
}
