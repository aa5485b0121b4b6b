//===- SASSBenchmarks.cpp - The speed of reading machine code -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// SASS/Decode: items are instructions, those of sm_90 in the unit test over and
// over; SASS/Container/FILE: bytes are those of the file; SASS/Lift/FILE: all
// bodies of a cubin, items are the machine's instructions; SASS/Whole/FILE: the
// file in, predictions out, in processor time of all threads.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Frontend/SASS/Lift.h"
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
static std::string cubinPath(StringRef File) {
  return (Twine("test/Frontend/SASS/Inputs/") + File).str();
}

static void liftCubin(State &S, StringRef File) {
  const std::string Text = readSource(cubinPath(File));
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, File));
  const std::unique_ptr<Module> M = sass::lift(Diags);
  require(M != nullptr, File + " is not lifted");
  uint64_t CodeBytes = 0;
  for (const auto &F : M->Functions)
    CodeBytes += F->Assembled->CodeBytes;
  // A body is lifted when it is first held, and a kernel's dropped after that.
  for (auto _ : S)
    for (const auto &F : M->Functions)
      if (F->IsKernel)
        require(!HeldBodies(*F).failed(), F->Name + " is not lifted");
  S.SetItemsProcessed(int64_t(S.iterations()) *
                      int64_t(CodeBytes / sass::InstructionBytes));
}

static void predictCubin(State &S, StringRef File) {
  const std::string Path = PTXPREDICT_SOURCE_DIR "/" + cubinPath(File);
  for (auto _ : S) {
    Driver D({});
    require(D.prepare(), "the driver's defaults are refused");
    require(D.read(Path) != nullptr, Path + " is not read");
    benchmark::DoNotOptimize(D.run());
  }
  S.SetBytesProcessed(int64_t(S.iterations()) *
                      int64_t(readSource(cubinPath(File)).size()));
}

void bench::addSASSBenchmarks() {
  benchmark::RegisterBenchmark("SASS/Decode", decodeInstructions);
  for (const char *Packed : {"stored", "zstd"})
    benchmark::RegisterBenchmark(
        (Twine("SASS/Container/") + Packed).str().c_str(), [Packed](State &S) {
          listContainer(S, (Twine(Packed) + ".fatbin").str());
        });
  for (const char *Cubin : {"lift-80.cubin", "lift-120.cubin"}) {
    benchmark::RegisterBenchmark((Twine("SASS/Lift/") + Cubin).str().c_str(),
                                 [Cubin](State &S) { liftCubin(S, Cubin); });
    benchmark::RegisterBenchmark((Twine("SASS/Whole/") + Cubin).str().c_str(),
                                 [Cubin](State &S) { predictCubin(S, Cubin); })
        ->MeasureProcessCPUTime();
  }
}
