//===- MachineUnits.h - Sizes that all GPUs share ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The numbers of the hardware that the code holds by itself: they are part of
// the programming model, so that no device file can change them.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ISA_MACHINEUNITS_H
#define PTXPREDICT_ISA_MACHINEUNITS_H

namespace ptxpredict {

/// Lanes of a warp, on all devices so far (PTX ISA, "Concurrent Thread
/// Arrays").
constexpr unsigned WarpSize = 32;

/// What a lane has in one register of the register file, bytes (CUDA C++
/// Programming Guide, "Compute Capabilities": "32-bit registers").
constexpr unsigned RegisterBytes = 4;

/// What devices from 3.0 on move at least between the caches and from device
/// memory, bytes (CUDA C++ Best Practices Guide, "Coalesced Access to Global
/// Memory").
constexpr unsigned SectorBytes = 32;

} // namespace ptxpredict

#endif // PTXPREDICT_ISA_MACHINEUNITS_H
