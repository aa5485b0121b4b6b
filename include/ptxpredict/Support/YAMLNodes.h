//===- YAMLNodes.h - Reading YAML nodes one by one --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// All YAML and JSON files are read from LLVM's YAML nodes rather than through
// YAMLTraits: values take several shapes (a number or a list, a word or a
// mapping), and every error is reported in the order of the file with its own
// place. YAMLTraits stops at the first one and keeps a mapping in hash order.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_YAMLNODES_H
#define PTXPREDICT_SUPPORT_YAMLNODES_H

#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/YAMLParser.h"
#include <optional>
#include <string>

namespace ptxpredict {

/// A scalar or a key: its text without quotes, and where it stands.
struct YAMLText {
  std::string Text;
  SMLoc Loc;
};

/// Walks LLVM's YAML nodes and reports what is not as it should be. All
/// functions that answer nothing or false have reported why, in the order of
/// the file.
class YAMLNodes {
public:
  explicit YAMLNodes(DiagnosticEngine &Diags) : Diags(Diags) {}

  /// Hands the only document's root to \p Body, unless the text is empty or
  /// larger than \p MaxBytes.
  void readDocument(llvm::function_ref<void(llvm::yaml::Node &)> Body,
                    size_t MaxBytes = size_t(64) << 20);
  /// The same for each of several documents.
  void readDocuments(llvm::function_ref<void(llvm::yaml::Node &)> Body,
                     size_t MaxBytes);

  /// Calls \p Body for each entry of the mapping \p N, called \p What in
  /// messages, whose key is unique and, unless \p Known is empty, one of
  /// \p Known. False if it is no mapping or an entry was left out.
  bool
  forEachEntry(llvm::yaml::Node &N, const Twine &What,
               ArrayRef<StringRef> Known,
               llvm::function_ref<void(YAMLText &, llvm::yaml::Node &)> Body);

  /// Calls \p Body for each element of the list \p N.
  bool forEachElement(llvm::yaml::Node &N, const Twine &What,
                      llvm::function_ref<void(llvm::yaml::Node &)> Body);

  std::optional<YAMLText> text(llvm::yaml::Node &N, const Twine &What,
                               StringRef Wanted = "a plain value");
  std::optional<double> number(llvm::yaml::Node &N, const Twine &What);
  /// A whole number that is not negative.
  std::optional<uint64_t> unsignedInteger(llvm::yaml::Node &N,
                                          const Twine &What);
  std::optional<bool> boolean(llvm::yaml::Node &N, const Twine &What);
  /// The index of the one of \p Names that \p N is.
  std::optional<size_t> oneOf(llvm::yaml::Node &N, const Twine &What,
                              ArrayRef<StringRef> Names);
  /// 90 for 9.0.
  std::optional<unsigned> computeCapability(llvm::yaml::Node &N,
                                            const Twine &What);
  /// Whether a number is in the unit \p Wanted; "" for one without a unit.
  bool checkUnit(const YAMLText &Unit, const Twine &What, StringRef Wanted);

  /// Reports the name of \p What if it is not printable: reports show it.
  void checkName(const YAMLText &Name, const Twine &What);

  void error(SMLoc Loc, const Twine &Message) { Diags.error(Loc, Message); }
  void warning(SMLoc Loc, const Twine &Message) { Diags.warning(Loc, Message); }
  /// Where \p N begins.
  SMLoc place(const llvm::yaml::Node &N);

  /// Reports that \p N is not \p Wanted.
  void wrongKind(llvm::yaml::Node &N, const Twine &What, StringRef Wanted);

private:
  void read(llvm::function_ref<void(llvm::yaml::Node &)> Body, size_t MaxBytes,
            bool Several);
  void drain(llvm::yaml::Node &N, unsigned Depth);

  DiagnosticEngine &Diags;
  SMLoc LastKey; ///< where an empty value is reported
  /// Lists and mappings can be walked only once.
  llvm::DenseSet<const llvm::yaml::Node *> Visited;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_YAMLNODES_H
