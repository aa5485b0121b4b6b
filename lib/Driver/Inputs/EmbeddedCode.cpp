//===- EmbeddedCode.cpp - The code in fat binaries and libraries ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/EmbeddedCode.h"
#include "ptxpredict/Frontend/SASS/CodeEntries.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace ptxpredict;
using sass::CodeEntry;
using sass::CodeKind;

bool ptxpredict::isMachineCode(StringRef Text) {
  return sass::mayHoldCode(Text);
}

bool ptxpredict::machineCodeRunsOn(StringRef Target,
                                   unsigned ComputeCapability) {
  const unsigned Of = targetCapability(Target);
  if (Target.ends_with("a"))
    return Of == ComputeCapability;
  return Of / 10 == ComputeCapability / 10 && Of <= ComputeCapability;
}

/// Whether code for \p A is taken rather than that for \p B: what a device runs
/// (\p Runs), then the newest that is not newer than the device; where all are,
/// the one that lacks least.
template <typename FnT>
static bool isBetter(unsigned A, unsigned B, unsigned Limit, FnT Runs) {
  if (Limit == 0)
    return A > B;
  if (Runs(A) != Runs(B))
    return Runs(A);
  if ((A <= Limit) != (B <= Limit))
    return A <= Limit;
  return A > Limit ? A < B : A > B;
}

static std::string listed(StringRef Prefix,
                          const std::set<unsigned> &Architectures) {
  std::string Text;
  llvm::ListSeparator Comma;
  for (unsigned A : Architectures)
    Text += (StringRef(Comma) + Prefix + Twine(A)).str();
  return Text;
}

namespace {
/// What one fat binary has: the best of each kind, or null.
struct Choices {
  const CodeEntry *PTX = nullptr, *Machine = nullptr;
};
} // namespace

/// Drops code that is not linked, of -rdc=true, where the file has what the
/// linker made of it: all of its kernels stand there, and those run.
static void
dropUnlinked(std::vector<std::unique_ptr<llvm::MemoryBuffer>> &Modules) {
  if (Modules.size() < 2)
    return;
  std::vector<std::optional<sass::Cubin>> Cubins;
  llvm::StringSet<> Linked; // kernels
  for (const auto &M : Modules) {
    std::optional<sass::Cubin> &Of = Cubins.emplace_back();
    if (!sass::isCubin(M->getBuffer()))
      continue;
    Expected<sass::Cubin> Code = sass::readCubin(M->getBuffer());
    if (!Code) {
      llvm::consumeError(Code.takeError()); // reported later
      continue;
    }
    Of = std::move(*Code);
    if (Of->IsLinked)
      for (const sass::CubinFunction &F : Of->Functions)
        if (F.IsKernel)
          Linked.insert(F.Name);
  }
  auto IsThere = [&](const sass::CubinFunction &F) {
    return !F.IsKernel || Linked.contains(F.Name);
  };
  size_t Kept = 0;
  for (size_t N = 0; N != Modules.size(); ++N)
    if (!Cubins[N] || Cubins[N]->IsLinked || Linked.empty() ||
        !llvm::all_of(Cubins[N]->Functions, IsThere))
      std::swap(Modules[Kept++], Modules[N]);
  Modules.resize(Kept);
}

EmbeddedCode ptxpredict::findEmbeddedCode(StringRef File, StringRef Path,
                                          const CodeChoice &Choice) {
  EmbeddedCode Result;
  sass::CodeEntries Found = sass::findCode(File);
  Result.Problems = std::move(Found.Problems);
  const unsigned Limit = Choice.ComputeCapability;
  llvm::MapVector<uint64_t, Choices> Best; // by fat binary
  // Architectures that are there, and that were taken.
  std::set<unsigned> Machine, PTXTaken, MachineTaken;
  for (const CodeEntry &E : Found.Entries) {
    if (E.Kind == CodeKind::Other)
      continue;
    if (E.Kind == CodeKind::Machine)
      Machine.insert(E.Architecture);
    if (E.Kind == CodeKind::Machine && E.Architecture < sass::FirstArchitecture)
      continue;
    const bool IsPTX = E.Kind == CodeKind::PTX;
    Choices &There = Best[E.Container];
    const CodeEntry *&Of = IsPTX ? There.PTX : There.Machine;
    auto Runs = [&](unsigned A) {
      return IsPTX ? A <= Limit
                   : machineCodeRunsOn("sm_" + std::to_string(A), Limit);
    };
    if (!Of || isBetter(E.Architecture, Of->Architecture, Limit, Runs))
      Of = &E;
  }
  for (const auto &[Container, Has] : Best) {
    const CodeEntry *First = Has.PTX, *Second = Has.Machine;
    if (Choice.PrefersMachineCode)
      std::swap(First, Second);
    const CodeEntry *Entry = First ? First : Second;
    Expected<std::unique_ptr<llvm::MemoryBuffer>> Code =
        sass::unpack(*Entry, Path);
    if (!Code) {
      Result.Problems.push_back(llvm::toString(Code.takeError()));
      continue;
    }
    (Entry == Has.PTX ? PTXTaken : MachineTaken).insert(Entry->Architecture);
    // Text is read up to a zero behind it.
    if (Entry == Has.PTX && Entry->Packed == sass::Compression::None)
      Code = llvm::MemoryBuffer::getMemBufferCopy((*Code)->getBuffer(), Path);
    Result.Modules.push_back(std::move(*Code));
  }
  dropUnlinked(Result.Modules);
  if (Result.Modules.empty() || sass::isCubin(File)) // a cubin is what it is
    return Result;
  constexpr StringRef Hint = " ('ptx-predict objects' lists what is in a file)";
  const std::string OfPTX = listed("compute_", PTXTaken),
                    OfMachine = listed("sm_", MachineTaken);
  if (MachineTaken.empty()) {
    Result.Note = "this is the PTX for " + OfPTX;
    if (!Machine.empty())
      Result.Note += "; the machine code for " + listed("sm_", Machine) +
                     " is not read";
  } else if (PTXTaken.empty()) {
    Result.Note = "this is the machine code for " + OfMachine;
    if (!Choice.PrefersMachineCode)
      Result.Note += ": there is no PTX";
  } else {
    Result.Note =
        "this is the PTX for " + OfPTX + " and the machine code for " +
        OfMachine + ": some parts have one of them only";
  }
  Result.Note += Hint;
  if (MachineTaken.empty() && !Machine.empty())
    Result.Note += "; --lower=sass takes the machine code";
  return Result;
}
