//===- OptionTable.h - Options as help texts show them ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --help, manual pages and completion are made of the registered options, of
// the groups in OptionTable.cpp, and of the table of subcommands.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_OPTIONTABLE_H
#define PTXPREDICT_TOOLS_OPTIONTABLE_H

#include "CommandLine.h"

namespace ptxpredict::tool {

/// One registered option.
struct OptionRow {
  std::string Name;  ///< "--grid" or "-j"
  std::string Value; ///< "x[,y[,z]]"; empty if it takes none
  bool ValueIsOptional = false;
  bool IsRepeatable = false;
  std::string Meaning;

  /// "--grid=<x[,y[,z]]>", "-j <number>", "--quiet"
  std::string form() const;
};

/// Options about one thing.
struct OptionGroup {
  StringRef Title; ///< "Launch"
  std::vector<OptionRow> Rows;
};

/// The options of the subcommand that runs, in groups of which none is empty.
std::vector<OptionGroup> optionGroups();

/// What follows the options, as usage writes it: "<file>...". May be empty.
std::string positionalForm();

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_OPTIONTABLE_H
