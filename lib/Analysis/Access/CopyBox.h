//===- CopyBox.h - What a bulk copy moves of global memory ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A lane that executes a bulk copy moves a row of bytes, or of a tensor a box
// with up to five axes, clipped where it lies outside of the tensor.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_COPYBOX_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_COPYBOX_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include <functional>

namespace ptxpredict::counting {

/// Units of memory that a copy touches.
struct BoxCosts {
  double Sectors = 0, Lines = 0;
};

/// A copy by lanes that each move a box.
struct CopyBox {
  /// The box along one dimension, the innermost first.
  struct Axis {
    uint64_t Count = 1;      ///< elements that a whole box has
    uint64_t StrideBits = 8; ///< of memory, from one to the next
    /// Of the tensor, from one to the next.
    uint64_t Step = 1;
    /// Where the first one lies in the tensor, and the tensor's extent: signed
    /// numbers of 64 bits. Null where all of them lie inside.
    const Expression *At = nullptr, *Extent = nullptr;
    unsigned AtRoot = 0, ExtentRoot = 0; ///< among the block's expressions
  };
  SmallVector<Axis, 2> Axes;
  uint64_t ArrayBytes = 0; ///< of the tensor; 0: nobody knows
  /// Bytes of which its address is a multiple, a power of two.
  unsigned Align = 16;
  /// The size is a guess: a request may take so many sectors, but no more.
  double MostSectors = 0;
  /// Who gives the size, for an assumption: a tensor map's parameter. Empty for
  /// the size operand.
  std::string Map;
  /// It is taken to lie inside of its tensor, which this symbol decides; null
  /// where coordinates are known.
  const Symbol *Open = nullptr;
  /// The least and the most of a request, wherever it lies, by findBounds().
  BoxCosts Least, Most;

  bool isAssumed() const { return MostSectors != 0; }
  bool mayBeClipped() const;
  void findBounds();
  uint64_t bytes() const; ///< of a whole box
};

/// What of a box's axes lies in the tensor, from First on.
struct BoxPart {
  struct Range {
    uint64_t First = 0, Count = 0;
  };
  SmallVector<Range, 2> Axes;
  bool isEmpty() const;
  bool isWholeOf(const CopyBox &Box) const;
};

/// The part of \p Box where its axes begin at \p At and the tensor has the
/// extents \p Extents.
BoxPart clip(const CopyBox &Box, ArrayRef<int64_t> At,
             ArrayRef<int64_t> Extents);
/// All of it.
BoxPart wholeOf(const CopyBox &Box);

/// Sectors and lines of a part of a box that begins at \p Address. A sector or
/// line in which one row ends and the next begins counts once.
BoxCosts countBox(const CopyBox &Box, const BoxPart &Part, uint64_t Address);

/// A box with the address of its first element.
struct FoundBox {
  std::shared_ptr<CopyBox> Box;
  const Expression *Address = nullptr; ///< null: open
};

/// Finds what the bulk copies of a kernel move.
class CopyBoxFinder {
public:
  /// \p Expected: bytes that an mbarrier expects of a copy; 0 where nobody
  /// says.
  CopyBoxFinder(const InstructionGraph &Kernel, const LaunchConfig &Launch,
                std::function<uint64_t(const Instruction &)> Expected)
      : Kernel(Kernel), Launch(Launch), Expected(std::move(Expected)) {}

  /// Of the effect \p E on global memory; nothing for what is no bulk copy.
  std::optional<FoundBox> find(const SymbolicValues &V, const Instruction &I,
                               const MemoryEffect &E) const;

private:
  FoundBox findRow(const SymbolicValues &V, const Instruction &I,
                   const MemoryEffect &E) const;
  static FoundBox findTile(const SymbolicValues &V, const TensorMapSpec &Map,
                           ArrayRef<const Expression *> At);
  FoundBox assumeTile(const SymbolicValues &V, const Instruction &I,
                      const Expression *MapAddress,
                      ArrayRef<const Expression *> At) const;

  const InstructionGraph &Kernel;
  const LaunchConfig &Launch;
  const std::function<uint64_t(const Instruction &)> Expected;
};

/// The tensor map that lies at an address, by the launch; null where nobody
/// says.
const TensorMapSpec *findTensorMap(const Expression &Address,
                                   const InstructionGraph &Kernel,
                                   const LaunchConfig &Launch);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_COPYBOX_H
