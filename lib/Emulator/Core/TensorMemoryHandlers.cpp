//===- TensorMemoryHandlers.cpp - What is done with tensor memory ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// tcgen05 without its multiplications (PTX ISA, "Tensor Memory and its
// Instructions"). Each block has a tensor memory of its own. Everything is done
// when it is issued.
//===----------------------------------------------------------------------===//
#include "TensorAccess.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

bool emulator::checkTensorCells(WarpMachine &W, const Step &S,
                                const BlockMachine &Block,
                                const TensorExtent &E) {
  if (Block.Tensors && E.FirstLane + E.NumLanes <= TensorMemory::Lanes &&
      E.FirstColumn + E.NumColumns <= TensorMemory::Columns &&
      Block.Tensors->isAllocated(E.FirstColumn, E.NumColumns))
    return true;
  W.fail(S, "columns " + Twine(E.FirstColumn) + " to " +
                Twine(E.FirstColumn + E.NumColumns - 1) + " of lanes " +
                Twine(E.FirstLane) + " to " +
                Twine(E.FirstLane + E.NumLanes - 1) +
                " of tensor memory are not allocated in block " +
                Twine(Block.Index));
  return false;
}

void emulator::checkTensorStores(WarpMachine &W, const Step &S,
                                 const BlockMachine &Block,
                                 unsigned FirstColumn, unsigned NumColumns,
                                 std::optional<unsigned> Warp) {
  if (!W.Block.Check)
    return;
  if (const Step *Store = W.Block.Cluster.Async->findStore(Block, FirstColumn,
                                                           NumColumns, Warp))
    W.Block.report("missing-wait", S,
                   "tensor memory is accessed with no tcgen05.wait::st behind "
                   "tcgen05.st",
                   Store, "which is here");
}

