//===- Run.h - A run of the C library ---------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_LIBPTXPREDICT_RUN_H
#define PTXPREDICT_TOOLS_LIBPTXPREDICT_RUN_H

#include "CapturedRun.h"
#include "Columns.h"
#include <deque>

/// What a PtxpredictRun is.
struct PtxpredictRun {
  explicit PtxpredictRun(const ptxpredict::tool::Subcommand *S)
      : Subcommand(S) {}

  const ptxpredict::tool::Subcommand *Subcommand; ///< null: predict
  std::vector<std::string> Options, Files;
  std::deque<std::string> Texts; ///< that Captured refers to
  std::optional<ptxpredict::tool::Columns> Table;
  ptxpredict::tool::CapturedRun Captured;

  /// Adds a text to be read in place of a file; names are unique.
  void give(ptxpredict::StringRef Name, std::string Text) {
    Captured.Texts[Name] = Texts.emplace_back(std::move(Text));
  }
  const ptxpredict::tool::Columns &columns();
};

#endif // PTXPREDICT_TOOLS_LIBPTXPREDICT_RUN_H
