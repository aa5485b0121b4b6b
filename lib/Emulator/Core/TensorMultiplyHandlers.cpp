//===- TensorMultiplyHandlers.cpp - tcgen05.mma and its commit ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BulkCopies.h"
#include "Emulator/Matrix/MatrixFragments.h"
#include "TensorAccess.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

SmallVector<BlockMachine *, 2> emulator::tensorBlocks(WarpMachine &W,
                                                      const Step &S) {
  BlockMachine &Own = W.Block;
  if (!hasModifier(S.I->Modifiers, "cta_group::2"))
    return {&Own};
  const auto &Blocks = Own.Cluster.Blocks;
  const unsigned Even = Own.Rank & ~1u;
  if (Even + 1 < Blocks.size())
    return {Blocks[Even].get(), Blocks[Even + 1].get()};
  W.fail(S, "block " + Twine(Own.Index) +
                " has no other one of a pair: .cta_group::2 takes a cluster of "
                "an even number of blocks");
  return {nullptr};
}

std::string emulator::notATensorMatrix(uint64_t Descriptor) {
  return ("0x" + Twine::utohexstr(Descriptor) +
          " is no shared memory descriptor of tcgen05, or one of a mode that "
          "is "
          "not covered")
      .str();
}

namespace {

/// The tcgen05.mma of one thread.
class TensorMultiply {
public:
  TensorMultiply(WarpMachine &W, const Step &S, unsigned Lane)
      : W(W), S(S), T(*S.Tensor), Lane(Lane) {}

  /// False if the run ends.
  bool run();

private:
  uint64_t source(unsigned Index) const {
    return W.value(S.Sources[Index], Lane);
  }
  uint32_t address(const AddressOperand &A) const {
    return uint32_t(laneAddress(W, A, Lane));
  }
  bool fail(const Twine &Message) {
    W.fail(S, Message);
    return false;
  }
  bool accumulates() const;
  bool readShared(const BlockMachine &Of, bool IsB, float *Out);
  bool readB();
  bool readA(const BlockMachine &Of);
  bool readTensorA(const BlockMachine &Of);
  bool readScale(const BlockMachine &Of, bool IsB);
  bool readMetadata(const BlockMachine &Of);
  bool multiply(BlockMachine &Of, unsigned Place);
  void loadSums(BlockMachine &Of, std::vector<float> &Sums);
  void storeSums(BlockMachine &Of, unsigned Place, const float *Sums);
  uint32_t &cell(BlockMachine &Of, unsigned Row, unsigned Column) const {
    const TensorMove::Cell C = P.cellOfD(Row, Column);
    return Of.Tensors->at(TensorMemory::laneOf(AddressOfD) + C.Lane,
                          TensorMemory::columnOf(AddressOfD) + C.Column);
  }
  bool isMasked(unsigned Row, unsigned Column, unsigned Place) const;

  WarpMachine &W;
  const Step &S;
  const TensorOperation &T;
  unsigned Lane;
  TensorProduct P;
  uint32_t AddressOfD = 0;
  SmallVector<BlockMachine *, 2> Blocks;
  std::vector<float> A, B; ///< rows of A, columns of B
  TensorFactors Factors;
};

} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static void negateAll(std::vector<float> &Elements) {
  for (float &E : Elements)
    E = -E;
}

bool TensorMultiply::accumulates() const {
  if (T.Enabled)
    return *T.Enabled;
  return W.predicate(S.Sources[T.Accumulates]) >> Lane & 1;
}

