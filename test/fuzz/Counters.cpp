//===- Counters.cpp - Files of counters as inputs of the fuzzer -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Launch/CounterFile.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace ptxpredict;

static std::string quoted(StringRef Text) {
  std::string Result = "\"";
  for (char C : Text) {
    Result += C;
    if (C == '"')
      Result += C;
  }
  return Result + "\"";
}

/// In the plain form; empty where that has no room for what was read.
static std::string printed(ArrayRef<KernelCounters> Kernels) {
  std::string Text = "kernel,device,grid,block";
  for (unsigned C = 0; C != NumCounters; ++C)
    Text += ("," + infoOf(Counter(C)).Name).str();
  Text += '\n';
  llvm::StringSet<> Keys;
  for (const KernelCounters &K : Kernels) {
    std::string Key = quoted(K.Kernel) + "," + quoted(K.Device) + ",";
    for (const std::optional<Dim3> &D : {K.Grid, K.Block})
      Key += (D ? toString(*D) : std::string()) + ",";
    if (K.Kernel.empty() || !Keys.insert(Key).second)
      return {};
    Key.pop_back();
    Text += Key;
    for (unsigned C = 0; C != NumCounters; ++C) {
      const CounterValue *V = K[Counter(C)];
      Text += "," + (V ? shortestDecimal(V->Value) : std::string());
    }
    Text += '\n';
  }
  return Text;
}

/// Read, print, read must be the identity.
static void checkIdentity(ArrayRef<KernelCounters> First) {
  const std::string Once = printed(First);
  if (Once.empty() || StringRef(Once).contains("=="))
    return;
  auto Again = fuzz::makeEngine(Once, "printed");
  std::vector<KernelCounters> Second;
  if (readCounters(*Again, std::nullopt, Second))
    fuzz::check(false, "what was printed is not read: " +
                           Again->diagnostics().front().Message + "\n" + Once);
  const std::string Twice = printed(Second);
  fuzz::check(Once == Twice, "read, print, read is not the identity:\n" + Once +
                                 "\n---\n" + Twice);
}

bool fuzz::runCounters(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  std::vector<KernelCounters> Kernels;
  const bool Failed = readCounters(*Diags, std::nullopt, Kernels);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;
  check(!Kernels.empty(), "no kernel, and no message");
  for (const KernelCounters &K : Kernels) {
    check(K.Launches != 0, "a kernel without a launch");
    check(K.KernelPlace.isValid(), "a kernel without a place");
    for (const CounterValue &V : K.Values)
      check(std::isfinite(V.Value) && V.Value >= 0 && V.Place.isValid() &&
                V.Launches == K.Launches,
            "a number that cannot be");
  }
  checkIdentity(Kernels);

  // The first launch by itself is there, but in what has means alone.
  auto First = makeEngine(Text, "input");
  std::vector<KernelCounters> One;
  if (!readCounters(*First, 0, One))
    for (const KernelCounters &K : One)
      check(K.Launches == 1, "a launch that is several");
  return true;
}
