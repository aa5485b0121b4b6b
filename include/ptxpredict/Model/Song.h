//===- Song.h - The equations of Song's model -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Song, PhD dissertation, Virginia Tech, 2013, section 5.5. Numbers in
// parentheses are its equations; docs/models/Song.md has them all, with the
// errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_SONG_H
#define PTXPREDICT_MODEL_SONG_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model's name: of --model, of device files and in reports.
constexpr StringRef SongName = "song";

/// What the equations take. Units and meanings: SongTerms.def.
struct SongInputs {
#define SONG_INPUT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/SongTerms.def"
};

/// What they give.
struct SongResult {
#define SONG_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/SongTerms.def"
  TimeLimiter Limiter = TimeLimiter::None; ///< what has the largest share
};

struct SongReading {
  /// Shape A as (5.13) has it, without computation and textures.
  bool IsLiteral = false;
  bool HasWholeRounds = false; ///< (5.11) rounded up
};

/// (5.6) to (5.13) and the form of the transpose.
SongResult evaluateSong(const SongInputs &In, SongReading Reading = {});

/// (5.2)
double songWarpsPerSM(double Blocks, double ActiveSMs, double WarpsPerBlock);
/// (5.4) and (5.5): of a warp, at least one.
double songTransactions(double OfSM, double WarpsPerSM);
/// (5.6) and (5.7).
double songRequestCycles(double Cycles, double Transactions, double Delay);
/// Warps whose transactions of 128 B, one for each \p LoadCycles, take all of
/// the bandwidth of an SM (section 5.5-E, its unit put right).
double songBandwidthWarps(double LoadCycles, double BytesPerCycle);
/// Bytes that each SM gets in one of its cycles.
double songBytesPerCycle(double GBs, double ActiveSMs, double ClockMHz);

/// The model as the registry holds it.
const Model &songModel();

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_SONG_H
