//===- InfoRecords.h - The records of .nv.info ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_INFORECORDS_H
#define PTXPREDICT_LIB_FRONTEND_SASS_INFORECORDS_H

#include "ByteReader.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict::sass {

/// Attributes that are read, of those in docs/formats/MachineCode.md.
enum class InfoAttribute : uint8_t {
  MaxThreads = 0x05,
  ParameterPlace = 0x0a,
  RequiredThreads = 0x10,
  FrameBytes = 0x11,
  StackBytes = 0x12,
  Parameter = 0x17,
  ParameterBytes = 0x19,
  RegisterCap = 0x1b,
  Registers = 0x2f,
  JumpTables = 0x34,
  CompilerRelease = 0x37,
  RequiredCluster = 0x3d,
  Barriers = 0x4c,
  Annotations = 0x55,
};

/// One record: an attribute and its data. Of a record of one or two bytes these
/// are its data.
struct InfoRecord {
  InfoAttribute Attribute;
  uint64_t Offset = 0; ///< of the record in the section
  StringRef Data;

  template <typename T>
  std::optional<T> at(uint64_t At) const {
    return ByteReader(Data).at<T>(At);
  }
};

/// Calls \p Do with each record of a section. Returns where the section cannot
/// be read any further; nothing if it can to its end.
std::optional<uint64_t>
forEachInfoRecord(StringRef Section,
                  llvm::function_ref<void(const InfoRecord &)> Do);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_INFORECORDS_H
