//===- InfoRecords.cpp - The records of .nv.info --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InfoRecords.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// How a record's data lie behind its first two bytes.
enum : uint8_t { NoData = 1, Byte = 2, Half = 3, Counted = 4 };

std::optional<uint64_t>
sass::forEachInfoRecord(StringRef Section,
                        llvm::function_ref<void(const InfoRecord &)> Do) {
  constexpr uint64_t Head = 4;
  const ByteReader In(Section);
  for (uint64_t At = 0; At < Section.size();) {
    const auto Form = In.at<uint8_t>(At), Attribute = In.at<uint8_t>(At + 1);
    const auto Value = In.at<uint16_t>(At + 2);
    if (!Form || !Attribute || !Value || *Form < NoData || *Form > Counted)
      return At;
    InfoRecord R{InfoAttribute(*Attribute), At, {}};
    uint64_t Bytes = 0;
    if (*Form == Counted) {
      Bytes = llvm::alignTo(*Value, 4);
      if (*Value > Section.size() - At - Head)
        return At;
      R.Data = Section.substr(At + Head, *Value);
    } else if (*Form != NoData) {
      R.Data = Section.substr(At + 2, *Form == Byte ? 1 : 2);
    }
    Do(R);
    At += Head + Bytes;
  }
  return std::nullopt;
}
