//===- Launches.h - Launches as plain tables --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the launch files of launch/ say, for References.cpp. Plain C++17.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_ACCURACY_LAUNCHES_H
#define PTXPREDICT_TEST_ACCURACY_LAUNCHES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ptxpredict::accuracy {

/// One parameter of a kernel: a number, or the address of a buffer.
struct Argument {
  const char *Type; ///< as in buffers; null for the address of a buffer
  double Value;
  const char *Buffer; ///< its name
};
inline Argument number(const char *Type, double Value) {
  return {Type, Value, nullptr};
}
inline Argument address(const char *Buffer) { return {nullptr, 0, Buffer}; }

/// What a buffer holds before the launch, as docs/formats/LaunchFile.md says.
struct Fill {
  enum KindTy { Zeros, Iota, Constant, Random, File } Kind = Zeros;
  double Value = 0; ///< of Constant
  uint64_t Seed = 0;
  double Low = 0, High = 1;
  const char *Path = nullptr; ///< relative to launch/
};
inline Fill zeros() { return {}; }
inline Fill iota() { return {Fill::Iota}; }
inline Fill constant(double Value) { return {Fill::Constant, Value}; }
inline Fill random(uint64_t Seed, double Low, double High) {
  return {Fill::Random, 0, Seed, Low, High};
}
inline Fill file(const char *Path) { return {Fill::File, 0, 0, 0, 1, Path}; }

/// A buffer lies at the least alignment that cudaMalloc guarantees, 256 bytes.
struct Buffer {
  const char *Name;
  const char *Type; ///< u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64
  uint64_t Count;   ///< elements
  Fill Start;
};

struct Extents {
  unsigned X = 1, Y = 1, Z = 1;
};

/// One launch of one kernel. All kernels have different names.
struct Launch {
  const char *File; ///< the name shared by .cu, .ptx and .yaml
  const char *Kernel;
  Extents Grid, Block;
  unsigned DynamicShared; ///< bytes
  std::vector<Argument> Arguments;
  std::vector<Buffer> Buffers;
};

/// All launches, in the order of the launch files' names.
std::vector<Launch> allLaunches();

using Bytes = std::vector<unsigned char>;
/// The contents of a launch's buffers by name.
using Contents = std::map<std::string, Bytes>;

/// Bytes of an element; 0 for an unknown type.
unsigned elementBytes(const std::string &Type);

/// Writes \p Value as an element of type \p Type: rounded to nearest, ties to
/// even, or down and into the range of an integer type.
void writeElement(const std::string &Type, double Value, unsigned char *To);

/// The value of an element, which is exact except for 64-bit integers.
double readElement(const std::string &Type, const unsigned char *From);

/// Fills \p To with what \p B starts with. Files lie relative to \p Folder.
/// What went wrong; empty if nothing did.
std::string fill(const Buffer &B, const std::string &Folder, Bytes &To);

/// Compares two contents of \p B: |got - want| <= Tolerance * max(1, |want|),
/// and with a tolerance of 0 bit by bit; NaN equals NaN. The first difference
/// in words and how many there are; empty if there is none.
std::string compare(const Buffer &B, const Bytes &Got, const Bytes &Want,
                    double Tolerance);

} // namespace ptxpredict::accuracy

#endif // PTXPREDICT_TEST_ACCURACY_LAUNCHES_H
