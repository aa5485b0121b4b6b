//===- BottleneckModel.h - The model bottleneck -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BOTTLENECKMODEL_H
#define PTXPREDICT_MODEL_BOTTLENECKMODEL_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model as the registry holds it.
const Model &bottleneckModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BOTTLENECKMODEL_H
