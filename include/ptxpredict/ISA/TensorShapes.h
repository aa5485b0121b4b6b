//===- TensorShapes.h - Shapes of tcgen05.mma -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ISA_TENSORSHAPES_H
#define PTXPREDICT_ISA_TENSORSHAPES_H

namespace ptxpredict {

/// Rows and columns of D, with what says which of them a tcgen05.mma has.
struct TensorShape {
  unsigned M = 0, N = 0;
  unsigned NumBlocks = 1;    ///< .cta_group
  bool IsStationary = false; ///< .ws
  bool IsScaled = false;     ///< .block_scale
  bool IsInteger = false;    ///< .kind::i8
};

/// Whether there is such a shape (PTX ISA, "Shape of tcgen05.mma").
bool hasTensorShape(const TensorShape &S);

} // namespace ptxpredict

#endif // PTXPREDICT_ISA_TENSORSHAPES_H
