//===- BottleneckParts.h - What can be taken out of bottleneck --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a part of model `bottleneck` is worth shows in how far predictions are
// off without it.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BOTTLENECKPARTS_H
#define PTXPREDICT_MODEL_BOTTLENECKPARTS_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <optional>

namespace ptxpredict {

/// First the resources, in the order of BottleneckResource, then the others.
enum class BottleneckPart : uint8_t {
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  MEMBER,
#define BOTTLENECK_PART(MEMBER, NAME, MEANING) MEMBER,
#include "ptxpredict/Model/BottleneckTerms.def"
};

/// A set of them.
class BottleneckParts {
public:
  BottleneckParts() = default;
  BottleneckParts(BottleneckPart P) { add(P); }

  void add(BottleneckPart P) { Bits |= uint64_t(1) << unsigned(P); }
  bool has(BottleneckPart P) const { return Bits >> unsigned(P) & 1; }
  bool empty() const { return Bits == 0; }
  bool operator==(BottleneckParts O) const { return Bits == O.Bits; }

private:
  uint64_t Bits = 0;
};

/// "issue", …, "waves", …: in the order of the enumeration.
ArrayRef<StringRef> bottleneckPartNames();
/// Nothing if there is none of that name.
std::optional<BottleneckPart> findBottleneckPart(StringRef Name);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BOTTLENECKPARTS_H
