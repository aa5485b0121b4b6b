//===- LoweringImpl.h - Parts of the lowering -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_LOWERINGIMPL_H
#define PTXPREDICT_LIB_FRONTEND_PTX_LOWERINGIMPL_H

#include "DebugSections.h"
#include "ptxpredict/Frontend/PTX/Fragment.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"
#include <unordered_map>

namespace ptxpredict::ptx {

/// The graph's counterparts, whose names the tree has too.
namespace graph {
using ptxpredict::Linkage;
using ptxpredict::Operand;
using ptxpredict::Variable;
} // namespace graph

graph::Linkage lowerLinkage(uint8_t Links);
/// Whether debug data names Triton as the producer.
bool isOfTriton(const AST &Tree);

/// Module-wide state: variables, files and function names of debug data.
class ModuleLowering {
public:
  ModuleLowering(const AST &Tree, Module &M, DiagnosticEngine &Diags)
      : Tree(Tree), M(M), Diags(Diags), Texts(M.Allocator) {}

  /// True on error (reported).
  bool lowerVariables();
  /// The graph's variable for \p V of module or body, which lies in \p Arena.
  /// Null on error.
  graph::Variable *lowerVariable(const Variable &V, uint8_t Links,
                                 llvm::BumpPtrAllocator &Arena);
  /// \p V stands for one that the graph has already.
  void setVariable(const Variable &V, const graph::Variable *G) {
    Variables[&V] = G;
  }
  const graph::Variable *variable(const Variable *V) const {
    return Variables.lookup(V);
  }
  StringRef file(uint32_t Index);
  /// The name that `function_name` gives, read from the debug strings.
  StringRef debugFunctionName(const Operand &Label);
  /// \p Text itself if it lies in the input, else a copy in the module.
  StringRef keepText(StringRef Text);
  ArrayRef<MemoryEffect> keep(ArrayRef<MemoryEffect> Effects) {
    return Effects.copy(M.Allocator);
  }
  /// Reports an error at \p Place of the input. True.
  bool error(const char *Place, const Twine &Message) {
    Diags.error(SMLoc::getFromPointer(Place), Message);
    return true;
  }

private:
  bool lowerInitializer(const Variable &V, graph::Variable &Out,
                        llvm::BumpPtrAllocator &Arena);

  const AST &Tree;
  Module &M;
  DiagnosticEngine &Diags;
  llvm::UniqueStringSaver Texts;
  llvm::DenseMap<const Variable *, const graph::Variable *> Variables;
  bool HaveFiles = false;
  /// No DenseMap: `.file` takes any number, and two are its own.
  std::unordered_map<uint64_t, StringRef> Files;
  std::optional<DebugSections> Strings; ///< of debug data
};

/// Functions by name, made before any body is lowered, since calls refer to
/// them.
using FunctionMap = llvm::StringMap<const InstructionGraph *>;

/// What all occurrences of a mnemonic share in the graph.
struct LoweredMnemonic {
  InstructionInfo Info;
  ArrayRef<OperandInfo> Signature;
};
using MnemonicMap = llvm::DenseMap<const Mnemonic *, LoweredMnemonic>;

/// Lowers one function's body, or statements that stand among others.
class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &Context, GraphBuilder &B,
                   const FunctionMap &Functions, MnemonicMap &Mnemonics)
      : Context(Context), B(B), Functions(Functions), Mnemonics(Mnemonics) {}

  /// True on error (reported).
  bool lower(const Function &F);

  /// Lowers statements with each of \p Names standing for the register of the
  /// graph at its place in \p Registers. All take \p At as their place. True on
  /// error (reported).
  bool lowerAmongOthers(const Block &Statements,
                        ArrayRef<const Variable *> Names,
                        ArrayRef<unsigned> Registers,
                        const FragmentLocation &At);

private:
  void findParameters(ArrayRef<Variable *> List, bool IsReturn);
  bool lowerBlock(const Block &Body);
  bool lowerDeclaration(const Declaration &D);
  void lowerLoc(const Loc &L);
  void lowerInstruction(const Instruction &I);
  void lowerCall(const Instruction &I, SmallVectorImpl<graph::Operand> &Out);
  const LoweredMnemonic &mnemonic(const Mnemonic &Op);
  ptxpredict::Block *block(const Label &L);

  graph::Operand lowerOperand(const Operand &O, OperandRole Role,
                              ScalarType Type);
  graph::Operand lowerName(const Operand &O, OperandRole Role);
  graph::Operand lowerAddress(const Operand &O, OperandRole Role);
  graph::Operand lowerFloat(const Operand &O, ScalarType Type);
  graph::Operand lowerTargets(const Targets &T);
  graph::Operand aggregate(graph::Operand::KindTy K,
                           ArrayRef<graph::Operand> Elements, OperandRole Role);
  unsigned registerIndex(const Variable &V, uint32_t Number, StringRef Name);

  ModuleLowering &Context;
  GraphBuilder &B;
  const FunctionMap &Functions;
  MnemonicMap &Mnemonics;
  llvm::DenseMap<std::pair<const Variable *, uint32_t>, unsigned> Registers;
  llvm::DenseMap<const Variable *, unsigned> ParameterIndex;
  /// The last location of each place, for what is inlined at it.
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, const SourceLocation *> Places;
  const SourceLocation *Source = nullptr;
  /// The place of all that is lowered; null for each statement's own.
  const FragmentLocation *Fixed = nullptr;
  /// Of statements that may be lowered again for the same graph.
  llvm::DenseMap<const Label *, ptxpredict::Block *> Labels;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_LOWERINGIMPL_H
