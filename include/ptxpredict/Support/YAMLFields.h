//===- YAMLFields.h - The keys of a YAML mapping ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_YAMLFIELDS_H
#define PTXPREDICT_SUPPORT_YAMLFIELDS_H

#include "ptxpredict/Support/YAMLNodes.h"
#include <functional>

namespace ptxpredict {

/// The table of a mapping's keys, each with what reads its value. Values are
/// read in the order of the file, so that errors come in that order, too.
class YAMLFields {
public:
  using ReadFunction =
      std::function<void(llvm::yaml::Node &Value, StringRef Key)>;

  /// A key that the mapping must have; \p Key stays alive.
  void required(StringRef Key, ReadFunction Read) {
    List.push_back({Key, std::move(Read), /*IsRequired=*/true});
  }
  void optional(StringRef Key, ReadFunction Read) {
    List.push_back({Key, std::move(Read), /*IsRequired=*/false});
  }
  /// A key whose value nobody looks at.
  void skipped(StringRef Key) { optional(Key, nullptr); }

  /// Whether the mapping that was read has the key.
  bool has(StringRef Key) const;

  /// Reads the mapping \p N, called \p What in messages, once. Reports unknown,
  /// duplicate and missing keys; false if there is one.
  bool read(YAMLNodes &Nodes, llvm::yaml::Node &N, const Twine &What);

private:
  struct Field {
    StringRef Key;
    ReadFunction Read;
    bool IsRequired;
    bool IsSeen = false;
  };
  SmallVector<Field, 24> List;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_YAMLFIELDS_H
