//===- Cubin.h - Machine code for one architecture --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_CUBIN_H
#define PTXPREDICT_FRONTEND_SASS_CUBIN_H

#include "ptxpredict/Graph/KernelBounds.h"
#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ptxpredict::sass {

/// A kernel's parameter, in bank 0 of constants.
struct CubinParameter {
  unsigned Position = 0;
  unsigned Offset = 0; ///< from the first parameter on
  unsigned Bytes = 0;
};

/// Where the jump by a table at an address of code may lead to, in the order of
/// the table.
struct CubinJump {
  uint64_t Address = 0;
  std::vector<uint64_t> Targets;
};

/// A function of a cubin, with what a launch of it needs. What no record says
/// is 0 or nothing.
struct CubinFunction {
  std::string Name;                   ///< mangled
  bool IsKernel = false;              ///< else it is called by others
  uint64_t Offset = 0, CodeBytes = 0; ///< of its code in the cubin
  std::optional<unsigned> Registers;
  std::optional<unsigned> RegisterCap; ///< that the compiler kept to
  uint64_t FrameBytes = 0;             ///< of a thread, of local memory
  uint64_t StackBytes = 0; ///< the same with what it calls, as far as known
  uint64_t SharedBytes = 0;
  unsigned Barriers = 0;
  unsigned ParameterBase = 0, ParameterBytes = 0; ///< in bank 0
  std::vector<CubinParameter> Parameters;         ///< by position
  KernelBounds Bounds;        ///< most and required threads, clusters
  uint64_t ConstantBytes = 0; ///< of bank 0
  std::vector<CubinJump> Jumps;
  /// Addresses of the loads and stores that keep registers in memory, in order;
  /// nothing where the compiler does not list them.
  std::optional<std::vector<uint64_t>> Spills;
};

/// What a cubin says of its code, which lies in its bytes.
struct Cubin {
  unsigned Architecture = 0; ///< 90
  std::string Target;        ///< "sm_90a", "sm_90" where nobody says more
  unsigned ABIVersion = 0;
  bool IsLinked = false; ///< it may run as it is
  bool HasLines = false; ///< a table leads from code to lines of sources
  std::vector<CubinFunction> Functions; ///< in the order of the file
  /// Damage that leaves other functions readable, with section and offset.
  std::vector<std::string> Problems;

  unsigned numKernels() const;
};

/// Whether a file begins as a cubin does.
bool isCubin(StringRef Bytes);

/// Reads a cubin; an error if that is none, or nothing of it can be read.
llvm::Expected<Cubin> readCubin(StringRef Bytes);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_CUBIN_H
