//===- JSONWriter.cpp - llvm::json with our numbers -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "JSONWriter.h"
#include "ptxpredict/Support/Text.h"
#include "ptxpredict/Version.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

void JSONWriter::number(double V) { rawValue(decimalOrNull(V)); }

void JSONWriter::number(StringRef Key, double V) {
  attributeBegin(Key);
  number(V);
  attributeEnd();
}

void JSONWriter::text(StringRef Key, StringRef V) {
  if (llvm::json::isUTF8(V))
    attribute(Key, V);
  else
    attribute(Key, llvm::json::fixUTF8(V));
}

void JSONWriter::estimate(StringRef Key, const Count &E) {
  attributeObject(Key, [&] {
    number("value", E.Value);
    attribute("status", toString(E.How));
    if (E.isKnown())
      return;
    number("low", E.Low);
    number("high", E.High);
  });
}

void JSONWriter::texts(StringRef Key, ArrayRef<std::string> Values) {
  attributeArray(Key, [&] {
    for (StringRef V : Values)
      value(llvm::json::isUTF8(V) ? V.str() : llvm::json::fixUTF8(V));
  });
}

void JSONWriter::header(StringRef Schema, unsigned Version) {
  attribute("schema", Schema);
  attribute("version", Version);
  attributeObject("tool", [&] {
    attribute("name", "ptx-predict");
    attribute("version", PTXPREDICT_VERSION);
  });
}
