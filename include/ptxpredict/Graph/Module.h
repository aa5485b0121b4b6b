//===- Module.h - All functions and variables of one input ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_MODULE_H
#define PTXPREDICT_GRAPH_MODULE_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/Support/FrontendKind.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"
#include <condition_variable>
#include <mutex>

namespace ptxpredict {

/// Where functions get their bodies from: a front end, whose syntax tree is
/// smaller than the graphs.
class BodySource {
public:
  virtual ~BodySource();
  /// Builds the body of \p G. True on error (reported). May be called in
  /// several threads at once, each for a function of its own.
  virtual bool lowerBody(InstructionGraph &G) = 0;
  /// What debug information says of \p Kernel's parameters, as many as there
  /// are; empty if it says nothing. Lives as long as the module.
  virtual ArrayRef<SourceParameter>
  sourceParameters(const InstructionGraph &Kernel);
};

/// The compute capability of a target: 90 for "sm_90a", 0 for other text.
unsigned targetCapability(StringRef Target);

/// What one input file became. Names are views into the input's text, which
/// must live longer.
class Module {
public:
  FrontendKind Frontend = FrontendKind::PTX;
  StringRef ISAVersion; ///< "9.0"
  StringRef Target;     ///< "sm_90a"
  unsigned AddressBits = 64;
  bool IsTriton = false; ///< Triton made it, as its debug data says
  std::vector<std::unique_ptr<InstructionGraph>> Functions; ///< with bodies
  std::vector<const Variable *> Variables;                  ///< of module scope
  llvm::BumpPtrAllocator Allocator; ///< of what all functions share
  std::unique_ptr<BodySource> Bodies;

  Module() = default;
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  InstructionGraph *function(StringRef Name) const;
  /// 90 for "sm_90a", 0 without a target.
  unsigned targetCapability() const {
    return ptxpredict::targetCapability(Target);
  }

  /// What the source calls a kernel's parameters, where only its debug
  /// information says it: read when somebody first asks, in any thread. Empty
  /// if nothing is known, and where Parameter itself has the names.
  ArrayRef<SourceParameter>
  sourceParameters(const InstructionGraph &Kernel) const;

  /// The dumps need the bodies of all functions.
  void print(raw_ostream &OS) const;
  void printDOT(raw_ostream &OS) const;

private:
  friend class HeldBodies;
  mutable std::mutex Mutex; ///< of all below
  llvm::DenseMap<const InstructionGraph *, unsigned> Holders;
  llvm::DenseSet<const InstructionGraph *> InWork; ///< they are being lowered
  std::condition_variable WorkDone;                ///< one is so no longer
};

/// The functions that \p G reaches by calls, through their names as operands or
/// in the initialisers of variables; itself first. All their bodies must be
/// there.
std::vector<const InstructionGraph *> calledFrom(const InstructionGraph &G);

/// Holds the bodies of a kernel and of the functions that it reaches as long as
/// it lives. May be made in several threads at once.
///
/// A kernel's body that nobody holds is dropped, and lowered again when it is
/// needed: a module takes no more memory than the kernels at work and what any
/// kernel called, which stays since others may call it too. A body whose module
/// has no BodySource stays.
class HeldBodies {
public:
  explicit HeldBodies(const InstructionGraph &Kernel);
  ~HeldBodies();
  HeldBodies(const HeldBodies &) = delete;
  HeldBodies &operator=(const HeldBodies &) = delete;

  /// A body could not be lowered (reported); not all functions are there then.
  bool failed() const { return Failed; }

private:
  Module &M;
  bool Failed = false;
  std::vector<const InstructionGraph *> Functions;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_MODULE_H
