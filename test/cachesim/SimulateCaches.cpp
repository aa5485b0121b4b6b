//===- SimulateCaches.cpp - What a launch moves to and from memory --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PtxPredictSimulateCaches FILE.ptx LAUNCH.yaml RESIDENT BYTES...
//
// Emulates the one kernel of the file that the launch file starts, with
// RESIDENT blocks side by side, and prints a line of JSON: what its requests
// read and write, in sectors of 32 bytes, and for each cache of so many bytes
// what the memory behind it gives and takes. tools/dev/check-modern runs it.
// Exits with 1 if the run does not end, with 2 if there is nothing to run.
//===----------------------------------------------------------------------===//
#include "SideBySideObserver.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

static int fail(const llvm::Twine &Message, int Code = 2) {
  llvm::errs() << "PtxPredictSimulateCaches: " << Message << '\n';
  return Code;
}

/// The first kernel of that name for which the file has an entry.
static std::pair<const InstructionGraph *, const LaunchFileEntry *>
choose(const Module &M, const LaunchFile &File, const OwnedGlob &Glob) {
  for (const auto &G : M.Functions) {
    const KernelNames Names(G->Name);
    if (G->IsKernel && Names.matches(Glob))
      if (const LaunchFileEntry *E = File.find(Names.all()))
        return {G.get(), E};
  }
  return {nullptr, nullptr};
}

static void print(const SideBySideObserver &Seen, size_t Resident,
                  ArrayRef<uint64_t> Sizes) {
  llvm::json::Array Caches;
  for (uint64_t Bytes : Sizes) {
    const MemoryExchange X = Seen.exchange(Resident, Bytes);
    Caches.push_back(
        llvm::json::Object{{"bytes", int64_t(Bytes)},
                           {"fetched", int64_t(X.Fetched)},
                           {"written_back", int64_t(X.WrittenBack)}});
  }
  llvm::outs() << llvm::json::Value(
                      llvm::json::Object{{"read", int64_t(Seen.read())},
                                         {"written", int64_t(Seen.written())},
                                         {"caches", std::move(Caches)}})
               << '\n';
}

int main(int Count, char **Args) {
  if (Count < 6)
    return fail("FILE.ptx LAUNCH.yaml KERNEL RESIDENT BYTES...");
  SmallVector<uint64_t, 4> Numbers;
  for (int N = 4; N != Count; ++N) {
    std::optional<int64_t> X = parseInteger(Args[N]);
    if (!X || *X <= 0)
      return fail(llvm::Twine("no positive number: ") + Args[N]);
    Numbers.push_back(uint64_t(*X));
  }
  DiagnosticEngine Code, Launches;
  LaunchFile File;
  if (readInputFile(Args[1], Code) || readInputFile(Args[2], Launches))
    return fail("cannot read the input");
  std::unique_ptr<ptx::AST> Tree = ptx::parse(Code);
  std::unique_ptr<Module> M = Tree ? ptx::lower(*Tree, Code) : nullptr;
  if (!M || parseLaunchFile(Launches, File))
    return fail("the input is wrong; ptx-predict says where");
  Expected<OwnedGlob> Glob = OwnedGlob::create(Args[3]);
  if (!Glob)
    return fail(toString(Glob.takeError()));
  auto [Kernel, Entry] = choose(*M, File, *Glob);
  if (!Kernel)
    return fail("the launch file starts no such kernel of the input");

  SideBySideObserver Seen;
  EmulationOptions Options;
  Options.Observer = &Seen;
  std::vector<Assumption> Assumptions;
  Emulation Run(*Kernel, resolveLaunch(*Kernel, Entry->Spec, Assumptions),
                Options);
  for (const auto &[Name, Spec] : Entry->Buffers)
    if (Error E =
            Run.addBuffer(Name, Spec, llvm::sys::path::parent_path(Args[2])))
      return fail(toString(std::move(E)));
  Expected<EmulationResult> Result = Run.run();
  if (!Result)
    return fail(toString(Result.takeError()));
  if (Result->Fault)
    return fail(Result->Fault->Message, 1);
  print(Seen, size_t(Numbers.front()), ArrayRef(Numbers).drop_front());
  return 0;
}
