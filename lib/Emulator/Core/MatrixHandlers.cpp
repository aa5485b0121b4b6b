//===- MatrixHandlers.cpp - Matrix instructions on a warp's registers -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryAccess.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

/// The ISA leaves open what happens without all of them.
bool emulator::isWholeWarp(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (Lanes == ~0u)
    return true;
  W.fail(S, "'" + S.I->Mnemonic + "' is executed by " +
                Twine(unsigned(llvm::popcount(Lanes))) +
                " lanes; all 32 of a warp must take part");
  return false;
}

static Outcome runMultiply(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const MatrixOperation &M = *S.Matrix;
  alignas(64) uint64_t Results[MatrixArguments::MaxRegisters][WarpSize];
  MatrixArguments A;
  unsigned N = 0;
  for (unsigned R = 0; R != M.A.NumRegisters; ++R)
    A.A[R] = W.array(S.Sources[N++]);
  for (unsigned R = 0; R != M.B.NumRegisters; ++R)
    A.B[R] = W.array(S.Sources[N++]);
  for (unsigned R = 0; R != M.C.NumRegisters; ++R)
    A.C[R] = W.array(S.Sources[N++]);
  auto Word = [&](unsigned Index) {
    return static_cast<const uint32_t *>(W.array(S.Sources[Index]));
  };
  if (M.Sparse) {
    A.Metadata = Word(N++);
    A.Selector = unsigned(W.value(S.Sources[N++], 0));
  }
  if (M.ScaleBlocks) {
    A.ScaleA = Word(N);
    A.ByteA = unsigned(W.value(S.Sources[N + 1], 0));
    A.ThreadA = unsigned(W.value(S.Sources[N + 2], 0));
    A.ScaleB = Word(N + 3);
    A.ByteB = unsigned(W.value(S.Sources[N + 4], 0));
    A.ThreadB = unsigned(W.value(S.Sources[N + 5], 0));
  }
  for (unsigned R = 0; R != S.NumDests; ++R)
    A.Dest[R] = S.Dests[R].IsSink ? nullptr : Results[R];
  M.run(A);
  W.countProducts(S, M.products());
  for (unsigned R = 0; R != S.NumDests; ++R)
    W.write(S.Dests[R], Results[R], Lanes);
  return Outcome::Next;
}

/// ldmatrix and stmatrix: some lanes name a row each, all take part.
static Outcome runTransfer(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const MatrixTransfer &T = *S.Transfer;
  uint32_t Rows = T.NumRows == WarpSize ? ~0u : (1u << T.NumRows) - 1;
  Located At;
  if (!locate(W, S,
              {S.Address, S.Space, MatrixTransfer::RowBytes, T.Store, Rows},
              At))
    return Outcome::Stop;
  account(W, S, At, T.Store ? SharedAccess::Write : SharedAccess::Read);
  uint8_t Bytes[MatrixTransfer::MaxRows * MatrixTransfer::RowBytes] = {};
  alignas(64) uint32_t Registers[MatrixTransfer::MaxRegisters][WarpSize];
  if (T.Store) {
    const uint32_t *From[MatrixTransfer::MaxRegisters] = {};
    for (unsigned R = 0; R != T.NumRegisters; ++R)
      From[R] =
          static_cast<const uint32_t *>(W.adapted(S.Sources[R], Registers[R]));
    T.collect(From, Bytes);
    forEachLane(At.Lanes, [&](unsigned L) {
      memcpy(At.host(L), Bytes + size_t(L) * MatrixTransfer::RowBytes,
             MatrixTransfer::RowBytes);
    });
    return Outcome::Next;
  }
  forEachLane(At.Lanes, [&](unsigned L) {
    memcpy(Bytes + size_t(L) * MatrixTransfer::RowBytes, At.host(L),
           MatrixTransfer::RowBytes);
  });
  uint32_t *To[MatrixTransfer::MaxRegisters] = {};
  for (unsigned R = 0; R != T.NumRegisters; ++R)
    To[R] = S.Dests[R].IsSink ? nullptr : Registers[R];
  T.distribute(Bytes, To);
  for (unsigned R = 0; R != T.NumRegisters; ++R)
    W.writeElements(S.Dests[R], Registers[R], Lanes);
  return Outcome::Next;
}

