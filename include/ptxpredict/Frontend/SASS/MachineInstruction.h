//===- MachineInstruction.h - Machine code, decoded --------------*- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Of architectures from sm_70 on, whose instructions have 128 bits. The tables
// are ISA/SASSOperations.def, ISA/SASSFields.def and ISA/SASSRests.def.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_MACHINEINSTRUCTION_H
#define PTXPREDICT_FRONTEND_SASS_MACHINEINSTRUCTION_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ptxpredict::sass {

constexpr unsigned InstructionBytes = 16;
/// Before sm_70 instructions had other forms.
constexpr unsigned FirstArchitecture = 70;

/// The 128 bits of an instruction.
struct Encoding {
  uint64_t Low = 0, High = 0;

  /// The number in \p Width bits, at most 64, from \p Lowest on.
  uint64_t bits(unsigned Lowest, unsigned Width) const;
  bool bit(unsigned At) const { return bits(At, 1) != 0; }
  /// Puts the lowest bits of \p Value there.
  void set(unsigned Lowest, unsigned Width, uint64_t Value);
};

/// What decides when an instruction is issued.
struct ControlCode {
  unsigned Stall = 0; ///< cycles until the next one of the warp
  bool Yields = false;
  /// Scoreboards that it sets until its result is there, and until its operands
  /// are read; nothing if none.
  std::optional<unsigned> WriteBarrier, ReadBarrier;
  unsigned WaitMask = 0;  ///< scoreboards that it waits for
  unsigned ReuseMask = 0; ///< sources that stay in the operand cache
};
ControlCode controlOf(Encoding E);

enum class OperandKind : uint8_t {
  Register,             ///< R12; 255 is RZ
  Uniform,              ///< UR4; UniformZero is URZ
  Predicate,            ///< P3; 7 is PT
  UniformPredicate,     ///< UP3
  Barrier,              ///< B2, where diverged lanes meet
  Special,              ///< SR_TID.X, by number
  Integer,              ///< signed
  Hexadecimal,          ///< unsigned
  Float,                ///< the bits of one
  Double,               ///< the upper half of one
  Half,                 ///< the bits of one
  BFloat,               ///< the bits of one
  Constant,             ///< c[bank][offset]
  Memory,               ///< an address
  Target,               ///< an address of code, in bytes from the function on
  AllPredicates,        ///< PR
  Scoreboard,           ///< SB0
  Scoreboards,          ///< {2,0}, a bit of Value for each
  WarpgroupBoard,       ///< gsb0, of products of matrices
  MatrixDescriptor,     ///< gdesc[UR4]
  RelativeAddress,      ///< what is added to an address of code
  TextureShape,         ///< 2D, by number
  TextureQuery,         ///< what is asked of a texture, by number
  CacheHint,            ///< desc[UR4]
  ReturnCounter,        ///< Rpc.LO
  TensorMemory,         ///< tmem[UR4+0x20]
  InstructionDescriptor ///< idesc[UR5], behind the register that is encoded
};

/// How URZ is numbered, for all architectures.
constexpr unsigned UniformZero = 255;

/// An operand as it is decoded; what has no meaning for its kind is 0. There is
/// one for each of a module's registers, numbers and addresses, so that what is
/// small lies together.
struct MachineOperand {
  OperandKind Kind = OperandKind::Register;
  static constexpr unsigned RegisterZero = 255;

  /// Which part of a register it is, or how a matrix lies in it.
  enum PartTy : uint8_t {
    Whole,
    AsFloat,
    LowHalf,
    HighHalf,
    Rows,
    Columns,
    Upper,
    Sign,
    Pair,      ///< a register of 64 bits with two floats
    Shifted8,  ///< of two bits that say it: 1, of which no use is known
    Shifted24, ///< what other values are put behind
    Shifted28,
    Byte1, ///< that is taken of the register
    Byte2,
    Byte3,
    FirstMatrix, ///< of a product, which may stay in the tensor core
    SecondMatrix
  };
  PartTy Part = Whole;
  uint8_t Row = 0;   ///< which of the operation's operands it is
  uint8_t Scale = 0; ///< of an address: its register is multiplied by 4, 8 or
                     ///< 16; 0 is 1
  unsigned Number = RegisterZero; ///< of a register, predicate, bank
  bool Negated = false, Inverted = false, Absolute = false, Reused = false;
  bool IsHidden = false; ///< it has no effect, and is not printed
  // Of a matrix: whether the tensor core has it already and keeps it, and
  // where.
  bool IsHeld = false, StaysHeld = false;
  uint8_t Buffer = 0;
  int64_t Value = 0; ///< of an immediate, an offset, a target
  // Of an address.
  std::optional<unsigned> Offset; ///< a uniform register that is added; of a
                                  ///< constant the register that is its index
  std::optional<unsigned> Descriptor;
  bool IsUniformIndex = false;
  bool HidesDescriptor = false; ///< before sm_90 it is not printed
  enum WidthTy : uint8_t { Plain, Bits32, Bits64 }; ///< R2, R2.U32, R2.64
  WidthTy Width = Plain;
  bool ShowsZeroOffset = false; ///< [R2+URZ]
  /// Of a descriptor of two matrices; Negated is of the first one.
  bool FirstTransposed = false, SecondTransposed = false, SecondNegated = false;
};

struct OperationRow;

struct MachineInstruction {
  const OperationRow *Operation = nullptr; ///< null: not known
  unsigned Form = 0;                       ///< which source is no register
  unsigned Guard = 7;                      ///< the predicate; 7 is PT
  bool GuardIsNegated = false, GuardIsUniform = false;
  SmallVector<StringRef, 4> Modifiers; ///< in the order of printing
  /// What the bits of these hold, in the order of the table.
  SmallVector<uint8_t, 8> Values;
  SmallVector<MachineOperand, 6> Operands;
  ControlCode Control;

  StringRef mnemonic() const; ///< "FADD"; empty if the operation is not known
  /// Whether \p Word is one of the modifiers. It is asked so often that most of
  /// the others are told apart before a comparison is called.
  bool has(StringRef Word) const {
    for (StringRef Other : Modifiers)
      if (Other.size() == Word.size() && Other.front() == Word.front() &&
          Other == Word)
        return true;
    return false;
  }
};

/// Decodes an instruction of \p Architecture (90) at \p Address of its
/// function.
MachineInstruction decode(Encoding E, unsigned Architecture, uint64_t Address);
/// The same into \p I, which nothing was decoded into before.
void decodeInto(MachineInstruction &I, Encoding E, unsigned Architecture,
                uint64_t Address);

/// The bits that \p I has been decoded from, made of its fields alone; nothing
/// if it is not known or has not the fields of its operation.
std::optional<Encoding> encode(const MachineInstruction &I,
                               unsigned Architecture, uint64_t Address);

/// "@!P0 FADD.FTZ R2, R3, -R4.reuse"; of what is not known ".inst 0x…, 0x…".
void print(const MachineInstruction &I, Encoding E, raw_ostream &OS);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_MACHINEINSTRUCTION_H
