//===- Dataset.h - What rows of measurements mean ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_DATASET_DATASET_H
#define PTXPREDICT_VALIDATION_DATASET_DATASET_H

#include "ptxpredict/Model/PowerEvents.h"
#include "ptxpredict/Support/CSVFile.h"
#include "ptxpredict/Support/Formula.h"
#include <array>

namespace ptxpredict {

/// "schema" and "version" of the file (docs/commands/Validate.md). The version
/// rises when a key is renamed, taken away or required anew.
constexpr StringRef DatasetSchemaName = "ptx-predict/dataset";
constexpr unsigned DatasetSchemaVersion = 1;

/// One entry of a `where`: a column or formula, and what it must be.
struct DatasetCondition {
  enum class Kind {
    AnyOf, ///< one of Values, as text, or as number where both are numbers
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    NotEqual,
    Least, ///< the smallest or largest of the rows compared
    Most
  };
  YAMLText Column;                ///< as written
  std::optional<Formula> Compute; ///< where Of is one
  Kind Test = Kind::AnyOf;
  std::vector<std::string> Values;
  double Limit = 0; ///< of the comparisons but NotEqual
};

/// A text with {name} in it.
struct Template {
  YAMLText Source;
  struct Part {
    bool IsName = false;
    std::string Text; ///< a name without braces, or what stands between
  };
  std::vector<Part> Parts;
};

/// What kinds of kernels there are: errors and ranges are given for each.
ArrayRef<StringRef> datasetKinds();

/// How the rows of one kernel were run.
struct DatasetKernel {
  SMLoc Place;
  std::vector<DatasetCondition> Where;
  std::string Name; ///< shown; of kernels, by default the glob
  YAMLText Glob;    ///< of the kernel in the code
  Template Code;
  /// The launch file; without parts there is none. Grid, Block and all that
  /// follows go before what it says.
  Template LaunchFile;
  std::optional<Formula> Entry; ///< which of the kernel's in it, from 1
  std::vector<Formula> Grid, Block, Cluster; ///< one to three, or none
  std::optional<Formula> DynamicShared;      ///< bytes
  std::vector<std::pair<YAMLText, Formula>> Args, TripCounts,
      BranchProbabilities;
  /// Bytes of the buffers that pointers point to: see parsePointerPlace().
  std::vector<std::pair<YAMLText, Formula>> Buffers;
  /// Of a thread: registers, and bytes that a compiler keeps in memory for it
  /// (ResourceCharacteristics).
  std::optional<Formula> Registers, SpillBytes, SpillLoadBytes;
  std::optional<Formula> WarpsPerSM;
  std::optional<Formula> CoreMHz; ///< in place of the dataset's
  /// Names for the entry's other formulas, in their order; each may use those
  /// before it.
  std::vector<std::pair<YAMLText, Formula>> Define;
  std::string Kind;     ///< one of datasetKinds(); "other" by default
  std::string Apart;    ///< why the rows are shown apart; empty if they are not
  std::string Requires; ///< how the code is made, for people
};

/// What hardware counted that static analysis counts too.
enum class MeasuredCount : uint8_t {
  Instructions,    ///< warp instructions of a warp
  DRAMSectors,     ///< 32 B, of the launch
  L2Sectors,       ///< 32 B, of the launch
  SharedWavefronts ///< of the launch
};
constexpr unsigned NumMeasuredCounts = 4;

/// A description of measurements, which lie in a CSV file.
struct Dataset {
  std::string Name, Title, Source;
  std::string Kind; ///< of kernels that say none
  YAMLText CSV;     ///< the file's name
  std::vector<DatasetCondition> Where;
  std::string AlwaysDevice; ///< of all rows; empty if a column says it
  SMLoc DevicePlace;
  YAMLText DeviceColumn;
  /// What the column says, and our name.
  std::vector<std::pair<YAMLText, YAMLText>> Devices;
  std::optional<Formula> TimeUs, CoreMHz, MemMHz, PowerLimitW, PowerW;
  std::array<std::optional<Formula>, NumMeasuredCounts> Counters;
  /// Others, by our own names of them; of the counter's scope and unit.
  std::vector<std::pair<Counter, Formula>> MoreCounters;
  std::array<std::optional<Formula>, NumPowerEvents> Events; ///< of a launch
  double LeastUs = 6; ///< shorter ones are of the launch, not the kernel
  std::vector<YAMLText> Set;
  std::vector<DatasetCondition> Default; ///< may test for Least and Most
  std::optional<uint64_t> SampleRows;
  uint64_t SampleSeed = 0;
  std::vector<DatasetKernel> Kernels;
};

/// Reads the engine's buffer. True on error: all of a file's are reported with
/// line, column and the nearest known key.
bool readDataset(DiagnosticEngine &Diags, Dataset &Result);

/// Whether every name that \p D uses is a column of \p Table or defined. True
/// on error (reported to \p Diags, the dataset's).
bool checkNames(const Dataset &D, const CSVFile &Table,
                DiagnosticEngine &Diags);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_DATASET_DATASET_H
