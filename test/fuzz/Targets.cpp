//===- Targets.cpp - What the targets of the fuzzer have in common --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace ptxpredict;

SmallVector<StringRef, 3> fuzz::splitParts(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, "\n//---\n", /*MaxSplit=*/2);
  return Parts;
}

void fuzz::check(bool Holds, const Twine &Message) {
  if (Holds)
    return;
  llvm::errs() << "error: " << Message << '\n';
  std::abort();
}

std::unique_ptr<DiagnosticEngine> fuzz::makeEngine(StringRef Text,
                                                   StringRef Name) {
  return std::make_unique<DiagnosticEngine>(
      llvm::MemoryBuffer::getMemBufferCopy(Text, Name));
}

fuzz::MemoryFile::MemoryFile(StringRef Text)
    : Descriptor(memfd_create("input", MFD_CLOEXEC)) {
  check(Descriptor >= 0, "memfd_create failed");
  for (StringRef Rest = Text; !Rest.empty();) {
    ssize_t Written = write(Descriptor, Rest.data(), Rest.size());
    check(Written > 0, "writing to a file in memory failed");
    Rest = Rest.drop_front(size_t(Written));
  }
}

fuzz::MemoryFile::~MemoryFile() { close(Descriptor); }

std::string fuzz::MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(Descriptor);
}

std::string fuzz::MemoryFile::text() const {
  std::string Text;
  char Buffer[4096];
  ssize_t Read;
  while ((Read = pread(Descriptor, Buffer, sizeof Buffer, off_t(Text.size()))) >
         0)
    Text.append(Buffer, size_t(Read));
  check(Read == 0, "reading a file in memory failed");
  return Text;
}

void fuzz::printAll(const Report &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (Verbosity V : {Verbosity::Quiet, Verbosity::Normal, Verbosity::Verbose})
    printText(R, OS, V, /*Colors=*/false);
  printPredictions(R, OS);
  Text.clear();
  printJSON(R, OS);
  // Larger ones have the same parts more often, and would take most of the
  // time.
  constexpr size_t MostParsed = size_t(1) << 16;
  if (Text.size() > MostParsed)
    return;
  Expected<llvm::json::Value> Value = llvm::json::parse(Text);
  if (!Value)
    check(false, "the report is no JSON: " + toString(Value.takeError()));
}

bool fuzz::isCompressed(StringRef Text) { return Text.starts_with("\x1f\x8b"); }
