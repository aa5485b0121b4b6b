//===- Rank.cpp - From a tuning space to a ranking ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each input has a driver of its own, so that nothing of it is left but numbers
// when the next one is read.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Rank.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

using namespace ptxpredict;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// What is ranked
//===----------------------------------------------------------------------===//

/// Of code that is ranked: a launch file is for the first that is there.
static constexpr StringRef CodeExtensions[] = {".ptx", ".cubin", ".fatbin"};

static bool isCode(StringRef Path) {
  return llvm::is_contained(CodeExtensions, path::extension(Path));
}

/// All PTX and machine code of a folder, by name.
static std::vector<std::string> codeOf(StringRef Folder,
                                       DiagnosticEngine &Problems) {
  std::vector<std::string> Found;
  std::error_code EC;
  for (fs::directory_iterator It(Folder, EC), End; !EC && It != End;
       It.increment(EC))
    if (isCode(It->path()))
      Found.push_back(It->path());
  if (EC)
    Problems.error(SMLoc(), Folder + ": " + EC.message());
  else if (Found.empty())
    Problems.error(
        SMLoc(),
        Folder + ": there is no *.ptx, *.cubin or *.fatbin in this folder");
  llvm::sort(Found);
  return Found;
}

static std::string beside(StringRef File, StringRef Extension) {
  llvm::SmallString<128> Other(File);
  path::replace_extension(Other, Extension);
  return fs::is_regular_file(Other) ? Other.str().str() : std::string();
}

/// The code that a launch file is for: NAME.ptx of NAME.yaml, else the one with
/// the longest name that is followed by a dash, as reduce.ptx of
/// reduce-shapes.yaml; machine code where there is no such PTX.
static std::string codeOfLaunches(StringRef LaunchFile) {
  for (StringRef Stem = path::stem(LaunchFile);;
       Stem = Stem.rsplit('-').first) {
    llvm::SmallString<128> Other(path::parent_path(LaunchFile));
    path::append(Other, Stem);
    for (StringRef Extension : CodeExtensions)
      if (std::string Code = (Other + Extension).str();
          fs::is_regular_file(Code))
        return Code;
    if (!Stem.contains('-'))
      return {};
  }
}

/// A YAML file may also hold characteristics, which are no mapping of launches.
static bool isLaunchFile(StringRef Path) {
  if (path::extension(Path) != ".yaml" && path::extension(Path) != ".yml")
    return false;
  Expected<std::unique_ptr<llvm::MemoryBuffer>> Buffer = readInputFile(Path);
  if (!Buffer) {
    consumeError(Buffer.takeError());
    return false;
  }
  for (StringRef Line : llvm::split((*Buffer)->getBuffer(), '\n'))
    if (Line.starts_with("launches:"))
      return true;
  return false;
}

std::vector<RankInput>
ptxpredict::findRankInputs(ArrayRef<std::string> Paths,
                           ArrayRef<std::string> LaunchFiles,
                           DiagnosticEngine &Problems) {
  std::vector<RankInput> Inputs;
  auto Add = [&](const std::string &File) {
    for (const std::string &Launch : LaunchFiles)
      Inputs.push_back({File, Launch});
    if (LaunchFiles.empty())
      Inputs.push_back(
          {File, isCode(File) ? beside(File, ".yaml") : std::string()});
  };
  for (const std::string &Path : Paths) {
    if (fs::is_directory(Path)) {
      llvm::for_each(codeOf(Path, Problems), Add);
    } else if (isLaunchFile(Path)) {
      if (std::string Code = codeOfLaunches(Path); !Code.empty())
        Inputs.push_back({std::move(Code), Path});
      else
        Problems.error(SMLoc(), Twine(Path) +
                                    ": there is no code of that name beside "
                                    "this launch file; --launch=" +
                                    Path + " takes it for other code");
    } else {
      Add(Path);
    }
  }
  return Inputs;
}

//===----------------------------------------------------------------------===//
// The ranking
//===----------------------------------------------------------------------===//

namespace {

/// What is left of an input.
struct Outcome {
  std::vector<RankedCandidate> Candidates;
  std::vector<std::string> Premises;
  std::vector<Diagnostic> Diagnostics;
  std::vector<Diagnostic> Refusals; ///< of launches that no device takes
  bool WasRead = true;              ///< the code, or what the launch is
};

} // namespace

static void takeDiagnostics(ArrayRef<const DiagnosticEngine *> Engines,
                            std::vector<Diagnostic> &To) {
  for (const DiagnosticEngine *E : Engines) {
    llvm::append_range(To, E->diagnostics());
    if (E->numErrors() > DiagnosticEngine::MaxErrors) {
      Diagnostic More =
          E->make(Severity::Note, SMLoc(),
                  Twine(E->numErrors() - DiagnosticEngine::MaxErrors) +
                      " more errors are not shown");
      To.push_back(std::move(More));
    }
  }
}

