//===- LaunchConfig.h - How a kernel is started -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_LAUNCHCONFIG_H
#define PTXPREDICT_LAUNCH_LAUNCHCONFIG_H

#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Launch/TensorMap.h"
#include "ptxpredict/Support/LLVM.h"
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

class BufferContents;

/// Where buffers lie unless the launch says otherwise, bytes: what cudaMalloc
/// guarantees at least (CUDA C++ Programming Guide, "Device Memory Accesses").
constexpr uint64_t PointerAlignment = 256;

/// Extents of a grid, block or cluster; unset extents are 1.
struct Dim3 {
  uint64_t X = 1, Y = 1, Z = 1;
  uint64_t count() const { return X * Y * Z; }
  bool operator==(const Dim3 &O) const {
    return X == O.X && Y == O.Y && Z == O.Z;
  }
};

/// The most blocks of a grid or threads of a block that are read: as many as
/// Dim3::count() can hold with room to spare. Devices allow fewer.
constexpr uint64_t MaxExtentProduct = uint64_t(1) << 62;

/// One to three positive extents; nothing for another number of them, for an
/// extent of 0 and for a product above \ref MaxExtentProduct.
std::optional<Dim3> makeDim3(ArrayRef<uint64_t> Extents);

/// Reads "X", "X,Y", "X,Y,Z" or the same with 'x' between ("16x16"); numbers
/// may carry k, M, Ki, …. Nothing for other text or where makeDim3 has nothing.
std::optional<Dim3> parseDim3(StringRef Text);

/// "256", "32x8", "8x8x4"
std::string toString(const Dim3 &D);

/// The value of one kernel parameter: a number, or the name of a buffer or of a
/// tensor map.
struct ArgumentValue {
  enum class KindTy {
    Integer,
    Float,
    Buffer,
    TensorMap
  } Kind = KindTy::Integer;
  int64_t Integer = 0;
  double Float = 0;         ///< of an Integer too
  std::string Buffer;       ///< or of a tensor map
  uint64_t BufferAlign = 0; ///< bytes
  uint64_t BufferBytes = 0; ///< 0: not known
  /// What the buffer holds when the kernel starts; null where nobody says.
  std::shared_ptr<const BufferContents> Contents = nullptr;
};
/// "1Mi", "0x10", "2.5", "1e-3"; nothing if it is no number.
std::optional<ArgumentValue> parseArgumentValue(StringRef Text);

/// What a launch says of one parameter, or of a part of one.
struct LaunchArgument {
  std::string Parameter; ///< its index ("0") or name, or an ArgumentPlace
  ArgumentValue Value;
  SMLoc Place; ///< of the key in the launch file; invalid from elsewhere
  /// Higher for a source that goes before others; see merge().
  unsigned Rank = 0;
};

/// Bytes of a parameter that the launch gives by themselves, as a member of a
/// structure.
struct ArgumentPart {
  uint64_t Bytes = 0;
  uint64_t Bits = 0; ///< of a number: the bytes, from the lowest
  std::string Type;  ///< of a number: "u32"
  ArgumentValue Value;

  bool isNumber() const {
    return Value.Kind == ArgumentValue::KindTy::Integer ||
           Value.Kind == ArgumentValue::KindTy::Float;
  }
};
/// By parameter index and offset in bytes; they do not overlap.
using ArgumentParts = std::map<std::pair<unsigned, uint64_t>, ArgumentPart>;

/// The size of what a pointer points to that is passed by itself or within a
/// structure.
struct PointedBuffer {
  std::string Parameter; ///< its index ("0") or name
  uint64_t Offset = 0;   ///< of the pointer in the parameter, bytes
  uint64_t Bytes = 0;
  SMLoc Place; ///< of what says so
};
/// "0", "in", "params+24": a parameter's index or name, and a pointer's place
/// in it. Sets Parameter and Offset. True if that is none.
bool parsePointerPlace(StringRef Text, PointedBuffer &Result);

/// What a launch says about a kernel. Everything is optional: what a later
/// source leaves out is taken from an earlier one (option, then launch file,
/// then the kernel's directives, then the defaults).
struct LaunchSpec {
  std::optional<Dim3> Grid;
  std::optional<Dim3> Block;
  std::optional<Dim3> Cluster;
  std::optional<uint64_t> DynamicSharedBytes;
  /// In the order given: of two for one parameter the later holds.
  std::vector<LaunchArgument> Args;
  std::vector<PointedBuffer> Buffers; ///< of one place the later holds
  TensorMaps Maps;                    ///< by the name that arguments use
  /// By label, with or without its leading '$', or by line ("40").
  std::map<std::string, double, std::less<>> TripCounts;
  std::map<std::string, double, std::less<>> BranchProbabilities;
  /// Pieces of work, such as tiles, that the blocks of a persistent kernel
  /// share out among them while they run.
  std::optional<double> Work;

