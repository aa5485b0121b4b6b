//===- WarpPathWalker.h - The ways of warps through a function --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_WARPPATHWALKER_H
#define PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_WARPPATHWALKER_H

#include "InOrderIssue.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict::path {

/// Follows the executions of one function, calls of others at their cost.
class WarpPathWalker {
public:
  WarpPathWalker(const FunctionDependence &F, const LatencyTable &T,
                 ArrayRef<CallCost> Callees, bool IsKernel, bool WithWaits);

  CallCost run();
  bool IsExact = true;
  InOrderIssue M;

private:
  /// A stretch of blocks that is gone through once: a loop's body, or all.
  struct Pass {
    enum class Mode { Through, Again, Last } Is = Mode::Through;
    uint32_t First = 0, End = 0; ///< of a loop: First is its header
    /// Last: by position of a block with a way out, the share that leaves here
    /// of what has not left before.
    llvm::DenseMap<uint32_t, double> LeavingShare;
    std::vector<WarpState> Back;    ///< came to the header again
    std::vector<WarpState> Leaving; ///< went elsewhere

    bool contains(uint32_t P) const { return P >= First && P < End; }
  };
  /// The shares of a block with two edges.
  struct WayShares {
    double Edges[2] = {}; ///< with all lanes
    double Both = 0;
  };
  /// What following a loop once gave.
  struct Followed {
    bool IsValid = false;
    WarpState Entry;
    std::vector<WarpState> Leaving; ///< for a mass of 1 that enters at 0
    Totals Sums;
  };

  void runPass(Pass &P);
  std::vector<WarpState> takeEntering(const IssuedLoop &L);
  void runStates(uint32_t Position);
  void runChosen(uint32_t Position);
  /// \p Chosen: the ways of these executions; the block's own without.
  /// \p IsLast: no other state waits for the block.
  void runBlock(uint32_t Position, WarpState &S, const WayShares *Chosen,
                bool IsLast);
  void runLoop(uint32_t Loop, WarpState Entry);
  std::vector<WarpState> follow(uint32_t Loop, const WarpState &Entry);
  struct HeaderStates;
  WarpState iterate(uint32_t Loop, WarpState S, double Times);
  HeaderStates followIterations(uint32_t Loop, WarpState S, double Times);
  std::optional<WarpState> runBody(uint32_t Loop, WarpState S);
  void prepareLast(uint32_t Loop, Pass &P);
  /// Where some of the executions of a block go on.
  struct Way {
    double Share = 0;    ///< of the executions
    uint32_t To[2] = {}; ///< positions, one for all lanes or two
    unsigned NumTo = 0;
    double Clock = 0;    ///< at which they arrive
    bool Leaves = false; ///< the loop whose last pass this is
  };
  using WayList = SmallVector<Way, 4>;
  WayList waysFrom(uint32_t Position, const BlockEnd &E,
                   const WayShares *Chosen) const;
  void weigh(uint32_t Position, WayList &Ways) const;
  void distribute(uint32_t Position, WarpState &S, ArrayRef<Way> Ways,
                  bool IsLast);
  void turn(WarpState &S, const Way &W);
  bool stays(uint32_t Position, const WarpState &S) const;
  void route(uint32_t Position, WarpState &&S);
  void addTo(std::vector<WarpState> &States, WarpState &&S);
  WarpState mergeAll(std::vector<WarpState> States);
  /// Whether an edge may be taken as things are.
  bool isOpen(uint32_t To) const;
  bool isSpent() const { return M.Issued > Budget; }

  const FunctionDependence &F;
  uint64_t Budget;
  std::vector<std::vector<WarpState>> Incoming; ///< by position
  /// What goes on with the block behind the present one: M is in its state,
  /// and only its mass and its places stand here.
  WarpState Loaded;
  bool IsLoaded = false;
  std::vector<int> LoopAt;     ///< by position of its header; -1: none
  std::vector<bool> HasChoice; ///< by position: executions part behind it
  /// By loop: positions of the blocks with an edge out of it, ascending.
  std::vector<SmallVector<uint32_t, 2>> Exits;
  std::vector<Followed> Known; ///< by loop
  std::vector<Pass *> Passes;  ///< outer ones first
};

} // namespace ptxpredict::path

#endif // PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_WARPPATHWALKER_H
