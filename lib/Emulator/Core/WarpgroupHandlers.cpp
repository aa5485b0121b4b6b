//===- WarpgroupHandlers.cpp - wgmma --------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The four warps of a group multiply once all of them have come, so that none
// sees the other ones' operands changed. The products are there at once.
//===----------------------------------------------------------------------===//
#include "Machine.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

static constexpr unsigned GroupWarps = 4;

namespace {

/// One wgmma.mma_async of a warpgroup.
class WarpgroupMultiply {
public:
  WarpgroupMultiply(WarpMachine &Last, const Step &S)
      : Last(Last), Block(Last.Block), S(S), F(*S.Warpgroup) {}

  /// False if the run ends.
  bool run();

private:
  using Multiplicand = WarpgroupOperation::Multiplicand;

  bool findMatrix(unsigned Source, bool Transposed, SharedMatrix &Out);
  bool check(std::optional<uint64_t> Missing, StringRef Name);
  void noteRead(std::pair<unsigned, unsigned> Units, const SharedMatrix &M);
  void multiply(WarpMachine &W, const Multiplicand &A, unsigned FirstRow,
                const Multiplicand &B);

  WarpMachine &Last; ///< the last warp that came
  BlockMachine &Block;
  const Step &S;
  const WarpgroupOperation &F;
};

} // namespace

/// The matrix of a descriptor, which all warps must share.
bool WarpgroupMultiply::findMatrix(unsigned Source, bool Transposed,
                                   SharedMatrix &Out) {
  const uint64_t Descriptor = Last.value(S.Sources[Source], 0);
  const unsigned First = Last.Number / GroupWarps * GroupWarps;
  for (unsigned N = First; N != First + GroupWarps; ++N)
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Block.Warps[N]->value(S.Sources[Source], L) != Descriptor) {
        Last.fail(S, "the threads of a warpgroup have different matrix "
                     "descriptors");
        return false;
      }
  std::optional<SharedMatrix> M = wgmmaMatrix(Descriptor);
  if (!M) {
    Last.fail(S, "0x" + Twine::utohexstr(Descriptor) +
                     " is no matrix descriptor of wgmma: bit " +
                     Twine(llvm::countr_zero(Descriptor & WgmmaReservedBits)) +
                     " is reserved and must be 0");
    return false;
  }
  Out = *M;
  Out.IsTransposed = Transposed;
  return true;
}

bool WarpgroupMultiply::check(std::optional<uint64_t> Missing, StringRef Name) {
  if (Missing)
    Last.fail(S, "the descriptor of " + Name + " leads to 0x" +
                     Twine::utohexstr(*Missing) +
                     " of shared memory, of which the block has " +
                     Twine(Block.Shared.size()) + " bytes");
  return !Missing;
}

/// Tells --check that the matrix is read.
void WarpgroupMultiply::noteRead(std::pair<unsigned, unsigned> Units,
                                 const SharedMatrix &M) {
  if (Block.Check)
    checkMatrixRead(Last, S, Block, M, Units);
}

void WarpgroupMultiply::multiply(WarpMachine &W, const Multiplicand &A,
                                 unsigned FirstRow, const Multiplicand &B) {
  const unsigned NumA = F.AInRegisters ? 4 : 1;
  WarpgroupArguments Args;
  for (unsigned N = 0; N != S.NumDests; ++N)
    Args.D[N] = W.dest(S.Dests[N]);
  if (F.Sparse)
    Args.Metadata = static_cast<const uint32_t *>(W.array(S.Sources[NumA + 1]));
  const bool Accumulates =
      W.predicate(S.Sources[NumA + (F.Sparse ? 3 : 1)]) & 1;
  if (!F.AInRegisters)
    return F.multiply(A, FirstRow, B, Args, Accumulates);
  for (unsigned N = 0; N != NumA; ++N)
    Args.A[N] = W.array(S.Sources[N]);
  Multiplicand Mine;
  F.takeA(Args, Mine);
  F.multiply(Mine, 0, B, Args, Accumulates);
}

bool WarpgroupMultiply::run() {
  const SharedBytes From = {Block.Shared.data(), Block.Shared.size()};
  Multiplicand A, B;
  SharedMatrix M;
  if (!F.AInRegisters) {
    if (!findMatrix(0, F.TransposesA, M) || !check(F.readA(M, From, A), "A"))
      return false;
    noteRead(
        M.units(4 * WarpgroupOperation::WarpRows, F.widthOfA(), bitsOf(F.A)),
        M);
  }
  if (!findMatrix(F.AInRegisters ? 4 : 1, F.TransposesB, M) ||
      !check(F.readB(M, From, B), "B"))
    return false;
  noteRead(M.units(F.N, F.K, bitsOf(F.B)), M);
  const unsigned First = Last.Number / GroupWarps * GroupWarps;
  for (unsigned N = 0; N != GroupWarps; ++N)
    multiply(*Block.Warps[First + N], A, N * WarpgroupOperation::WarpRows, B);
  Last.countProducts(S, F.products());
  return true;
}

static Outcome runMultiplyAsync(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes || W.Now->Passed)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const unsigned Index = W.Number / GroupWarps;
  if (Index >= W.Block.Warpgroups.size())
    return W.fail(S, "warp " + Twine(W.Number) +
                         " belongs to no warpgroup: four warps from a multiple "
                         "of four on, which the block has not");
  WarpgroupState &G = W.Block.Warpgroups[Index];
  if (G.Arrived && G.Where != &S)
    return W.fail(S, "other warps of the warpgroup execute the wgmma of line " +
                         Twine(G.Where->I->Line));
  G.Where = &S;
  G.Arrived |= 1u << W.Number % GroupWarps;
  if (G.Arrived != (1u << GroupWarps) - 1) {
    W.Now->Is = Group::State::AtBarrier;
    W.Now->Barrier = BlockMachine::WarpgroupBarrier;
    return Outcome::Wait;
  }
  G.Arrived = 0;
  if (!WarpgroupMultiply(W, S).run())
    return Outcome::Stop;
  ++G.NumIssued;
  for (unsigned N = 0; N != GroupWarps; ++N)
    W.Block.Warps[Index * GroupWarps + N]->release(
        BlockMachine::WarpgroupBarrier, {});
  return Outcome::Next;
}

Handler emulator::warpgroupHandler(Opcode Op, Step &S) {
  switch (Op) {
  case Opcode::WgmmaFence:
  case Opcode::WgmmaCommitGroup:
  case Opcode::WgmmaWaitGroup:
    return runNothing;
  default:
    break;
  }
  if (!S.Warpgroup)
    return nullptr;
  const WarpgroupOperation &F = *S.Warpgroup;
  const unsigned Needed = (F.AInRegisters ? 4 : 1) + 2 + (F.Sparse ? 2 : 0);
  for (unsigned N = 0; N != S.NumDests; ++N)
    if (S.Dests[N].IsSink || S.Dests[N].Bytes != 4)
      return nullptr;
  return S.NumDests == F.numAccumulators() && S.NumSources >= Needed
             ? runMultiplyAsync
             : nullptr;
}
