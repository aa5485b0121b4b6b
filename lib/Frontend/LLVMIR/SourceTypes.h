//===- SourceTypes.h - Types of the source, from debug data -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_SOURCETYPES_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_SOURCETYPES_H

#include "ptxpredict/Graph/SourceType.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

namespace llvm {
class DICompositeType;
class DIType;
} // namespace llvm

namespace ptxpredict::llvmir {

/// Makes a type of each that is asked for, once.
class SourceTypes {
public:
  /// \p Arena holds the types.
  explicit SourceTypes(llvm::BumpPtrAllocator &Arena) : Arena(Arena) {}

  /// Null for null, and for a type that holds itself.
  const SourceType *get(const llvm::DIType *T);

private:
  const SourceType *make(const llvm::DIType &T);
  void addMembers(const llvm::DICompositeType &C, SourceType &To);
  const SourceType *makeArray(const llvm::DICompositeType &C);

  llvm::BumpPtrAllocator &Arena;
  llvm::DenseMap<const llvm::DIType *, const SourceType *> Types;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_SOURCETYPES_H
