//===- TensorMapHandlers.cpp - Tensor maps that a kernel makes ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BulkCopies.h"
#include "Emulator/Memory/TensorMap.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

/// tensormap.replace: one field of the tensor map of each lane.
static Outcome runReplace(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Located At;
  if (!locate(W, S, {S.Address, S.Space, S.BytesPerLane, true, Lanes}, At))
    return Outcome::Stop;
  account(W, S, At, SharedAccess::Write);
  StringRef M = S.I->Modifiers;
  for (uint32_t Rest = At.Lanes; Rest; Rest &= Rest - 1) {
    const auto L = unsigned(llvm::countr_zero(Rest));
    uint8_t *Host = hostPlace(W, L, S.Space, laneAddress(W, S.Address, L),
                              TensorMapObject::Bytes);
    if (!Host)
      return W.fail(S, "not all 128 bytes of the tensor map are there");
    TensorMapObject O;
    memcpy(&O, Host, sizeof O);
    const uint64_t Value = W.value(S.Sources[S.NumSources - 1], L);
    const uint64_t Which = S.NumSources > 1 ? W.value(S.Sources[0], L) : 0;
    const bool IsStride = hasModifier(M, "global_stride");
    if (Which >= (IsStride ? 4 : 5))
      return W.fail(S, "a tensor has no dimension " +
                           Twine(Which + (IsStride ? 1 : 0)));
    if (hasModifier(M, "global_address"))
      O.Address = Value;
    else if (hasModifier(M, "rank"))
      O.RankMinusOne = uint8_t(Value);
    else if (hasModifier(M, "box_dim"))
      O.Box[Which] = uint32_t(Value);
    else if (hasModifier(M, "global_dim"))
      O.Dims[Which] = uint32_t(Value);
    else if (IsStride)
      O.Strides[Which] = Value;
    else if (hasModifier(M, "element_stride"))
      O.ElementStrides[Which] = uint32_t(Value);
    else if (hasModifier(M, "elemtype"))
      O.Element = uint8_t(Value);
    else if (hasModifier(M, "interleave_layout"))
      O.Interleave = uint8_t(Value);
    else if (hasModifier(M, "swizzle_mode"))
      O.Swizzle = uint8_t(Value);
    else if (hasModifier(M, "swizzle_atomicity"))
      O.Atomicity = uint8_t(Value);
    else
      O.Fill = uint8_t(Value);
    memcpy(Host, &O, sizeof O);
  }
  return Outcome::Next;
}

/// tensormap.cp_fenceproxy: all lanes copy a tensor map together.
static Outcome runCopyFence(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  const auto L = unsigned(llvm::countr_zero(Lanes));
  const uint64_t Bytes = W.value(S.Sources[0], L);
  Piece To, From;
  if (!findPiece(W, S, L, laneAddress(W, S.Address, L),
                 {S.I->Effects[0].Space, Bytes, TensorMapObject::Align}, To) ||
      !findPiece(W, S, L, laneAddress(W, S.Address2, L),
                 {S.I->Effects[1].Space, Bytes, TensorMapObject::Align}, From))
    return Outcome::Stop;
  if (From.Space == AddressSpace::Global)
    BulkCounter(W, S).read(From, Bytes);
  if (To.Space == AddressSpace::Global)
    BulkCounter(W, S).write(To, Bytes, 0);
  memmove(To.Host, From.Host, Bytes);
  return Outcome::Next;
}

Handler emulator::tensorMapHandler(Opcode Op, Step &S) {
  if (Op == Opcode::TensormapReplace)
    return S.NumSources && S.BytesPerLane ? runReplace : nullptr;
  if (Op == Opcode::TensormapCpFenceproxy)
    return S.NumSources && S.NumAddresses == 2 ? runCopyFence : nullptr;
  return nullptr;
}
