//===- CalibrateLink.h - calibrate RESULTS.yaml --link=NAME ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CALIBRATELINK_H
#define PTXPREDICT_TOOLS_CALIBRATELINK_H

#include "CommandLine.h"

namespace ptxpredict::tool {

/// The options of how a link is calibrated; registered while it lives.
struct LinkFitOptions {
  StringOpt Link{"link", cl::value_desc("name"), cl::cat(category()),
                 cl::desc("Link that was measured: results of transfers, or "
                          "--nccl, decide its startups and efficiencies")};
  StringList LinkFiles{"link-file", cl::value_desc("file.yaml"),
                       cl::cat(category()),
                       cl::desc("Adds a link, for --link (repeatable)")};
  StringOpt NCCL{"nccl", cl::value_desc("file"), cl::cat(category()),
                 cl::desc("What a program of nccl-tests printed, such as "
                          "all_reduce_perf: decides transfers between peers")};
  StringOpt Ranks{"ranks", cl::value_desc("number"), cl::cat(category()),
                  cl::desc("Ranks of --nccl (default: those that the file "
                           "names)")};
  StringOpt Hops{"hops", cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Links that what was measured went over, such as 2 "
                          "over a switch: each gets its part of the startup "
                          "(default: 1)")};

  bool isAnyGiven() const {
    return Link.getNumOccurrences() != 0 ||
           LinkFiles.getNumOccurrences() != 0 ||
           NCCL.getNumOccurrences() != 0 || Ranks.getNumOccurrences() != 0 ||
           Hops.getNumOccurrences() != 0;
  }
};

/// What calibrates a link.
struct LinkFitRequest {
  const LinkFitOptions &O;
  const StringList &Inputs; ///< files of results
  StringRef Name, Output;   ///< empty without one
};

/// Fits the link, prints what that decides and the residuals, and writes the
/// link's file where one is named. Returns Done or NotDone.
int calibrateLink(const LinkFitRequest &R);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CALIBRATELINK_H
