//===- LaunchFile.h - The launch file, launches: in YAML --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_LAUNCHFILE_H
#define PTXPREDICT_LAUNCH_LAUNCHFILE_H

#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/Diagnostics.h"

namespace ptxpredict {

/// How an emulation fills a buffer before the run.
struct BufferFill {
  enum class KindTy {
    Zeros,
    Iota,
    Constant,
    Random,
    File
  } Kind = KindTy::Zeros;
  double Constant = 0;
  uint64_t Seed = 0;
  double Low = 0, High = 1;
  std::string File; ///< relative to the launch file
  SMLoc FilePlace;  ///< of that
};

/// What a buffer must hold after an emulation.
struct BufferExpectation {
  std::string File; ///< empty if Values are given
  std::vector<double> Values;
  std::optional<double>
      Tolerance;        ///< |got - want| <= tolerance * max(1, |want|)
  SMLoc FilePlace = {}; ///< of File
};

struct BufferSpec {
  std::string Type; ///< u8 … f64, see elementBytes
  uint64_t Count = 0;
  uint64_t Align = 256; ///< bytes
  BufferFill Fill;
  bool IsFillGiven = false; ///< else an emulation fills it with zeros
  std::optional<BufferExpectation> Expect;
  SMLoc Place, ExpectPlace; ///< of the name, and of the key `expect`

  /// Of the file that fills it, else of the name.
  SMLoc placeOfFill() const {
    return Fill.FilePlace.isValid() ? Fill.FilePlace : Place;
  }
};

/// Bytes of a buffer's element type; nothing for an unknown name.
std::optional<unsigned> bufferElementBytes(StringRef Type);

struct LaunchFileEntry {
  std::string Kernel; ///< a glob
  SMLoc Place;        ///< of the glob
  LaunchSpec Spec;
  ShapePlaces Shapes; ///< of the Spec
  /// Where the keys of the Spec's trip counts and branch probabilities stand.
  std::map<std::string, SMLoc, std::less<>> TripCountPlaces,
      BranchProbabilityPlaces;
  std::map<std::string, BufferSpec, std::less<>> Buffers;
};

struct LaunchFile {
  std::vector<LaunchFileEntry> Launches;

  /// The first entry whose glob matches one of \p Names (those of
  /// KernelNames); null without one.
  const LaunchFileEntry *find(ArrayRef<StringRef> Names) const;
  /// All of them, in the order of the file.
  std::vector<const LaunchFileEntry *> findAll(ArrayRef<StringRef> Names) const;
};

/// Reads the engine's buffer as a launch file. True on error (reported with
/// line, column and the nearest known key).
bool parseLaunchFile(DiagnosticEngine &Diags, LaunchFile &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_LAUNCHFILE_H
