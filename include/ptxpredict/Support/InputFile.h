//===- InputFile.h - Reading an input, gzip or not --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_INPUTFILE_H
#define PTXPREDICT_SUPPORT_INPUTFILE_H

#include "ptxpredict/Support/Diagnostics.h"
#include "ptxpredict/Support/InputHandle.h"

namespace ptxpredict {

/// Inputs, and gzip inputs once expanded, may have at most this many bytes;
/// objects, programs and libraries any number.
constexpr size_t MaxInputBytes = size_t(1) << 28;

/// The text of the file at \p Path, or of standard input for "-", expanded
/// through zlib if it is gzip. The buffer is named \p Path ("<stdin>" for "-").
/// Without \p Allowed streams "-" is a file's name.
/// The error's text names neither path nor kind: the caller prints `PATH:
/// error: TEXT`.
Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(StringRef Path, Streams Allowed = Streams::Given);

/// The text of what is read already: \p Raw itself unless it is gzip. Errors as
/// above.
Expected<std::unique_ptr<llvm::MemoryBuffer>>
expandInput(std::unique_ptr<llvm::MemoryBuffer> Raw);

/// Reads the file at \p Path into \p Diags, whose messages then name it. True
/// on error (reported).
bool readInputFile(StringRef Path, DiagnosticEngine &Diags);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_INPUTFILE_H
