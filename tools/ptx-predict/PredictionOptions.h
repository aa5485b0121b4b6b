//===- PredictionOptions.h - Options that say what to predict ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_PREDICTIONOPTIONS_H
#define PTXPREDICT_TOOLS_PREDICTIONOPTIONS_H

#include "CodeOptions.h"
#include "LaunchOptions.h"

namespace ptxpredict::tool {

/// The options of subcommands that predict kernels of files: which ones, how
/// they are launched, on which devices, by which models; registered while it
/// lives.
struct PredictionOptions {
  StringList Inputs{cl::Positional, cl::desc("<file>..."), cl::cat(category())};
  StringList Kernels{
      "kernel", cl::value_desc("glob"), cl::cat(category()),
      cl::desc("Kernels to predict, by mangled or demangled name (default: "
               "all; repeatable)")};
  LaunchOptions Launch;
  CodeOptions Code;
  StringList Devices{
      "device", cl::value_desc("name"), cl::cat(category()),
      cl::desc("Device to predict for, or 'all' (default: the representative "
               "of the input's .target; repeatable)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device, for --device (repeatable)")};
  StringOpt Clocks{
      "clocks", cl::init("sustained"), cl::value_desc("sustained|boost|base"),
      cl::cat(category()),
      cl::desc("Core clock of the device (default: sustained, the boost clock "
               "or what the board's power limit leaves of it)")};
  StringOpt PowerLimit{
      "power-limit", cl::value_desc("watts"), cl::cat(category()),
      cl::desc("Power limit of the board (default: the device's tdp)")};
  StringOpt CoreMHz{"core-mhz", cl::value_desc("number"), cl::cat(category()),
                    cl::desc("Core clock, in place of what --clocks chooses")};
  StringOpt MemMHz{"mem-mhz", cl::value_desc("number"), cl::cat(category()),
                   cl::desc("Memory clock as nvidia-smi prints it (default: "
                            "the device's)")};
  StringOpt ActiveSMs{"active-sms", cl::value_desc("number"),
                      cl::cat(category()),
                      cl::desc("SMs that get blocks (default: all)")};
  StringOpt WorkLimit{"work-limit", cl::value_desc("steps"),
                      cl::cat(category()),
                      cl::desc("Steps of a kernel's analysis, beyond which it "
                               "looks at samples (default: 200k)")};
  StringList Models{"model", cl::value_desc("name"), cl::cat(category()),
                    cl::desc("Model, or 'all' (default: bottleneck, mwp-cwp "
                             "with --published or --mwp-case; repeatable)")};
  cl::opt<bool> Published{"published", cl::cat(category()),
                          cl::desc("Models as published, without additions")};
  StringOpt MWPCaseName{"mwp-case", cl::init("physical"),
                        cl::value_desc("physical|literal"), cl::cat(category()),
                        cl::desc("Reading of MWP-CWP's case rule (default: "
                                 "physical)")};
  StringOpt Lambda{"lambda", cl::value_desc("number"), cl::cat(category()),
                   cl::desc("Predicted over measured time, of littles-law and "
                            "bsp (default: the device's, or 1)")};
  StringOpt Registers{"registers", cl::value_desc("number"),
                      cl::cat(category()),
                      cl::desc("Exact registers of a thread")};
  StringOpt PtxasInfo{"ptxas-info", cl::value_desc("log"), cl::cat(category()),
                      cl::desc("Output of 'ptxas -v', for exact registers")};
  StringOpt Via{"via", cl::value_desc("auto|ptxas[=path]"), cl::cat(category()),
                cl::desc("Asks your ptxas for exact registers (default path: "
                         "that on PATH or in $CUDA_HOME/bin); auto: only near "
                         "a step of the occupancy")};
  StringOpt Profile{"profile", cl::value_desc("file.json"), cl::cat(category()),
                    cl::desc("Counts of 'ptx-predict emulate --profile-out', "
                             "in place of estimates")};
  StringList TripCounts{"trip-count", cl::value_desc("place=number"),
                        cl::cat(category()),
                        cl::desc("How often the loop at a label, a line or a "
                                 "source line such as k.cu:28 runs (default: "
                                 "64 where it cannot be known; repeatable)")};
  StringOpt Work{"work", cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Tiles that the blocks of a persistent kernel share "
                          "out while they run (default: launch file)")};
  StringList BranchProbabilities{
      "branch-probability", cl::value_desc("place=number"), cl::cat(category()),
      cl::desc("How often the branch at a label, a line or a source line is "
               "taken, from 0 to 1 (repeatable)")};
  StringOpt Jobs{"j", cl::Prefix, cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Threads that analyse (default: one per core)")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the report goes (default: -, standard "
                            "output)")};
  /// CoreMHz and MemMHz are ranges, which whoever registers them reads.
  bool HasClockRanges = false;
  cl::opt<bool> Quiet;
  cl::opt<bool> Verbose{
      "verbose", cl::cat(category()),
      cl::desc("Prints everything in place of one screen per kernel")};

  /// \p QuietLine: what --quiet prints one line of.
  explicit PredictionOptions(StringRef QuietLine)
      : Quiet("quiet", cl::cat(category()), cl::desc(QuietLine)) {}

  /// Checks the values and moves them over. True on error (reported).
  bool read(DriverOptions &Result) const;
  Verbosity verbosity() const {
    return Quiet     ? Verbosity::Quiet
           : Verbose ? Verbosity::Verbose
                     : Verbosity::Normal;
  }
};

/// Runs the driver and writes the report. A kernel's part of it is printed as
/// soon as the kernel is done, so that no kernel's data wait for the others;
/// \p Seen is shown each of them, by several threads at once.
/// \p WithoutKernels: a report in which there are none is one, too. Returns
/// Done or NotDone.
int writeReport(Driver &D, const ReportForm &Form, StringRef Path,
                bool WithoutKernels,
                llvm::function_ref<void(const KernelReport &)> Seen = nullptr);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_PREDICTIONOPTIONS_H
