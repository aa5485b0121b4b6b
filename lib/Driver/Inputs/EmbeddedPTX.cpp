//===- EmbeddedPTX.cpp - The PTX in files of machine code -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/EmbeddedPTX.h"
#include "ptxpredict/Frontend/SASS/CodeEntries.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace ptxpredict;
using sass::CodeEntry;
using sass::CodeKind;

/// Whether PTX for \p A is taken rather than that for \p B.
static bool isBetter(unsigned A, unsigned B, unsigned Limit) {
  if (Limit != 0 && (A <= Limit) != (B <= Limit))
    return A <= Limit;
  // Where all are too new, the one that lacks least.
  return Limit != 0 && A > Limit ? A < B : A > B;
}

/// The machine code of each fat binary that fits best.
static std::vector<std::unique_ptr<llvm::MemoryBuffer>>
takeMachineCode(const sass::CodeEntries &Found, StringRef Path,
                unsigned ComputeCapability, std::set<unsigned> &Taken,
                std::vector<std::string> &Problems) {
  llvm::MapVector<uint64_t, const CodeEntry *> Best;
  for (const CodeEntry &E : Found.Entries) {
    if (E.Kind != CodeKind::Machine ||
        E.Architecture < sass::FirstArchitecture)
      continue;
    const CodeEntry *&Of = Best[E.Container];
    if (!Of || isBetter(E.Architecture, Of->Architecture, ComputeCapability))
      Of = &E;
  }
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Modules;
  for (auto [Container, Entry] : Best) {
    Expected<std::unique_ptr<llvm::MemoryBuffer>> Code = sass::unpack(*Entry);
    if (!Code) {
      Problems.push_back(llvm::toString(Code.takeError()));
      continue;
    }
    Taken.insert(Entry->Architecture);
    Modules.push_back(
        llvm::MemoryBuffer::getMemBufferCopy((*Code)->getBuffer(), Path));
  }
  return Modules;
}

bool ptxpredict::isMachineCode(StringRef Text) {
  return sass::mayHoldCode(Text);
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
  if (Result.Modules.empty() && Best.empty()) {
    Result.Modules = takeMachineCode(Found, Path, ComputeCapability, Taken,
                                     Result.Problems);
    // A cubin is what it is.
    if (!Result.Modules.empty() && !sass::isCubin(File))
      Result.Note = "this is the machine code for " + listed("sm_", Taken) +
                    ": there is no PTX ('ptx-predict objects' lists what is in "
                    "a file)";
  } else if (!Result.Modules.empty()) {
    Result.Note = "this is the PTX for " + listed("compute_", Taken);
    if (!Machine.empty())
      Result.Note += "; the machine code for " + listed("sm_", Machine) +
                     " is not read";
    Result.Note += " ('ptx-predict objects' lists what is in a file)";
  }
  return Result;
}
