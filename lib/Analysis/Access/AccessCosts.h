//===- AccessCosts.h - What a memory instruction's requests cost *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_ACCESSCOSTS_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_ACCESSCOSTS_H

#include "ActiveLanes.h"
#include "CopyBox.h"
#include "ScaledLanes.h"
#include "SignRanges.h"
#include "ptxpredict/Analysis/Access/ProfileCounts.h"
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
  Passes, ///< of atomics: lanes that meet
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

/// Lanes whose addresses loaded data decide: those that load the same data lie
/// at known distances from each other.
struct LaneGroups {
  const Expression *Distance = nullptr; ///< what is known of a lane's address
  /// Lanes for which these are equal load the same.
  SmallVector<const Expression *, 2> Keys;
  uint64_t Align = Period; ///< a power of two that divides what is loaded
  /// They load where pieces of an array begin that follow each other: all
  /// lanes' addresses together are one row, wherever it lies.
  bool ArePieces = false;
};

/// The groups of a warp's lanes. The first warp and iteration that is counted
/// stands for all others.
struct GroupedLanes {
  uint64_t Align = Period; ///< as in LaneGroups
  bool ArePieces = false;  ///< as in LaneGroups, if the lanes are in order
  LaneArray Offset = {};   ///< of each lane from its group's data
  SmallVector<uint32_t, 8> Lanes; ///< of each group
  /// How many different addresses the lanes \p Among have.
  unsigned countAddresses(uint32_t Among) const;
};

/// One memory effect of an instruction, ready to be counted.
struct Access {
  enum class KindTy : uint8_t {
    Lanes,     ///< each lane's address is Address, but for an open part
    Scattered, ///< each lane's address is open
    Uncounted  ///< not made of lanes, or of several requests
  } Kind = KindTy::Uncounted;
  AddressSpace Space = AddressSpace::Generic;
  unsigned Bytes = 0;    ///< of a lane
  uint32_t Lanes = ~0u;  ///< that name an address
  bool IsMatrix = false; ///< lanes name rows
  bool IsAtomic = false;
  bool IsOfReads = false; ///< by lanes alone that read (Event::Reads)
  bool Continues = false; ///< one more request of the effect before
  /// Each lane moves one of these, which is a request of its own, from Address
  /// on; Bytes are those of a whole one. Null for others.
  std::shared_ptr<const CopyBox> Box = nullptr;
  const Expression *Address = nullptr;
  const Expression *Whole = nullptr; ///< with what is open
  unsigned Root = 0; ///< of the address, among its block's expressions
  int Record = -1;   ///< of global memory: its number in LocalityRecords
  /// A part of the address that is open and the same in all lanes is a multiple
  /// of this; 128 if it does not matter.
  uint64_t OpenAlign = 128;
  /// Such a part is left out of Address, though all costs are known: places
  /// are not.
  bool IsMoved = false;
  /// A generic address: lanes of one request may lie in several spaces, each of
  /// which then has a request of its own.
  bool MayMixSpaces = false;
  /// Lanes may lie at other distances than those of Address: a generic one may
  /// be in local memory, where each lane has a place of its own.
  bool MayScatter = false;
  uint64_t SpanBytes = 0; ///< within which scattered lanes lie; 0: anywhere
  /// For scattered lanes; null where each lies by itself.
  std::shared_ptr<const LaneGroups> Groups;
  /// How well the address is known: known if nothing is assumed about it.
  ptxpredict::Status Status = Status::Known;
  bool DependsOnLaunch = false; ///< on an assumed one
  bool IsStandIn = false;       ///< a parameter was given a value
  /// An open part is taken to be the same in all lanes, but may not be.
  bool MayBeApart = false;
  /// Lanes' numbers, scaled, are in the address (LaneScaler).
  bool IsScaled = false;
  UnknownFactor Scale;
  const Symbol *Open = nullptr;
  /// What a load at a decided place reads, by the launch; else null.
  const BufferContents *Contents = nullptr;
  const Symbol *StrideOf = nullptr;     ///< a parameter in the lanes' stride
  OpenReason Reason = OpenReason::None; ///< it is uncounted, or open
  OpenReason LaunchReason = OpenReason::None; ///< it depends on the launch

  /// Address is all of the address, at the launch that is asked for.
  bool isDecided() const {
    return Address && Status == Status::Known && OpenAlign == 128 &&
           !DependsOnLaunch;
  }
};

/// What the requests of an access cost, added up, and how its address depends
/// on indices and counters.
struct AccessSums {
  // Found when the access is first counted.
  bool IsPrepared = false, IsLinear = true;
  uint64_t Step = 0; ///< a divisor of all slopes, modulo 128
  const WarpAddresses *Warps = nullptr;
  std::optional<int64_t> LaneStride;
  std::optional<GroupedLanes> Groups;

  bool IsLinearNow = true; ///< where it was counted last

  Estimate Requests = Estimate::known(0);
  RequestCosts Sum{}, Least, Most{}, Unlikely{};
  double Weight = 0, UnlikelyWeight = 0;
  bool HasInexact = false, HasLoose = false;
  bool IsPart = false;       ///< of more requests that were not looked at
  bool HasOpenLanes = false; ///< which lanes some requests have is open
  ptxpredict::Status Worst = Status::Known; ///< of the lanes
  std::bitset<128> Residues;                ///< at which inexact requests lie

  AccessSums() { Least.fill(std::numeric_limits<double>::infinity()); }
  /// Widens the bounds of a request's costs.
  void bound(const RequestCosts &Low, const RequestCosts &High);
  /// Adds costs of one request, \p Times over.
  void addCosts(const RequestCosts &Costs, double Times, bool IsLikely);
};

