//===- TermMeanings.cpp - What the terms of models are --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TermMeanings.h"
#include "ptxpredict/Model/BSP.h"
#include "ptxpredict/Model/Bottleneck.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Model/Power.h"
#include "ptxpredict/Model/Song.h"
#include "ptxpredict/Model/Throughput.h"
#include "ptxpredict/Model/WangChu.h"

using namespace ptxpredict;

static std::vector<TermMeaning> listTerms() {
  std::vector<TermMeaning> All;
  StringRef Model;
  auto Add = [&](std::string Name, bool IsInput, std::string Unit,
                 StringRef Equation, std::string Meaning) {
    All.push_back({std::move(Name), Model, IsInput, std::move(Unit), Equation,
                   std::move(Meaning)});
  };

  Model = BottleneckName;
#define BOTTLENECK_RESOURCE(MEMBER, NAME, WORDS, SCOPE, LIMITER, UNIT,         \
                            MEANING)                                           \
  Add("N_" NAME, true, UNIT, "",                                               \
      "that a warp asks for, in the mean over the launch's warps: " MEANING);  \
  Add("H_" NAME, true, UNIT, "",                                               \
      "that a warp of the heaviest blocks asks for: " MEANING);                \
  Add("R_" NAME, true, UNIT "/cycle", "",                                      \
      "what it gives, its efficiency included: " MEANING);                     \
  Add("T_" NAME, false, "cycles", "",                                          \
      "that it takes for the whole launch: " MEANING);                         \
  Add("Share_" NAME, false, "", "", "of the time: " MEANING);
#define BOTTLENECK_INPUT(MEMBER, NAME, UNIT, MEANING)                          \
  Add(NAME, true, UNIT, "", MEANING);
#define BOTTLENECK_RESULT(MEMBER, NAME, UNIT, MEANING)                         \
  Add(NAME, false, UNIT, "", MEANING);
#define BOTTLENECK_COUNT(MEMBER, NAME, UNIT, MEANING)                          \
  Add(NAME, false, UNIT, "", MEANING);
#include "ptxpredict/Model/BottleneckTerms.def"

  Model = MWPCWPName;
#define MWPCWP_INPUT(MEMBER, NAME, UNIT, MEANING)                              \
  Add(NAME, true, UNIT, "", MEANING);
#define MWPCWP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                   \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/MWPCWPTerms.def"

  Model = IPPName;
#define POWER_UNIT(ENUMERATOR, NAME, KEY, SCOPE, MEANING)                      \
  Add("RP_" NAME, false, "W", "(39)", "drawn by " MEANING);                    \
  Add("AccessRate_" NAME, false, "", "(61)",                                   \
      "share of its peak, from 0 to 1: " MEANING);
#include "ptxpredict/Device/PowerUnits.def"
#define IPP_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING)                        \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#define IPP_THERMAL_TERM(MEMBER, NAME, UNIT, EQUATION, MEANING)                \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/IPPTerms.def"

  Model = ThroughputName;
#define THROUGHPUT_INPUT(MEMBER, NAME, UNIT, MEANING)                          \
  Add(NAME, true, UNIT, "", MEANING);
#define THROUGHPUT_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)               \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#define THROUGHPUT_LEVEL(MEMBER, NAME, UNIT, EQUATION, MEANING)                \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/ThroughputTerms.def"

  Model = WangChuName;
#define WANGCHU_INPUT(MEMBER, NAME, UNIT, MEANING)                             \
  Add(NAME, true, UNIT, "", MEANING);
#define WANGCHU_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                  \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/WangChuTerms.def"

  Model = LittlesLawName;
#define LITTLESLAW_INPUT(MEMBER, NAME, UNIT, MEANING)                          \
  Add(NAME, true, UNIT, "", MEANING);
#define LITTLESLAW_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)               \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/LittlesLawTerms.def"

  Model = BSPName;
#define BSP_INPUT(MEMBER, NAME, UNIT, MEANING)                                 \
  Add(NAME, true, UNIT, "", MEANING);
#define BSP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                      \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/BSPTerms.def"

  Model = SongName;
#define SONG_INPUT(MEMBER, NAME, UNIT, MEANING)                                \
  Add(NAME, true, UNIT, "", MEANING);
#define SONG_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                     \
  Add(NAME, false, UNIT, EQUATION, MEANING);
#include "ptxpredict/Model/SongTerms.def"
  return All;
}

const std::vector<TermMeaning> &ptxpredict::termMeanings() {
  static const std::vector<TermMeaning> All = listTerms();
  return All;
}
