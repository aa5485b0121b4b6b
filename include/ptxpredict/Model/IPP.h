//===- IPP.h - The integrated power and performance model -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong and H. Kim, ISCA 2010, and S. Hong, PhD thesis, 2012, chapter 3: time
// by MWP-CWP, power by unit, temperature and the best number of SMs.
// docs/models/IPP.md.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_IPP_H
#define PTXPREDICT_MODEL_IPP_H

#include "ptxpredict/Model/Power.h"

namespace ptxpredict {

/// The model as the registry holds it.
const Model &ippModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_IPP_H
