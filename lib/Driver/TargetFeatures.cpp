//===- TargetFeatures.cpp - What code asks of a device --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TargetFeatures.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

namespace {

/// A group of instructions and the first compute capability that has it: the
/// "Target ISA Notes" of each instruction in "Parallel Thread Execution ISA".
struct Feature {
  StringRef Prefix;   ///< of the mnemonic; empty for any
  StringRef Modifier; ///< that it must have; empty for none
  unsigned Since;
  StringRef Name;
};

constexpr Feature Features[] = {
    {"tcgen05.", "", 100, "tensor memory (tcgen05)"},
    {"wgmma.", "", 90, "warpgroup matrix instructions (wgmma)"},
    {"cp.async.bulk", "", 90, "bulk copies"},
    {"cp.reduce.async.bulk", "", 90, "bulk copies"},
    {"barrier.cluster", "", 90, "thread block clusters"},
    {"mapa", "", 90, "thread block clusters"},
    {"", "shared::cluster", 90, "thread block clusters"},
    {"setmaxnreg", "", 90, "setmaxnreg"},
    {"elect.sync", "", 90, "elect"},
    {"griddepcontrol", "", 90, "dependent launches (griddepcontrol)"},
    {"stmatrix", "", 90, "stmatrix"},
    {"", "e4m3x2", 89, "fp8 conversions"},
    {"", "e5m2x2", 89, "fp8 conversions"},
    {"", "e4m3", 89, "fp8 matrix instructions"},
    {"", "e5m2", 89, "fp8 matrix instructions"},
    {"cp.async", "", 80, "asynchronous copies (cp.async)"},
    {"mbarrier.", "", 80, "mbarrier"},
    {"redux.", "", 80, "redux"},
    {"mma.sp", "", 80, "sparse matrix instructions"},
    {"", "bf16", 80, "bf16"},
    {"", "bf16x2", 80, "bf16"},
    {"", "tf32", 80, "tf32"},
    {"ldmatrix", "", 75, "ldmatrix"},
    {"mma.", "", 70, "matrix instructions"},
    {"wmma.", "", 70, "matrix instructions"},
    {"match.", "", 70, "match"},
    {"nanosleep", "", 70, "nanosleep"},
    {"", "f16x2", 53, "packed half-precision arithmetic"},
    {"shfl.", "", 30, "warp shuffles"},
};

} // namespace

/// What \p Kernel and the functions that it calls use and a device of
/// \p Capability does not have, each once, in the order of the table.
static std::vector<StringRef> missingFeatures(const InstructionGraph &Kernel,
                                              unsigned Capability) {
  constexpr size_t NumFeatures = std::size(Features);
  std::array<bool, NumFeatures> Used{};
  for (const InstructionGraph *G : calledFrom(Kernel))
    G->forEachInstruction([&](const Instruction &I) {
      for (size_t F = 0; F != NumFeatures; ++F)
        if (!Used[F] && Features[F].Since > Capability &&
            I.Mnemonic.starts_with(Features[F].Prefix) &&
            (Features[F].Modifier.empty() ||
             ptx::hasModifier(I.Modifiers, Features[F].Modifier)))
          Used[F] = true;
    });
  std::vector<StringRef> Names;
  if (Kernel.Bounds.RequiredCluster && Capability < 90)
    Names.emplace_back("thread block clusters");
  for (size_t F = 0; F != NumFeatures; ++F)
    if (Used[F] && !llvm::is_contained(Names, Features[F].Name))
      Names.push_back(Features[F].Name);
  return Names;
}

std::string ptxpredict::targetNote(const Module &M,
                                   const InstructionGraph &Kernel,
                                   unsigned DeviceCapability) {
  unsigned Needed = M.targetCapability();
  std::string Target = M.Target.str();
  if (DeviceCapability < Needed) {
    std::vector<StringRef> Missing = missingFeatures(Kernel, DeviceCapability);
    return "the device is older than the code's target " + Target +
           (Missing.empty()
                ? ", but lacks nothing that this kernel is known to "
                  "use"
                : " and lacks " + llvm::join(Missing, ", "));
  }
  // "sm_90a" runs on 9.0 alone, "sm_100f" within its family of major version.
  bool OtherArchitecture =
      (M.Target.ends_with("a") && DeviceCapability != Needed) ||
      (M.Target.ends_with("f") && DeviceCapability / 10 != Needed / 10);
  if (OtherArchitecture)
    return "code for " + Target +
           " is for one architecture only, which is not the device's";
  return {};
}
