//===- EmbeddedPTX.cpp - The PTX in files of machine code -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/EmbeddedPTX.h"
#include "ptxpredict/Frontend/SASS/CodeEntries.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace ptxpredict;
using sass::CodeEntry;
using sass::CodeKind;

bool ptxpredict::isMachineCode(StringRef Text) {
  return sass::mayHoldCode(Text);
}

/// Whether PTX for \p A is taken rather than that for \p B.
static bool isBetter(unsigned A, unsigned B, unsigned Limit) {
  if (Limit != 0 && (A <= Limit) != (B <= Limit))
    return A <= Limit;
  // Where all are too new, the one that lacks least.
  return Limit != 0 && A > Limit ? A < B : A > B;
}

static std::string listed(StringRef Prefix,
                          const std::set<unsigned> &Architectures) {
  std::string Text;
  llvm::ListSeparator Comma;
  for (unsigned A : Architectures)
    Text += (StringRef(Comma) + Prefix + Twine(A)).str();
  return Text;
}

EmbeddedPTX ptxpredict::findEmbeddedPTX(StringRef File, StringRef Path,
                                        unsigned ComputeCapability) {
  EmbeddedPTX Result;
  sass::CodeEntries Found = sass::findCode(File);
  Result.Problems = std::move(Found.Problems);
  llvm::MapVector<uint64_t, const CodeEntry *> Best; // by fat binary
  std::set<unsigned> Machine, Taken;
  for (const CodeEntry &E : Found.Entries) {
    if (E.Kind == CodeKind::Machine)
      Machine.insert(E.Architecture);
    if (E.Kind != CodeKind::PTX)
      continue;
    const CodeEntry *&Of = Best[E.Container];
    if (!Of || isBetter(E.Architecture, Of->Architecture, ComputeCapability))
      Of = &E;
  }
  for (auto [Container, Entry] : Best) {
    Expected<std::unique_ptr<llvm::MemoryBuffer>> Text = sass::unpack(*Entry);
    if (!Text) {
      Result.Problems.push_back(llvm::toString(Text.takeError()));
      continue;
    }
    Taken.insert(Entry->Architecture);
    Result.Modules.push_back(
        llvm::MemoryBuffer::getMemBufferCopy((*Text)->getBuffer(), Path));
  }
  if (!Result.Modules.empty()) {
    Result.Note = "this is the PTX for " + listed("compute_", Taken);
    if (!Machine.empty())
      Result.Note += "; the machine code for " + listed("sm_", Machine) +
                     " is not read";
    Result.Note += " ('ptx-predict objects' lists what is in a file)";
  }
  return Result;
}
