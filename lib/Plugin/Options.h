//===- Options.h - What the user asks of the plugin -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_PLUGIN_OPTIONS_H
#define PTXPREDICT_LIB_PLUGIN_OPTIONS_H

#include "ptxpredict/Lint/RuleSelection.h"
#include <string>
#include <vector>

namespace ptxpredict::plugin {

/// The defaults are those of an empty command line and environment.
struct Options {
  std::vector<std::string> Devices; ///< empty: by the architecture
  std::string LaunchFile;           ///< empty without one
  RuleSelection Rules;
  double MinGain = 0;       ///< share of the time
  std::string RecordFolder; ///< empty without one
  bool Crash = false;       ///< for the tests
  std::string Problem;      ///< what is wrong with a value; empty if nothing is
};

/// Adds the options to LLVM's command line.
void registerOptions();

/// What the command line says, else the environment.
Options readOptions();

} // namespace ptxpredict::plugin

#endif // PTXPREDICT_LIB_PLUGIN_OPTIONS_H
