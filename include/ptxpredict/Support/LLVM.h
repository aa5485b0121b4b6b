//===- LLVM.h - The LLVM names that every folder uses -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_LLVM_H
#define PTXPREDICT_SUPPORT_LLVM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SMLoc.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

/// Re-exports the ADT names that appear in almost every signature, so that
/// headers need neither `llvm::` noise nor a using-directive.
namespace ptxpredict {
using llvm::ArrayRef;
using llvm::cast;
using llvm::dyn_cast;
using llvm::Error;
using llvm::Expected;
using llvm::isa;
using llvm::MutableArrayRef;
using llvm::raw_ostream;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::Twine;
} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_LLVM_H
