//===- FuzzerMain.cpp - A target as libFuzzer calls it --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTXPREDICT_FUZZ_RUN is one of the functions of Targets.h;
// PTXPREDICT_FUZZ_MUTATE, which may be missing, one of Mutators.h. With the
// environment variable PTXPREDICT_FUZZ_PLAIN libFuzzer's own mutations are the
// only ones. After PTXPREDICT_FUZZ_SECONDS of processor time it ends, so that
// runs beside other work are as long as those by themselves.
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "Targets.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <unistd.h>

using namespace ptxpredict;

static uint64_t Count = 0, Accepted = 0;
/// Standard error, before -close_fd_mask closes it.
static int Messages = STDERR_FILENO;
/// Of std::clock(); 0 is never.
static double End = 0;

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  Messages = dup(STDERR_FILENO);
  if (const char *Text = std::getenv("PTXPREDICT_FUZZ_SECONDS"))
    End = std::strtod(Text, nullptr) * CLOCKS_PER_SEC;
  return 0;
}

/// Has libFuzzer end behind this input.
static void end() {
  End = 0;
  llvm::raw_fd_ostream OS(Messages, /*shouldClose=*/false);
  OS << "accepted: " << Accepted << " of " << Count << " inputs\n";
  std::raise(SIGUSR1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  ++Count;
  const bool IsAccepted = fuzz::PTXPREDICT_FUZZ_RUN(
      StringRef(reinterpret_cast<const char *>(Data), Size));
  Accepted += IsAccepted;
  if (End != 0 && std::clock() >= End)
    end();
#ifdef PTXPREDICT_FUZZ_MUTATE
  // There are so many ways to be refused that the mutator would work on what is
  // refused already: of that one in 64 is kept as an input.
  if (!IsAccepted && llvm::xxh3_64bits({Data, Size}) % 64 != 0)
    return -1;
#endif
  return 0;
}

#ifdef PTXPREDICT_FUZZ_MUTATE
extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

/// What libFuzzer makes of a text.
static std::string mutateBytes(StringRef Text) {
  std::string Result = Text.str();
  Result.resize(2 * Text.size() + 64);
  Result.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(Result.data()),
                                 Text.size(), Result.size()));
  return Result;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  static const bool Plain = std::getenv("PTXPREDICT_FUZZ_PLAIN");
  fuzz::Dice D(Seed);
  if (Plain || D.oneIn(16))
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  std::string Result = fuzz::PTXPREDICT_FUZZ_MUTATE(
      StringRef(reinterpret_cast<char *>(Data), Size), D, mutateBytes);
  if (Result.empty() || Result.size() > MaxSize)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  llvm::copy(Result, Data);
  return Result.size();
}
#endif

#ifdef PTXPREDICT_FUZZ_LINES
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *First,
                                            size_t FirstSize,
                                            const uint8_t *Second,
                                            size_t SecondSize, uint8_t *Out,
                                            size_t MaxSize, unsigned Seed) {
  fuzz::Dice D(Seed);
  if (!D.oneIn(8)) // few lines fit into another text
    return 0;
  std::string Result = fuzz::crossLines(
      StringRef(reinterpret_cast<const char *>(First), FirstSize),
      StringRef(reinterpret_cast<const char *>(Second), SecondSize), D);
  Result.resize(std::min(Result.size(), MaxSize));
  llvm::copy(Result, Out);
  return Result.size();
}
#endif