  /// The rank of arguments that go before all that are there.
  unsigned nextRank() const;
};

/// \p Over's entries, and \p Base's where \p Over has none.
LaunchSpec merge(const LaunchSpec &Over, const LaunchSpec &Base);

/// A grid whose block indices are taken apart into digits: each axis of another
/// grid, with as many blocks in the same order, is one digit of an index.
struct GridDigits {
  struct Axis {
    unsigned Dimension = 0; ///< of the launch: 0 for x
    uint64_t Unit = 1;      ///< what a step along it adds to that index
  };
  Dim3 Grid; ///< that of the launch
  std::array<Axis, 3> Axes;

  /// The block of the launch at a place of the other grid.
  Dim3 blockAt(const Dim3 &Place) const;
};

/// The launch that an analysis works on, every choice made.
struct LaunchConfig {
  Dim3 Grid, Block, Cluster;
  /// Grid is not that of the launch but has this one's digits for axes.
  std::optional<GridDigits> Digits;
  /// Nothing says that the block or the grid has this shape: it stands for all
  /// shapes that the kernel may be launched with.
  bool BlockIsAssumed = false, GridIsAssumed = false;
  /// Threads of a block that no launch goes beyond (CUDA C++ Programming Guide,
  /// "Technical Specifications per Compute Capability"), or `.maxntid` says so.
  uint64_t MaxThreadsPerBlock = 1024;
  /// The highest dimension of threads that the code reads. An assumed block has
  /// no other ones.
  unsigned IndexDimensions = 3;
  uint64_t DynamicSharedBytes = 0;
  /// By parameter index.
  std::map<unsigned, ArgumentValue> Args;
  /// They go before Args. A value of a whole parameter from a source of a
  /// higher rank has taken away those that were there.
  ArgumentParts Parts;
  /// Bytes of the buffers that pointers point to, as far as they are known: by
  /// parameter index and by the pointer's place in the parameter.
  std::map<std::pair<unsigned, uint64_t>, uint64_t> BufferBytes;
  TensorMaps Maps; ///< as LaunchSpec::Maps
  std::map<std::string, double, std::less<>> TripCounts;
  std::map<std::string, double, std::less<>> BranchProbabilities;
  std::optional<double> Work; ///< as LaunchSpec::Work

  /// Sets \p Part; what it overlaps is gone.
  void setPart(unsigned Parameter, uint64_t Offset, ArgumentPart Part);
  /// Up to 8 bytes of a parameter: what is given as a number, and what Parts
  /// say at all, one bit a byte of the bits (0xff).
  struct GivenBytes {
    uint64_t Bits = 0, Known = 0, Given = 0;
  };
  GivenBytes partBytes(unsigned Parameter, uint64_t Offset,
                       uint64_t Bytes) const;
  /// The buffer whose address Parts give at that place; null without one.
  const ArgumentValue *bufferAt(unsigned Parameter, uint64_t Offset) const;

  /// Calls \p Fn with the place and the value of each buffer that is given: for
  /// a parameter as a whole, and for a part.
  template <typename FnT>
  void forEachBuffer(FnT Fn) const {
    for (const auto &[Index, A] : Args)
      if (A.Kind == ArgumentValue::KindTy::Buffer)
        Fn(Index, uint64_t(0), A);
    for (const auto &[Place, P] : Parts)
      if (P.Value.Kind == ArgumentValue::KindTy::Buffer)
        Fn(Place.first, Place.second, P.Value);
  }
  template <typename FnT>
  void forEachBuffer(FnT Fn) {
    std::as_const(*this).forEachBuffer(
        [&Fn](unsigned Index, uint64_t Offset, const ArgumentValue &A) {
          Fn(Index, Offset, const_cast<ArgumentValue &>(A));
        });
  }
  /// As forEachBuffer(), where there is a pointer to the buffer: a structure
  /// among the kernel's \p Parameters has the bytes of one that is given for
  /// all of it.
  template <typename ParametersT, typename FnT>
  void forEachPointer(const ParametersT &Parameters, FnT Fn) const {
    forEachBuffer([&](unsigned Index, uint64_t Offset, const ArgumentValue &A) {
      if (Parameters[Index].Elements == 1 || bufferAt(Index, Offset) == &A)
        Fn(Index, Offset, A);
    });
  }

  uint64_t threadsPerBlock() const { return Block.count(); }
  uint64_t warpsPerBlock() const {
    return (Block.count() + WarpSize - 1) / WarpSize;
  }
  uint64_t blocks() const { return Grid.count(); }
};

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_LAUNCHCONFIG_H
