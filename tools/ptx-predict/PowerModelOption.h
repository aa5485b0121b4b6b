//===- PowerModelOption.h - --power-model -----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_POWERMODELOPTION_H
#define PTXPREDICT_TOOLS_POWERMODELOPTION_H

#include "CommandLine.h"
#include "OutputFile.h"
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/PowerRegressionFile.h"
#include "ptxpredict/Support/InputFile.h"

namespace ptxpredict::tool {

/// The option that says by what power is predicted; registered while it lives.
struct PowerModelOption {
  StringOpt File{
      "power-model", cl::value_desc("file.yaml"), cl::cat(category()),
      cl::desc("Regression of 'ptx-predict calibrate --power', which "
               "says what its device draws (default: the power of "
               "its units)")};

  /// Reads the file. True on error (reported).
  bool read(ModelOptions &Result) const {
    std::string Path;
    if (readPath(File, Path))
      return true;
    if (Path.empty())
      return false;
    DiagnosticEngine Diags;
    auto R = std::make_shared<PowerRegression>();
    const bool Failed =
        readInputFile(Path, Diags) || readPowerRegression(Diags, *R);
    printDiagnostics(&Diags);
    Result.PowerModel = std::move(R);
    return Failed;
  }
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_POWERMODELOPTION_H
