//===- AsyncChecks.h - What --check knows of asynchronous work --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The emulator does everything when it is issued; here is kept what would still
// be under way on a GPU.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_ASYNCCHECKS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_ASYNCCHECKS_H

#include "Emulator/Check/SharedMemoryCheck.h"
#include "Program.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict::emulator {

class BlockMachine;
class WarpMachine;
struct SharedMatrix;

/// Work of a cluster that mbarriers are told of, and who wrote what without the
/// asynchronous proxy being told.
class AsyncChecks {
public:
  AsyncChecks(unsigned NumWarps, uint64_t SharedBytes)
      : LastFence(NumWarps), LastRemote(NumWarps),
        Writes((SharedBytes + 3) / 4) {}

  /// \name Work that ends when somebody knows of the phase of an mbarrier which
  /// it helps to complete.
  /// @{
  void start(uint64_t MBarrier, const WarpAccess &Bytes) {
    MBarriers[MBarrier].Running.push_back(Bytes);
  }
  void complete(uint64_t MBarrier);
  /// What is known to be done now.
  std::vector<WarpAccess> takeDone(uint64_t MBarrier);
  /// @}

  /// \name Shared memory that multiplications read: of wgmma until warps of
  /// the group have waited, of tcgen05 until somebody knows of the mbarrier
  /// that a commit of the warp told.
  /// @{
  struct MatrixReads {
    /// Of tcgen05 the warp that issued it, and Number 0.
    SharedMemoryCheck::GroupRead Group;
    std::vector<WarpAccess> Bytes;
    SmallVector<std::pair<uint64_t, bool>, 2> MBarriers; ///< as of a product
    unsigned NumWaited = 0;                              ///< warps of the group
  };
  void hold(MatrixReads &&R) { Reads.push_back(std::move(R)); }
  void commitReads(unsigned Warp, uint64_t MBarrier);
  /// Those that end with a wait for the mbarrier; call before takeDone().
  std::vector<MatrixReads> takeReads(uint64_t MBarrier);
  /// A warp of a group has waited for its multiplications up to \p Last.
  void waitForGroup(SharedMemoryCheck &Check, unsigned Warp,
                    const SharedMemoryCheck::GroupRead &Last);
  /// @}

  /// \name Multiplications in tensor memory.
  /// @{
  struct Product {
    const BlockMachine *Block;
    unsigned FirstColumn, NumColumns;
    const Step *Where;
    /// Those that were told to wait for it, and whether their phases are
    /// complete.
    SmallVector<std::pair<uint64_t, bool>, 4> MBarriers;
  };
  void multiply(const Product &P);
  /// All of the block's are done once the mbarrier's phase is complete.
  void commit(const BlockMachine &Block, uint64_t MBarrier);
  /// tcgen05.st of a warp, until it has waited. \p Store's Where is the store.
  struct Store {
    const BlockMachine *Block;
    unsigned Warp;
    unsigned FirstColumn, NumColumns;
    const Step *Where;
  };
  void store(const Store &S);
  void waitForStores(const BlockMachine &Block, unsigned Warp);
  /// The first store to some of the columns, in the lanes of \p Warp or, if it
  /// is none, in any.
  const Step *findStore(const BlockMachine &Block, unsigned FirstColumn,
                        unsigned NumColumns,
                        std::optional<unsigned> Warp) const;
  /// A tcgen05.ld or .st, at its warp's time, which what changes or uses the
  /// columns must be behind.
  struct Move {
    const BlockMachine *Block;
    unsigned Warp; ///< as WarpMachine::checkNumber has it
    uint32_t Time;
    unsigned FirstColumn, NumColumns;
    const Step *Where;
    bool IsStore;
  };
  void move(const Move &M);
  /// The first one that a use of the columns by \p Warp is not behind: of
  /// loads only where it changes them.
  const Step *findUnordered(const WarpOrder &Order, unsigned Warp,
                            const Move &Use) const;
  /// The first product that may still change some of the columns.
  const Step *findProduct(const BlockMachine &Block, unsigned FirstColumn,
                          unsigned NumColumns) const;
  /// @}

