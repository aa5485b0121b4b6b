//===- LatencyParameters.h - Latencies as a thesis's tables have them -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_LATENCYPARAMETERS_H
#define PTXPREDICT_LIB_MODEL_LATENCYPARAMETERS_H

#include "EquationModel.h"
#include "ptxpredict/Codegen/SchedClass.h"

namespace ptxpredict {

/// Cycles until another block has taken the place of one that has ended, where
/// a device's file says nothing: those of a GM107 (T. Gajger, MSc thesis, 2017,
/// table 4.1).
constexpr double DefaultReplacement = 150;

/// Latencies by the parameters of \p P, named after the rows of the same
/// thesis's tables 4.1 and 4.2; else by the device's own. A branch that is
/// taken costs two basic operations and one that is not five thirds of one, as
/// there.
LatencyTable thesisLatencies(const Device &D, ModelParameters &P);

/// Lets loads of global memory take what the cache that answers takes, in the
/// mean over the requests of a kernel.
void useHitRates(const KernelOnDevice &On, ModelParameters &P,
                 double Estimate::*Which, LatencyTable &T);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_LATENCYPARAMETERS_H