static Outcome analyze(DriverOptions Options, const RankInput &In) {
  Outcome Result;
  Options.LaunchFilePath = In.LaunchFile;
  Options.EveryLaunch = true;
  Driver D(std::move(Options));
  if (D.prepare()) {
    (void)D.read(In.Path);
    Result.WasRead = !D.hasErrors();
    // By number: kernels are done in any order.
    std::map<size_t, RankedCandidate> Found;
    std::mutex FoundMutex;
    Report R = D.run([&](const Report &Head, size_t N, const KernelReport &K) {
      RankedCandidate C(Head, K, In.LaunchFile);
      std::lock_guard<std::mutex> Lock(FoundMutex);
      Found.emplace(N, std::move(C));
    });
    for (auto &[N, C] : Found)
      Result.Candidates.push_back(std::move(C));
    Result.Premises = std::move(R.Premises);
  }
  const std::vector<const DiagnosticEngine *> Refusals = D.refusals();
  std::vector<const DiagnosticEngine *> Others = D.diagnostics();
  llvm::erase_if(Others, [&](const DiagnosticEngine *E) {
    return llvm::is_contained(Refusals, E);
  });
  takeDiagnostics(Others, Result.Diagnostics);
  takeDiagnostics(Refusals, Result.Refusals);
  return Result;
}

/// What is said of an input's code holds. What is said of the options, or of a
/// launch file that several inputs share, does if none of them differs: an
/// argument, say, that some of the kernels have and others have not is right.
/// That no device takes a launch of one input holds, too.
static void mergeDiagnostics(ArrayRef<RankInput> Inputs,
                             MutableArrayRef<Outcome> Outcomes,
                             Ranking &Result) {
  std::map<StringRef, size_t> Users; // of launch files; "" of the options
  for (size_t I = 0; I != Inputs.size(); ++I)
    if (Outcomes[I].WasRead) {
      ++Users[""];
      if (!Inputs[I].LaunchFile.empty())
        ++Users[Inputs[I].LaunchFile];
    }
  using Key = std::tuple<std::string, unsigned, unsigned, std::string>;
  auto KeyOf = [](const Diagnostic &D, StringRef Message) {
    return Key(D.Path, D.Line, D.Column, Message.str());
  };
  // What follows a semicolon may be about one input: what it has instead.
  auto Core = [](const Diagnostic &D) {
    return StringRef(D.Message).split(';').first;
  };
  std::map<Key, size_t> Said, CoreSaid;
  for (const Outcome &O : Outcomes)
    if (O.WasRead)
      for (const Diagnostic &D : O.Diagnostics) {
        ++Said[KeyOf(D, D.Message)];
        ++CoreSaid[KeyOf(D, Core(D))];
      }
  std::set<Key> Done;
  for (size_t I = 0; I != Inputs.size(); ++I)
    for (Diagnostic &D : Outcomes[I].Diagnostics) {
      auto Shared = Users.find(D.Path);
      if (Outcomes[I].WasRead && Shared != Users.end() &&
          D.Path != Inputs[I].Path &&
          Said[KeyOf(D, D.Message)] != Shared->second) {
        if (CoreSaid[KeyOf(D, Core(D))] != Shared->second)
          continue;
        D.Message = Core(D).str();
      }
      if (Done.insert(KeyOf(D, D.Message)).second)
        Result.Diagnostics.push_back(std::move(D));
    }
  for (Outcome &O : Outcomes)
    for (Diagnostic &D : O.Refusals)
      if (Done.insert(KeyOf(D, D.Message)).second)
        Result.Diagnostics.push_back(std::move(D));
}

/// Whoever writes launches of some kernels wants no others ranked, unless there
/// would be none.
static void leaveOut(ArrayRef<RankInput> Inputs,
                     MutableArrayRef<Outcome> Outcomes, Ranking &Result) {
  auto IsNamed = [](const RankedCandidate &C) { return C.LaunchLine != 0; };
  if (llvm::none_of(Outcomes, [&](const Outcome &O) {
        return llvm::any_of(O.Candidates, IsNamed);
      }))
    return;
  // A file may be ranked with several launch files, one of which names it.
  std::set<std::pair<std::string, std::string>> Known;
  for (const Outcome &O : Outcomes)
    for (const RankedCandidate &C : O.Candidates)
      if (IsNamed(C))
        Known.insert({C.Path, C.Kernel});
  for (auto [In, O] : llvm::zip(Inputs, Outcomes)) {
    if (In.LaunchFile.empty())
      continue;
    for (const RankedCandidate &C : O.Candidates)
      if (!IsNamed(C) && Known.insert({C.Path, C.Kernel}).second)
        Result.LeftOut.push_back(
            {C.Path, C.Kernel, C.Demangled, In.LaunchFile});
    llvm::erase_if(O.Candidates, std::not_fn(IsNamed));
  }
}

Ranking ptxpredict::rank(const DriverOptions &Options,
                         ArrayRef<RankInput> Inputs, RankBy By) {
  Ranking Result;
  Result.By = By;
  // What is wrong with the options is so for all inputs.
  if (Driver First{Options}; !First.prepare()) {
    takeDiagnostics(First.diagnostics(), Result.Diagnostics);
    return Result;
  }
  const size_t Wanted = numThreads(Options.Jobs);
  DriverOptions OfOne = Options;
  OfOne.Jobs = unsigned(
      std::max<size_t>(1, Wanted / std::max<size_t>(1, Inputs.size())));
  std::vector<Outcome> Outcomes(Inputs.size());
  forEachInParallel(Inputs.size(), Wanted,
                    [&](size_t N) { Outcomes[N] = analyze(OfOne, Inputs[N]); });

  mergeDiagnostics(Inputs, Outcomes, Result);
  leaveOut(Inputs, Outcomes, Result);
  std::set<std::string> Premises;
  for (Outcome &O : Outcomes) {
    for (RankedCandidate &C : O.Candidates)
      Result.Candidates.push_back(std::move(C));
    for (std::string &P : O.Premises)
      if (Premises.insert(P).second)
        Result.Premises.push_back(std::move(P));
  }
  return Result;
}
