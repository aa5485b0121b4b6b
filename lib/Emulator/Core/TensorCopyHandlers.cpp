//===- TensorCopyHandlers.cpp - Copies of boxes of tensors ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA, "Tensors" and "cp.async.bulk.tensor". Rows of a box follow each
// other in shared memory; one that is narrower than the swizzle takes the
// swizzle's width.
//===----------------------------------------------------------------------===//
#include "AtomicOperations.h"
#include "BulkCopies.h"
#include "Emulator/Lanes/SmallFloats.h"
#include "Emulator/Memory/TensorMap.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

namespace {

/// Step::Detail of tensor copies: the rank, and what is done.
enum TensorStep : uint32_t {
  RankMask = 7,
  Gathers = 8, ///< four rows that the coordinates name
  Loads = 16,  ///< into shared memory
  Stores = 32,
  Reduces = 64,
  Prefetches = 128
};

/// One lane's copy of a box, with its rows.
class TensorBox {
public:
  TensorBox(WarpMachine &W, const Step &S, unsigned Lane)
      : Counter(W, S), W(W), S(S), Lane(Lane) {}

  /// Reads the tensor map and the coordinates. False if the run ends.
  bool read(const AddressOperand &MapOperand);

  /// Bytes of shared memory from one row to the next, and of all rows.
  uint64_t pitch() const { return std::max<uint64_t>(rowBytes(), Map.Swizzle); }
  uint64_t sharedBytes() const { return pitch() * NumRows; }
  /// Bytes that an mbarrier is told of.
  uint64_t movedBytes() const { return rowBytes() * NumRows; }

  /// Counts what is read or written of global memory.
  void count();
  /// Fills Data from the tensor.
  void load();
  /// Writes Data into the tensor, or reduces it with \p Form.
  void store(const ReductionForm *Form) const;
  /// Between Data and shared memory at \p To.
  void putShared(const Piece &To) const;
  void takeShared(const Piece &From);
  /// Tells --check what a store reads: of rows that are stored.
  void readRows(const Piece &From);

  TensorMapSpec Map;
  BulkCounter Counter;

private:
  /// One row: its elements First to End are in bounds, and Place is that of
  /// element First.
  struct Row {
    uint64_t First = 0, End = 0;
    uint64_t Address = 0;
    uint8_t *Place = nullptr;
  };

  uint64_t rowBytes() const { return Map.Box[0] * bitsInShared(Map.Type) / 8; }
  uint64_t globalBytes(uint64_t Elements) const {
    return Elements * bitsInGlobal(Map.Type) / 8;
  }
  uint64_t innerFirst() const {
    return Coordinates[0] < 0
               ? std::min<uint64_t>(Map.Box[0], uint64_t(-Coordinates[0]))
               : 0;
  }
  Row rowAt(ArrayRef<int64_t> Position) const;
  bool findRows();
  void convert(uint8_t *Elements, uint64_t Count) const;

  WarpMachine &W;
  const Step &S;
  unsigned Lane;
  uint64_t Base = 0; ///< of the tensor
  SmallVector<int64_t, 5> Coordinates;
  uint64_t NumRows = 1;
  std::vector<Row> Rows;
  std::vector<uint8_t> Data; ///< NumRows rows, without padding or swizzle
};

} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

bool TensorBox::read(const AddressOperand &MapOperand) {
  const uint64_t Address = laneAddress(W, MapOperand, Lane);
  const uint8_t *Host = hostPlace(W, Lane, AddressSpace::Generic, Address,
                                  TensorMapObject::Bytes);
  // Of a parameter whose address was taken without cvta.
  if (!Host && Address < W.Block.R.KernelParams.size())
    Host = hostPlace(W, Lane, AddressSpace::Param, Address,
                     TensorMapObject::Bytes);
  if (!Host) {
    W.fail(S, "there is no tensor map at 0x" + Twine::utohexstr(Address));
    return false;
  }
  TensorMapObject Object;
  memcpy(&Object, Host, sizeof Object);
  std::string Why;
  std::optional<TensorMapSpec> Spec = Object.spec(Why);
  const unsigned Rank = S.Detail & RankMask;
  if (Spec && Spec->rank() != Rank)
    Why = ("a tensor of rank " + Twine(Spec->rank()) +
           " is copied as one of rank " + Twine(Rank))
              .str();
  if (!Why.empty()) {
    W.fail(S, Why);
    return false;
  }
  Map = std::move(*Spec);
  Base = Object.Address;
  for (unsigned N = 0; N != S.NumCoordinates; ++N)
    Coordinates.push_back(int32_t(W.value(S.Coordinates[N], Lane)));
  return findRows();
}

