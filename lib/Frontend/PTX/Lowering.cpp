//===- Lowering.cpp - PTX syntax tree to instruction graphs ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DebugInfo.h"
#include "LoweringImpl.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

static void lowerBounds(const ptx::Function &F, KernelBounds &Bounds) {
  auto Extent = [](const Clause &C) {
    KernelBounds::Extent E = {1, 1, 1};
    for (size_t I = 0; I != std::min<size_t>(3, C.Arguments.size()); ++I)
      E[I] = uint64_t(evaluate(C.Arguments[I]).value_or(1));
    return E;
  };
  auto Number = [](const Clause &C) {
    return unsigned(evaluate(C.Arguments.front()).value_or(0));
  };
  for (const Clause &C : F.Clauses) {
    if (C.Arguments.empty())
      continue;
    if (C.Name == ".maxntid") {
      Bounds.MaxThreads = Extent(C);
    } else if (C.Name == ".reqntid") {
      Bounds.RequiredThreads = Extent(C);
    } else if (C.Name == ".reqnctapercluster") {
      Bounds.RequiredCluster = Extent(C);
      for (uint64_t &E : *Bounds.RequiredCluster)
        E = std::max<uint64_t>(E, 1); // ptxas accepts 0
    } else if (C.Name == ".minnctapersm") {
      Bounds.MinBlocksPerSM = Number(C);
    } else if (C.Name == ".maxnreg") {
      Bounds.MaxRegisters = Number(C);
    } else if (C.Name == ".maxclusterrank") {
      Bounds.MaxClusterRank = Number(C);
    }
  }
}

static void lowerParameters(ArrayRef<ptx::Variable *> List, bool IsReturn,
                            std::vector<Parameter> &Parameters) {
  uint64_t Offset = 0;
  for (unsigned N = 0; N != List.size(); ++N) {
    const ptx::Variable *V = List[N];
    if (V->Space == AddressSpace::Register)
      continue; // the body's
    Parameter P;
    P.Position = N;
    P.Name = V->Name;
    P.Type = V->Type;
    P.Bytes = V->sizeInBytes();
    uint64_t Element = std::max<uint64_t>(1, bitWidth(V->Type) / 8);
    P.Elements = P.Bytes == 0 ? 1 : P.Bytes / Element;
    P.Align = V->Alignment != 0 ? V->Alignment : Element * V->Vector;
    P.Align = llvm::PowerOf2Ceil(P.Align);
    Offset = placeFrom(Offset, P.Align);
    P.Offset = Offset;
    Offset = llvm::SaturatingAdd(Offset, P.Bytes);
    P.IsReturn = IsReturn;
    if (V->IsPointer) {
      P.PointerSpace = V->PointeeSpace;
      P.PointerAlign = V->PointeeAlignment;
    }
    Parameters.push_back(P);
  }
}

static void lowerHead(const ptx::Function &F, InstructionGraph &G) {
  G.Name = F.Name;
  G.IsKernel = F.IsEntry;
  G.Link = lowerLinkage(F.Links);
  G.Line = F.Line;
  lowerBounds(F, G.Bounds);
  G.Parameters.reserve(F.Returns.size() + F.Parameters.size());
  lowerParameters(F.Returns, /*IsReturn=*/true, G.Parameters);
  lowerParameters(F.Parameters, /*IsReturn=*/false, G.Parameters);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

namespace {

/// Lowers bodies from the syntax tree as they are asked for.
class PTXBodies : public BodySource {
public:
  PTXBodies(const AST &Tree, Module &M, DiagnosticEngine &Diags)
      : Tree(Tree), M(M), Context(Tree, M, Diags) {}

  /// Lowers the variables and the heads. True on error (reported).
  bool lowerHeads();
  bool lowerBody(InstructionGraph &G) override {
    // Bodies share the module's memory and mnemonics.
    std::lock_guard<std::mutex> Lock(Mutex);
    StageTimer Timer(Stage::Lower);
    GraphBuilder B(G);
    return FunctionLowering(Context, B, Functions, Mnemonics)
        .lower(*Sources.lookup(&G));
  }
  ArrayRef<SourceParameter>
  sourceParameters(const InstructionGraph &Kernel) override;

private:
  const AST &Tree;
  Module &M;
  ModuleLowering Context;
  FunctionMap Functions;
  llvm::DenseMap<const InstructionGraph *, const ptx::Function *> Sources;
  MnemonicMap Mnemonics;
  std::mutex Mutex; ///< of all that a body or debug data adds to the module
  std::optional<DebugParameters> DebugData; ///< once somebody asked for it
  llvm::DenseMap<const InstructionGraph *, ArrayRef<SourceParameter>> Known;
};

} // namespace

ArrayRef<SourceParameter>
PTXBodies::sourceParameters(const InstructionGraph &Kernel) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, IsNew] = Known.try_emplace(&Kernel);
  if (IsNew) {
    if (!DebugData)
      DebugData.emplace(Tree, M.Allocator);
    It->second = ArrayRef(DebugData->of(Kernel)).copy(M.Allocator);
  }
  return It->second;
}

bool PTXBodies::lowerHeads() {
  if (Context.lowerVariables())
    return true;
  for (const ptx::Function *F : Tree.Functions) {
    if (!F->Body)
      continue;
    M.Functions.push_back(std::make_unique<InstructionGraph>());
    InstructionGraph &G = *M.Functions.back();
    G.Parent = &M;
    lowerHead(*F, G);
    Functions[F->Name] = &G;
    Sources[&G] = F;
  }
  // An alias is usually declared before it, so that calls refer to a function
  // without a body.
  for (const Node *N : Tree.Items)
    if (const auto *A = dyn_cast<Alias>(N))
      if (const InstructionGraph *Aliasee =
              Functions.lookup(A->Aliasee->text()))
        Functions.try_emplace(A->Name, Aliasee);
  return false;
}

std::unique_ptr<Module> ptx::lowerLazily(const AST &Tree,
                                         DiagnosticEngine &Diags) {
  auto M = std::make_unique<Module>();
  M->Frontend = FrontendKind::PTX;
  M->ISAVersion = Tree.version();
  M->Target = Tree.architecture();
  M->AddressBits = Tree.AddressBits;
  M->IsTriton = isOfTriton(Tree);
  auto Bodies = std::make_unique<PTXBodies>(Tree, *M, Diags);
  if (Bodies->lowerHeads())
    return nullptr;
  M->Bodies = std::move(Bodies);
  return M;
}

std::unique_ptr<Module> ptx::lower(const AST &Tree, DiagnosticEngine &Diags) {
  std::unique_ptr<Module> M = lowerLazily(Tree, Diags);
  if (!M)
    return nullptr;
  for (const auto &F : M->Functions)
    if (M->Bodies->lowerBody(*F))
      return nullptr;
  M->Bodies.reset(); // nothing is dropped
  return M;
}