/// Reads the part of A or B that lies in a block's shared memory.
bool TensorMultiply::readShared(const BlockMachine &Of, bool IsB, float *Out) {
  const uint64_t Descriptor = source(IsB ? T.B : T.A);
  std::optional<SharedMatrix> M = tcgen05Matrix(Descriptor);
  if (!M)
    return fail(notATensorMatrix(Descriptor));
  M->IsTransposed = IsB ? P.TransposesB : P.TransposesA;
  const unsigned Width = IsB ? P.K : P.widthOfA();
  std::optional<uint64_t> Missing = readTensorMatrix(
      *M, {Of.Shared.data(), Of.Shared.size()}, IsB ? P.B : P.A,
      IsB ? P.N / P.NumBlocks : P.rows(), Width, Out);
  // Four and six bits take eight, but for those of .kind::mxf4.
  const unsigned Bits =
      P.Kind > TensorKind::MXF8F6F4 ? 4 : std::max(8u, bitsOf(IsB ? P.B : P.A));
  if (!Missing && W.Block.Check)
    checkMatrixRead(W, S, Of, *M,
                    M->units(IsB ? P.N / P.NumBlocks : P.rows(), Width, Bits));
  return !Missing || fail("the descriptor of " + Twine(IsB ? "B" : "A") +
                          " leads to 0x" + Twine::utohexstr(*Missing) +
                          " of shared memory, of which the block has " +
                          Twine(Of.Shared.size()) + " bytes");
}

/// Each block of a pair has a part of B's columns.
bool TensorMultiply::readB() {
  B.resize(size_t(P.N) * P.K);
  for (size_t N = 0; N != Blocks.size(); ++N)
    if (!readShared(*Blocks[N], true, B.data() + N * (B.size() / P.NumBlocks)))
      return false;
  if (P.NegatesB)
    negateAll(B);
  return true;
}

bool TensorMultiply::readA(const BlockMachine &Of) {
  A.resize(size_t(P.rows()) * P.widthOfA());
  if (T.AInTensorMemory ? !readTensorA(Of) : !readShared(Of, false, A.data()))
    return false;
  if (P.NegatesA)
    negateAll(A);
  return true;
}

bool TensorMultiply::readTensorA(const BlockMachine &Of) {
  const uint32_t Address = address(S.Address2);
  const unsigned First = TensorMemory::laneOf(Address),
                 Column = TensorMemory::columnOf(Address);
  const TensorExtent E = {First, P.laneOfA(P.rows() - 1) + 1, Column,
                          P.columnsOfA()};
  if (!checkTensorCells(W, S, Of, E))
    return false;
  checkTensorUse(W, S, Of, {E.FirstColumn, E.NumColumns}, false);
  for (unsigned Row = 0; Row != P.rows(); ++Row)
    widen(P.A, &Of.Tensors->at(First + P.laneOfA(Row), Column), P.columnsOfA(),
          A.data() + size_t(Row) * P.widthOfA());
  return true;
}

/// Row m has its scales in lane m % 32 of column m / 32, a byte each; the other
/// lanes have copies.
bool TensorMultiply::readScale(const BlockMachine &Of, bool IsB) {
  const AddressOperand *Operands[] = {&S.Address2, &S.Address3, &S.Address4};
  const uint32_t Address =
      address(*Operands[(T.AInTensorMemory ? 1 : 0) + (IsB ? 1 : 0)]) &
      0x3fffffff;
  const unsigned Rows = IsB ? P.N : P.rows();
  const unsigned Byte = IsB ? P.ScaleByteB : P.ScaleByteA;
  const unsigned Column = TensorMemory::columnOf(Address);
  if (!checkTensorCells(W, S, Of,
                        {0, TensorMemory::Lanes, Column, (Rows + 31) / 32}))
    return false;
  checkTensorUse(W, S, Of, {Column, (Rows + 31) / 32}, false);
  TensorScales &Out = IsB ? Factors.ScalesB : Factors.ScalesA;
  Out.resize(size_t(Rows) * P.ScaleBlocks);
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned N = 0; N != P.ScaleBlocks; ++N)
      Out[size_t(Row) * P.ScaleBlocks + N] = scaleValue(
          Of.Tensors->at(Row % 32, Column + Row / 32) >> (Byte + N) % 4 * 8,
          P.ScaleE4M3);
  return true;
}

