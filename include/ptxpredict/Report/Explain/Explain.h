//===- Explain.h - What the names in results mean ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The texts are those of docs, which are in the program, and the tables of
// terms.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_EXPLAIN_EXPLAIN_H
#define PTXPREDICT_REPORT_EXPLAIN_EXPLAIN_H

#include "ptxpredict/Support/LLVM.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// One thing that a name stands for.
struct Explanation {
  std::string Title; ///< "bank-conflict, a finding (warning)"
  std::string Text;  ///< Markdown, ends with a line break
  std::string Page;  ///< "docs/commands/Findings.md"
};

/// What \p Name stands for: a finding by its id or its remark's name, a model,
/// a limiter, a resource, a term of one or several models, a word of reports
/// (ReportWords.def) or of the glossary. If nothing is written so, case,
/// blanks,
/// '-' and '_' make no difference. Empty if nothing has that name.
std::vector<Explanation> explain(StringRef Name);

/// Names of one kind, in the order in which the documentation has them.
struct NamesOfKind {
  StringRef Kind; ///< "findings"
  std::vector<StringRef> Names;
};

/// All that \ref explain knows.
std::vector<NamesOfKind> explainedNames();

/// The section of a finding in docs/commands/Findings.md without its heading;
/// empty if there is none.
StringRef findingSection(StringRef Id);

/// \p Markdown with links as their texts, for a terminal.
std::string withoutLinks(StringRef Markdown);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_EXPLAIN_EXPLAIN_H
