//===- PTXMemory.cpp - What each PTX instruction does to memory -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXTable.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

/// The state space that the modifier \p Part names: `shared::cluster`,
/// `param::entry` and `const[3]` too.
static std::optional<AddressSpace> parseSpace(StringRef Part) {
  StringRef Name = Part.take_until([](char C) { return C == ':' || C == '['; });
  if (Name == "global")
    return AddressSpace::Global;
  if (Name == "shared")
    return AddressSpace::Shared;
  if (Name == "local")
    return AddressSpace::Local;
  if (Name == "const")
    return AddressSpace::Const;
  if (Name == "param")
    return AddressSpace::Param;
  return std::nullopt;
}

/// The spaces of the modifiers in their order, Generic where there are fewer.
static std::pair<AddressSpace, AddressSpace> spaces(StringRef Modifiers) {
  AddressSpace Found[2] = {AddressSpace::Generic, AddressSpace::Generic};
  unsigned N = 0;
  while (!Modifiers.empty() && N < 2)
    if (std::optional<AddressSpace> S = parseSpace(takeModifier(Modifiers)))
      Found[N++] = *S;
  return {Found[0], Found[1]};
}

/// Elements of `.v2`, `.v4` or `.v8`.
static unsigned vectorLength(StringRef Modifiers) {
  while (!Modifiers.empty()) {
    StringRef Part = takeModifier(Modifiers);
    if (Part.size() == 2 && Part[0] == 'v' && Part[1] >= '2' && Part[1] <= '8')
      return unsigned(Part[1] - '0');
  }
  return 1;
}

static unsigned bytesOf(std::optional<Format> F, unsigned Elements) {
  return F ? (F->Bits * Elements + 7) / 8 : 0;
}

/// The `.x1`, `.x2` or `.x4` of ldmatrix and stmatrix.
static unsigned matrixCount(StringRef Modifiers) {
  return hasModifier(Modifiers, "x4")   ? 4
         : hasModifier(Modifiers, "x2") ? 2
                                        : 1;
}

/// A lane's share of a wmma fragment in bytes, each element of the matrix
/// counted once: of `m16n16k16`, `a` is m x k, `b` is k x n, `c` and `d` m x n.
static unsigned wmmaBytes(StringRef Modifiers) {
  std::optional<Format> F = lastFormat(Modifiers);
  char Matrix = 'd';
  unsigned M = 0, N = 0, K = 0;
  while (!Modifiers.empty()) {
    StringRef Part = takeModifier(Modifiers);
    if (Part.size() == 1 && Part[0] >= 'a' && Part[0] <= 'd') {
      Matrix = Part[0];
    } else if (Part.consume_front("m")) {
      Part.consumeInteger(10, M);
      if (Part.consume_front("n"))
        Part.consumeInteger(10, N);
      if (Part.consume_front("k"))
        Part.consumeInteger(10, K);
    }
  }
  unsigned Elements = Matrix == 'a' ? M * K : Matrix == 'b' ? K * N : M * N;
  return bytesOf(F, Elements) / 32;
}

namespace {
/// Finds the Address operands one after the other.
class AddressCursor {
  ArrayRef<OperandInfo> Operands;
  unsigned Next = 0;

public:
  explicit AddressCursor(ArrayRef<OperandInfo> Operands) : Operands(Operands) {}

  /// The index of the next one, if there is one.
  std::optional<unsigned> take() {
    while (Next != Operands.size())
      if (Operands[Next++].Role == OperandRole::Address)
        return Next - 1;
    return std::nullopt;
  }
};
} // namespace

