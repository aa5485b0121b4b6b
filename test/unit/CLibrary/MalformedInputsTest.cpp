//===- MalformedInputsTest.cpp - Wrong inputs from two threads ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict-c/ptxpredict.h"
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>

namespace {

std::string contents(const char *Name) {
  std::ifstream File(std::string(PTXPREDICT_EXAMPLES "/") + Name);
  return {std::istreambuf_iterator<char>(File), {}};
}

/// \p Text with a few bytes changed, a part doubled or taken out, or its end
/// cut off.
std::string mutate(std::string Text, std::mt19937 &Random) {
  auto Place = [&](size_t Size) { return size_t(Random()) % (Size + 1); };
  const size_t From = Place(Text.size() - 1);
  const size_t Length = Place(std::min<size_t>(40, Text.size() - From));
  switch (Random() % 4) {
  case 0:
    for (int I = 0; I != 3; ++I)
      Text[Place(Text.size() - 1)] = char(Random());
    break;
  case 1:
    Text.insert(Place(Text.size()), Text.substr(From, Length));
    break;
  case 2:
    Text.erase(From, Length);
    break;
  default:
    Text.resize(From);
  }
  return Text;
}

/// Runs mutations of an example. Every wrong one must have a message.
void runMutations(const char *Subcommand, const char *Name, unsigned Seed) {
  std::mt19937 Random(Seed);
  const std::string Text = contents(Name);
  for (int I = 0; I != 60; ++I) {
    const std::string Wrong = mutate(Text, Random);
    std::unique_ptr<PtxpredictRun, void (*)(PtxpredictRun *)> Run(
        ptxpredictRunCreate(Subcommand), ptxpredictRunDispose);
    ASSERT_EQ(ptxpredictRunAddText(Run.get(), Name, Wrong.data(), Wrong.size()),
              PTXPREDICT_DONE);
    ptxpredictRunAddOption(Run.get(), "device", "h100-sxm");
    const int Code = ptxpredictRunExecute(Run.get());
    ASSERT_GE(Code, PTXPREDICT_DONE);
    if (Code == PTXPREDICT_NOT_DONE) {
      EXPECT_GT(ptxpredictRunNumMessages(Run.get()), 0U) << Wrong;
    }
  }
}

TEST(MalformedInputs, EndInMessages) {
  std::thread First([] { runMutations("predict", "saxpy.ptx", /*Seed=*/1); });
  std::thread Second(
      [] { runMutations("advise", "transpose.ptx", /*Seed=*/2); });
  First.join();
  Second.join();
}

TEST(MalformedInputs, OfMachineCode) {
  std::thread First([] { runMutations("predict", "scale.cubin", /*Seed=*/3); });
  std::thread Second(
      [] { runMutations("predict", "kernels.fatbin", /*Seed=*/4); });
  First.join();
  Second.join();
}

} // namespace
