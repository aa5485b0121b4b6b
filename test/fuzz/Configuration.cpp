//===- Configuration.cpp - Configurations of lint as inputs of the fuzzer -===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Review/LintConfig.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

/// Asks every glob of the file.
static void ask(const LintConfig &C) {
  constexpr StringRef Names[] = {"", "_Z6kernelPf", "kernel(float*)",
                                 "/folder/src/k.cu"};
  for (StringRef Name : Names) {
    (void)C.Rules.wants(Name);
    for (const ConfiguredSeverity &S : C.Severities)
      (void)S.Rule.match(Name);
    for (const OwnedGlob &G : C.Exclude)
      (void)G.match(Name);
    for (const ConfiguredSuppression &S : C.Suppressions) {
      (void)S.Rule.match(Name);
      if (S.Kernel)
        (void)S.Kernel->match(Name);
      if (S.Path)
        (void)S.Path->match(Name);
    }
  }
}

bool fuzz::runConfiguration(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "/folder/.ptx-predict.yaml");
  LintConfig C;
  bool Failed = readLintConfig(*Diags, C);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;
  std::vector<std::string> Paths = C.DeviceFiles;
  Paths.insert(Paths.end(),
               {C.LaunchFile, C.BaselineFile, C.SourceRoot, C.CompileCommands});
  for (StringRef Path : Paths)
    check(Path.empty() || llvm::sys::path::is_absolute(Path),
          "a path that is not absolute: " + Path);
  for (const std::optional<double> &Share :
       {C.LeastGain, C.MaxRegression, C.Noise})
    check(!Share || (*Share >= 0 && *Share <= 1), "a share that is none");
  ask(C);
  return true;
}
