//===- ModuleLowering.h - What all functions of a module share --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_MODULELOWERING_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_MODULELOWERING_H

#include "IntrinsicPatterns.h"
#include "SourceTypes.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "ptxpredict/Frontend/PTX/Fragment.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/StringSaver.h"

namespace llvm {
class DILocation;
class Function;
class GlobalVariable;
} // namespace llvm

namespace ptxpredict::llvmir {

/// The space of an NVPTX address space's number
/// (llvm/Support/NVPTXAddrSpace.h).
AddressSpace spaceOf(unsigned Number);

/// Variables, functions, mnemonics and source locations.
class ModuleLowering {
public:
  ModuleLowering(const llvm::Module &IR, Module &M, DiagnosticEngine &Diags);

  const llvm::Module &ir() const { return IR; }
  Module &module() { return M; }
  DiagnosticEngine &diags() { return Diags; }
  const llvm::DataLayout &layout() const;
  /// The compute capability of the target, such as 90.
  unsigned capability() const { return Capability; }

  /// Makes the graph's variables of all that the module defines.
  void lowerVariables();
  /// The graph's variable; null for one that has none (llvm.used …).
  const Variable *variable(const llvm::GlobalVariable &V) const {
    return Variables.lookup(&V);
  }
  /// The graph of a function that has a body; null for others.
  const InstructionGraph *graph(const llvm::Function &F) const {
    return Graphs.lookup(&F);
  }
  void addGraph(const llvm::Function &F, const InstructionGraph &G) {
    Graphs[&F] = &G;
  }

  /// What all instructions with \p Mnemonic and that many operands share.
  const ptx::WrittenMnemonics::Entry &mnemonic(StringRef Mnemonic,
                                               unsigned NumOperands,
                                               bool HasReturnList = false) {
    return Mnemonics.find(Mnemonic, NumOperands, HasReturnList);
  }

  /// The row of NVVMIntrinsics.def for the intrinsic \p ID, whose name without
  /// `llvm.nvvm.` is \p Name.
  IntrinsicMatch intrinsic(llvm::Intrinsic::ID ID, StringRef Name) {
    auto [It, IsNew] = Intrinsics.try_emplace(ID);
    if (IsNew)
      It->second = matchIntrinsic(Name);
    return It->second;
  }

  /// Reports an error of the module as a whole. True.
  bool error(const Twine &Message) {
    Diags.error(SMLoc(), Message);
    return true;
  }
  /// The number of the next function's stack.
  unsigned nextDepot() { return NumDepots++; }
  /// Texts of inline assembly, parsed; null for what is not understood.
  llvm::StringMap<std::unique_ptr<ptx::Fragment>> &fragments() {
    return Fragments;
  }
  unsigned countUnreadAsm() { return ++NumUnreadAsm; }
  /// A note at the line of \p I.
  void note(const llvm::Instruction &I, const Twine &Message);

  SourceTypes &sourceTypes() { return Sources; }
  /// A text that lives as long as the module, as it can be shown.
  StringRef keep(const Twine &Text) {
    return Texts.save(printable(Text.str()));
  }
  /// The location and those that it is inlined at; null for none.
  const SourceLocation *location(const llvm::DILocation *L);
  /// All that were asked for, in that order.
  ArrayRef<std::pair<const llvm::DILocation *, const SourceLocation *>>
  locations() const {
    return Locations.getArrayRef();
  }
  /// The line of an instruction in the input; 0 if nobody knows it.
  static unsigned line(const llvm::Instruction &I);

private:
  void noteModuleAsm();

  const llvm::Module &IR;
  Module &M;
  DiagnosticEngine &Diags;
  unsigned Capability = 0, NumDepots = 0;
  llvm::UniqueStringSaver Texts;
  llvm::DenseMap<const llvm::GlobalVariable *, const Variable *> Variables;
  llvm::DenseMap<const llvm::Function *, const InstructionGraph *> Graphs;
  ptx::WrittenMnemonics Mnemonics{M.Allocator};
  llvm::DenseMap<llvm::Intrinsic::ID, IntrinsicMatch> Intrinsics;
  llvm::MapVector<const llvm::DILocation *, const SourceLocation *> Locations;
  llvm::StringMap<std::unique_ptr<ptx::Fragment>> Fragments;
  unsigned NumUnreadAsm = 0;
  SourceTypes Sources{M.Allocator};
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_MODULELOWERING_H
