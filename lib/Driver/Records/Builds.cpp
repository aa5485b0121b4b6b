//===- Builds.cpp - Two builds, to be compared ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Records/Builds.h"
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

Expected<BuildFiles> ptxpredict::findBuild(StringRef Path) {
  BuildFiles Files;
  if (Path == "-" || !llvm::sys::fs::is_directory(Path)) {
    Files.Inputs.push_back({Path.str()});
    Files.Places.emplace_back();
    return Files;
  }
  Expected<CodeBelow> Below = codeBelow(Path);
  if (!Below)
    return Below.takeError();
  Files.LinksOut = std::move(Below->LinksOut);
  if (Below->Files.empty() && Files.LinksOut.empty())
    return llvm::createStringError("there is no code below the folder '" +
                                   Path + "'");
  for (std::string &File : Below->Files) {
    StringRef Place = StringRef(File).drop_front(Path.size());
    Files.Places.push_back(
        Place.drop_while([](char C) { return C == '/'; }).str());
    Files.Inputs.push_back({std::move(File)});
  }
  return Files;
}

namespace {

/// Inputs of both builds, each once: the records know them by their names.
class AllInputs {
public:
  /// Takes \p Files' inputs.
  void add(BuildFiles &Files);
  std::vector<DriverInput> take() { return std::move(Inputs); }
  /// The build of the files that were added as number \p N.
  Build build(size_t N, BuildFiles Files, const RecordAnswer &Answer) const;

private:
  std::vector<DriverInput> Inputs;
  std::vector<std::vector<size_t>> Numbers; ///< of each added build
  llvm::StringMap<size_t> ByName;
};

} // namespace

void AllInputs::add(BuildFiles &Files) {
  std::vector<size_t> &Of = Numbers.emplace_back();
  for (DriverInput &In : Files.Inputs) {
    StringRef Name = In.Text ? In.Text->getBufferIdentifier() : In.Path;
    auto [It, IsNew] = ByName.try_emplace(Name, Inputs.size());
    if (IsNew)
      Inputs.push_back(std::move(In));
    Of.push_back(It->second);
  }
}

Build AllInputs::build(size_t N, BuildFiles Files,
                       const RecordAnswer &Answer) const {
  Build B;
  for (size_t I : Numbers[N])
    B.Inputs.push_back(Answer.Inputs[I]);
  B.Places = std::move(Files.Places);
  return B;
}

/// Where inputs failed, neither build has kernels to compare.
static bool dropFailed(Build &Base, Build &Head) {
  llvm::StringSet<> Failed;
  for (const Build *B : {&Base, &Head})
    for (size_t I = 0; I != B->Inputs.size(); ++I)
      if (B->Inputs[I].Failed)
        Failed.insert(B->Places[I]);
  for (Build *B : {&Base, &Head})
    for (size_t I = 0; I != B->Inputs.size(); ++I)
      if (Failed.contains(B->Places[I]))
        B->Inputs[I].Kernels.clear();
  return !Failed.empty();
}

BuildsAnswer ptxpredict::recordBuilds(BuildFiles Base, BuildFiles Head,
                                      RecordRequest R) {
  AllInputs All;
  All.add(Base);
  All.add(Head);
  RecordAnswer Answer = recordInputs(All.take(), std::move(R));
  BuildsAnswer Result;
  Result.Messages = std::move(Answer.Messages);
  Result.Failed = Answer.Failed;
  Result.NumCached = Answer.NumCached;
  Result.NumInputs = Answer.Inputs.size();
  if (Answer.Failed)
    return Result;
  Result.Base = All.build(0, std::move(Base), Answer);
  Result.Head = All.build(1, std::move(Head), Answer);
  Result.SomeFailed = dropFailed(Result.Base, Result.Head);
  return Result;
}
