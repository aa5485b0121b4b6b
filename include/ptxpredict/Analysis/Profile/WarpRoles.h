//===- WarpRoles.h - Warps of a block with work of their own ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// In a warp-specialised kernel some warps of a block copy data in, others
// multiply, others write results. They meet at mbarriers, of which there are
// as many as buffers between them: a pipeline with so many stages.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_PROFILE_WARPROLES_H
#define PTXPREDICT_ANALYSIS_PROFILE_WARPROLES_H

#include "ptxpredict/Analysis/Profile/MatrixProducts.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"

namespace ptxpredict {

/// Warps that run the same loops. Counts are of one of them, in the mean, in
/// one block: one of those of which there are the most, as far as the whole
/// launch was looked at, else the one in the middle of the grid.
struct WarpRole {
  std::vector<WarpRange> Warps; ///< of the block
  /// Registers of a thread that `setmaxnreg` asks for last; 0: none does.
  unsigned Registers = 0;
  Estimate Instructions;
  Estimate Copies;     ///< asynchronous copies, of any size
  Estimate TensorMACs; ///< products that matrix instructions add
  Estimate Stores;     ///< to memory outside of the SM

  struct Loop {
    unsigned Line = 0;   ///< of the header, in the input
    Estimate Executions; ///< of the header
  };
  std::vector<Loop> Loops; ///< that it runs and that do not only wait
};

/// Numbers of roles, in order.
using RoleSet = std::vector<unsigned>;

/// Neighbouring mbarriers that are used alike, one for each stage.
struct MBarrierArray {
  std::string Place;   ///< the first one's: "smem + 221184"
  unsigned Number = 0; ///< of barriers; 0: nobody knows
  /// Arrivals that complete a phase; 0: nobody knows, or barriers differ.
  uint64_t Arrivals = 0;
  /// Bytes of copies that a phase waits for (`expect_tx`); 0: none, or nobody
  /// knows, or barriers differ.
  uint64_t Bytes = 0;
  bool IsOfCopies = false;   ///< asynchronous copies arrive
  bool IsOfMatrices = false; ///< asynchronous matrix instructions do
  bool IsOfCluster = false;  ///< other blocks of the cluster arrive
  /// Who waits does not do so at first: what they wait for is free.
  bool StartsFree = false;
  RoleSet Arriving, Waiting;
};

/// Two roles that hand buffers to each other and back. Step by step, each may
/// be ahead of the other by so many stages: the slower one decides.
struct RolePipeline {
  unsigned Producer = 0, Consumer = 0; ///< roles; the same if one does both
  unsigned Full = 0;                   ///< of WarpRoles::Barriers
  std::optional<unsigned> Empty;       ///< what the producer waits for
  unsigned Stages = 0;                 ///< 0: nobody knows
  /// How often the consumer's warps wait for a stage, each.
  Estimate Steps;
};

struct WarpRoles {
  std::vector<WarpRole> Roles; ///< in the order of their first warps
  std::vector<MBarrierArray> Barriers;
  std::vector<RolePipeline> Pipelines;

  bool empty() const { return Roles.empty(); }
};

/// Of the kernel that \p V is of; \p P has its classes, and \p Matrices what it
/// multiplies. One role if all warps run the same loops. Nothing if there is no
/// mbarrier.
WarpRoles findWarpRoles(const SymbolicValues &V, const StaticProfile &P,
                        const MatrixProducts &Matrices);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_WARPROLES_H
