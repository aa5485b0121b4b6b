//===- TensorRate.h - How fast matrices are multiplied ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tensor cores multiply narrow numbers faster than wide ones, and sums of
// floats cost some boards half the rate. docs/formats/Devices.md, "Tensor
// rates", has the law by which a rate that a file lacks follows from others.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_TENSORRATE_H
#define PTXPREDICT_MODEL_TENSORRATE_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

/// Multiply-adds of such instructions that an SM does in a core cycle, those
/// with the zeros of sparse matrices included; 0 if the device's file says
/// nothing of tensor cores.
double tensorRate(const Device &D, const TensorWorkCharacteristics &W);

/// How many multiply-adds of halves with sums of floats take as long as \p MACs
/// of the kernel's, mixed as what its warps multiply; as many if nothing says
/// what that is.
double tensorEquivalents(double MACs, const KernelCharacteristics &K,
                         const Device &D, double Estimate::*Which);

/// Cycles of an SM's shared memory that \p MACs take, mixed as above, for the
/// matrices that wgmma and tcgen05 read from there; 0 if the device's file does
/// not say how wide it is.
double tensorOperandCycles(double MACs, const KernelCharacteristics &K,
                           const Device &D, double Estimate::*Which);

/// Core cycles for which an instruction of the kernel's takes the tensor cores
/// that its warp can use, in the mean over those that it executes: a quarter of
/// the SM's for warps, all of them for groups of four and for blocks. 0 if
/// nothing says what is multiplied. Whoever waits for its result waits at least
/// that long.
double tensorInstructionCycles(const KernelCharacteristics &K, const Device &D,
                               double Estimate::*Which);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_TENSORRATE_H