  /// \name The generic and the asynchronous proxy. Addresses are those that
  /// SharedMemoryCheck is told.
  /// @{
  void writeGeneric(unsigned Warp, uint32_t Instruction, const WarpAccess &A);
  void fenceProxy(unsigned Warp) { LastFence[Warp] = ++Now; }
  /// The instruction that wrote some of the bytes, if neither its warp nor
  /// \p Warp has executed fence.proxy.async since.
  std::optional<uint32_t> findUnfenced(unsigned Warp, uint64_t Address,
                                       uint64_t Bytes) const;
  /// @}

  /// The latest access of a warp to the memory of each other block.
  struct Remote {
    uint32_t Time = 0;
    const Step *Where = nullptr;
  };
  void accessRemote(unsigned Warp, unsigned Rank, const Remote &R) {
    LastRemote[Warp][Rank] = R;
  }
  const Remote &lastRemote(unsigned Warp, unsigned Rank) const {
    return LastRemote[Warp][Rank];
  }

private:
  struct Work {
    std::vector<WarpAccess> Running, Done;
  };
  struct Write {
    uint64_t Time = 0;
    uint32_t Instruction = 0, Warp = 0;
  };
  llvm::DenseMap<uint64_t, Work> MBarriers;
  std::vector<Product> Products;
  std::vector<Store> Stores;
  std::vector<Move> Moves;
  std::vector<MatrixReads> Reads;
  uint64_t Now = 0;
  std::vector<uint64_t> LastFence; ///< by warp
  std::vector<std::array<Remote, 16>> LastRemote;
  std::vector<Write> Writes; ///< by word
};

/// Registers of a warp that asynchronous instructions still read or write, as
/// the PTX has them: their places in a frame are shared.
class PendingRegisters {
public:
  /// Checks a step that is about to run, and notes what it does.
  void watch(WarpMachine &W, const Step &S);
  /// The warp ends.
  void finish(WarpMachine &W);

private:
  using Name = uint64_t; ///< the function's number and the register's

  void multiply(WarpMachine &W, const Step &S);
  void endReads(WarpMachine &W, uint64_t Left);
  void access(WarpMachine &W, const Step &S);
  void reportLoad(WarpMachine &W, const Step &Load, const Step &Reader);
  void drop(const Step *Issued);
  void dropDone(uint64_t Left);

  llvm::DenseMap<Name, const Step *> Pending;
  std::vector<const Step *> Open;                ///< not yet committed
  std::vector<std::vector<const Step *>> Groups; ///< oldest first
  uint64_t NumIssued = 0;                        ///< multiplications
  std::vector<uint64_t> GroupEnds; ///< so many were issued before each commit
  llvm::DenseMap<Name, std::pair<uint64_t, const Step *>> Written;
  /// Loads of which something was read before a wait. The wait may yet come:
  /// compilers move it behind what uses the loaded values.
  llvm::DenseMap<const Step *, const Step *> Early;
  uint64_t Now = 0, LastFence = 0;
};

/// Runs a step whose registers are watched.
Outcome runWatched(WarpMachine &W, const Step &S, uint32_t Lanes);

/// The asynchronous proxy reads shared memory of \p Of.
void checkAsyncRead(WarpMachine &W, const Step &S, uint64_t Address,
                    uint64_t Bytes);
/// It reads so many rows and units of a matrix.
void checkMatrixRead(WarpMachine &W, const Step &S, const BlockMachine &Of,
                     const SharedMatrix &M, std::pair<unsigned, unsigned> Size);
/// A wait for the mbarrier was successful.
void noteWait(WarpMachine &W, uint64_t MBarrier);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_ASYNCCHECKS_H
