//===- AccessCosts.h - What a memory instruction's requests cost *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_ACCESSCOSTS_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_ACCESSCOSTS_H

#include "ActiveLanes.h"
#include "SignRanges.h"
#include "ptxpredict/Analysis/Access/ProfileCounts.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include <bitset>
#include <limits>
#include <memory>

namespace ptxpredict::counting {

/// What a request costs repeats in so many bytes of its address.
constexpr uint64_t Period = 128;

/// An index of a thread within its block.
bool isThread(const Symbol &S);

/// A quantity with so many values, of which the assignment has the first.
struct Dimension {
  const Quantity *Counter;
  uint64_t Count;
  int Axis = -1; ///< of the block's index in the grid; -1 for a counter
};

/// What a request costs.
enum CostKind : unsigned {
  ActiveLaneCount,
  Sectors,
  Lines,
  Wavefronts,
  Wavefronts8,  ///< of the aligned 8 bytes that a lane's 4 lie in
  Wavefronts16, ///< of the aligned 16 bytes that a lane's 4 or 8 lie in
  Paired,       ///< wavefronts where pairs of lanes count once
  Paired8,
  Paired16,
  CC10,
  CC12,
  CC20,
  NumCosts
};
using RequestCosts = std::array<double, NumCosts>;

/// The addresses of a warp, apart from what is the same for all threads of a
/// block: warps whose addresses lie at a distance from another's, the same in
/// all lanes, cost the same but for that distance.
struct WarpAddresses {
  const Expression *OfThread = nullptr; ///< null: cannot be told apart
  std::vector<unsigned> Class;          ///< by warp: the first warp like it
  std::vector<uint64_t> Shift;          ///< from that one's
};

/// Of lanes whose places loaded data decide: those that load the same lie at
/// known distances from each other.
struct LaneGroups {
  const Expression *Distance = nullptr; ///< what is known of a lane's place
  /// Lanes for which these are equal load the same.
  SmallVector<const Expression *, 2> Keys;
  uint64_t Align = Period; ///< a power of two that divides what is loaded
  /// They load where pieces of an array begin that follow each other: all
  /// lanes' places together are one row, wherever it lies.
  bool ArePieces = false;
  // Of the first warp and iteration that is counted; others are taken for
  // alike.
  bool IsPrepared = false;
  LaneArray Place = {};
  SmallVector<uint32_t, 8> Lanes; ///< of each group
  /// Lanes of \p Of, each place once.
  unsigned countPlaces(uint32_t Of) const;
};

/// One memory effect of an instruction, and the sum of its requests' costs.
struct Access {
  enum class KindTy : uint8_t {
    Lanes,     ///< each lane's address is Address, but for an open part
    Scattered, ///< each lane's address is open
    Uncounted  ///< not made of lanes, or of several requests
  } Kind = KindTy::Uncounted;
  AddressSpace Space = AddressSpace::Generic;
  unsigned Bytes = 0;     ///< of a lane
  uint32_t Lanes = ~0u;   ///< that name an address
  bool IsMatrix = false;  ///< lanes name rows
  bool IsOfReads = false; ///< by lanes alone that read (Event::Reads)
  bool Continues = false; ///< one more request of the effect before
  const Expression *Address = nullptr;
  const Expression *Whole = nullptr; ///< with what is open
  unsigned Root = 0; ///< of the address, among its block's expressions
  int Record = -1;   ///< of global memory: its number in LocalityRecords
  /// A part of the address that is open and the same in all lanes is a multiple
  /// of this; 128 if it does not matter.
  uint64_t OpenAlign = 128;
  uint64_t SpanBytes = 0; ///< within which scattered lanes lie; 0: anywhere
  /// Of scattered lanes; null where each lies by itself.
  std::shared_ptr<LaneGroups> Groups;
  /// Of what is taken for the address; known if nothing is.
  ptxpredict::Status Status = Status::Known;
  bool DependsOnLaunch = false; ///< on an assumed one
  bool IsStandIn = false;       ///< a parameter was given a value
  const Symbol *Open = nullptr;
  const Symbol *StrideOf = nullptr;     ///< a parameter in the lanes' stride
  OpenReason Reason = OpenReason::None; ///< it is uncounted, or open
  OpenReason LaunchReason = OpenReason::None; ///< it depends on the launch

