//===- Machine.h - A made-up GPU that executes nothing ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the stub of the CUDA driver works with. Memory is the host's, time is
// counted and made up: a core cycle is a nanosecond, and what a kernel takes
// follows from its text. Plain C++17.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_STUB_MACHINE_H
#define PTXPREDICT_MEASURE_STUB_MACHINE_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stub {

/// In the device's memory, which is the host's.
using Address = unsigned char *;

/// A kernel as its text says.
struct Kernel {
  std::string Name;
  std::vector<size_t> Parameters; ///< bytes
  uint64_t MostThreads = 1024;    ///< of a block: .maxntid
  /// It has the parameters of our benchmarks, and fills spans.
  bool IsBenchmark = false;
  double Alone = 0;    ///< cycles of its instructions, one warp by itself
  double Together = 0; ///< cycles that they take of an SM, for each warp
  double OfDram = 0;   ///< as Alone, of loads that no cache serves
};

struct Module {
  std::map<std::string, Kernel> Kernels;
};

/// What is to go wrong: PTXPREDICT_STUB, "KEY=VALUE;KEY=VALUE".
///
///   device=none      there is no GPU
///   capability=NN    of the GPU, 90 without
///   gpus=N           so many of it, 1 without
///   memory=BYTES     of the GPU
///   refuse=TEXT      a module with that text is refused
///   fail=KERNEL      a launch fails
///   fault=KERNEL     it accesses memory that is not there
///   hang=KERNEL      it never ends
///   die=KERNEL       it ends the process
///   wrong=KERNEL     a bit of its results is another one
///   power=none       there is no sensor
std::string setting(const char *Key);

struct Freed {
  void operator()(unsigned char *Data) const { std::free(Data); }
};
using Allocation = std::unique_ptr<unsigned char[], Freed>;

class Machine {
public:
  static Machine &get();

  unsigned capability() const;
  int gpus() const;
  size_t memoryBytes() const;
  size_t freeBytes() const { return memoryBytes() - Used; }
  unsigned watts();

  /// Null without room.
  Address allocate(size_t Bytes);
  void free(Address Begin);

  /// The modules are never freed.
  Module *load(const char *Text);

  struct Launch {
    const Kernel *What;
    uint64_t Blocks;
    unsigned Threads;
    void **Arguments;
  };
  void launch(const Launch &L);
  /// How a copy goes.
  enum class Copy { Pageable, Pinned, Peer };
  void copy(void *To, const void *From, size_t Bytes, Copy How);
  /// What the next launch makes of memory.
  void play(Address To, const void *From, size_t Bytes);

  double nowNs() const { return Now; }
  /// The result of everything from now on; 0 while all is well.
  int fault() const { return Fault; }
  /// What the last launch waits for.
  void wait();

private:
  void fillSpans(const Launch &L, double Cycles);
  double cyclesOf(const Launch &L) const;

  struct Region {
    Allocation Data;
    size_t Bytes;
  };
  std::map<Address, Region> Memory;
  struct Played {
    Address To;
    std::vector<unsigned char> Bytes;
  };
  std::vector<Played> ToPlay;
  std::vector<std::unique_ptr<Module>> Modules;
  size_t Used = 0;
  double Now = 1000;
  int Fault = 0;
  bool Hangs = false, WasBusy = false;
};

constexpr unsigned SMs = 132, L2Bytes = 1 << 20;

} // namespace stub

#endif // PTXPREDICT_MEASURE_STUB_MACHINE_H
