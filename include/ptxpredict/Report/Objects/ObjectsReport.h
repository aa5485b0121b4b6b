//===- ObjectsReport.h - What a file holds for GPUs -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_OBJECTS_OBJECTSREPORT_H
#define PTXPREDICT_REPORT_OBJECTS_OBJECTSREPORT_H

#include "ptxpredict/Frontend/SASS/ObjectList.h"
#include "ptxpredict/Support/Diagnostics.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON. The version rises when a key is renamed
/// or taken away.
constexpr StringRef ObjectsSchemaName = "ptx-predict/objects";
constexpr unsigned ObjectsSchemaVersion = 1;

/// A file and what is in it.
struct ListedFile {
  std::string Path;
  sass::ObjectList List;
};

/// For each file its entries, and of machine code its kernels, or, for \p All,
/// its functions too, with what a launch needs.
void printObjectsText(ArrayRef<ListedFile> Files, bool All, raw_ostream &OS);

/// One JSON object, schema "ptx-predict/objects"
/// (docs/schemas/objects.schema.json).
void printObjectsJSON(ArrayRef<ListedFile> Files,
                      ArrayRef<Diagnostic> Diagnostics, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_OBJECTS_OBJECTSREPORT_H
