//===- CalibratePower.h - calibrate --power DATASET.yaml --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CALIBRATEPOWER_H
#define PTXPREDICT_TOOLS_CALIBRATEPOWER_H

#include "RowOptions.h"

namespace ptxpredict::tool {

/// The options of how power is learned; registered while it lives.
struct PowerOptions {
  cl::opt<bool> Asked{"power", cl::cat(category()),
                      cl::desc("Learns a board's power from events of the rows "
                               "of datasets, one regression for each device; "
                               "-o writes it for --power-model")};
  StringOpt Regression{"regression", cl::init("ann"),
                       cl::value_desc("mlr|mlr+|ann"), cl::cat(category()),
                       cl::desc("By what power is learned: a line of events, "
                                "one of all events with textures, a network "
                                "(default: ann)")};
  StringOpt Split{"split", cl::init("random"), cl::value_desc("random|kernel"),
                  cl::cat(category()),
                  cl::desc("What is left out together to see how far off "
                           "others are: rows, or all rows of a kernel "
                           "(default: random)")};
  StringOpt Folds{"folds", cl::value_desc("number"), cl::cat(category()),
                  cl::desc("In how many parts they are left out (default: "
                           "10)")};
  StringOpt Seed{"seed", cl::value_desc("number"), cl::cat(category()),
                 cl::desc("What is drawn at random is drawn from: the same "
                          "seed gives the same file (default: 1)")};
  StringOpt Trainer{"trainer", cl::init("levenberg-marquardt"),
                    cl::value_desc("levenberg-marquardt|backprop"),
                    cl::cat(category()),
                    cl::desc("How a network is trained; backprop: as "
                             "published (default: levenberg-marquardt)")};
  bool isAnyGiven() const;
};

/// Learns the power of each device, or the one that is asked for, prints how
/// well that does, and writes the regression where a file is named. Returns
/// Done or NotDone.
int calibratePower(const PowerOptions &O, const RowRequest &R);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CALIBRATEPOWER_H
