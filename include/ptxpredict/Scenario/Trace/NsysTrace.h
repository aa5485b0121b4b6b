//===- NsysTrace.h - What GPUs did in a real run ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads what `nsys stats --report cuda_gpu_trace --format csv` prints: the rows
// of NVIDIA Nsight Systems' report "CUDA GPU Trace", one for each kernel, copy
// and memset. The layouts of three generations are known:
// - 2021.1: Start(sec), Duration(nsec), …, StcSMem, DymSMem, Bytes, Thru, …
// - to 2023: Start (ns), Duration (ns), …, Bytes (MB), Throughput (MBps), …
// - from 2024 on: Throughput (MB/s), and GreenCtx behind Ctx
// and any other units that such a heading names, as with `--timeunit`. What
// nsys prints before the heading is skipped, and the table of another report
// ends this one. MB are 10^6 bytes (a copy of 4 MiB is one of 4.194 MB).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_TRACE_NSYSTRACE_H
#define PTXPREDICT_SCENARIO_TRACE_NSYSTRACE_H

#include "ptxpredict/Support/Diagnostics.h"
#include <array>

namespace ptxpredict {

enum class TraceKind : uint8_t {
  Kernel,
  HostToDevice,
  DeviceToHost,
  WithinDevice, ///< also from and to arrays
  PeerToPeer,
  HostToHost,
  Fill, ///< a memset
  Other ///< what this program does not know: "[CUDA memcpy Unknown]"
};

/// Where a copy reads or writes, as the trace says it.
enum class TraceMemory : uint8_t {
  Unknown, ///< not said
  Pageable,
  Pinned,
  Device, ///< also arrays and static variables
  Managed
};

/// One row. Times are whole nanoseconds, as nsys keeps them, so that ends and
/// starts can be compared.
struct TraceOperation {
  TraceKind Kind = TraceKind::Kernel;
  TraceMemory Source = TraceMemory::Unknown;
  TraceMemory Destination = TraceMemory::Unknown;
  int64_t StartNs = 0;
  int64_t DurationNs = 0; ///< not negative
  uint32_t Device = 0;    ///< index into NsysTrace::Devices
  uint32_t Context = 0;
  uint32_t Stream = 0; ///< unique in its context
  uint32_t Name = 0;   ///< index into NsysTrace::Names
  /// Of a kernel; 0 where the trace does not say it.
  std::array<uint32_t, 3> Grid{}, Block{};
  /// Of a kernel, and of a copy or memset. Of the sizes that a trace with MB of
  /// three decimals may mean these are the roundest ones in binary. A copy's
  /// throughput there is its bytes times the whole number 10^9 div nanoseconds,
  /// which leaves one size alone where it took less than 1 ms.
  double DynamicShared = 0, Bytes = 0;
  uint32_t Registers = 0; ///< of a kernel's thread; 0 where it is not said
  SMLoc Place;            ///< of its name in the file

  int64_t endNs() const { return StartNs + DurationNs; }
};

struct TraceDevice {
  std::string Text;    ///< "NVIDIA A100-SXM4-80GB (0)"
  uint32_t Number = 0; ///< in parentheses at the end; 0 without
};

struct NsysTrace {
  /// By start, then end, then as they stand in the file. No stream of a start
  /// that was rounded overlaps itself by no more than the rounding.
  std::vector<TraceOperation> Operations;
  std::vector<std::string> Names;   ///< each once
  std::vector<TraceDevice> Devices; ///< by number, then text

  /// The first start and the last end; 0 without operations.
  int64_t firstNs() const;
  int64_t lastNs() const;
  /// Between these two.
  double seconds() const { return double(lastNs() - firstNs()) * 1e-9; }
};

/// "h2d", "kernel": of messages and tests.
StringRef toString(TraceKind Kind);

/// Whether a line of \p Text is the heading of such a report.
bool hasNsysTrace(StringRef Text);

/// Reads the engine's buffer, in time linear in its size but for sorting. True
/// on error (all reported): no heading, a column twice or missing, an unknown
/// unit, rows of other lengths, cells that are no number, rows without start,
/// duration or name.
bool readNsysTrace(DiagnosticEngine &Diags, NsysTrace &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_TRACE_NSYSTRACE_H
