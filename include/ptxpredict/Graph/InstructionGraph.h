//===- InstructionGraph.h - A function in SSA form --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_INSTRUCTIONGRAPH_H
#define PTXPREDICT_GRAPH_INSTRUCTIONGRAPH_H

#include "ptxpredict/Graph/BodyAnalyses.h"
#include "ptxpredict/Graph/Instruction.h"
#include "ptxpredict/Graph/KernelBounds.h"
#include "ptxpredict/Graph/SourceType.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace ptxpredict {

class Module;

/// The first multiple of \p Align (0 like 1) from \p Begin on; the last one of
/// all where there is none.
inline uint64_t placeFrom(uint64_t Begin, uint64_t Align) {
  Align = std::max<uint64_t>(1, Align);
  return llvm::SaturatingAdd(Begin, Align - 1) / Align * Align;
}

/// A formal parameter. Offset is in the parameter space, from 0.
struct Parameter {
  StringRef Name;
  StringRef SourceName; ///< in the source, if the input says it; else empty
  ScalarType Type = ScalarType::B32;
  uint64_t Elements = 1; ///< of an array parameter
  uint64_t Bytes = 0;
  uint64_t Align = 1;
  uint64_t Offset = 0;
  bool IsReturn = false;
  unsigned Position = 0; ///< among the parameters, or among the returns
  /// `.ptr` attributes: the space and alignment of what it points to.
  std::optional<AddressSpace> PointerSpace;
  uint64_t PointerAlign = 0; ///< bytes, 0 if not stated
  /// What it is in the source, if the input says it of a structure.
  const SourceType *Layout = nullptr;

  /// What users know it by.
  StringRef shownName() const { return SourceName.empty() ? Name : SourceName; }
};

/// A piece of an initialiser: raw bytes, or an address that the loader fills
/// in.
struct InitializerAddress {
  uint64_t Offset = 0; ///< bytes from the variable's start
  StringRef Symbol;    ///< a variable or function
  int64_t Addend = 0;
  bool Generic = false; ///< generic(symbol)
  uint64_t Mask = 0;    ///< 0xff…(symbol): which byte, 0 for the whole address
  unsigned Bytes = 8;
};

enum class Linkage : uint8_t { Internal, Visible, Extern, Weak, Common };

struct Variable {
  StringRef Name;
  AddressSpace Space = AddressSpace::Global;
  ScalarType Type = ScalarType::B32;
  Linkage Link = Linkage::Internal;
  unsigned VectorWidth = 1;
  uint64_t Bytes = 0; ///< 0 for `[]`: the launch's dynamic shared memory
  uint64_t Align = 1; ///< bytes
  /// The leading bytes; what is missing up to Bytes is zero.
  ArrayRef<uint8_t> Initializer;
  ArrayRef<InitializerAddress> Addresses;
  unsigned Line = 0;

  /// Where it ends, in bytes, if it lies at the first place for it from
  /// \p Begin on; UINT64_MAX if that is beyond all addresses.
  uint64_t endFrom(uint64_t Begin) const {
    return llvm::SaturatingAdd(placeFrom(Begin, Align), Bytes);
  }
};

/// A virtual register before SSA construction; versions of it are Values.
struct VirtualRegister {
  StringRef Name;
  ScalarType Type = ScalarType::B32;
  /// No value in it is larger, as an unsigned number: what a front end proved.
  uint64_t Max = UINT64_MAX;
};

/// A formal parameter of a device function that is a register.
struct FormalRegister {
  unsigned Register = 0; ///< index into InstructionGraph::Registers
  unsigned Position = 0; ///< as in Parameter
  bool IsReturn = false;
};

/// What an assembler says of a function that is machine code.
struct AssembledResources {
  unsigned Registers = 0;   ///< of a thread
  uint64_t SharedBytes = 0; ///< static
  uint64_t StackBytes = 0;  ///< of a thread, in local memory
  unsigned Barriers = 0;
  uint64_t CodeBytes = 0;
  /// Which accesses are spills is known (MachineFacts::IsSpill).
  bool HasSpills = false;
};

/// One function: a head, and a body of blocks of SSA instructions. The body is
/// there while somebody holds it (Module.h); it is built by GraphBuilder and
/// immutable afterwards.
class InstructionGraph {
public:
  InstructionGraph() = default;
  InstructionGraph(const InstructionGraph &) = delete;
  InstructionGraph &operator=(const InstructionGraph &) = delete;

  // The head.
  StringRef Name;
  bool IsKernel = false;
  Linkage Link = Linkage::Internal;
  unsigned Line = 0;
  KernelBounds Bounds;
  std::vector<Parameter> Parameters; ///< returns of a .func included
  Module *Parent = nullptr;
  /// Of machine code alone.
  std::optional<AssembledResources> Assembled;

  // The body.
  std::vector<const Variable *> LocalVariables; ///< of every space
  std::vector<FormalRegister> FormalRegisters;
  std::vector<VirtualRegister> Registers;
  /// In program order, entry first; blocks that nothing reaches are left out.
  std::vector<Block *> Blocks;
  std::vector<Value *> Values;         ///< by id
  unsigned NumInstructions = 0;        ///< pseudo instructions included
  unsigned NumDroppedInstructions = 0; ///< in unreachable blocks
  /// What the body lies in.
  struct BodyMemory {
    llvm::BumpPtrAllocator Arena; ///< instructions, operands, local variables
    llvm::SpecificBumpPtrAllocator<Block> Blocks;
    llvm::SpecificBumpPtrAllocator<Value> Values;

    template <typename T>
    MutableArrayRef<T> copy(ArrayRef<T> Elements) {
      T *Place = Arena.Allocate<T>(Elements.size());
      std::uninitialized_copy(Elements.begin(), Elements.end(), Place);
      return {Place, Elements.size()};
    }
  };
  std::unique_ptr<BodyMemory> Memory; ///< null without a body

  /// "a structure of 40 bytes", "a tensor map", …: what a kernel's parameter is
  /// as far as its type, its place and the body, if it is there, say it; else
  /// empty.
  std::string describe(const Parameter &P) const;

  void dropBody();

  /// An analysis of the body, made when it is first asked for and kept as long
  /// as the body is. Any number of threads may ask.
  template <typename AnalysisT>
  const AnalysisT &analysis() const {
    return Analyses.get<AnalysisT>(*this);
  }

  // What LLVM's generic analyses ask of a function.
  StringRef getName() const { return Name; }
  Block &front() const { return *Blocks.front(); }
  using iterator = llvm::pointee_iterator<std::vector<Block *>::const_iterator>;
  iterator begin() const { return iterator(Blocks.begin()); }
  iterator end() const { return iterator(Blocks.end()); }

  /// Calls \p Fn for every instruction that a machine would execute.
  template <typename FnT>
  void forEachInstruction(FnT Fn) const {
    for (const Block *B : Blocks)
      for (const Instruction *I : B->Instructions)
        if (!I->isPseudo())
          Fn(*I);
  }
  void print(raw_ostream &OS) const;    ///< --dump=graph
  void printDOT(raw_ostream &OS) const; ///< --dump=dot

private:
  mutable BodyAnalyses Analyses;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_INSTRUCTIONGRAPH_H
