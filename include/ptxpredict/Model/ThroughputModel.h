//===- ThroughputModel.h - The model throughput -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_THROUGHPUTMODEL_H
#define PTXPREDICT_MODEL_THROUGHPUTMODEL_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model as the registry holds it.
const Model &throughputModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_THROUGHPUTMODEL_H