TensorBox::Row TensorBox::rowAt(ArrayRef<int64_t> Position) const {
  Row R;
  uint64_t Address = Base;
  for (unsigned D = 1; D != Map.rank(); ++D) {
    if (Position[D] < 0 || uint64_t(Position[D]) >= Map.Dims[D])
      return R;
    Address += uint64_t(Position[D]) * Map.Strides[D - 1];
  }
  const int64_t X = Coordinates[0];
  R.First = innerFirst();
  R.End = uint64_t(std::clamp<int64_t>(int64_t(Map.Dims[0]) - X,
                                       int64_t(R.First), int64_t(Map.Box[0])));
  R.Address = Address + globalBytes(uint64_t(X + int64_t(R.First)));
  return R;
}

bool TensorBox::findRows() {
  SmallVector<int64_t, 5> Position(Coordinates.begin(),
                                   Coordinates.begin() + Map.rank());
  if (S.Detail & Gathers) {
    NumRows = 4;
    for (unsigned N = 0; N != NumRows; ++N) {
      Position[1] = Coordinates[1 + N];
      Rows.push_back(rowAt(Position));
    }
  } else {
    for (unsigned D = 1; D != Map.rank(); ++D)
      NumRows *= Map.copied(D);
    Rows.reserve(NumRows);
    for (uint64_t N = 0; N != NumRows; ++N) {
      uint64_t Rest = N;
      for (unsigned D = 1; D != Map.rank(); ++D) {
        Position[D] = Coordinates[D] +
                      int64_t(Rest % Map.copied(D) * Map.ElementStrides[D]);
        Rest /= Map.copied(D);
      }
      Rows.push_back(rowAt(Position));
    }
  }
  if (Coordinates[0] * int64_t(bitsInGlobal(Map.Type)) % 8 != 0 ||
      (bitsInGlobal(Map.Type) != bitsInShared(Map.Type) &&
       Coordinates[0] % 128 != 0)) {
    W.fail(S,
           "coordinate " + Twine(Coordinates[0]) +
               " of dimension 0 does not begin a group of elements of type " +
               toString(Map.Type));
    return false;
  }
  for (Row &R : Rows) {
    const uint64_t Bytes = globalBytes(R.End - R.First);
    if (!Bytes)
      continue;
    const DeviceMemory::Region *In = W.Block.R.Memory.find(R.Address);
    bool Writes = S.Detail & (Stores | Reduces);
    if (!In || !In->holds(R.Address, Bytes) || (In->ReadOnly && Writes)) {
      W.fail(S, "a row of the tensor's box has " + Twine(Bytes) +
                    " bytes at 0x" + Twine::utohexstr(R.Address) + ": " +
                    W.Block.R.Memory.describe(R.Address, Bytes));
      return false;
    }
    R.Place = In->at(R.Address);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

void TensorBox::count() {
  Counter.startGlobal();
  for (const Row &R : Rows)
    Counter.addGlobal(R.Address, globalBytes(R.End - R.First));
  Counter.endGlobal();
}

/// What a load changes of floating-point numbers.
void TensorBox::convert(uint8_t *Elements, uint64_t Count) const {
  const bool Rounds =
      Map.Type == TensorElement::TF32 || Map.Type == TensorElement::TF32Ftz;
  const bool Flushes =
      Map.Type == TensorElement::F32Ftz || Map.Type == TensorElement::TF32Ftz;
  if (!Rounds && !Flushes)
    return;
  for (uint64_t N = 0; N != Count; ++N) {
    float F;
    memcpy(&F, Elements + N * sizeof F, sizeof F);
    if (Flushes)
      F = flush(F);
    uint32_t Bits = Rounds ? encode<TF32Format, Rounding::Even>(F) << 13
                           : llvm::bit_cast<uint32_t>(F);
    memcpy(Elements + N * sizeof F, &Bits, sizeof Bits);
  }
}

void TensorBox::load() {
  Data.assign(movedBytes(), Map.FillsNaN ? 0xff : 0);
  uint8_t *To = Data.data();
  for (const Row &R : Rows) {
    if (bitsInGlobal(Map.Type) == bitsInShared(Map.Type)) {
      if (R.Place) {
        memcpy(To + globalBytes(R.First), R.Place,
               globalBytes(R.End - R.First));
        convert(To + globalBytes(R.First), R.End - R.First);
      }
    } else { // 16 elements each in 16 bytes
      for (uint64_t At = R.First; At < R.End; At += 16)
        memcpy(To + At, R.Place + globalBytes(At - R.First),
               globalBytes(std::min<uint64_t>(16, R.End - At)));
    }
    To += rowBytes();
  }
}

void TensorBox::store(const ReductionForm *Form) const {
  const uint8_t *From = Data.data();
  for (const Row &R : Rows) {
    const uint64_t Bytes = globalBytes(R.End - R.First);
    if (!R.Place) {
    } else if (Form) {
      for (uint64_t At = 0; At != Bytes; At += Form->Bytes) {
        uint64_t V = 0;
        memcpy(&V, From + globalBytes(R.First) + At, Form->Bytes);
        reduceInto(R.Place + At, *Form, V, /*IsShared=*/false);
      }
    } else if (bitsInGlobal(Map.Type) == bitsInShared(Map.Type)) {
      memcpy(R.Place, From + globalBytes(R.First), Bytes);
    } else {
      for (uint64_t At = R.First; At < R.End; At += 16)
        memcpy(R.Place + globalBytes(At - R.First), From + At,
               globalBytes(std::min<uint64_t>(16, R.End - At)));
    }
    From += rowBytes();
  }
}

/// Calls \p Fn with the place in shared memory, which begins at \p Shared, and
/// in the box of each 16 bytes.
template <typename FnT>
static void forEachChunk(const TensorBox &Box, const Piece &Shared,
                         uint64_t RowBytes, FnT Fn) {
  const uint64_t NumRows = Box.sharedBytes() / Box.pitch();
  for (uint64_t R = 0; R != NumRows; ++R)
    for (uint64_t At = 0; At != RowBytes; At += 16) {
      uint64_t Address =
          swizzled(Shared.Address + R * Box.pitch() + At, Box.Map.Swizzle);
      Fn(Shared.Host + int64_t(Address - Shared.Address), R * RowBytes + At);
    }
}

void TensorBox::putShared(const Piece &To) const {
  forEachChunk(*this, To, rowBytes(), [&](uint8_t *Place, uint64_t At) {
    memcpy(Place, Data.data() + At, 16);
  });
}

void TensorBox::takeShared(const Piece &From) {
  Data.resize(movedBytes());
  forEachChunk(*this, From, rowBytes(), [&](const uint8_t *Place, uint64_t At) {
    memcpy(Data.data() + At, Place, 16);
  });
}

void TensorBox::readRows(const Piece &From) {
  for (uint64_t N = 0; N != NumRows; ++N) {
    const uint64_t Bits = bitsInShared(Map.Type);
    const uint64_t First = Rows[N].First * Bits / 128 * 16,
                   End = (Rows[N].End * Bits + 127) / 128 * 16;
    // A swizzle permutes the chunks of a span.
    const bool Whole = Map.Swizzle || First >= End;
    if (Rows[N].Place)
      Counter.readShared(From.Address + N * pitch() + (Whole ? 0 : First),
                         Whole ? pitch() : End - First);
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Finds the box in shared memory. A swizzle moves nothing out of it. False if
/// the run ends.
static bool findBox(WarpMachine &W, const Step &S, unsigned Lane,
                    const TensorBox &Box, uint64_t Address, Piece &Out) {
  return findPiece(W, S, Lane, Address,
                   {AddressSpace::Shared, Box.sharedBytes(), 128}, Out);
}

static bool loadBox(WarpMachine &W, const Step &S, unsigned L) {
  TensorBox Box(W, S, L);
  CopyTargets Targets;
  if (!findTargets(W, S, L, 0, Targets) || !Box.read(S.Address2))
    return false;
  Box.count();
  Box.load();
  return Targets.forEach(
      laneAddress(W, S.Address, L), laneAddress(W, S.Address3, L),
      [&](uint64_t Address, uint64_t Barrier) {
        Piece To;
        if (!findBox(W, S, L, Box, Address, To))
          return false;
        Box.Counter.writeShared(To.Address, Box.sharedBytes(), Barrier);
        Box.putShared(To);
        return completeBytes(W, S, L, Barrier, Box.movedBytes());
      });
}

/// How elements of the type are reduced.
static std::optional<ReductionForm> reductionOf(const Step &S,
                                                TensorElement Type) {
  StringRef Name = toString(Type);
  Name.consume_back(".ftz");
  for (StringRef Bitwise : {"and", "or", "xor"})
    if (hasModifier(S.I->Modifiers, Bitwise))
      Name = bitsInGlobal(Type) == 64   ? "b64"
             : bitsInGlobal(Type) == 32 ? "b32"
                                        : "";
  return findReduction((S.I->Modifiers + "." + Name).str());
}

static bool storeBox(WarpMachine &W, const Step &S, unsigned L) {
  TensorBox Box(W, S, L);
  Piece From;
  if (!Box.read(S.Address) ||
      !findBox(W, S, L, Box, laneAddress(W, S.Address2, L), From))
    return false;
  Box.count();
  std::optional<ReductionForm> Form;
  if (S.Detail & Reduces && !(Form = reductionOf(S, Box.Map.Type))) {
    W.fail(S, "'" + S.I->Mnemonic + "' reduces no elements of type " +
                  toString(Box.Map.Type));
    return false;
  }
  Box.readRows(From);
  Box.takeShared(From);
  Box.store(Form ? &*Form : nullptr);
  return true;
}

static bool prefetchBox(WarpMachine &W, const Step &S, unsigned L) {
  TensorBox Box(W, S, L);
  if (!Box.read(S.Address))
    return false;
  Box.count();
  return true;
}

static Outcome runTensorCopy(WarpMachine &W, const Step &S, uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    const bool Done = S.Detail & Loads        ? loadBox(W, S, L)
                      : S.Detail & Prefetches ? prefetchBox(W, S, L)
                                              : storeBox(W, S, L);
    if (!Done)
      return Outcome::Stop;
  }
  return Outcome::Next;
}

/// The rank in ".2d"; 0 without one.
static unsigned rankOf(StringRef Modifiers) {
  for (unsigned Rank = 1; Rank <= TensorMapSpec::MaxRank; ++Rank) {
    const char Name[] = {char('0' + Rank), 'd'};
    if (hasModifier(Modifiers, StringRef(Name, 2)))
      return Rank;
  }
  return 0;
}

Handler emulator::tensorCopyHandler(Opcode Op, Step &S) {
  StringRef M = S.I->Modifiers;
  if (Handler H = tensorMapHandler(Op, S))
    return H;
  if (Op != Opcode::CpAsyncBulkTensor &&
      Op != Opcode::CpReduceAsyncBulkTensor &&
      Op != Opcode::CpAsyncBulkPrefetchTensor)
    return nullptr;
  // Not the modes of im2col.
  if (!hasOnlyModifiers(S, {"1d",
                            "2d",
                            "3d",
                            "4d",
                            "5d",
                            "L2",
                            "L2::cache_hint",
                            "global",
                            "shared::",
                            "tile",
                            "tile::gather4",
                            "tile::scatter4",
                            "mbarrier::complete_tx::bytes",
                            "bulk_group",
                            "multicast::cluster",
                            "multicast::cluster::",
                            "cta_group::",
                            "add",
                            "min",
                            "max",
                            "inc",
                            "dec",
                            "and",
                            "or",
                            "xor"}))
    return nullptr;
  const unsigned Rank = rankOf(M);
  const bool IsGather =
      hasModifier(M, "tile::gather4") || hasModifier(M, "tile::scatter4");
  if (!Rank || S.NumCoordinates != (IsGather ? 5 : Rank) ||
      (IsGather && Rank != 2))
    return nullptr;
  S.Detail = Rank | (IsGather ? uint32_t(Gathers) : 0);
  if (Op == Opcode::CpAsyncBulkPrefetchTensor) {
    S.Detail |= Prefetches;
    return S.NumAddresses ? runTensorCopy : nullptr;
  }
  const bool Signals = hasModifier(M, "mbarrier::complete_tx::bytes");
  S.Detail |= Op == Opcode::CpReduceAsyncBulkTensor ? Reduces
              : Signals                             ? Loads
                                                    : Stores;
  if (S.NumAddresses < (Signals ? 3 : 2) || (isMulticast(S) && !S.NumSources))
    return nullptr;
  return runTensorCopy;
}