/// Counts the requests that machine code makes of a fragment.
static bool accountFragment(WarpMachine &W, const Step &S, uint32_t Lanes,
                            uint64_t Stride) {
  const WmmaFragment &F = *S.Fragment;
  for (unsigned N = 0; N != F.numRequests(); ++N) {
    Located At;
    findAddresses(W, S.Address, At.Address);
    for (unsigned L = 0; L != WarpSize; ++L)
      At.Address[L] += F.requestOffset(L, N, Stride);
    if (!locateAddresses(
            W, S, {S.Address, S.Space, F.requestBytes(), F.Store, Lanes}, At))
      return false;
    account(W, S, At, F.Store ? SharedAccess::Write : SharedAccess::Read);
  }
  return true;
}

/// wmma.load and wmma.store: register by register.
static Outcome runFragment(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (!isWholeWarp(W, S, Lanes))
    return Outcome::Stop;
  const WmmaFragment &F = *S.Fragment;
  unsigned NumRegisters = F.Registers.NumRegisters;
  bool HasStride = S.NumSources > (F.Store ? NumRegisters : 0);
  uint64_t Stride =
      HasStride ? W.value(S.Sources[S.NumSources - 1], 0) : F.defaultStride();
  if (!accountFragment(W, S, Lanes, Stride))
    return Outcome::Stop;
  unsigned Bytes = F.accessBytes();
  for (unsigned R = 0; R != NumRegisters; ++R) {
    alignas(64) uint64_t Storage[WarpSize] = {};
    auto *Elements = reinterpret_cast<uint8_t *>(Storage);
    if (F.Store)
      memcpy(Elements, W.array(S.Sources[R]),
             size_t(F.Registers.RegisterBytes) * WarpSize);
    for (unsigned N = 0; N != F.accessesPerRegister(); ++N) {
      Located At;
      findAddresses(W, S.Address, At.Address);
      for (unsigned L = 0; L != WarpSize; ++L)
        At.Address[L] += F.byteOffset(L, R, N, Stride);
      if (!locateAddresses(W, S, {S.Address, S.Space, Bytes, F.Store, Lanes},
                           At))
        return Outcome::Stop;
      forEachLane(At.Lanes, [&](unsigned L) {
        uint8_t *Element = Elements + size_t(L) * F.Registers.RegisterBytes +
                           size_t(N) * Bytes;
        if (F.Store)
          memcpy(At.host(L), Element, Bytes);
        else
          memcpy(Element, At.host(L), Bytes);
      });
    }
    if (!F.Store)
      W.write(S.Dests[R], Elements, Lanes);
  }
  return Outcome::Next;
}

Handler emulator::matrixHandler(Opcode, Step &S) {
  const Step &K = S;
  if (K.Matrix) {
    unsigned Needed = K.Matrix->A.NumRegisters + K.Matrix->B.NumRegisters +
                      K.Matrix->C.NumRegisters + (K.Matrix->Sparse ? 2 : 0) +
                      (K.Matrix->ScaleBlocks ? 6 : 0);
    return K.NumSources >= Needed && K.NumDests == K.Matrix->D.NumRegisters
               ? runMultiply
               : nullptr;
  }
  if (K.Transfer) {
    unsigned Given = K.Transfer->Store ? K.NumSources : K.NumDests;
    return Given >= K.Transfer->NumRegisters ? runTransfer : nullptr;
  }
  if (K.Fragment) {
    unsigned Given = K.Fragment->Store ? K.NumSources : K.NumDests;
    return Given >= K.Fragment->Registers.NumRegisters ? runFragment : nullptr;
  }
  return nullptr;
}