/// How the address changes with a quantity, as far as it matters: in shared
/// memory within 128 bytes alone.
Slope slopeOf(const Access &M, const Quantity &Q,
              const Assignment *Here = nullptr);

/// All requests of an effect, those of calls from elsewhere and those that
/// Continues tells of included.
struct AccessTotal {
  Access Effect;
  AccessSums Sums;

  void add(const AccessTotal &Other);
  AccessCounts finish() const;
};

struct RequestBatch;

/// What each lane's box has in the tensor, in the first of a batch's requests.
struct ClippedBoxes {
  std::vector<BoxPart> Parts; ///< by lane; empty where all are whole
  /// It is the same in all of the batch's requests.
  bool IsSteady = true;

  const BoxPart *of(unsigned Lane) const {
    return Parts.empty() ? nullptr : &Parts[Lane];
  }
};
ClippedBoxes clipBoxes(const Access &M, const RequestBatch &B);

/// Requests of an access that are counted together.
struct RequestBatch {
  const ActiveLanes &Lanes; ///< of each
  /// Has the access's address, in the warp of \p A.
  const CompiledExpressions *Evaluated;
  /// Where the first of them is. Counting moves it about, and back.
  Assignment &A;
  ArrayRef<Dimension> Dimensions; ///< along which there are more like it
  double Multiple;                ///< how many there are in all
  uint64_t WarpRun;               ///< warps that have one each
  bool IsPart;                    ///< more like these are not looked at
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
  bool IsAtomic;
  std::bitset<128> Has;
  std::vector<RequestCosts> Costs;
  /// The mean over places that are multiples of 1, 2, … 64 apart, by their
  /// logarithm and the first of them; with the least and the most.
  struct Mean {
    RequestCosts Value, Least, Most;
  };
  llvm::SmallDenseMap<unsigned, std::unique_ptr<Mean>, 1> Open;
};

/// Says what of an access's address can be evaluated.
class AddressPreparer {
public:
  AddressPreparer(Expressions &E, const LaunchConfig &Launch)
      : E(E), Launch(Launch) {}

  /// Describes the address \p X of \p M.
  void setAddress(Access &M, const Expression *X,
                  llvm::function_ref<Decidedness(const Symbol &)> Of);

private:
  struct Split;
  bool beginsPiece(const Expression *Data);

  Expressions &E;
  const LaunchConfig &Launch;
  llvm::DenseMap<const Expression *, bool> Pieces; ///< by loaded data
};

/// Counts what requests cost.
class AccessCoster {
public:
  AccessCoster(Expressions &E, const LaunchConfig &Launch)
      : E(E), Launch(Launch) {}

  /// Adds requests of \p M to \p S.
  void count(const Access &M, AccessSums &S, const RequestBatch &B);

private:
  /// Requests that differ in their addresses' residues alone.
  struct Residents {
    Residues At;
    bool IsExact;  ///< which lanes there are, and where
    bool IsSteady; ///< where they lie in one dimension they do in all
  };
  void countRounds(const Access &M, AccessSums &S, const RequestBatch &B);
  void prepare(const Access &M, AccessSums &S, const LaneArray &First);
  const WarpAddresses *warpAddresses(const Expression &Address);
  bool isLinearHere(const Access &M, const RequestBatch &B,
                    const LaneArray &Here);
  void countAt(const Access &M, AccessSums &S, const ActiveLanes &F,
               const LaneArray &Addresses, const Residents &R);
  void countWarps(const Access &M, AccessSums &S, const RequestBatch &B,
                  const LaneArray &Here, const Residents &R);
  void countScattered(const Access &M, AccessSums &S, const ActiveLanes &F,
                      double Times);
  void countBoxes(const Access &M, AccessSums &S, const ActiveLanes &F,
                  const LaneArray &Addresses, const Residents &R);
  RequestCosts boxAt(const Access &M, unsigned Lane, unsigned Residue);
  void gather(const Access &M, const GroupedLanes &G, uint32_t Lanes,
              RequestCosts &Mean);
  RequestShape &shapeOf(const Access &M, const LaneArray &Addresses,
                        uint32_t Lanes);
  static const RequestCosts &costAt(RequestShape &S, unsigned Residue);
  static const RequestShape::Mean &meanFrom(RequestShape &S, unsigned Residue,
                                            uint64_t Step);

  Expressions &E;
  const LaunchConfig &Launch;
  llvm::DenseMap<const Expression *, std::unique_ptr<WarpAddresses>> Warps;
  /// By a hash; those of one value in a row.
  llvm::DenseMap<uint64_t, SmallVector<std::unique_ptr<RequestShape>, 1>>
      Shapes;
  /// Of the batch that is counted.
  ClippedBoxes Clipped;
  /// Of whole boxes, by where they begin modulo 128.
  llvm::DenseMap<std::pair<const CopyBox *, unsigned>, BoxCosts> WholeBoxes;
};

/// What a request of one lane costs.
RequestCosts leastCosts(const Access &M);

/// The least and the most that a request of a lane's box costs, wherever it
/// lies.
std::pair<RequestCosts, RequestCosts> boundsOfBox(const CopyBox &Box);
/// The same of a whole one that begins where a line does.
RequestCosts meanOfBox(const CopyBox &Box);

/// The most transactions by CC10 that those lanes, or fewer, take.
double mostCC10(uint32_t Lanes);

/// What a request costs whose lanes lie anywhere.
struct ScatteredCosts {
  RequestCosts Mean, Least, Most;
};
ScatteredCosts scatteredCosts(const Access &M, uint32_t Lanes);

/// The groups of lanes at the assignment \p A; none where each lane is one.
std::optional<GroupedLanes> groupLanes(const LaneGroups &G, unsigned Bytes,
                                       const Assignment &A);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_ACCESSCOSTS_H
