//===- Profile.cpp - Profiles as inputs of the fuzzer ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/Profile.h"
#include "Targets.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void printExtents(llvm::json::OStream &J, StringRef Key, Dim3 D) {
  J.attributeArray(Key, [&] {
    J.value(D.X);
    J.value(D.Y);
    J.value(D.Z);
  });
}

/// What a profile needs to be read. Every kernel has an input of its own.
static std::string printed(ArrayRef<KernelProfile> Kernels) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS);
  J.object([&] {
    J.attribute("schema", ProfileSchemaName);
    J.attribute("version", ProfileSchemaVersion);
    J.attributeArray("inputs", [&] {
      for (const KernelProfile &P : Kernels)
        J.object([&] { J.attribute("hash", P.InputHash); });
    });
    J.attributeArray("kernels", [&] {
      for (size_t I = 0; I != Kernels.size(); ++I)
        J.object([&] {
          const KernelProfile &P = Kernels[I];
          J.attribute("name", P.Name);
          J.attribute("input", I);
          J.attributeObject("launch", [&] {
            printExtents(J, "grid", P.Grid);
            printExtents(J, "block", P.Block);
            printExtents(J, "cluster", P.Cluster);
            J.attribute("dynamic_shared_bytes", P.DynamicSharedBytes);
          });
          J.attributeObject("run", [&] { writeRun(J, P); });
          J.attributeObject("counts", [&] { writeCounts(J, P); });
        });
    });
  });
  return Text;
}

/// Read, print, read must be the identity.
static void checkIdentity(ArrayRef<KernelProfile> First) {
  std::string Once = printed(First);
  auto Again = fuzz::makeEngine(Once, "printed");
  std::vector<KernelProfile> Second;
  if (readProfile(*Again, Second))
    fuzz::check(false, "what was printed is not read: " +
                           Again->diagnostics().front().Message + "\n" + Once);
  std::string Twice = printed(Second);
  fuzz::check(Once == Twice, "read, print, read is not the identity:\n" + Once +
                                 "\n---\n" + Twice);
}

bool fuzz::runProfile(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  std::vector<KernelProfile> Kernels;
  bool Failed = readProfile(*Diags, Kernels);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;
  if (llvm::json::isUTF8(Text)) // other names cannot be written
    checkIdentity(Kernels);

  MemoryFile File(Text);
  DriverOptions Options;
  Options.ProfilePath = File.path();
  Options.Models = {"all"};
  Options.WorkLimit = FewSteps;
  Driver D(std::move(Options));
  check(D.prepare(), "a profile is read once but not twice");
  for (StringRef Name : {"saxpy", "reduce"})
    check(D.read((PTXPREDICT_SOURCE_DIR "/docs/examples/" + Name + ".ptx")
                     .str()) != nullptr,
          "no example " + Name);
  printAll(D.run());
  return true;
}
