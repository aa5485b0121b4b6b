//===- Machine.h - Blocks, warps and their lanes ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A warp's lanes are in groups: those of one group execute together. A frame is
// one entry of a function; of its waiting groups the one whose block comes
// first in reverse post-order runs, and groups at one block become one. Frames
// are a tree: lanes that diverged may call apart.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_MACHINE_H
#define PTXPREDICT_LIB_EMULATOR_CORE_MACHINE_H

#include "AsyncChecks.h"
#include "Counters.h"
#include "Program.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include <atomic>

namespace ptxpredict::emulator {

class BlockMachine;
class ClusterMachine;
class ClusterQueue;

/// What all blocks of a run share. Written before they run, but for Memory's
/// contents.
struct Run {
  const Program &Code;
  const LaunchConfig &Launch;
  const EmulationOptions &Options;
  DeviceMemory &Memory;
  ClusterQueue &Queue;
  std::vector<uint8_t> KernelParams;
  std::mutex WideAtomics; ///< of 16 bytes
  /// The first cluster, by number, in which the run failed.
  std::atomic<uint64_t> FirstFault{~uint64_t(0)};

  bool isInterrupted() const {
    return Options.Interrupt && Options.Interrupt->load();
  }
};

/// Why a block could not go on.
struct Fault {
  const Instruction *Where = nullptr;
  std::string Message;
};

/// Copies of a warp that --check follows: the accesses of a group.
using CopyGroup = std::vector<std::pair<uint32_t, WarpAccess>>;

/// What bar.red makes of the predicates of who arrived.
struct BarrierResult {
  uint32_t Count = 0;
  bool All = true, Any = false;
};

struct Group {
  enum class State : uint8_t {
    Ready,
    AtBarrier,  ///< of the block; Barrier says which
    AtWarpSync, ///< until the lanes of Awaited are at such an instruction
    InCall      ///< until Children frames have returned
  };
  uint32_t Id = 0;
  uint32_t Block = 0, Next = 0; ///< the step that is executed next
  uint32_t Lanes = 0;
  /// Lanes whose run of the present block only polls again: it does not count.
  uint32_t Again = 0;
  State Is = State::Ready;
  uint8_t Barrier = 0;
  bool Passed = false; ///< the barrier or sync at Next has let it through
  /// Some lane came to Block from an earlier one: into the loop, if it heads
  /// one, as headers come first in the order of their loop's blocks.
  bool Enters = true;
  BarrierResult Result; ///< of the barrier that has let it through
  uint32_t Awaited = 0; ///< or the columns, at TensorBarrier
  uint32_t Children = 0;
};

struct Frame {
  const Function *F = nullptr;
  Frame *Caller = nullptr;
  uint32_t CallerGroup = 0;
  const Step *CallStep = nullptr;
  uint32_t Entered = 0; ///< the lanes that came in
  std::vector<Group> Groups;
  std::vector<char> Storage; ///< registers, aligned by Registers
  char *Registers = nullptr;
  std::vector<uint8_t> Params; ///< ParamBytes a lane
  uint64_t LocalBase = 0, LocalTop = 0;
  uint32_t Carry = 0; ///< CC.CF
  /// Lanes that have run a block of a polling loop since they entered it.
  std::vector<uint32_t> Visited;
};

/// A wait for an mbarrier that was in vain.
struct VainWait {
  const Step *Where = nullptr; ///< null: none
  uint64_t Address = 0;        ///< of the mbarrier
  uint64_t Bits = 0;           ///< it holds
};

/// One warp of a running block.
class WarpMachine {
public:
  enum class Status { Runnable, Blocked, Done, Failed };

  WarpMachine(BlockMachine &B, unsigned Number, uint32_t Lanes);

  /// Executes up to \p Budget instructions, or until all lanes wait or are
  /// gone.
  Status run(uint64_t Budget);

  /// Accesses by which it may be waiting for others.
  uint64_t spins() const { return Spins; }

