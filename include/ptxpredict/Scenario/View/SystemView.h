//===- SystemView.h - Systems as they are shown -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_VIEW_SYSTEMVIEW_H
#define PTXPREDICT_SCENARIO_VIEW_SYSTEMVIEW_H

#include "ptxpredict/Scenario/System/System.h"

namespace ptxpredict {

constexpr StringRef SystemsSchemaName = "ptx-predict/systems";
constexpr unsigned SystemsSchemaVersion = 1;

/// One line a system: nodes, CPUs, GPUs, links.
void printSystemTable(ArrayRef<const System *> Systems, raw_ostream &OS);
/// Every number of a system and of its links with its source.
void printSystemText(const System &S, raw_ostream &OS);
/// One JSON object, schema "ptx-predict/systems"
/// (docs/schemas/systems.schema.json).
void printSystemsJSON(ArrayRef<const System *> Systems, raw_ostream &OS);

/// The links that a system has, each once, by name.
std::vector<const Link *> linksOf(const System &S);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_VIEW_SYSTEMVIEW_H
