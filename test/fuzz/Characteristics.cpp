//===- Characteristics.cpp - Characteristics as inputs of the fuzzer ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static std::string printed(ArrayRef<KernelCharacteristics> Kernels) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const KernelCharacteristics &K : Kernels)
    print(K, OS);
  return Text;
}

bool fuzz::runCharacteristics(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  std::vector<KernelCharacteristics> Kernels;
  bool Failed = readCharacteristics(*Diags, Kernels);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  check(Failed || !Kernels.empty(), "no kernel and no error");
  if (Failed)
    return false;

  std::string Once = printed(Kernels);
  auto Again = makeEngine(Once, "printed");
  std::vector<KernelCharacteristics> Second;
  check(!readCharacteristics(*Again, Second),
        "what was printed is not read:\n" + Once);
  std::string Twice = printed(Second);
  check(Once == Twice,
        "print, read, print is not the identity:\n" + Once + "\n---\n" + Twice);
  for (const KernelCharacteristics &K : Kernels)
    (void)findCriticalPath(K.Dependence.Summary, LatencyTable::unit(),
                           /*WithWaits=*/true);

  MemoryFile File(Once);
  DriverOptions Options;
  Options.Models = {"all"};
  Driver D(std::move(Options));
  check(D.prepare(), "no run without options");
  check(!D.read(File.path()) && !D.characteristicsInput().empty(),
        "a file of characteristics is none for the driver");
  Report R = D.run();
  check(R.Kernels.size() == Kernels.size(), "kernels were lost");
  printAll(R);
  return true;
}
