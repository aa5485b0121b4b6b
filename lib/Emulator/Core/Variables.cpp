//===- Variables.cpp - Where a program's variables lie --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Decoder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

void Decoder::noteVariables(const Operand &O) {
  if (O.Kind == Operand::KindTy::Variable)
    Used.insert(O.Var);
  for (const Operand &E : O.Elements)
    noteVariables(E);
}

std::optional<uint64_t> Decoder::symbolAddress(StringRef Name) {
  for (const Variable *V : M->Variables)
    if (V->Name == Name) {
      auto It = Places.find(V);
      return It == Places.end() ? std::nullopt
                                : std::optional<uint64_t>(It->second);
    }
  if (const InstructionGraph *G = M->function(Name))
    if (const Function *F = P.function(G))
      return CodeWindow + uint64_t(F->Number) * 16;
  return std::nullopt;
}

Error Decoder::initialize(const Variable &V) {
  uint64_t Address = Places.lookup(&V);
  const DeviceMemory::Region *R = Memory.find(Address);
  if (!R)
    return Error::success(); // of no bytes
  uint64_t Size = R->End - R->Begin;
  size_t Given = std::min<size_t>(V.Initializer.size(), Size);
  if (Given)
    memcpy(R->Host, V.Initializer.data(), Given);
  for (const InitializerAddress &A : V.Addresses) {
    std::optional<uint64_t> Target = symbolAddress(A.Symbol);
    if (!Target)
      continue; // a name of code elsewhere: its address stays 0
    uint64_t Bits = *Target + uint64_t(A.Addend);
    unsigned Bytes = A.Bytes;
    if (A.Mask) { // one byte of the address
      Bits = (Bits & A.Mask) >> llvm::countr_zero(A.Mask);
      Bytes = 1;
    }
    if (A.Offset + Bytes <= Size)
      memcpy(R->Host + A.Offset, &Bits, std::min(Bytes, 8u));
  }
  return Error::success();
}

Error Decoder::placeVariables(const LaunchConfig &Launch) {
  for (const auto &F : P.Functions)
    F->G->forEachInstruction([&](const Instruction &I) {
      for (const Operand &O : I.Operands)
        noteVariables(O);
    });
  // What initialisers name is used too; the list grows while it is walked.
  llvm::StringMap<const Variable *> ByName;
  for (const Variable *V : M->Variables)
    ByName[V->Name] = V;
  for (size_t N = 0; N != Used.size(); ++N)
    for (const InitializerAddress &A : Used[N]->Addresses)
      if (const Variable *V = ByName.lookup(A.Symbol))
        Used.insert(V);

  uint64_t DynamicAlign = 16;
  for (const Variable *V : Used) {
    switch (V->Space) {
    case AddressSpace::Shared:
      if (V->Bytes == 0) { // the launch's dynamic shared memory
        DynamicAlign = std::max(DynamicAlign, V->Align);
        break;
      }
      Places[V] = placeFrom(P.StaticSharedBytes, V->Align);
      P.StaticSharedBytes = V->endFrom(P.StaticSharedBytes);
      break;
    case AddressSpace::Global:
    case AddressSpace::Const: {
      Expected<uint64_t> Address =
          Memory.allocate(V->Name, V->Bytes, std::max<uint64_t>(256, V->Align),
                          V->Space == AddressSpace::Const);
      if (!Address)
        return Address.takeError();
      Places[V] = *Address;
      break;
    }
    default:
      break; // a function's own
    }
  }
  P.DynamicSharedOffset = placeFrom(P.StaticSharedBytes, DynamicAlign);
  P.SharedBytes = Launch.DynamicSharedBytes
                      ? llvm::SaturatingAdd(P.DynamicSharedOffset,
                                            Launch.DynamicSharedBytes)
                      : P.StaticSharedBytes;
  constexpr uint64_t MaxShared = uint64_t(1) << 20;
  if (P.SharedBytes > MaxShared)
    return llvm::createStringError(
        "a block of this launch takes %llu bytes of shared memory; no device "
        "has more than %llu",
        (unsigned long long)P.SharedBytes, (unsigned long long)MaxShared);
  for (const Variable *V : Used) {
    if (V->Space == AddressSpace::Shared && V->Bytes == 0)
      Places[V] = P.DynamicSharedOffset;
    else if (V->Space == AddressSpace::Global ||
             V->Space == AddressSpace::Const)
      if (Error E = initialize(*V))
        return E;
  }
  return Error::success();
}
