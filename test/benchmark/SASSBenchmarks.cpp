//===- SASSBenchmarks.cpp - The speed of reading machine code -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// SASS/Decode: items are instructions, those of sm_90 in the unit test over and
// over; SASS/Container/FILE: bytes are those of the file.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "ptxpredict/Frontend/SASS/ObjectList.h"
#include <benchmark/benchmark.h>

using namespace ptxpredict;
using namespace ptxpredict::bench;
using benchmark::State;

namespace {
struct Case {
  unsigned Architecture;
  sass::Encoding Bits;
};
} // namespace

static constexpr Case Cases[] = {
#define SASS_CASE(ARCHITECTURE, LOW, HIGH, ADDRESS, TEXT, REGISTERS)           \
  {ARCHITECTURE, {LOW, HIGH}},
#include "../unit/Frontend/SASS/SASSCases.def"
#undef SASS_CASE
};

static void decodeInstructions(State &S) {
  constexpr unsigned Architecture = 90;
  std::vector<sass::Encoding> Code;
  for (const Case &C : Cases)
    if (C.Architecture == Architecture)
      Code.push_back(C.Bits);
  require(!Code.empty(), "no instruction of sm_90");
  for (auto _ : S)
    for (const sass::Encoding &E : Code)
      benchmark::DoNotOptimize(sass::decode(E, Architecture, 0));
  S.SetItemsProcessed(int64_t(S.iterations()) * int64_t(Code.size()));
}

static void listContainer(State &S, StringRef File) {
  const std::string Bytes =
      readSource((Twine("test/Inputs/cubins/") + File).str());
  for (auto _ : S)
    benchmark::DoNotOptimize(sass::listObjects(Bytes));
  S.SetBytesProcessed(int64_t(S.iterations()) * int64_t(Bytes.size()));
}
void bench::addSASSBenchmarks() {
  benchmark::RegisterBenchmark("SASS/Decode", decodeInstructions);
  for (const char *Packed : {"stored", "zstd"})
    benchmark::RegisterBenchmark(
        (Twine("SASS/Container/") + Packed).str().c_str(), [Packed](State &S) {
          listContainer(S, (Twine(Packed) + ".fatbin").str());
        });
}
