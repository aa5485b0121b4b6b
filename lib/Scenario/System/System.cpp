//===- System.cpp - The systems that the program carries ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/System.h"
#include "EmbeddedTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(ComponentKind Kind) {
  switch (Kind) {
  case ComponentKind::CPU:
    return "cpu";
  case ComponentKind::GPU:
    return "gpu";
  case ComponentKind::Switch:
    return "switch";
  case ComponentKind::NIC:
    return "nic";
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<StringRef> EmbeddedTexts::find(StringRef Name) const {
  const StringRef *At = llvm::lower_bound(Names, Name);
  if (At == Names.end() || *At != Name)
    return std::nullopt;
  return Texts[size_t(At - Names.begin())];
}

ArrayRef<StringRef> ptxpredict::embeddedSystemNames() {
  return EmbeddedSystems.Names;
}

std::optional<StringRef> ptxpredict::embeddedSystem(StringRef Name) {
  return EmbeddedSystems.find(Name);
}
