//===- JSONWriter.cpp - llvm::json with our numbers -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Support/PrintableText.h"
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

void JSONWriter::text(StringRef V) {
  // Line ends and the like are escaped by LLVM, too, but that only.
  if (isPrintable(V))
    return value(V);
  rawValue([&](raw_ostream &OS) {
    std::string Quoted;
    llvm::raw_string_ostream(Quoted)
        << llvm::json::Value(llvm::json::fixUTF8(V));
    OS << printableJSON(Quoted);
  });
}

void JSONWriter::text(StringRef Key, StringRef V) {
  attributeBegin(Key);
  text(V);
  attributeEnd();
}

void JSONWriter::estimate(StringRef Key, const Estimate &E) {
  // On one line: most of a report is estimates.
  attributeBegin(Key);
  rawValue([&](raw_ostream &OS) {
    OS << "{\"value\": " << decimalOrNull(E.Value) << ", \"status\": \""
       << toString(E.Status) << '"';
    if (!E.isKnown())
      OS << ", \"low\": " << decimalOrNull(E.Low)
         << ", \"high\": " << decimalOrNull(E.High);
    OS << '}';
  });
  attributeEnd();
}

void JSONWriter::texts(StringRef Key, ArrayRef<std::string> Values) {
  attributeArray(Key, [&] {
    for (StringRef V : Values)
      text(V);
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

void JSONWriter::extent(StringRef Key, const Dim3 &D) {
  attributeArray(Key, [&] {
    for (uint64_t Extent : {D.X, D.Y, D.Z})
      value(Extent);
  });
}

void JSONWriter::occupancy(const Occupancy &Occ) {
  attribute("blocks_per_sm", Occ.BlocksPerSM);
  attribute("warps_per_sm", Occ.WarpsPerSM);
  number("fraction", Occ.Fraction);
  attribute("limiter", toString(Occ.Limiter));
}

void JSONWriter::assumption(const Assumption &A) {
  object([&] {
    text("what", A.what());
    std::optional<double> Number = parseNumber(A.Value);
    if (A.IsNumber && Number)
      number("value", *Number);
    else
      text("value", A.Value);
    if (A.Line != 0)
      attribute("line", A.Line);
    text("option", A.Option);
  });
}

void JSONWriter::diagnostic(const Diagnostic &D) {
  object([&] {
    attribute("severity", toString(D.Level));
    if (!D.Path.empty())
      text("path", D.Path);
    if (D.Line != 0) {
      attribute("line", D.Line);
      attribute("column", D.Column);
    }
    text("message", D.Message);
  });
}

namespace {

/// A text that is written in small pieces. LLVM's streams to texts have no
/// buffer.
class BufferedText final : public raw_ostream {
public:
  BufferedText() { SetBufferSize(size_t(1) << 14); }
  ~BufferedText() override { flush(); }
  StringRef str() {
    flush();
    return Text;
  }

private:
  void write_impl(const char *Data, size_t Bytes) override {
    Text.append(Data, Bytes);
  }
  uint64_t current_pos() const override { return Text.size(); }
  std::string Text;
};

} // namespace

void ptxpredict::printNested(raw_ostream &OS,
                             llvm::function_ref<void(JSONWriter &)> Value) {
  // As deep as an array in an object, so that it is indented as there.
  constexpr StringRef Begin = "[\n  [\n    ", End = "\n  ]\n]";
  BufferedText Text;
  {
    JSONWriter J(Text);
    J.array([&] { J.array([&] { Value(J); }); });
  }
  OS << Text.str().drop_front(Begin.size()).drop_back(End.size());
}
