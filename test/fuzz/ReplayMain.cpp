//===- ReplayMain.cpp - Runs a target on files, without libFuzzer ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PtxPredictReplay TARGET [--one-in=N] [--mutants=N] FILE-OR-FOLDER...
// Runs the target on every file, those below folders included, or on every
// N-th of those below the folder that comes next; then on as many mutants of
// those that are accepted, always the same; some must be accepted, too. An
// input that fails ends the process as it does under the fuzzer; its name
// stands before. The last mutant is TARGET.mutant.
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "Targets.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace ptxpredict;

/// The files at and below \p Path, sorted; those of git are none.
static std::vector<std::string> filesOf(StringRef Path) {
  if (!llvm::sys::fs::is_directory(Path))
    return {Path.str()};
  std::vector<std::string> Files;
  std::error_code EC;
  for (llvm::sys::fs::recursive_directory_iterator I(Path, EC), End;
       I != End && !EC; I.increment(EC))
    if (llvm::sys::fs::is_regular_file(I->path()))
      Files.push_back(I->path());
  fuzz::check(!EC, Path + ": " + EC.message());
  std::sort(Files.begin(), Files.end());
  return Files;
}

namespace {

struct Target {
  std::string Name;
  bool (*Run)(StringRef Text) = nullptr;
  fuzz::Mutator Mutate = nullptr; ///< null for bytes alone
};

} // namespace

static std::optional<Target> findTarget(StringRef Name) {
#define PTXPREDICT_FUZZ_TARGET(NAME, RUN, MUTATE)                              \
  if (Name == NAME)                                                            \
    return Target{NAME, RUN, MUTATE};
#include PTXPREDICT_FUZZ_TARGETS
  llvm::errs() << "targets:";
#define PTXPREDICT_FUZZ_TARGET(NAME, RUN, MUTATE) llvm::errs() << " " NAME;
#include PTXPREDICT_FUZZ_TARGETS
  llvm::errs() << '\n';
  return std::nullopt;
}

static std::unique_ptr<llvm::MemoryBuffer> read(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  fuzz::check(!!Buffer, Path + ": cannot be read");
  return std::move(*Buffer);
}

/// Another byte at a random place.
static std::string changeByte(StringRef Text, fuzz::Dice &D) {
  std::string Result = Text.str();
  if (!Result.empty())
    Result[D.below(Result.size())] = char(D.below(256));
  return Result;
}

/// Runs mutants of the files; how many are accepted.
static unsigned runMutants(const Target &T, ArrayRef<std::string> Paths,
                           unsigned Number) {
  unsigned Accepted = 0;
  for (unsigned N = 0; N != Number; ++N) {
    fuzz::Dice D(N);
    const std::string &Path = Paths[D.below(Paths.size())];
    std::string Text = read(Path)->getBuffer().str();
    auto Bytes = [&D](StringRef Given) { return changeByte(Given, D); };
    Text = T.Mutate ? T.Mutate(Text, D, Bytes) : Bytes(Text);
    // A file that is written anew, not emptied, is not waited for.
    std::string Place = T.Name + ".mutant";
    std::error_code EC = llvm::sys::fs::remove(Place);
    llvm::raw_fd_ostream OS(Place, EC);
    OS << Text;
    OS.close();
    fuzz::check(!EC && !OS.has_error(), "a mutant cannot be written");
    llvm::errs() << Place << ": number " << N << ", of " << Path << '\n';
    Accepted += T.Run(Text);
  }
  return Accepted;
}

int main(int argc, char **argv) {
  std::optional<Target> T = findTarget(argc < 2 ? "" : argv[1]);
  if (!T)
    return 2;
  std::vector<std::string> Paths;
  unsigned OneIn = 1, Mutants = 0;
  for (int I = 2; I != argc; ++I) {
    StringRef Argument = argv[I];
    if (Argument.consume_front("--one-in=")) {
      fuzz::check(!Argument.getAsInteger(10, OneIn) && OneIn != 0,
                  "--one-in takes a number");
      continue;
    }
    if (Argument.consume_front("--mutants=")) {
      fuzz::check(!Argument.getAsInteger(10, Mutants),
                  "--mutants takes a number");
      continue;
    }
    std::vector<std::string> Files = filesOf(Argument);
    for (size_t N = 0; N < Files.size(); N += OneIn)
      Paths.push_back(Files[N]);
    OneIn = 1;
  }
  fuzz::check(!Paths.empty(), "there is no input");
  std::vector<std::string> Accepted;
  for (const std::string &Path : Paths) {
    llvm::errs() << Path << '\n';
    if (T->Run(read(Path)->getBuffer()))
      Accepted.push_back(Path);
  }
  llvm::outs() << Paths.size() << " inputs, " << Accepted.size()
               << " accepted\n";
  if (Mutants == 0 || Accepted.empty())
    return 0;
  unsigned Number = runMutants(*T, Accepted, Mutants);
  llvm::outs() << Mutants << " mutants, " << Number << " accepted\n";
  fuzz::check(!T->Mutate || Number * 20 >= Mutants,
              "nearly all mutants are refused");
  return 0;
}
