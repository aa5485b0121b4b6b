//===- PowerRegressionFile.h - Files of learned power -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_POWERREGRESSIONFILE_H
#define PTXPREDICT_MODEL_POWERREGRESSIONFILE_H

#include "ptxpredict/Model/PowerRegression.h"

namespace ptxpredict {

/// "schema" and "version" of the file (docs/models/LearnedPower.md). The
/// version rises when a key is renamed, taken away or required anew.
constexpr StringRef PowerRegressionSchemaName = "ptx-predict/power-regression";
constexpr unsigned PowerRegressionSchemaVersion = 1;

/// Reads the engine's buffer. True on error: all of a file's are reported with
/// line, column and the nearest known key.
bool readPowerRegression(DiagnosticEngine &Diags, PowerRegression &Result);

/// What readPowerRegression() makes the same regression of, to the bit.
void printPowerRegression(const PowerRegression &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_POWERREGRESSIONFILE_H