/// Which elements of A are there.
bool TensorMultiply::readMetadata(const BlockMachine &Of) {
  const uint32_t Address = address(T.AInTensorMemory ? S.Address3 : S.Address2);
  const unsigned Column = TensorMemory::columnOf(Address);
  if (!checkTensorCells(
          W, S, Of, {0, TensorMemory::Lanes, Column, P.columnsOfMetadata()}))
    return false;
  checkTensorUse(W, S, Of, {Column, P.columnsOfMetadata()}, false);
  const unsigned PerChunk = P.A == MatrixType::TF32 ? 1 : 2;
  Factors.Columns.resize(size_t(P.rows()) * P.widthOfA());
  uint8_t *Out = Factors.Columns.data();
  for (unsigned Row = 0; Row != P.rows(); ++Row)
    for (unsigned Chunk = 0; Chunk != P.widthOfA() / PerChunk; ++Chunk) {
      const MetadataPlace At = findMetadata(P, Row, Chunk);
      const uint32_t Bits =
          Of.Tensors->at(At.Lane, Column + At.Column) >> At.Shift & 15;
      const std::array<uint8_t, 2> Kept = keptColumns(P, Chunk, Bits);
      Out = std::copy_n(Kept.begin(), PerChunk, Out);
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// Whether the instruction's mask keeps an element of D as it is.
bool TensorMultiply::isMasked(unsigned Row, unsigned Column,
                              unsigned Place) const {
  if (T.Mask == TensorOperation::None)
    return false;
  const unsigned Bit = Place * TensorMemory::Lanes +
                       TensorMemory::laneOf(AddressOfD) +
                       P.cellOfD(Row, Column).Lane;
  return Bit / 32 < T.NumMask && (source(T.Mask + Bit / 32) >> Bit % 32 & 1);
}

/// What floating-point sums start with.
void TensorMultiply::loadSums(BlockMachine &Of, std::vector<float> &Sums) {
  const float Scale = T.Scale == TensorOperation::None
                          ? 1
                          : std::ldexp(1.0f, -int(source(T.Scale) & 15));
  for (unsigned Row = 0; Row != P.rows(); ++Row)
    for (unsigned N = 0; N != P.N; ++N) {
      const uint32_t Bits = cell(Of, Row, N);
      Sums[size_t(Row) * P.N + N] =
          Scale * (P.D == MatrixType::F16 ? halfToFloat(Bits & 0xffff)
                                          : llvm::bit_cast<float>(Bits));
    }
}

void TensorMultiply::storeSums(BlockMachine &Of, unsigned Place,
                               const float *Sums) {
  const bool Accumulates = accumulates();
  for (unsigned Row = 0; Row != P.rows(); ++Row)
    for (unsigned N = 0; N != P.N; ++N) {
      if (isMasked(Row, N, Place))
        continue;
      uint32_t &C = cell(Of, Row, N);
      const float Sum = Sums[size_t(Row) * P.N + N];
      if (P.D != MatrixType::S32) {
        C = P.D == MatrixType::F16 ? floatToHalf(Sum) : floatBits(Sum);
        continue;
      }
      // Fewer than 2^24, and therefore exact.
      int64_t Whole = int64_t(Accumulates ? int32_t(C) : 0) + int64_t(Sum);
      if (P.Saturates)
        Whole = std::clamp<int64_t>(Whole, INT32_MIN, INT32_MAX);
      C = uint32_t(Whole);
    }
}

bool TensorMultiply::multiply(BlockMachine &Of, unsigned Place) {
  // Of all layouts the last element is in the highest lane.
  const TensorExtent E = {TensorMemory::laneOf(AddressOfD),
                          P.cellOfD(P.rows() - 1, P.N - 1).Lane + 1,
                          TensorMemory::columnOf(AddressOfD), P.columnsOfD()};
  if (!checkTensorCells(W, S, Of, E) || !readA(Of) ||
      (P.IsSparse && !readMetadata(Of)) ||
      (P.ScaleBlocks && (!readScale(Of, false) || !readScale(Of, true))))
    return false;
  std::vector<float> Sums(size_t(P.rows()) * P.N);
  if (accumulates() && P.D != MatrixType::S32)
    loadSums(Of, Sums);
  checkTensorUse(W, S, Of, {E.FirstColumn, E.NumColumns}, true);
  if (W.Block.Check)
    W.Block.Cluster.Async->multiply({&Of, E.FirstColumn, E.NumColumns, &S, {}});
  Factors.A = A.data(), Factors.B = B.data();
  addTensorProducts(P, Factors, Sums.data());
  storeSums(Of, Place, Sums.data());
  return true;
}

bool TensorMultiply::run() {
  std::string Why;
  std::optional<TensorProduct> Found =
      findTensorProduct(T.Form, uint32_t(source(T.Descriptor)), Why);
  if (!Found)
    return fail(Why);
  P = *Found;
  if (T.ColumnMask != TensorOperation::None && source(T.ColumnMask))
    return fail("masks of B's columns are not covered by the emulator");
  AddressOfD = address(S.Address);
  Blocks = tensorBlocks(W, S);
  if (!Blocks[0] || !readB())
    return false;
  for (unsigned N = 0; N != Blocks.size(); ++N)
    if (!multiply(*Blocks[N], N))
      return false;
  W.countProducts(S, P.products(), uint32_t(source(T.Descriptor)));
  return true;
}

static Outcome runTensorMultiply(WarpMachine &W, const Step &S,
                                 uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1)
    if (!TensorMultiply(W, S, unsigned(llvm::countr_zero(Lanes))).run())
      return Outcome::Stop;
  return Outcome::Next;
}

/// tcgen05.commit: what was issued is done, so that the mbarrier is told.
static Outcome runTensorCommit(WarpMachine &W, const Step &S, uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1) {
    const auto L = unsigned(llvm::countr_zero(Lanes));
    CopyTargets Targets;
    if (!findTargets(W, S, L, 0, Targets))
      return Outcome::Stop;
    Targets.SignalsPair = false;
    const uint64_t Address = tensorSharedAddress(laneAddress(W, S.Address, L));
    if (!Targets.forEach(0, Address, [&](uint64_t, uint64_t Barrier) {
          if (W.Block.Check)
            W.Block.Cluster.Async->commitReads(W.checkNumber(), Barrier);
          if (W.Block.Check)
            for (BlockMachine *B : tensorBlocks(W, S))
              if (B &&
                  (!Targets.Ranks || Barrier >> ClusterRankShift == B->Rank))
                W.Block.Cluster.Async->commit(*B, Barrier);
          return arriveOnce(W, S, L, Barrier);
        }))
      return Outcome::Stop;
  }
  return Outcome::Next;
}

Handler emulator::tensorMultiplyHandler(Opcode Op, Step &S) {
  if (Op == Opcode::Tcgen05Commit)
    return S.NumAddresses && (S.NumSources || !isMulticast(S)) &&
                   hasOnlyModifiers(S, {"cta_group::", "mbarrier::arrive::one",
                                        "shared::cluster", "b64",
                                        "multicast::cluster",
                                        "multicast::cluster::"})
               ? runTensorCommit
               : nullptr;
  if (!S.Tensor ||
      !hasOnlyModifiers(S, {"cta_group::", "kind::", "block_scale", "block16",
                            "block32", "scale_vec::", "collector::"}))
    return nullptr;
  const TensorOperation &T = *S.Tensor;
  const unsigned Addresses = 1 + (T.AInTensorMemory ? 1 : 0) +
                             (T.Form.IsSparse ? 1 : 0) +
                             (T.Form.Kind >= TensorKind::MXF8F6F4 ? 2 : 0);
  return S.NumAddresses == Addresses && S.NumSources > T.Accumulates
             ? runTensorMultiply
             : nullptr;
}
