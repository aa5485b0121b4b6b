//===- SplitSides.h - The devices that work is split among ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_SPLITSIDES_H
#define PTXPREDICT_TOOLS_SPLITSIDES_H

#include "CommandLine.h"
#include "ptxpredict/Model/KernelSplit.h"
#include "ptxpredict/Scenario/System/System.h"

namespace ptxpredict::tool {

/// The options that say which devices share the work, over what links, and what
/// was measured of them; registered while it lives. The device options are
/// those of predictions.
struct SplitSideOptions {
  StringList Links{"link", cl::value_desc("[device=]name"), cl::cat(category()),
                   cl::desc("What joins all GPUs, or one device, to the host's "
                            "memory, or none (default: no transfers; the last "
                            "counts; repeatable)")};
  StringList LinkFiles{"link-file", cl::value_desc("file.yaml"),
                       cl::cat(category()),
                       cl::desc("Adds a link (repeatable)")};
  StringOpt System{"system", cl::value_desc("name|file"), cl::cat(category()),
                   cl::desc("The system that the devices and their links are "
                            "in; without --device all of one node")};
  cl::opt<bool> Pinned{
      "pinned", cl::cat(category()),
      cl::desc("The host's memory is pinned (default: pageable)")};
  StringList Measured{
      "measured", cl::value_desc("device=us[,watts[,idle]]"),
      cl::cat(category()),
      cl::desc("What a device takes for all of the work, in place of "
               "predictions; any name, and no file where all are measured "
               "(repeatable)")};

  HostMemory memory() const {
    return Pinned ? HostMemory::Pinned : HostMemory::Pageable;
  }
  /// The sides of \p Devices, the system and what was measured, in this order.
  /// \p Registry outlives them. True on error (reported).
  bool read(const StringList &Devices, DeviceRegistry &Registry,
            std::vector<SplitSide> &Sides,
            std::vector<std::string> &Assumed) const;

private:
  bool readSystemSides(LinkRegistry &LinkKinds, DeviceRegistry &Registry,
                       std::vector<SplitSide> &Sides,
                       std::vector<std::string> &Assumed) const;
  bool readMeasured(DeviceRegistry &Registry,
                    std::vector<SplitSide> &Sides) const;
  bool readLinks(LinkRegistry &LinkKinds, std::vector<SplitSide> &Sides,
                 std::vector<std::string> &Assumed) const;
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_SPLITSIDES_H
