//===- SourcedPrinter.h - Numbers with sources as YAML ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_SYSTEM_SOURCEDPRINTER_H
#define PTXPREDICT_LIB_SCENARIO_SYSTEM_SOURCEDPRINTER_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict {

/// Writes the numbers of a file whose `source:` is FileSource: those that have
/// another one with it.
class SourcedPrinter {
public:
  SourcedPrinter(raw_ostream &OS, StringRef FileSource)
      : OS(OS), FileSource(FileSource) {}

  /// `4`, or `{value: 4, source: "…"}`.
  std::string number(double Value, StringRef Source) const {
    std::string Text = shortestDecimal(Value);
    if (Source.empty() || Source == FileSource)
      return Text;
    return "{value: " + Text + ", source: " + quoteYAML(Source) + "}";
  }
  /// A line `key: number`; nothing of an empty one, or one that comes from
  /// elsewhere.
  void line(StringRef Indent, StringRef Key, const Quantity &Q) const {
    if (Q && Q.From.empty())
      OS << Indent << Key << ": " << number(*Q, Q.Source) << '\n';
  }
  /// What both kinds of files begin with.
  void head(StringRef Schema, unsigned Version, StringRef Name,
            StringRef Description) const {
    OS << "schema: " << Schema << "\nversion: " << Version << "\nname: " << Name
       << '\n';
    if (!Description.empty())
      OS << "description: " << quoteYAML(Description) << '\n';
    if (!FileSource.empty())
      OS << "source: " << quoteYAML(FileSource) << '\n';
  }

  raw_ostream &OS;

private:
  StringRef FileSource;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_SYSTEM_SOURCEDPRINTER_H