void emulator::checkTensorUse(WarpMachine &W, const Step &S,
                              const BlockMachine &Block,
                              std::pair<unsigned, unsigned> Columns,
                              bool Writes) {
  checkTensorStores(W, S, Block, Columns.first, Columns.second);
  if (!W.Block.Check)
    return;
  if (const Step *Other = W.Block.Cluster.Async->findUnordered(
          W.Block.Check->order(), W.checkNumber(),
          {&Block, 0, 0, Columns.first, Columns.second, &S, Writes}))
    W.Block.report("race", S,
                   "tensor memory is used with no barrier behind another "
                   "warp's access",
                   Other, "which is here");
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static Outcome runTensorAlloc(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  BlockMachine &B = W.Block;
  const uint64_t NumColumns = W.value(S.Sources[0], 0);
  if (!TensorMemory::isSize(NumColumns))
    return W.fail(S, Twine(NumColumns) +
                         " columns of tensor memory; it must be a power of two "
                         "from 32 to 512");
  if (!B.MayAllocateTensors)
    return W.fail(S, "tensor memory is allocated behind "
                     "tcgen05.relinquish_alloc_permit");
  if (!B.Tensors)
    B.Tensors = std::make_unique<TensorMemory>();
  std::optional<uint32_t> Address =
      B.Tensors->allocate(unsigned(NumColumns), &S);
  if (!Address) { // until others free theirs
    W.Now->Is = Group::State::AtBarrier;
    W.Now->Barrier = BlockMachine::TensorBarrier;
    W.Now->Awaited = uint32_t(NumColumns);
    return Outcome::Wait;
  }
  Located At;
  findAddresses(W, S.Address, At.Address);
  for (uint64_t &Place : At.Address)
    Place = tensorSharedAddress(Place);
  if (!locateAddresses(
          W, S, {S.Address, AddressSpace::Shared, 4, /*Writes=*/true, 1}, At))
    return Outcome::Stop;
  forEachLane(At.Lanes, [&](unsigned L) { memcpy(At.host(L), &*Address, 4); });
  if (B.Check && At.Shared) {
    At.Active = At.Shared;
    checkShared(W, {0, S.Index, SharedAccess::Write}, At);
  }
  return Outcome::Next;
}

static Outcome runTensorDealloc(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const auto Address = uint32_t(W.value(S.Sources[0], 0));
  const auto NumColumns = unsigned(W.value(S.Sources[1], 0));
  BlockMachine &B = W.Block;
  if (!B.Tensors || !B.Tensors->free(Address, NumColumns))
    return W.fail(
        S, Twine(NumColumns) + " columns from 0x" + Twine::utohexstr(Address) +
               " of tensor memory are freed, which were not allocated "
               "as such");
  for (const auto &Warp : B.Warps)
    Warp->release(BlockMachine::TensorBarrier, {});
  return Outcome::Next;
}

static Outcome runRelinquish(WarpMachine &W, const Step &, uint32_t Lanes) {
  if (Lanes)
    W.Block.MayAllocateTensors = false;
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Calls \p Fn with the lane, the register and the cell of all that a move
/// names. False if the run ends.
template <typename FnT>
static bool forEachCell(WarpMachine &W, const Step &S, FnT Fn) {
  const TensorMove &M = *S.Move;
  std::array<uint64_t, WarpSize> Addresses;
  findAddresses(W, S.Address, Addresses);
  const auto Address = uint32_t(Addresses[0]);
  for (uint64_t A : Addresses)
    if (uint32_t(A) != Address) {
      W.fail(S, "the threads of a warp name different addresses of tensor "
                "memory");
      return false;
    }
  const bool Splits = M.Of == TensorMove::Shape::S16x32x2;
  const uint64_t Offset = Splits ? W.value(S.Sources[0], 0) : 0;
  if (Offset > TensorMemory::Columns) {
    W.fail(S, "the second half is " + Twine(Offset) +
                  " columns behind the first; tensor memory has " +
                  Twine(TensorMemory::Columns + 0));
    return false;
  }
  const auto Skip = unsigned(Offset);
  const TensorExtent E = {TensorMemory::laneOf(Address), M.numLanes(),
                          TensorMemory::columnOf(Address), M.numColumns()};
  // A warp reaches a quarter of the lanes.
  const unsigned First = W.Number % 4 * WarpSize;
  if (E.FirstLane % M.numLanes() != 0 || E.FirstLane < First ||
      E.FirstLane + E.NumLanes > First + WarpSize) {
    W.fail(S, "warp " + Twine(W.Number) + " names lane " + Twine(E.FirstLane) +
                  " of tensor memory; it reaches lanes " + Twine(First) +
                  " to " + Twine(First + WarpSize - 1) +
                  ", from a multiple of " + Twine(M.numLanes()) + " on");
    return false;
  }
  for (unsigned FirstColumn : {E.FirstColumn, E.FirstColumn + Skip}) {
    if (!checkTensorCells(W, S, W.Block,
                          {E.FirstLane, E.NumLanes, FirstColumn, E.NumColumns}))
      return false;
    if (W.Block.Check)
      if (const Step *Product = W.Block.Cluster.Async->findProduct(
              W.Block, FirstColumn, E.NumColumns))
        W.Block.report("missing-wait", S,
                       "tensor memory is accessed with no wait for the "
                       "mbarrier of a tcgen05.commit behind tcgen05.mma",
                       Product, "which is here");
    if (Opcode(S.I->Opcode) != Opcode::Tcgen05St)
      checkTensorStores(W, S, W.Block, FirstColumn, E.NumColumns, W.Number);
    else if (W.Block.Check)
      W.Block.Cluster.Async->store(
          {&W.Block, W.Number, FirstColumn, E.NumColumns, &S});
    if (W.Block.Check)
      W.Block.Cluster.Async->move({&W.Block, W.checkNumber(),
                                   W.Block.Check->order().now(W.checkNumber()),
                                   FirstColumn, E.NumColumns, &S,
                                   Opcode(S.I->Opcode) == Opcode::Tcgen05St});
    if (Skip == 0)
      break;
  }
  for (unsigned R = 0; R != M.numRegisters(); ++R)
    for (unsigned L = 0; L != WarpSize; ++L) {
      const TensorMove::Cell C = M.cellOf(L, R, Skip);
      Fn(L, R,
         &W.Block.Tensors->at(E.FirstLane + C.Lane, E.FirstColumn + C.Column));
    }
  return true;
}

/// The lesser or greater one, as min and max of the ISA have it: a NaN only
/// counts with .NaN, and -0 is less than +0.
static float chooseFloat(float A, float B, bool Greater, bool KeepsNaN) {
  if (std::isnan(A) || std::isnan(B)) {
    if (KeepsNaN || (std::isnan(A) && std::isnan(B)))
      return llvm::bit_cast<float>(0x7fffffffu);
    return std::isnan(A) ? B : A;
  }
  if (A == B) // perhaps zeros
    return std::signbit(A) != Greater ? A : B;
  return (A < B) != Greater ? A : B;
}

/// What tcgen05.ld.red makes of the \p Count registers of a lane.
static uint32_t reduceLoaded(StringRef Modifiers, unsigned Count,
                             llvm::function_ref<uint32_t(unsigned)> Register) {
  const bool Greater = hasModifier(Modifiers, "max");
  if (!hasModifier(Modifiers, "f32")) {
    // Signed numbers are in the order of unsigned ones, but for their sign.
    const uint32_t Flip = hasModifier(Modifiers, "s32") ? 0x80000000 : 0;
    uint32_t Best = Register(0) ^ Flip;
    for (unsigned R = 1; R != Count; ++R) {
      const uint32_t V = Register(R) ^ Flip;
      Best = Greater ? std::max(Best, V) : std::min(Best, V);
    }
    return Best ^ Flip;
  }
  const bool KeepsNaN = hasModifier(Modifiers, "NaN");
  const uint32_t Mask = hasModifier(Modifiers, "abs") ? 0x7fffffff : ~0u;
  auto Element = [&](unsigned R) {
    return llvm::bit_cast<float>(Register(R) & Mask);
  };
  float Best = Element(0);
  for (unsigned R = 1; R != Count; ++R)
    Best = chooseFloat(Best, Element(R), Greater, KeepsNaN);
  return llvm::bit_cast<uint32_t>(Best);
}

static Outcome runTensorLoad(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const bool Reduces = Opcode(S.I->Opcode) == Opcode::Tcgen05LdRed;
  uint32_t Out[129][WarpSize];
  if (!forEachCell(W, S, [&](unsigned L, unsigned R, const uint32_t *Cell) {
        Out[R][L] =
            S.Move->IsPacked ? (Cell[0] & 0xffff) | Cell[1] << 16 : *Cell;
      }))
    return Outcome::Stop;
  if (Reduces)
    for (unsigned L = 0; L != WarpSize; ++L)
      Out[S.NumDests - 1][L] =
          reduceLoaded(S.I->Modifiers, S.NumDests - 1u,
                       [&](unsigned R) { return Out[R][L]; });
  for (unsigned R = 0; R != S.NumDests; ++R)
    W.writeElements(S.Dests[R], Out[R], Lanes);
  return Outcome::Next;
}

static Outcome runTensorStore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const unsigned First = S.NumSources - S.Move->numRegisters();
  const bool Stored =
      forEachCell(W, S, [&](unsigned L, unsigned R, uint32_t *Cell) {
        const auto V = uint32_t(W.value(S.Sources[First + R], L));
        Cell[0] = S.Move->IsPacked ? V & 0xffff : V;
        if (S.Move->IsPacked)
          Cell[1] = V >> 16;
      });
  return Stored ? Outcome::Next : Outcome::Stop;
}

static Outcome runWaitForStores(WarpMachine &W, const Step &, uint32_t Lanes) {
  if (Lanes && W.Block.Check)
    W.Block.Cluster.Async->waitForStores(W.Block, W.Number);
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// The shapes of tcgen05.cp.
enum TensorCopyShape : uint32_t {
  Rows128By256,
  Rows128By128,
  Rows4By256,
  Rows64To02And13,
  Rows64To01And23,
  Rows32ToAll
};
} // namespace

static std::optional<TensorCopyShape> findCopyShape(StringRef M) {
  if (hasModifier(M, "128x256b"))
    return Rows128By256;
  if (hasModifier(M, "128x128b"))
    return Rows128By128;
  if (hasModifier(M, "4x256b"))
    return Rows4By256;
  if (hasModifier(M, "64x128b") && hasModifier(M, "warpx2::02_13"))
    return Rows64To02And13;
  if (hasModifier(M, "64x128b") && hasModifier(M, "warpx2::01_23"))
    return Rows64To01And23;
  if (hasModifier(M, "32x128b") && hasModifier(M, "warpx4"))
    return Rows32ToAll;
  return std::nullopt;
}

/// The lanes that a row goes to.
static SmallVector<unsigned, 4> copyLanes(uint32_t Shape, unsigned Row) {
  switch (Shape) {
  case Rows4By256: // the first of 32 lanes each
    return {Row * 32};
  case Rows64To02And13:
    return {Row, Row + 64};
  case Rows64To01And23:
    return {Row % 32 + Row / 32 * 64, Row % 32 + Row / 32 * 64 + 32};
  case Rows32ToAll:
    return {Row, Row + 32, Row + 64, Row + 96};
  default:
    return {Row};
  }
}

/// Copies into one block of a pair. False if the run ends.
static bool copyInto(WarpMachine &W, const Step &S, BlockMachine &B,
                     uint32_t Address, const SharedMatrix &M) {
  static constexpr unsigned Rows[] = {128, 128, 4, 64, 64, 32};
  const unsigned Units =
      S.Detail == Rows128By256 || S.Detail == Rows4By256 ? 2 : 1;
  const TensorExtent E = {TensorMemory::laneOf(Address), TensorMemory::Lanes,
                          TensorMemory::columnOf(Address), Units * 4};
  if (!checkTensorCells(W, S, B, E))
    return false;
  if (W.Block.Check)
    checkMatrixRead(W, S, B, M, {Rows[S.Detail], Units});
  checkTensorUse(W, S, B, {E.FirstColumn, E.NumColumns}, /*Writes=*/true);
  const bool Four = hasModifier(S.I->Modifiers, "b4x16_p64"),
             Six = hasModifier(S.I->Modifiers, "b6x16_p32");
  for (unsigned Row = 0; Row != Rows[S.Detail]; ++Row)
    for (unsigned Unit = 0; Unit != Units; ++Unit) {
      const uint64_t From = M.unitAddress(Row, Unit);
      if (From + 16 > B.Shared.size()) {
        W.fail(S, "the descriptor leads to 0x" + Twine::utohexstr(From) +
                      " of shared memory, of which the block has " +
                      Twine(B.Shared.size()) + " bytes");
        return false;
      }
      uint8_t Bytes[16];
      memcpy(Bytes, B.Shared.data() + From, 16);
      if (Four || Six)
        spreadElements(Four ? MatrixType::E2M1 : MatrixType::E3M2,
                       B.Shared.data() + From, Bytes);
      for (unsigned Lane : copyLanes(S.Detail, Row))
        memcpy(&B.Tensors->at(Lane, E.FirstColumn + Unit * 4), Bytes, 16);
    }
  return true;
}

static Outcome runTensorCopyIn(WarpMachine &W, const Step &S, uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1) {
    const auto L = unsigned(llvm::countr_zero(Lanes));
    std::array<uint64_t, WarpSize> Addresses;
    findAddresses(W, S.Address, Addresses);
    const uint64_t Descriptor = W.value(S.Sources[0], L);
    std::optional<SharedMatrix> M = tcgen05Matrix(Descriptor);
    if (!M)
      return W.fail(S, notATensorMatrix(Descriptor));
    for (BlockMachine *B : tensorBlocks(W, S))
      if (!B || !copyInto(W, S, *B, uint32_t(Addresses[L]), *M))
        return Outcome::Stop;
  }
  return Outcome::Next;
}

