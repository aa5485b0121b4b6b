//===- Codec.h - Fields of bits, read or written ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One description of the fields serves both directions: transfer() reads a
// field of the bits into an instruction, or writes it there.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_CODEC_H
#define PTXPREDICT_LIB_FRONTEND_SASS_CODEC_H

#include "OperationTable.h"
#include "llvm/Support/MathExtras.h"
#include <type_traits>

namespace ptxpredict::sass {

/// Bits 9 to 11 of an instruction: which source is no register.
enum class Form : uint8_t {
  Registers = 1,
  ThirdImmediate = 2,
  ThirdConstant = 3,
  SecondImmediate = 4,
  SecondConstant = 5,
  SecondUniform = 6,
  ThirdUniform = 7
};

constexpr unsigned PredicateTrue = 7;
/// Where sources lie, and the predicate that .X and the like are.
constexpr unsigned FirstAt = 24, SecondAt = 32, ThirdAt = 64, XBit = 74,
                   EXBit = 72, HighBit = 80, SignExtendedBit = 73,
                   UniformBit = 91, HintBit = 76;

/// The bits that negate a source at a place and take its absolute value.
struct SignBits {
  unsigned Negation, Absolute;
};
inline SignBits signBits(unsigned Place) {
  return Place == FirstAt    ? SignBits{72, 73}
         : Place == SecondAt ? SignBits{63, 62}
                             : SignBits{75, 74};
}

/// From which architecture on there are more than 63 uniform registers, global
/// memory has descriptors, these are shown, and targets lie in two parts.
constexpr unsigned FirstWithMore = 100, FirstWithDescriptors = 80,
                   FirstWithShown = 90, FirstWithSplit = 90;

/// Reads the bits \p E into \p I, or writes them.
template <bool Encodes>
class Codec {
public:
  using Bits = std::conditional_t<Encodes, Encoding, const Encoding>;
  Codec(Bits &E, unsigned Architecture, uint64_t Address, MachineInstruction &I)
      : E(E), Architecture(Architecture), Address(Address), I(I),
        F(Form(I.Form)) {}

  void control(ControlCode &C);
  void guard();
  /// False if the instruction has not what the row needs.
  bool run(const OperationRow &Row);

private:
  Bits &E;
  unsigned Architecture;
  uint64_t Address;
  MachineInstruction &I;
  Form F;
  size_t NextOperand = 0, NextValue = 0;
  bool Fits = true;
  MachineOperand Missing; ///< in place of what an instruction lacks

  template <typename T>
  void transfer(unsigned Lowest, unsigned Width, T &V) {
    if constexpr (Encodes)
      E.set(Lowest, Width, uint64_t(V));
    else
      V = T(E.bits(Lowest, Width));
  }
  void transferSigned(unsigned Lowest, unsigned Width, int64_t &V) {
    if constexpr (Encodes)
      E.set(Lowest, Width, uint64_t(V));
    else
      V = llvm::SignExtend64(E.bits(Lowest, Width), Width);
  }
  void transferUniform(unsigned Lowest, unsigned &Number);

  MachineOperand &operand(OperandKind Kind);
  bool thirdIsOther() const {
    return F == Form::ThirdImmediate || F == Form::ThirdConstant ||
           F == Form::ThirdUniform;
  }
  bool isThere(const OperandRow &O) const;
  void sign(MachineOperand &O, const OperandRow &Row, SignBits At);
  void addPair(MachineOperand &O, const OperandRow &Row);
  void selectPart(MachineOperand &O, unsigned Lowest,
                  MachineOperand::PartTy First);
  MachineOperand &addRegister(const OperandRow &Row, unsigned Place,
                              unsigned Slot);
  MachineOperand &addUniform(unsigned Lowest);
  MachineOperand &addPredicate(unsigned Lowest, bool IsUniform,
                               bool MayBeNegated);
  void addImmediate(char Type);
  MachineOperand *addOther(const OperandRow &Row);
  void addUniformSource(const OperandRow &Row);
  void addSource(const OperandRow &Row);
  MachineOperand &addConstant();
  void addIndexedConstant();
  void addUniformConstant(unsigned Lowest);
  void addAddress(const OperandRow &Row);
  void addUniformAddress(const OperandRow &Row);
  void addCopyAddress(bool IsShared);
  MachineOperand &addTarget(OperandRow::KindTy Kind);
  void addShuffle();
  void addHalf(const OperandRow &Row);
  void addLookup(bool IsUniform);
  void addUpper(const OperandRow &Row);
  void addMatrix(const OperandRow &Row);
  void addNamed(const OperandRow &Row);
  void addOperand(const OperandRow &Row);
  void addModifier(const ModifierRow &M);
  void addMultiplyAlias();
};

template <bool Encodes>
MachineOperand &Codec<Encodes>::operand(OperandKind Kind) {
  if constexpr (Encodes) {
    if (NextOperand < I.Operands.size())
      return I.Operands[NextOperand++];
    Fits = false;
    return Missing;
  }
  MachineOperand &O = I.Operands.emplace_back();
  O.Kind = Kind;
  return O;
}

/// Up to sm_90 their numbers have six bits.
template <bool Encodes>
void Codec<Encodes>::transferUniform(unsigned Lowest, unsigned &Number) {
  constexpr unsigned FewerZero = 63;
  if (Architecture >= FirstWithMore)
    return transfer(Lowest, 8, Number);
  unsigned Fewer = Number == UniformZero ? FewerZero : Number;
  transfer(Lowest, 6, Fewer);
  if constexpr (!Encodes)
    Number = Fewer == FewerZero ? UniformZero : Fewer;
}

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_CODEC_H
