//===- LaunchOptions.h - Options that say a launch --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_LAUNCHOPTIONS_H
#define PTXPREDICT_TOOLS_LAUNCHOPTIONS_H

#include "CommandLine.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"

namespace ptxpredict::tool {

/// The options of a launch, for subcommands that take a whole one; registered
/// while it lives.
struct LaunchOptions {
  StringOpt Launch{"launch", cl::value_desc("file.yaml"), cl::cat(category()),
                   cl::desc("Launch file")};
  StringOpt Grid{"grid", cl::value_desc("x[,y[,z]]"), cl::cat(category()),
                 cl::desc("Blocks of the grid (default: launch file, else "
                          "1024, 32,32 or 16,8,8)")};
  StringOpt Block{"block", cl::value_desc("x[,y[,z]]"), cl::cat(category()),
                  cl::desc("Threads of a block (default: launch file, "
                           ".reqntid, .maxntid, else 256, 32,8 or 8,8,4)")};
  StringOpt Cluster{"cluster", cl::value_desc("x[,y[,z]]"), cl::cat(category()),
                    cl::desc("Blocks of a cluster (default: launch file, "
                             ".reqnctapercluster, else 1)")};
  StringOpt DynamicShared{"dynamic-smem", cl::value_desc("bytes"),
                          cl::cat(category()),
                          cl::desc("Dynamic shared memory of a block (default: "
                                   "launch file, else 0)")};
  StringList Args{"arg", cl::value_desc("index|name=value"),
                  cl::cat(category()),
                  cl::desc("Value of a kernel parameter or, as 0+8:u32=1 and "
                           "p.n=1, of a part of one (repeatable)")};

  /// Checks the values and moves them over. True on error (reported).
  bool read(DriverOptions &Result) const {
    LaunchSpec &Spec = Result.Launch;
    return readShape(Grid, LaunchShape::Grid, Spec.Grid) ||
           readShape(Block, LaunchShape::Block, Spec.Block) ||
           readShape(Cluster, LaunchShape::Cluster, Spec.Cluster) ||
           readBytes(DynamicShared, Spec.DynamicSharedBytes) ||
           readArguments(Args, Spec) || readPath(Launch, Result.LaunchFilePath);
  }
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_LAUNCHOPTIONS_H