  // For the handlers.
  BlockMachine &Block;
  const unsigned Number;
  const uint32_t Existing; ///< lanes with a thread
  uint32_t Exited = 0;
  uint64_t Executed = 0; ///< instructions so far
  Frame *Top = nullptr;  ///< that executes now
  Group *Now = nullptr;
  const Step *Last = nullptr; ///< the first of the last block with any
  bool YieldSoon = false;     ///< it waits for others by spinning
  /// It has completed a phase of an mbarrier: who waits must see it before the
  /// next one is complete.
  bool SwitchSoon = false;
  CopyGroup OpenCopies;              ///< not yet committed
  std::vector<CopyGroup> CopyGroups; ///< committed, oldest first
  std::vector<WarpAccess> OpenReads; ///< of bulk copies, not yet committed
  std::vector<std::vector<WarpAccess>> ReadGroups; ///< oldest first
  VainWait Polled;                           ///< by which its last turn ended
  std::unique_ptr<PendingRegisters> Pending; ///< null without --check

  uint32_t live() const { return Existing & ~Exited; }
  /// Its number in the cluster, for --check.
  unsigned checkNumber() const;
  /// What the operand adds to its register, if it has one.
  uint64_t addressBase(const AddressOperand &A) const;
  const void *array(const LaneOperand &O) const {
    return Banks[unsigned(O.From)] + O.Offset;
  }
  void *dest(const LaneOperand &O) { return Top->Registers + O.Offset; }
  uint32_t predicate(const LaneOperand &O) const {
    uint32_t P = *static_cast<const uint32_t *>(array(O));
    return O.Negated ? ~P : P;
  }
  /// Lane's element, zero-extended from the width that is wanted.
  uint64_t value(const LaneOperand &O, unsigned Lane) const;
  /// The operand's elements as wide as wanted, perhaps made in \p Temporary.
  const void *adapted(const LaneOperand &O, void *Temporary) const;
  /// Writes elements of Wanted bytes to the register, in \p Lanes alone.
  void write(const LaneOperand &O, const void *Elements, uint32_t Lanes);
  /// Writes elements of that type, whatever the mnemonic and the register say.
  template <class T>
  void writeElements(LaneOperand O, const T (&Elements)[WarpSize],
                     uint32_t Lanes) {
    O.Wanted = sizeof(T);
    write(O, Elements, Lanes);
  }
  void writePredicate(const LaneOperand &O, uint32_t Values, uint32_t Lanes);

  /// Ends the run with an error. Outcome::Stop.
  Outcome fail(const Step &S, const Twine &Message);

  /// Sends \p Lanes of the present group to another block of the frame.
  void send(uint32_t Block, uint32_t Lanes);
  /// Takes \p Lanes away from the present group.
  void take(uint32_t Lanes) { Now->Lanes &= ~Lanes; }
  /// The function ends for the lanes, with what it returns.
  void returnLanes(uint32_t Lanes);
  /// The threads end.
  void exitLanes(uint32_t Lanes);
  /// Starts a function for \p Lanes of the present group, which waits.
  Frame *enter(const Function &F, const Step *Call, uint32_t Lanes);
  /// Groups that wait at \p Barrier go on. False if there are none.
  bool release(unsigned Barrier, const BarrierResult &Result);
  /// Those of the present group that are not in \p Lanes go on behind \p S by
  /// themselves.
  void keepOnly(const Step &S, uint32_t Lanes);
  /// Wakes who waits for lanes of the warp that cannot come. False if nobody
  /// does.
  bool wakeSyncs();

  /// Bytes of a lane's local memory at \p Address; null outside of what its
  /// frames have.
  uint8_t *local(unsigned Lane, uint64_t Address, uint64_t Bytes);
  /// Makes room for \p Bytes a lane. False beyond the limit.
  bool growLocal(uint64_t Bytes);
  void setSpecials();
  void setClock();

  /// An access by which it may be waiting for others.
  void noteSpin() { ++Spins; }

  /// Whether what the present group does counts: it does not only poll again.
  bool counts() const { return (Now->Lanes & ~Now->Again) != 0; }
  StepCounter &counter(const Step &S) const;
  MemoryCounter &memoryCounter(const Step &S) const;
  /// Counts what a matrix instruction multiplies, by the descriptor that
  /// tcgen05.mma has.
  void countProducts(const Step &S, uint64_t MACs,
                     uint32_t Descriptor = 0) const;

