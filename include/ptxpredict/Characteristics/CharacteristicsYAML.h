//===- CharacteristicsYAML.h - Characteristics as a file --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_CHARACTERISTICSYAML_H
#define PTXPREDICT_CHARACTERISTICS_CHARACTERISTICSYAML_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Support/Diagnostics.h"

namespace ptxpredict {

/// "schema" and "version" of the file (docs/formats/Characteristics.md). The
/// version rises when a key is renamed, taken away or required anew.
constexpr StringRef CharacteristicsSchemaName = "ptx-predict/characteristics";
constexpr unsigned CharacteristicsSchemaVersion = 1;

/// One YAML document, for --dump=characteristics. Numbers are the shortest
/// decimals that read back as the same; null stands for no bound. Assumptions
/// of the question are left out.
void print(const KernelCharacteristics &K, raw_ostream &OS);

/// Whether an input of that name and text is such a file: by the name's suffix
/// .yaml or .yml, or by what the text begins with.
bool isCharacteristicsFile(StringRef Path, StringRef Text);

/// Adds the kernels of the engine's buffer, one of each document, to
/// \p Result. What \ref print wrote is read back with nothing lost but the
/// launch's arguments, trip counts and probabilities, which the counts contain.
/// True on error: all of a file's are reported, each with its place.
bool readCharacteristics(DiagnosticEngine &Diags,
                         std::vector<KernelCharacteristics> &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_CHARACTERISTICSYAML_H
