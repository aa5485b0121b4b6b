//===- Emulate.cpp - PTX that the emulator runs ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../unit/Analysis/Profile/KnownCounts.h"
#include "Targets.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// Two blocks of a warp and a half, or what the kernel wants if it is small;
/// every parameter that can hold a pointer gets a buffer of its own.
static LaunchConfig launchOf(const InstructionGraph &Kernel) {
  LaunchConfig L;
  L.Grid = {2, 1, 1};
  L.Block = {48, 1, 1};
  if (const auto &E = Kernel.Bounds.RequiredThreads)
    if (std::optional<Dim3> D = makeDim3(*E); D && D->count() <= 256)
      L.Block = *D;
  L.DynamicSharedBytes = 256;
  for (unsigned N = 0; N != Kernel.Parameters.size(); ++N) {
    const Parameter &P = Kernel.Parameters[N];
    ArgumentValue &A = L.Args[N];
    A.Integer = P.Elements > 1 ? 0 : 40;
    A.Float = double(A.Integer);
    if (P.Elements == 1 && P.Bytes == 8 && kindOf(P.Type) != TypeKind::Float) {
      A.Kind = ArgumentValue::KindTy::Buffer;
      A.Buffer = std::to_string(N);
      A.BufferAlign = PointerAlignment;
    }
  }
  return L;
}

/// Whether a register is read that no instruction wrote, on some path: it may
/// hold anything, and the analysis and the emulator choose differently.
static bool readsUndefined(const InstructionGraph &Function) {
  return llvm::any_of(Function.Values, [](const Value *V) {
    return !V->Def && !V->IsArgument && !V->Users.empty();
  });
}

/// Whether a mask of lanes is computed: the analysis takes it for that of the
/// lanes that are there. Without them in it PTX defines nothing.
static bool computesLaneMask(const SymbolicValues &V) {
  for (const Block *B : V.graph().Blocks)
    for (const Instruction *I : B->Instructions) {
      const auto Op = ptx::Opcode(I->Opcode);
      const bool HasMask =
          Op == ptx::Opcode::BarWarp || Op == ptx::Opcode::Elect ||
          (I->IsCrossLane && ptx::hasModifier(I->Modifiers, "sync"));
      if (!HasMask || I->isPseudo() || I->Operands.empty())
        continue;
      const Expression *Mask = V.of(*I, I->Operands.back(), 32);
      if (!Mask || !Mask->isConstant())
        return true;
    }
  return false;
}

/// What the analysis counts must be what was counted.
static void compare(const InstructionGraph &Kernel, const LaunchConfig &Launch,
                    const KernelProfile &Ran) {
  Expressions Ex(Launch);
  SymbolicValues V(Kernel, Kernel.analysis<ControlFlow>(), Launch, Ex);
  if (computesLaneMask(V))
    return;
  KnownCounts C(profileStatically(V, Launch, /*Budget=*/2000), Ran);
  if (!C.Differences.empty())
    fuzz::check(false, C.Differences.front());
}

/// \p Compare: with what the analysis counts.
static void emulate(const InstructionGraph &Kernel, bool Check, bool Compare) {
  EmulationOptions Options;
  Options.Jobs = 1;
  Options.MaxInstructions = 4000;
  Options.MemoryBytes = 64 << 20;
  Options.Check = Check;
  LaunchConfig Launch = launchOf(Kernel);
  Emulation E(Kernel, Launch, Options);
  for (const auto &[N, A] : Launch.Args) {
    if (A.Kind != ArgumentValue::KindTy::Buffer)
      continue;
    BufferSpec Spec;
    Spec.Type = "u32";
    Spec.Count = 1024;
    Spec.Fill.Kind = BufferFill::KindTy::Iota;
    if (Error Failed = E.addBuffer(A.Buffer, Spec, ""))
      return consumeError(std::move(Failed));
  }
  Expected<EmulationResult> R = E.run();
  if (!R)
    return consumeError(R.takeError());
  for (const InstructionProfile &I : R->Profile.Instructions) {
    fuzz::check(I.Lanes <= I.Executions * WarpSize,
                "more lanes than executions have");
    if (I.Memory)
      fuzz::check(I.Memory->Lanes <= I.Memory->Requests * WarpSize,
                  "more lanes than requests have");
  }
  fuzz::check(!R->Fault || !R->Fault->Message.empty(), "a fault without words");
  if (!R->Fault && Compare)
    compare(Kernel, Launch, R->Profile);
}

bool fuzz::runEmulate(StringRef Text) {
  auto Diags = makeEngine(Text, "input");
  std::unique_ptr<ptx::AST> Tree = ptx::parse(*Diags);
  if (Diags->hasErrors())
    return false;
  std::unique_ptr<Module> M = ptx::lower(*Tree, *Diags);
  if (!M)
    return false;
  bool IsDefined = llvm::none_of(
      M->Functions, [](const auto &F) { return readsUndefined(*F); });
  unsigned NumKernels = 0;
  for (const auto &F : M->Functions)
    if (F->IsKernel && NumKernels < 4) {
      ++NumKernels;
      emulate(*F, /*Check=*/false, IsDefined);
      emulate(*F, /*Check=*/true, /*Compare=*/false);
    }
  return NumKernels != 0;
}