  /// A hash of all that its next turns depend on, but for memory.
  uint64_t state() const;
  /// All frames, for messages.
  const std::vector<std::unique_ptr<Frame>> &frames() const { return Frames; }

private:
  Outcome runGroup(uint64_t Limit);
  bool select();
  void leaveFrames();
  void separateReturned();
  void freeFrame(Frame *F);
  void merge(Frame &F);
  uint32_t visit(const BlockPolling &B) const;

  std::array<const char *, 3> Banks{};
  std::vector<std::unique_ptr<Frame>> Frames; ///< innermost last
  std::vector<std::unique_ptr<Frame>> Spare;
  std::vector<char> SpecialStorage;
  std::vector<uint8_t> Local;
  uint64_t LocalStride = 0;
  uint32_t NextGroup = 1;
  uint64_t Spins = 0;
  unsigned Yields = 0;      ///< one after the other
  unsigned SpunTurns = 0;   ///< in which it did little else, likewise
  bool LatestFirst = false; ///< lets lanes behind a loop or call go first
};

/// A barrier of a block or cluster.
struct BarrierState {
  std::vector<uint32_t> Arrived; ///< lanes, by warp
  uint64_t Expected = 0;         ///< threads; 0: all of the block
  bool InUse = false;            ///< somebody has arrived
  const Step *Last = nullptr;    ///< by which somebody came
  BarrierResult Result;          ///< of who has arrived so far
};

/// Four warps that multiply matrices together.
struct WarpgroupState {
  uint32_t Arrived = 0; ///< bits of its warps
  const Step *Where = nullptr;
  uint64_t NumIssued = 0; ///< multiplications that are done
};

/// One block of a running cluster.
class BlockMachine {
public:
  static constexpr unsigned NumBarriers = 16;
  /// Group::Barrier of who waits for the cluster.
  static constexpr unsigned ClusterBarrier = NumBarriers;
  /// The same of who waits for the other warps of its warpgroup.
  static constexpr unsigned WarpgroupBarrier = ClusterBarrier + 1;
  /// The same of who waits for columns of tensor memory.
  static constexpr unsigned TensorBarrier = WarpgroupBarrier + 1;

  BlockMachine(ClusterMachine &C, unsigned Rank);

  /// Notes what --check found at \p S: each kind and place once.
  void report(StringRef Kind, const Step &S, const Twine &Message,
              const Step *Other = nullptr, const Twine &OtherMessage = "");
  /// Wakes who waits at a barrier if all that it waits for have come.
  void checkBarrier(unsigned Barrier, const Step *S);
  void checkAllBarriers();
  /// The address of its shared memory's begin.
  uint64_t sharedBase() const { return uint64_t(Rank) << ClusterRankShift; }
  bool hasEnded() const { return NumExited == R.Launch.threadsPerBlock(); }
  void fail(const Step &S, const Twine &Message) {
    Failure = Fault{S.I, Message.str()};
  }

  ClusterMachine &Cluster;
  Run &R;
  Worker &W;
  const unsigned Rank; ///< %cluster_ctarank
  Dim3 Position;       ///< %ctaid
  uint64_t Index = 0;  ///< linear in the grid
  std::vector<uint8_t> Shared;
  std::vector<std::unique_ptr<WarpMachine>> Warps;
  std::array<BarrierState, NumBarriers> Barriers;
  std::vector<WarpgroupState> Warpgroups;
  std::unique_ptr<TensorMemory> Tensors; ///< once some was allocated
  bool MayAllocateTensors = true;        ///< until it gives that up
  uint64_t NumExited = 0;                ///< threads
  SharedMemoryCheck *Check = nullptr; ///< of the cluster; null without --check
  std::string Printed;
  std::optional<Fault> Failure;
  std::vector<EmulationProblem> Problems;
};

/// Blocks that run together: without clusters it is one.
class ClusterMachine {
public:
  ClusterMachine(Run &R, Worker &W, uint64_t Index);

