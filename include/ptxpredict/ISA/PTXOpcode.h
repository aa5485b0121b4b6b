//===- PTXOpcode.h - What each PTX instruction is ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ISA_PTXOPCODE_H
#define PTXPREDICT_ISA_PTXOPCODE_H

#include "ptxpredict/ISA/ISA.h"
#include <string>

namespace ptxpredict::ptx {

/// One enumerator for each row of PTXOpcodes.def, and Unknown.
enum class Opcode : uint16_t {
  Unknown,
#define PTX_OPCODE(NAME, TEXT, ...) NAME,
#include "ptxpredict/ISA/PTXOpcodes.def"
};

/// What syntax an operand may have; a set of bits.
enum OperandForm : uint16_t {
  FormRegister = 1, ///< a register of any type, predicates too
  FormImmediate = 2,
  FormVector = 4,     ///< `{a, b}`
  FormAddress = 8,    ///< `[…]`
  FormSymbol = 16,    ///< a variable, function or label by name
  FormSink = 32,      ///< `_`
  FormPredicate = 64, ///< a predicate register negated with `!`
  FormPair = 128,     ///< `p|q`
  FormList = 256,     ///< `(a, b)`
  FormSpecial = 512   ///< a special register such as `%tid.x`
};

/// One operand of a signature. Where Checked, a register's declared type must
/// agree with Type (each element's, for a vector or pair): the same size, and
/// kinds that go together, which are bits with everything, signed with
/// unsigned, and otherwise only a type with itself (PTX ISA 9.3 and 9.4).
struct OperandInfo {
  OperandRole Role = OperandRole::Read;
  uint16_t Forms = 0;
  bool Checked = false;      ///< the declared type must agree with Type
  bool MayBeWider = false;   ///< ld, st, cvt: the register may be wider
  bool VectorShares = false; ///< mov: a vector's elements share Type's bits
  ScalarType Type = ScalarType::B32;
};

/// A mnemonic cut into its table row and what follows.
/// `ld.global.v2.f32` is {Ld, ".global.v2.f32"}.
struct DecodedOpcode {
  Opcode Op = Opcode::Unknown;
  StringRef Modifiers; ///< with their leading dots; empty without
};

/// The row whose dotted name is the longest prefix of \p Mnemonic.
DecodedOpcode decode(StringRef Mnemonic);

StringRef name(Opcode Op); ///< "cp.async.bulk"; "" for Unknown

/// True if \p Modifiers (with dots) contains \p Name ("ftz") as one of its
/// parts.
bool hasModifier(StringRef Modifiers, StringRef Name);

/// True if one of \p Names is a part of \p Modifiers.
bool hasAnyModifier(StringRef Modifiers, ArrayRef<StringRef> Names);

/// What a load's modifiers say of L1: its cache operator (.ca, .cg, .cv), .nc,
/// and that it is not a weak one (ISA, ld, "Cache Operators").
enum class LoadCaching { ByDevice, InL1, PastL1 };
LoadCaching loadCaching(StringRef Modifiers);

/// The class that one executed warp instruction counts in.
OpClass classify(Opcode Op, StringRef Modifiers);

/// The operands that \p Op with \p Modifiers takes when it is written with
/// \p NumOperands of them (the guard is none of them; `p|q` and a vector are
/// one). False if it takes no such number. Unknown opcodes accept anything: the
/// first operand is a Write, `[…]` an Address, the rest Read. For a call,
/// \p HasReturnList says whether the first of them is a list of return values.
bool operands(Opcode Op, StringRef Modifiers, unsigned NumOperands,
              SmallVectorImpl<OperandInfo> &Out, bool HasReturnList = false);

/// "2", "3 or 4": for the message about a wrong number of operands.
std::string operandCounts(Opcode Op, StringRef Modifiers);

/// The instruction's memory effects in operand order (cp.async has two); empty
/// for anything that touches no memory.
void memoryEffects(Opcode Op, StringRef Modifiers, unsigned NumOperands,
                   SmallVectorImpl<MemoryEffect> &Out);

/// The type of the registers that hold an element of the last type modifier,
/// which is the type of the operation: B16 for `.bf16`.
std::optional<ScalarType> operationType(StringRef Modifiers);

bool isBranch(Opcode Op); ///< bra, brx.idx
bool isExit(Opcode Op);   ///< ret, exit, trap
bool isCall(Opcode Op);
/// bar and barrier at block or cluster scope, arrivals included.
bool isBlockBarrier(Opcode Op);
bool isMemoryBarrier(Opcode Op); ///< membar, fence
/// Waits for asynchronous copies: cp.async.wait_*, mbarrier.*_wait,
/// wgmma.wait_group …
bool isAsyncWait(Opcode Op);
/// Reads the value of another lane: shfl, vote, match, redux, activemask,
/// elect.
bool isCrossLane(Opcode Op);

/// Registers that the hardware provides, `%tid.x` …: true if \p Name is one,
/// with its `%`.
bool isSpecialRegister(StringRef Name);
/// The type that a special register is read as; of `%tid` that of an element.
ScalarType specialRegisterType(StringRef Name);
/// 4 for a vector such as `%tid`, 1 for `%tid.x` and `%laneid`.
unsigned specialRegisterElements(StringRef Name);

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_ISA_PTXOPCODE_H
