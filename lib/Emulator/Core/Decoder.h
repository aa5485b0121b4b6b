//===- Decoder.h - From instruction graphs to steps -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_DECODER_H
#define PTXPREDICT_LIB_EMULATOR_CORE_DECODER_H

#include "Program.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <tuple>

namespace ptxpredict::emulator {

/// Fills a Program.
class Decoder {
public:
  Decoder(Program &P, DeviceMemory &Memory) : P(P), Memory(Memory) {}

  Error decode(const InstructionGraph &Kernel, const LaunchConfig &Launch);

private:
  // RegisterSlots.cpp
  void assignRegisters(const InstructionGraph &G, Function &F);

  // Variables.cpp
  Error placeVariables(const LaunchConfig &Launch);
  void noteVariables(const Operand &O);
  Error initialize(const Variable &V);
  std::optional<uint64_t> symbolAddress(StringRef Name);

  Error layOutFunction(const InstructionGraph &G, Function &F);
  void decodeFunction(Function &F);
  void decodePolling(Function &F);
  void chooseCounted(Function &F);
  void decodeInstruction(const Instruction &I, Step &S);
  void decodeOperation(const Instruction &I, Step &S);
  void keepOperands(Step &S);
  bool readsClock() const;
  void decodeMove(const Instruction &I, Step &S);
  void decodeCall(const Instruction &I, Step &S);
  void decodeBranch(const Instruction &I, Step &S);

  bool addOperands(const Instruction &I, Step &S);
  void addCoordinates(const Operand &O, Step &S);
  bool addVideoControl(const Instruction &I);
  void addOperand(const Operand &O, const ptx::OperandInfo *Info, Step &S);
  LaneOperand lane(const Operand &O, const ptx::OperandInfo *Info);
  LaneOperand constant(uint64_t Low, unsigned Bytes);
  LaneOperand special(StringRef Name, unsigned DefaultElement = 0);
  LaneOperand registerOperand(const Operand &O) const;
  AddressOperand address(const Operand &O);
  std::optional<AddressOperand> variableAddress(const Operand &O) const;
  CallPiece piece(const Operand &O, unsigned Bytes);

  Program &P;
  DeviceMemory &Memory;
  Module *M = nullptr;
  Function *Current = nullptr;
  bool IsKernel = false;
  std::vector<LaneOperand> Slots; ///< of the present function's registers
  llvm::DenseMap<const Block *, uint32_t> BlockIndex;
  SmallVector<LaneOperand, 4> Dests, Sources; ///< of the present instruction

  /// Places of variables: device addresses, offsets in shared memory, or in the
  /// present function's local memory and parameters.
  llvm::DenseMap<const Variable *, uint64_t> Places;
  llvm::DenseMap<const Parameter *, uint64_t> ParameterPlaces;
  llvm::SetVector<const Variable *> Used;
  std::map<std::pair<uint64_t, unsigned>, uint32_t> KnownConstants;
  std::map<std::pair<StringRef, unsigned>, uint32_t> KnownSpecials;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_DECODER_H
