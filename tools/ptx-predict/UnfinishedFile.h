//===- UnfinishedFile.h - A result that is not whole yet --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_UNFINISHEDFILE_H
#define PTXPREDICT_TOOLS_UNFINISHEDFILE_H

namespace ptxpredict::tool {

/// The file that writeResult() has begun beside its target; null for none. It
/// is removed if the program ends before it is whole.
void noteUnfinished(const char *Path);

/// Removes the file. For handlers of signals, and where memory is gone.
void removeUnfinished();

/// Signals that ask the program to end remove the file first. Who started the
/// program to ignore one is obeyed.
void removeUnfinishedOnSignals();

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_UNFINISHEDFILE_H
