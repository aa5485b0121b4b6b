//===- Gzip.cpp - Compressed files as inputs of the fuzzer ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "Targets.h"
#include "ptxpredict/Support/InputFile.h"

using namespace ptxpredict;

bool fuzz::runGzip(StringRef Text) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> Buffer =
      expandInput(llvm::MemoryBuffer::getMemBufferCopy(Text, "input"));
  if (!Buffer) {
    check(isCompressed(Text), "a plain file is refused");
    check(!toString(Buffer.takeError()).empty(), "an error without words");
    return false;
  }
  StringRef Content = (*Buffer)->getBuffer();
  check((*Buffer)->getBufferIdentifier() == "input", "the name was lost");
  check(Content.size() <= MaxInputBytes, "more than the limit");
  check(Content.data()[Content.size()] == 0, "no zero at the end");
  if (!isCompressed(Text)) {
    check(Content == Text, "a plain file was changed");
    return false;
  }
  auto Again = expandInput(
      llvm::MemoryBuffer::getMemBufferCopy(compressed(Content), "again"));
  check(Again && (*Again)->getBuffer() == Content,
        "compress, expand is not the identity");
  return true;
}
