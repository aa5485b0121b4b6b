//===- RequiredFeatures.cpp - What code asks of a device ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RequiredFeatures.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

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

static_assert(std::size(Features) <= 32);

/// Rows without a prefix are for any instruction.
constexpr uint32_t rowsForAny() {
  uint32_t Rows = 0;
  for (size_t F = 0; F != std::size(Features); ++F)
    if (Features[F].Prefix.empty())
      Rows |= uint32_t(1) << F;
  return Rows;
}

/// By opcode: the rows that may be for it by their prefix. Unknown opcodes may
/// begin with anything.
constexpr unsigned NumOpcodes = 1
#define PTX_OPCODE(...) +1
#include "ptxpredict/ISA/PTXOpcodes.def"
    ;
std::array<uint32_t, NumOpcodes> rowsByPrefix() {
  constexpr uint32_t All = ~uint32_t(0) >> (32 - std::size(Features));
  std::array<uint32_t, NumOpcodes> Result{All & ~rowsForAny()};
  for (unsigned Op = 1; Op != NumOpcodes; ++Op) {
    StringRef Name = ptx::name(ptx::Opcode(Op));
    for (const auto &[F, Row] : llvm::enumerate(Features)) {
      StringRef Prefix = Row.Prefix;
      Prefix.consume_back(".");
      if (!Prefix.empty() && Name.front() == Prefix.front() &&
          (Name.starts_with(Prefix) || Prefix.starts_with(Name)))
        Result[Op] |= uint32_t(1) << F;
    }
  }
  return Result;
}

/// Whether a part of \p Modifiers may be one of the table's: most are not, and
/// every instruction asks.
bool mayHaveFeature(StringRef Modifiers) {
  for (size_t At = 0; At + 3 < Modifiers.size(); ++At) {
    if (Modifiers[At] != '.')
      continue;
    char First = Modifiers[At + 1], Second = Modifiers[At + 2];
    if ((First == 's' &&
         Modifiers.substr(At + 1).starts_with("shared::")) || // shared::cluster
        ((First == 'b' || First == 't') && Second == 'f') ||  // bf16, tf32
        (First == 'e' && (Second == '4' || Second == '5')) ||
        (First == 'f' && Second == '1' && Modifiers.size() > At + 4)) // f16x2
      return true;
  }
  return false;
}

} // namespace

void RequiredFeatures::add(const Instruction &I) {
  static const std::array<uint32_t, NumOpcodes> ByPrefix = rowsByPrefix();
  uint32_t Rows = ByPrefix[I.Opcode];
  if (mayHaveFeature(I.Modifiers))
    Rows |= rowsForAny();
  for (Rows &= ~Used; Rows != 0; Rows &= Rows - 1) {
    const unsigned F = llvm::countr_zero(Rows);
    if (I.Mnemonic.starts_with(Features[F].Prefix) &&
        (Features[F].Modifier.empty() ||
         ptx::hasModifier(I.Modifiers, Features[F].Modifier)))
      Used |= uint32_t(1) << F;
  }
}

std::vector<TargetFeature>
RequiredFeatures::list(const KernelBounds &Bounds) const {
  std::vector<TargetFeature> Result;
  if (Bounds.RequiredCluster)
    Result.push_back({"thread block clusters", 90});
  for (size_t F = 0; F != std::size(Features); ++F)
    if (Used >> F & 1 && llvm::none_of(Result, [&](const TargetFeature &Other) {
          return Other.Name == Features[F].Name;
        }))
      Result.push_back({Features[F].Name.str(), Features[F].Since});
  return Result;
}
