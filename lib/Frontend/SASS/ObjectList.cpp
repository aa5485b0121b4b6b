//===- ObjectList.cpp - What the GPU code of a file is --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/ObjectList.h"
#include "FatBinary.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

ObjectList sass::listObjects(StringRef File) {
  CodeEntries Found = findCode(File);
  ObjectList Result;
  Result.Problems = std::move(Found.Problems);
  Result.Entries.reserve(Found.Entries.size());
  for (CodeEntry &E : Found.Entries) {
    ListedEntry &Listed = Result.Entries.emplace_back();
    Listed.Entry = std::move(E);
    if (Listed.Entry.Kind != CodeKind::Machine)
      continue;
    auto Problem = [&](const Twine &What) {
      Result.Problems.push_back(
          located({Listed.Entry.Member, "", 0}, Listed.Entry.Offset, What));
    };
    auto Bytes = unpack(Listed.Entry);
    if (!Bytes) {
      Problem(llvm::toString(Bytes.takeError()));
      continue;
    }
    Expected<Cubin> Code = readCubin((*Bytes)->getBuffer());
    if (!Code) {
      Problem("a damaged cubin: " + llvm::toString(Code.takeError()));
      continue;
    }
    for (const std::string &Why : Code->Problems)
      Problem("in the cubin, " + Why);
    Listed.Code = std::move(*Code);
  }
  return Result;
}
