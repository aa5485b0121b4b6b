//===- RegisterEstimate.h - Registers that ptxas would use ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_REGISTERESTIMATE_H
#define PTXPREDICT_MODEL_REGISTERESTIMATE_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

/// Registers a thread, as `ptxas -v` would print them for \p D's architecture:
/// an estimate whose range holds the truth for at least 80 % of kernels.
///
/// ptxas spends registers on moving loads up as long as they cost no resident
/// thread, and packs beyond that (docs/internals/Registers.md, with the errors
/// measured).
Estimate estimateRegisters(const RegisterDemand &Demand, const Device &D);

/// Registers a thread that the code needs at least on \p D, whatever allows.
unsigned fewestRegisters(const RegisterDemand &Demand, const Device &D);

/// Those with all loads moved up, whatever allows; at least the fewest.
unsigned wantedRegisters(const RegisterDemand &Demand, const Device &D);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_REGISTERESTIMATE_H
