//===- NumberFormat.cpp - Numbers by a format of printf -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/NumberFormat.h"
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <locale.h> // newlocale, uselocale

using namespace ptxpredict;

std::string ptxpredict::formatNumber(const char *Format, double Value) {
  static const locale_t Plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const locale_t Before = uselocale(Plain); // of this thread
  char Short[64];
  const int Size = std::snprintf(Short, sizeof(Short), Format, Value);
  std::string Text(Short, size_t(std::clamp(Size, 0, int(sizeof(Short)) - 1)));
  if (Size > int(Text.size())) {
    Text.resize(size_t(Size));
    std::snprintf(Text.data(), Text.size() + 1, Format, Value);
  }
  uselocale(Before);
  return Text;
}
