//===- RecordFile.cpp - The remarks on one kernel in a file ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RecordFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Remarks/RemarkStreamer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace ptxpredict;

std::string plugin::recordName(StringRef Source, StringRef Kernel,
                               StringRef Processor) {
  constexpr size_t Longest = 160; // of the 255 bytes that file systems have
  std::string Name = Kernel.str();
  if (Kernel.size() > Longest)
    Name = Kernel.take_front(Longest).str() + "." +
           llvm::utohexstr(llvm::xxh3_64bits(Kernel));
  return (llvm::sys::path::stem(Source).take_front(64) + "-" + Name + "-" +
          Processor + ".opt.yaml")
      .str();
}

Error plugin::writeRecord(
    StringRef Folder, StringRef Name,
    ArrayRef<const llvm::DiagnosticInfoOptimizationBase *> Remarks) {
  if (std::error_code Code = llvm::sys::fs::create_directories(Folder))
    return llvm::createFileError(Folder, Code);
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, Name);
  return llvm::writeToOutput(Path, [&](raw_ostream &OS) -> Error {
    auto Serializer =
        llvm::remarks::createRemarkSerializer(llvm::remarks::Format::YAML, OS);
    if (!Serializer)
      return Serializer.takeError();
    llvm::remarks::RemarkStreamer Streamer(std::move(*Serializer));
    llvm::LLVMRemarkStreamer Remarker(Streamer);
    for (const llvm::DiagnosticInfoOptimizationBase *R : Remarks)
      Remarker.emit(*R);
    (void)Streamer.releaseSerializer();
    return Error::success();
  });
}
