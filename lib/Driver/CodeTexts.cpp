//===- CodeTexts.cpp - What a report needs to show code -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace path = llvm::sys::path;

/// Larger sources are not read.
static constexpr uint64_t MaxSourceBytes = uint64_t(1) << 24;

/// Whether that is the name of source code. Debug data may name any file, and a
/// report that shows some of it may be passed on.
static bool isSourceName(StringRef Path) {
  return llvm::StringSwitch<bool>(path::extension(Path).lower())
      .Cases({".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx"}, true)
      .Cases({".h", ".hh", ".hpp", ".hxx", ".inl", ".inc"}, true)
      .Cases({".cl", ".f90", ".jl", ".py", ".rs", ".f", ".cuf"}, true)
      .Default(false);
}

static std::unique_ptr<llvm::MemoryBuffer> readSource(const Twine &Path) {
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(Path, Status) ||
      !llvm::sys::fs::is_regular_file(Status) ||
      Status.getSize() > MaxSourceBytes)
    return nullptr;
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? std::move(*Buffer) : nullptr;
}

StringRef Driver::Impl::sourceText(StringRef Path, StringRef Input) const {
  if (Path.empty() || isSystemFile(Path) || !isSourceName(Path))
    return {};
  std::lock_guard<std::mutex> Lock(SourcesMutex);
  auto [It, IsNew] = Sources.try_emplace({Path.str(), Input.str()});
  if (IsNew) {
    It->second = readSource(Path);
    llvm::SmallString<128> Beside = path::parent_path(Input);
    path::append(Beside, path::filename(Path));
    if (!It->second)
      It->second = readSource(Beside);
  }
  return It->second ? It->second->getBuffer() : StringRef();
}

void Driver::Impl::addCodeTexts(const Job &J, KernelReport &R) const {
  HeldBodies Bodies(*J.Kernel);
  if (Bodies.failed())
    return;
  R.Lines = countLines(*J.Kernel, R.Characteristics);
  StringRef Input = Inputs[J.Input].Diags->path();
  llvm::StringSet<> Asked;
  for (const LineCount &L : R.Lines)
    if (Asked.insert(L.File).second)
      if (StringRef Text = sourceText(L.File, Input); !Text.empty())
        R.Sources.push_back({L.File, Text});
}
