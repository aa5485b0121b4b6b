//===- DevicePrinter.cpp - A device as YAML -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// A model's or a parameter's name, quoted where YAML needs it.
static std::string key(StringRef Name) {
  bool Plain = !Name.empty() && llvm::all_of(Name, [](char C) {
    return llvm::isAlnum(C) || C == '-' || C == '_';
  }) && llvm::isAlpha(Name.front());
  return Plain ? Name.str() : quoteYAML(Name);
}

static void printNumber(raw_ostream &OS, StringRef Indent, StringRef Key,
                        StringRef Unit, const Quantity &Q) {
  OS << Indent << Key << ": {value: " << shortestDecimal(*Q);
  if (!Unit.empty())
    OS << ", unit: " << quoteYAML(Unit);
  OS << ", source: " << quoteYAML(Q.Source) << "}\n";
}

static void printMemoryStates(raw_ostream &OS, const MemoryStates &States) {
  OS << "  memory_states: {value: [";
  llvm::ListSeparator Comma;
  for (double MHz : States.MHz)
    OS << Comma << shortestDecimal(MHz);
  OS << "], source: " << quoteYAML(States.Source) << "}\n";
}

void ptxpredict::printDevice(const Device &D, raw_ostream &OS) {
  OS << "name: " << D.Name << '\n';
  if (!D.Aliases.empty())
    OS << "aliases: [" << llvm::join(D.Aliases, ", ") << "]\n";
  if (!D.Description.empty())
    OS << "description: " << quoteYAML(D.Description) << '\n';
  if (D.IsCPU)
    OS << "kind: cpu\n";
  else
    OS << "compute_capability: " << D.ComputeCapability / 10 << '.'
       << D.ComputeCapability % 10 << "\naccess_rule: " << D.AccessRule << '\n';
  StringRef Section;
  for (const DeviceField &F : deviceFields()) {
    const Quantity &Q = D.*F.Member;
    if (!Q)
      continue;
    if (F.Section != Section)
      OS << (Section = F.Section) << ":\n";
    printNumber(OS, "  ", F.Key, F.Unit, Q);
    if (F.Member == &Device::MemoryMHz && !D.MemoryStates.MHz.empty())
      printMemoryStates(OS, D.MemoryStates);
  }
  if (D.ModelParameters.empty())
    return;
  OS << "models:\n";
  for (const auto &[Model, Parameters] : D.ModelParameters) {
    OS << "  " << key(Model) << (Parameters.empty() ? ": {}\n" : ":\n");
    for (const auto &[Key, Q] : Parameters)
      printNumber(OS, "    ", key(Key), Q.Unit, Q);
  }
}
