//===- ISA.h - Classes, types and spaces common to all ISAs -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ISA_ISA_H
#define PTXPREDICT_ISA_ISA_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <optional>

namespace ptxpredict {

/// What kind of machine work an instruction is, for every instruction set.
enum class OpClass : uint8_t {
#define OP_CLASS(NAME, TEXT) NAME,
#include "ptxpredict/ISA/OpClasses.def"
};
constexpr unsigned NumOpClasses = unsigned(OpClass::Other) + 1;

/// The name in reports and JSON, such as "fp32".
StringRef toString(OpClass C);

/// The type of a register, variable or parameter element.
enum class ScalarType : uint8_t {
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND) NAME,
#include "ptxpredict/ISA/Types.def"
};
enum class TypeKind : uint8_t { Unsigned, Signed, Float, Bits, Pred, Opaque };

StringRef toString(ScalarType T); ///< "u32", without the dot
unsigned bitWidth(ScalarType T);
TypeKind kindOf(ScalarType T);
/// The type named \p Name ("u32", no dot), if there is one.
std::optional<ScalarType> parseScalarType(StringRef Name);

/// Where an access goes. Generic is an address whose space the code does not
/// name.
enum class AddressSpace : uint8_t {
  Register,
  Generic,
  Global,
  Shared,
  Local,
  Const,
  Param,
  Texture
};
StringRef toString(AddressSpace S); ///< "global", …

enum class AccessKind : uint8_t { Load, Store, Atomic, Async, Prefetch };
StringRef toString(AccessKind K); ///< "load", …

/// What an instruction does with an operand.
enum class OperandRole : uint8_t {
  Write,     ///< a register (or vector, or `_`) that is written
  Read,      ///< a register, immediate, symbol or vector that is read
  ReadWrite, ///< a register (or vector) that is read and written in place
  Address,   ///< `[base+offset]`, also with tensor coordinates
  Label,     ///< a branch target or a list of targets
  Callee     ///< the function of a call
};

/// The memory side of an instruction.
struct MemoryEffect {
  AddressSpace Space = AddressSpace::Generic;
  AccessKind Access = AccessKind::Load;
  /// Of one thread's access, vector included; 0: not per lane (bulk).
  unsigned BytesPerLane = 0;
  /// The direction, which Access does not tell for Async.
  bool Reads = false;
  bool Writes = false;
  /// Index of the Address operand within the instruction's operands.
  unsigned AddressOperand = 0;
  /// Index of the operand that holds the number of bytes, if one does:
  /// cp.async's is an immediate and per lane, that of bulk copies may be a
  /// register and is for the whole copy.
  int BytesOperand = -1;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ISA_ISA_H
