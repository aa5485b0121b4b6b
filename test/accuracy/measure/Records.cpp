//===- Records.cpp - What a child process says of its steps ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Records.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace ptxpredict;
using namespace ptxpredict::measure;

std::string Record::line() const {
  std::string Text = Kind;
  for (const std::string &Field : Fields) {
    std::string Flat = Field;
    std::replace_if(
        Flat.begin(), Flat.end(),
        [](char C) { return C == '\t' || C == '\n' || C == '\r'; }, ' ');
    Text += '\t' + Flat;
  }
  return Text;
}

Record Record::parse(StringRef Line) {
  llvm::SmallVector<StringRef, 32> Parts;
  Line.split(Parts, '\t');
  Record R;
  R.Kind = Parts.front().str();
  for (StringRef Part : llvm::ArrayRef(Parts).drop_front())
    R.Fields.push_back(Part.str());
  return R;
}

std::string measure::measured(double Value) {
  char Text[32];
  (void)std::snprintf(Text, sizeof(Text), "%.6g", Value);
  return Text;
}

void RecordWriter::write(const Record &R) const {
  const std::string Text = R.line() + '\n';
  for (size_t At = 0; At < Text.size();) {
    const ssize_t Now = ::write(Descriptor, Text.data() + At, Text.size() - At);
    if (Now <= 0)
      ::_exit(2); // nobody reads any more
    At += size_t(Now);
  }
}

void RecordWriter::result(StringRef Name, StringRef Unit, double Value,
                          double CoreMHz, double MemoryMHz) const {
  write({kinds::Result,
         {Name.str(), measured(Value), Unit.str(), measured(CoreMHz),
          measured(MemoryMHz)}});
}