  // How it depends on indices and counters; filled when it is first counted.
  bool IsPrepared = false, IsLinear = true;
  uint64_t Step = 0; ///< a divisor of all slopes, modulo 128
  const WarpAddresses *Warps = nullptr;
  std::optional<int64_t> LaneStride;

  bool IsLinearNow = true; ///< where it was counted last
  bool IsStrideNoted = false;

  // Results.
  Estimate Requests = Estimate::known(0);
  RequestCosts Sum{}, Least, Most{}, Unlikely{};
  double Weight = 0, UnlikelyWeight = 0;
  bool HasInexact = false, HasLoose = false;
  bool IsPart = false;       ///< of more requests that were not looked at
  bool HasOpenLanes = false; ///< which lanes some requests have is open
  ptxpredict::Status Worst = Status::Known;
  std::bitset<128> Residues; ///< at which inexact requests lie

  /// Address is all of the address, at the launch that is asked for.
  bool isDecided() const {
    return Address && Status == Status::Known && OpenAlign == 128 &&
           !DependsOnLaunch;
  }

  Access() { Least.fill(std::numeric_limits<double>::infinity()); }
  /// Adds what the same instruction did when called from elsewhere.
  void add(const Access &Other);
};

/// How often a sum of terms has which residue modulo 128.
using Residues = SmallVector<std::pair<unsigned, double>, 2>;

/// Lanes with their distances from each other, and what their request costs at
/// each place modulo 128, as far as anyone asked.
struct RequestShape {
  LaneArray Distance; ///< of active lanes from the first of them
  uint32_t Lanes;
  unsigned Bytes;
  AddressSpace Space;
  std::bitset<128> Has;
  std::vector<RequestCosts> Costs;
  /// The mean over places that are multiples of 1, 2, … 64 apart, by their
  /// logarithm and the first of them; with the least and the most.
  struct Mean {
    RequestCosts Value, Least, Most;
  };
  llvm::SmallDenseMap<unsigned, std::unique_ptr<Mean>, 1> Open;
};

class AccessCoster {
public:
  AccessCoster(const SymbolicValues &Kernel, const LaunchConfig &Launch)
      : E(Kernel.expressions()), Launch(Launch) {}

  /// Says what of the address \p X of \p M can be evaluated.
  void setAddress(Access &M, const Expression *X,
                  llvm::function_ref<Decidedness(const Symbol &)> Of);
  /// Adds the requests of the lanes \p F. \p Evaluated has the address in the
  /// present warp. With \p IsPart there are more like these elsewhere.
  void count(Access &M, const ActiveLanes &F,
             const CompiledExpressions *Evaluated, Assignment &A,
             ArrayRef<Dimension> Dimensions, double Multiple, uint64_t WarpRun,
             bool IsPart);
  static AccessCounts finish(const Access &M);

private:
  struct Split;
  void prepare(Access &M, const LaneArray &First);
  const WarpAddresses *warpPlaces(const Expression &Address);
  bool isLinearHere(const Access &M, Assignment &A,
                    ArrayRef<Dimension> Dimensions, uint32_t Lanes,
                    const LaneArray &Here);
  void countAt(Access &M, const ActiveLanes &F, const LaneArray &Addresses,
               ArrayRef<std::pair<unsigned, double>> At, bool IsExact,
               bool IsSteady);
  void countScattered(Access &M, const ActiveLanes &F, double Times);
  static void prepareGroups(Access &M, const Assignment &A);
  bool beginsPiece(const Expression *Data);
  void gather(const Access &M, uint32_t Lanes, RequestCosts &Mean);
  RequestShape &shapeOf(const Access &M, const LaneArray &Addresses,
                        uint32_t Lanes);
  static const RequestCosts &costAt(RequestShape &S, unsigned Place);
  static const RequestShape::Mean &meanFrom(RequestShape &S, unsigned Place,
                                            uint64_t Step);
  static RequestCosts leastOf(const Access &M);
  static void scatter(const Access &M, uint32_t Lanes, RequestCosts &Mean,
                      RequestCosts &Low, RequestCosts &High);

  Expressions &E;
  const LaunchConfig &Launch;
  llvm::DenseMap<const Expression *, std::unique_ptr<WarpAddresses>> Places;
  llvm::DenseMap<const Expression *, bool> Pieces; ///< by loaded data
  /// By a hash; those of one value in a row.
  llvm::DenseMap<uint64_t, SmallVector<std::unique_ptr<RequestShape>, 1>>
      Shapes;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_ACCESSCOSTS_H