// One flat switch: a table of effects whose rows differ in shape.
void ptx::memoryEffects(Opcode Op, StringRef Modifiers, unsigned NumOperands,
                        SmallVectorImpl<MemoryEffect> &Out) {
  Out.clear();
  Effect What = row(Op).Effect;
  if (What == Effect::None)
    return;
  SmallVector<OperandInfo, 8> Operands;
  operands(Op, Modifiers, NumOperands, Operands);
  AddressCursor Addresses(Operands);

  enum Direction { Read, Write, Both };
  auto Add = [&](AddressSpace Space, AccessKind Access, Direction D,
                 unsigned Bytes, int BytesOperand = -1) {
    std::optional<unsigned> Index = Addresses.take();
    if (!Index)
      return;
    MemoryEffect E;
    E.Space = Space;
    E.Access = Access;
    E.BytesPerLane = Bytes;
    E.Reads = D != Write;
    E.Writes = D != Read;
    E.AddressOperand = *Index;
    E.BytesOperand = BytesOperand;
    Out.push_back(E);
  };
  // An mbarrier that an asynchronous operation signals when it is done.
  auto AddMbarrier = [&] {
    Add(AddressSpace::Shared, AccessKind::Async, Both, 0);
  };

  auto [Space, Second] = spaces(Modifiers);
  unsigned Bytes = bytesOf(lastFormat(Modifiers), vectorLength(Modifiers));
  switch (What) {
  case Effect::None:
    return;
  case Effect::Load:
    return Add(Space, AccessKind::Load, Read, Bytes);
  case Effect::Store:
    return Add(Space, AccessKind::Store, Write, Bytes);
  case Effect::Atomic:
    return Add(Space, AccessKind::Atomic, Both, Bytes);
  case Effect::MultimemLoad:
    return Add(AddressSpace::Global, AccessKind::Load, Read, Bytes);
  case Effect::MultimemStore:
    return Add(AddressSpace::Global, AccessKind::Store, Write, Bytes);
  case Effect::MultimemAtomic:
    return Add(AddressSpace::Global, AccessKind::Atomic, Both, Bytes);
  case Effect::Prefetch:
    // One byte stands for the cache line that it is in.
    return Add(Space, AccessKind::Prefetch, Read, 1);
  case Effect::Discard:
    return Add(Space, AccessKind::Store, Write, 0, 1);
  case Effect::StoreBulk:
    return Add(Space, AccessKind::Store, Write, 0, 1);
  case Effect::SharedStore:
    return Add(AddressSpace::Shared, AccessKind::Store, Write, 0);
  case Effect::StoreAsync:
    Add(Space, AccessKind::Async, Write, Bytes);
    return AddMbarrier();
  case Effect::ReduceAsync:
    Add(Space, AccessKind::Async, Both, Bytes);
    return AddMbarrier();
  case Effect::CopyAsync:
    Add(AddressSpace::Shared, AccessKind::Async, Write, 0, 2);
    return Add(AddressSpace::Global, AccessKind::Async, Read, 0, 2);
  case Effect::CopyBulk:
  case Effect::ReduceBulk: {
    // Tensor copies take the size from the tensor map.
    int Size = Operands.size() > 2 && Operands[2].Role == OperandRole::Read &&
                       Op != Opcode::CpAsyncBulkTensor &&
                       Op != Opcode::CpReduceAsyncBulkTensor
                   ? 2
                   : -1;
    Add(Space, AccessKind::Async, What == Effect::ReduceBulk ? Both : Write, 0,
        Size);
    Add(Second, AccessKind::Async, Read, 0, Size);
    return AddMbarrier();
  }
  case Effect::FabricGet: {
    int Size = Op == Opcode::FabricTryGetAsyncTensor ? -1 : 2;
    Add(AddressSpace::Shared, AccessKind::Async, Write, 0, Size);
    Add(AddressSpace::Global, AccessKind::Async, Read, 0, Size);
    return AddMbarrier();
  }
  case Effect::FabricPut:
  case Effect::FabricReduce:
    Add(AddressSpace::Global, AccessKind::Async,
        What == Effect::FabricReduce ? Both : Write, 0, 2);
    Add(AddressSpace::Shared, AccessKind::Async, Read, 0, 2);
    return AddMbarrier();
  case Effect::FabricAtomic:
    Add(AddressSpace::Global, AccessKind::Async, Both, 0);
    Add(AddressSpace::Shared, AccessKind::Async, Write, 0);
    Add(AddressSpace::Shared, AccessKind::Async, Read, 0);
    return AddMbarrier();
  case Effect::DescriptorLoad:
    return Add(Space, AccessKind::Load, Read, 0);
  case Effect::PrefetchBulk:
    Add(Space, AccessKind::Prefetch, Read, 0,
        Op == Opcode::CpAsyncBulkPrefetch ||
                Op == Opcode::ApplypriorityAsyncBulk
            ? 1
            : -1);
    break;
  case Effect::CopyFence:
    Add(Space, AccessKind::Store, Write, 0, 2);
    return Add(Second, AccessKind::Load, Read, 0, 2);
  case Effect::Mbarrier:
    Add(Space, AccessKind::Async, Both, 8);
    break;
  case Effect::TextureLoad:
    return Add(AddressSpace::Texture, AccessKind::Load, Read,
               bytesOf(firstFormat(Modifiers), vectorLength(Modifiers)));
  case Effect::SurfaceLoad:
    return Add(AddressSpace::Texture, AccessKind::Load, Read, Bytes);
  case Effect::SurfaceStore:
    return Add(AddressSpace::Texture, AccessKind::Store, Write, Bytes);
  case Effect::SurfaceAtomic:
    return Add(AddressSpace::Texture, AccessKind::Atomic, Both, Bytes);
  case Effect::MatrixLoad:
    // A matrix of 16x16 bytes fills two registers, every other one.
    return Add(Space, AccessKind::Load, Read,
               4 * matrixCount(Modifiers) *
                   (hasModifier(Modifiers, "m16n16") ? 2 : 1));
  case Effect::MatrixStore:
    return Add(Space, AccessKind::Store, Write, 4 * matrixCount(Modifiers));
  case Effect::WmmaLoad:
    return Add(Space, AccessKind::Load, Read, wmmaBytes(Modifiers));
  case Effect::WmmaStore:
    return Add(Space, AccessKind::Store, Write, wmmaBytes(Modifiers));
  }
}