Handler emulator::tensorMemoryHandler(Opcode Op, Step &S) {
  switch (Op) {
  case Opcode::Tcgen05Alloc:
    return S.NumSources && S.NumAddresses ? runTensorAlloc : nullptr;
  case Opcode::Tcgen05Dealloc:
    return S.NumSources == 2 ? runTensorDealloc : nullptr;
  case Opcode::Tcgen05RelinquishAllocPermit:
    return runRelinquish;
  case Opcode::Tcgen05Ld:
    return S.Move && S.NumDests == S.Move->numRegisters() ? runTensorLoad
                                                          : nullptr;
  case Opcode::Tcgen05LdRed: {
    using Shape = TensorMove::Shape;
    return S.Move && S.Move->Count >= 2 && !S.Move->IsPacked &&
                   (S.Move->Of == Shape::S32x32 ||
                    S.Move->Of == Shape::S16x32x2) &&
                   S.NumDests == S.Move->numRegisters() + 1
               ? runTensorLoad
               : nullptr;
  }
  case Opcode::Tcgen05St:
    return S.Move && S.NumSources >= S.Move->numRegisters() ? runTensorStore
                                                            : nullptr;
  case Opcode::Tcgen05Cp: {
    std::optional<TensorCopyShape> Shape = findCopyShape(S.I->Modifiers);
    if (!Shape || !S.NumSources ||
        !hasOnlyModifiers(S, {"cta_group::", "128x256b", "128x128b", "4x256b",
                              "64x128b", "32x128b", "warpx2::", "warpx4",
                              "b8x16", "b4x16_p64", "b6x16_p32"}))
      return nullptr;
    S.Detail = *Shape;
    return runTensorCopyIn;
  }
  case Opcode::Tcgen05WaitSt:
    return runWaitForStores;
  case Opcode::Tcgen05WaitLd:
  case Opcode::Tcgen05FenceBefore:
  case Opcode::Tcgen05FenceAfter:
    return runNothing;
  default:
    return nullptr;
  }
}
