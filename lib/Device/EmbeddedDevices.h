//===- EmbeddedDevices.h - The device files in the program ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DEVICE_EMBEDDEDDEVICES_H
#define PTXPREDICT_LIB_DEVICE_EMBEDDEDDEVICES_H

#include "ptxpredict/Device/Device.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict {

struct EmbeddedFile {
  StringRef Name, Text;
  StringRef Numbers; ///< Text without sources and units
};

/// What a device is read from.
enum class DeviceText : uint8_t {
  File,
  Embedded, ///< may be abstract, and then lacks anything
  Numbers   ///< of an embedded one: its numbers need no sources
};

/// Every file of lib/Device/data, bases included, sorted by name.
ArrayRef<EmbeddedFile> embeddedFiles();

/// A device that a file may inherit, or an error that says why there is none.
using BaseLookup = llvm::function_ref<Expected<const Device *>(StringRef Name)>;

std::unique_ptr<Device> readDevice(DiagnosticEngine &Diags, BaseLookup FindBase,
                                   DeviceText What);

/// Finds embedded devices and bases, and keeps them in \p Storage and \p Known,
/// where it looks first.
Expected<const Device *>
findEmbedded(StringRef Name, std::vector<std::unique_ptr<Device>> &Storage,
             std::map<std::string, const Device *, std::less<>> &Known,
             DeviceRegistry::Sources Sources);

/// \p Name without what people write in several ways: "NVIDIA GeForce RTX
/// 4090", "RTX_4090" and "rtx-4090" are one.
std::string plainDeviceName(StringRef Name);

/// "no device named 'x'; did you mean 'y'? There are …", with the names \p
/// Listed.
Error unknownDevice(StringRef Name, ArrayRef<StringRef> Candidates,
                    ArrayRef<StringRef> Listed);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DEVICE_EMBEDDEDDEVICES_H
