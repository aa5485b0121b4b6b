//===- PtxasInfo.cpp - Exact resources from a log of ptxas -v -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The lines that matter:
//   ptxas info    : Compiling entry function 'f' for 'sm_90'
//   ptxas info    : Function properties for f
//       8 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 4096 bytes smem, …
// Before CUDA 5 shared memory was printed as "4096+16 bytes smem", the second
// number being the parameters that compute capability 1.x keeps there.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/PtxasInfo.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// 90 for "sm_90a"; 0 if it says nothing of the kind.
static unsigned capabilityOf(StringRef Target) {
  unsigned Capability = 0;
  if (Target.consume_front("sm_"))
    Target.take_while(llvm::isDigit).getAsInteger(10, Capability);
  return Capability;
}

const PtxasFunctionInfo *PtxasInfo::find(StringRef Name,
                                         StringRef Target) const {
  const PtxasFunctionInfo *Any = nullptr;
  for (const PtxasFunctionInfo &F : Functions) {
    if (F.Name != Name)
      continue;
    if (F.Target == Target)
      return &F;
    if (!Any)
      Any = &F;
  }
  const PtxasFunctionInfo *Same = find(Name, capabilityOf(Target));
  return Same ? Same : Any;
}

const PtxasFunctionInfo *PtxasInfo::find(StringRef Name,
                                         unsigned ComputeCapability) const {
  for (const PtxasFunctionInfo &F : Functions)
    if (F.Name == Name && F.ComputeCapability == ComputeCapability)
      return &F;
  return nullptr;
}

/// The number before \p Unit among comma-separated parts such as
/// "12 bytes spill stores", with "a+b" summed.
static std::optional<uint64_t> numberBefore(StringRef Line, StringRef Unit) {
  SmallVector<StringRef, 8> Parts;
  Line.split(Parts, ',');
  for (StringRef Part : Parts) {
    Part = Part.trim();
    if (!Part.consume_back(Unit))
      continue;
    Part = Part.rtrim();
    Part = Part.substr(Part.find_last_of(" \t") + 1); // npos + 1 is 0
    auto [First, Second] = Part.split('+');
    uint64_t A = 0, B = 0;
    if (!First.getAsInteger(10, A) &&
        (Second.empty() || !Second.getAsInteger(10, B)))
      return A + B;
  }
  return std::nullopt;
}

/// The text between the first two quotes, which are cut off \p Text.
static StringRef takeQuoted(StringRef &Text) {
  Text = Text.split('\'').second;
  auto [Quoted, Rest] = Text.split('\'');
  Text = Rest;
  return Quoted;
}

bool ptxpredict::parsePtxasInfo(DiagnosticEngine &Diags, PtxasInfo &Result) {
  // Where properties and registers go; no record is kept before its registers.
  PtxasFunctionInfo Current;
  bool PropertiesAreCurrents = false;
  StringRef Rest = Diags.text(), Line;
  while (!Rest.empty()) {
    std::tie(Line, Rest) = Rest.split('\n');
    Line = Line.trim();
    if (size_t At = Line.find("Compiling entry function '");
        At != StringRef::npos) {
      Current = {};
      StringRef Names = Line.substr(At);
      Current.Name = takeQuoted(Names).str();
      Current.Target = takeQuoted(Names).str();
      Current.ComputeCapability = capabilityOf(Current.Target);
      PropertiesAreCurrents = true;
      continue;
    }
    if (size_t At = Line.find("Function properties for ");
        At != StringRef::npos) {
      // Device functions that were not inlined stand between the kernels.
      PropertiesAreCurrents = Line.substr(At).ends_with(" " + Current.Name);
      continue;
    }
    if (Current.Name.empty())
      continue;
    if (PropertiesAreCurrents && Line.contains("bytes stack frame")) {
      Current.StackBytes = numberBefore(Line, "bytes stack frame");
      Current.SpillStoreBytes = numberBefore(Line, "bytes spill stores");
      Current.SpillLoadBytes = numberBefore(Line, "bytes spill loads");
      continue;
    }
    if (std::optional<uint64_t> Registers = numberBefore(Line, "registers")) {
      Current.Registers = unsigned(*Registers);
      Current.Barriers = unsigned(numberBefore(Line, "barriers").value_or(0));
      Current.SharedBytes = numberBefore(Line, "bytes smem").value_or(0);
      Result.Functions.push_back(Current);
    }
  }
  if (Result.Functions.empty())
    Diags.error(SMLoc::getFromPointer(Diags.text().begin()),
                "this is no log of 'ptxas -v': no line says how many registers "
                "a kernel uses");
  return Diags.hasErrors();
}
