//===- DeviceLaunch.h - A launch with its memory on the GPU -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_DEVICELAUNCH_H
#define PTXPREDICT_MEASURE_DEVICELAUNCH_H

#include "KernelCases.h"

namespace ptxpredict::measure {

using Bytes = std::vector<unsigned char>;
/// The contents of a launch's buffers by name.
using Contents = std::map<std::string, Bytes>;

/// A kernel's buffers and parameters on the device.
class DeviceLaunch {
public:
  DeviceLaunch(Gpu &G, const KernelCase &Case) : G(G), Case(Case) {}

  /// Places the buffers, filled with \p Start, and the parameters.
  Error prepare(const Contents &Start);
  /// Gives the buffers their first contents again.
  Error reset();
  Error launch() { return G.launch(Function, Shape, Pointers.data()); }
  /// What the buffers hold; and whether nothing was written behind one.
  Error read(Contents &Memory, bool &IsIntact);
  /// Tells the stub what the next launch makes of the buffers.
  void play(const Contents &Want);

  cuda::Function function() const { return Function; }

private:
  Error place(const std::string &Name, const Bytes &Data);
  Error bind(unsigned Index, Bytes &Value);
  Error bindValue(const Parameter &P, const ArgumentValue &V, uint64_t Size,
                  unsigned char *To);
  Error bindMap(const TensorMapSpec &Spec, uint64_t Size, unsigned char *To);

  Gpu &G;
  const KernelCase &Case;
  const Contents *Start = nullptr;
  cuda::Function Function = nullptr;
  LaunchExtents Shape;
  std::map<std::string, DeviceMemory> Buffers, Originals;
  std::map<std::string, cuda::Pointer> Begins;
  std::vector<DeviceMemory> Maps;
  std::vector<Bytes> Values;
  std::vector<void *> Pointers;
};

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_DEVICELAUNCH_H
