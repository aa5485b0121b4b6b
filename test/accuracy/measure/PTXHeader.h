//===- PTXHeader.h - PTX that a driver may not take whole -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_PTXHEADER_H
#define PTXPREDICT_MEASURE_PTXHEADER_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ptxpredict::measure {

/// The newest PTX ISA that a driver reads, times ten: 90 for 13000, which is
/// CUDA 13.0 (PTX ISA, "Release Notes").
unsigned newestPTX(int CudaVersion);

/// The text, with a version and a target that are no newer than the driver and
/// the device. Compilers write their newest version and the target that they
/// were asked for, whatever the code needs; what it does need and does not get
/// the driver's assembler says. Targets of one architecture alone ("sm_90a")
/// stay as they are.
std::string fitHeader(StringRef Text, int CudaVersion, unsigned Capability);

/// The text without all other kernels; empty if it does not have that one.
/// What the kernel calls must not stand behind it.
std::string onlyKernel(StringRef Text, StringRef Name);

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_PTXHEADER_H