  enum class Status { Done, Paused, Failed, Abandoned };
  /// Runs until all blocks have ended. Paused: they seem to wait for other
  /// clusters. Abandoned: the whole run ends.
  Status run();

  /// Wakes who waits for the cluster if all its threads have come.
  void checkBarrier(const Step *S);
  /// Bytes from one block's shared memory to the next, for --check.
  uint64_t sharedStride() const;
  /// An address of shared memory as the check has it.
  uint64_t checkAddress(uint64_t Address) const {
    return (Address >> ClusterRankShift) * sharedStride() +
           (Address & SharedOffsetMask);
  }
  /// The block has ended: who may still access its memory?
  void checkRemote(const BlockMachine &Block, unsigned LastWarp);

  Run &R;
  Worker &W;
  const uint64_t Index;                              ///< linear in the grid
  std::vector<std::unique_ptr<BlockMachine>> Blocks; ///< by rank
  BarrierState Barrier; ///< who has arrived by WarpMachine::checkNumber
  /// Null without --check, and for more warps than it follows.
  std::unique_ptr<SharedMemoryCheck> Check;
  std::unique_ptr<AsyncChecks> Async; ///< with Check
  uint64_t NumTakenOver = 0;          ///< clusters that will not start
  bool GivesWay = false; ///< others have their turn before it goes on

private:
  struct Round;
  std::optional<Status> runRound(Round &Of);
  std::optional<Status> runTurn(WarpMachine &Warp, Round &Of);
  Status reportDeadlock();
  Status reportVainWait();
  void finish();
};

/// The index of the first block of a cluster.
Dim3 firstBlockOf(const LaunchConfig &Launch, uint64_t Cluster);

/// "thread (4,0,0) of block (0,0,0)"
std::string threadName(const WarpMachine &W, unsigned Lane);

/// The host's place of \p Bytes at an address as a lane sees it; null outside
/// of what there is.
uint8_t *hostPlace(WarpMachine &W, unsigned Lane, AddressSpace Space,
                   uint64_t Address, uint64_t Bytes);

// What the decoder chooses from, by topic.
Handler laneHandler(bool Simple);
Outcome runCopy(WarpMachine &, const Step &, uint32_t);
Outcome runPack(WarpMachine &, const Step &, uint32_t);
Outcome runMoveAddress(WarpMachine &, const Step &, uint32_t);
Outcome runUncovered(WarpMachine &, const Step &, uint32_t);
Outcome runNothing(WarpMachine &, const Step &, uint32_t);
Outcome runBranch(WarpMachine &, const Step &, uint32_t);
Outcome runIndexedBranch(WarpMachine &, const Step &, uint32_t);
Outcome runExit(WarpMachine &, const Step &, uint32_t);
Outcome runReturn(WarpMachine &, const Step &, uint32_t);
Outcome runTrap(WarpMachine &, const Step &, uint32_t);
Outcome runCall(WarpMachine &, const Step &, uint32_t);
/// What a function that the driver or the toolkit provides does.
Outcome runSystemCall(WarpMachine &, const Step &, uint32_t);
Handler memoryHandler(ptx::Opcode Op, Step &S);
Handler atomicHandler(ptx::Opcode Op, Step &S);
Handler warpHandler(ptx::Opcode Op, Step &S);
Handler barrierHandler(ptx::Opcode Op, Step &S);
Handler asyncHandler(ptx::Opcode Op, Step &S);
Handler bulkHandler(ptx::Opcode Op, Step &S);
Handler matrixHandler(ptx::Opcode Op, Step &S);
Handler warpgroupHandler(ptx::Opcode Op, Step &S);
Handler tensorMemoryHandler(ptx::Opcode Op, Step &S);
Handler tensorMultiplyHandler(ptx::Opcode Op, Step &S);
/// Whether each modifier is one of these, or begins with one that ends with
/// "::". Where others change what is done, they must not be passed over.
bool hasOnlyModifiers(const Step &S, std::initializer_list<StringRef> Known);
/// Whether all lanes of a warp are here; ends the run where they are not.
bool isWholeWarp(WarpMachine &W, const Step &S, uint32_t Lanes);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_MACHINE_H
