//===- BSP.h - The equations of Amaris' model -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// M. Amaris et al., A Simple BSP-based Model to Predict Execution Time in GPU
// Applications, 2015, as T. Gajger's thesis prints it: equation (3.1) there
// (docs/models/BSP.md).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BSP_H
#define PTXPREDICT_MODEL_BSP_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef BSPName = "bsp";

/// What the equation takes. Units and meanings: BSPTerms.def.
struct BSPInputs {
#define BSP_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/BSPTerms.def"
};

/// What it gives.
struct BSPResult {
#define BSP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/BSPTerms.def"
  TimeLimiter Limiter = TimeLimiter::None; ///< the largest of its three terms
};

/// (3.1).
BSPResult evaluateBSP(const BSPInputs &In);

/// The model as the registry holds it.
const Model &bspModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BSP_H
