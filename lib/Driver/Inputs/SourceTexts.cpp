//===- SourceTexts.cpp - Sources that debug data name ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/SourceTexts.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "ptxpredict/Support/InputHandle.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;
namespace path = llvm::sys::path;

/// Larger sources are not read.
static constexpr uint64_t MaxSourceBytes = uint64_t(1) << 24;

bool ptxpredict::isSourceName(StringRef Path) {
  return llvm::StringSwitch<bool>(path::extension(Path).lower())
      .Cases({".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx"}, true)
      .Cases({".h", ".hh", ".hpp", ".hxx", ".inl", ".inc"}, true)
      .Cases({".cl", ".f90", ".jl", ".py", ".rs", ".f", ".cuf"}, true)
      .Default(false);
}

static std::unique_ptr<llvm::MemoryBuffer> readSource(StringRef Path) {
  return isSourceName(realPath(Path)) ? readFoundFile(Path, MaxSourceBytes)
                                      : nullptr;
}

StringRef SourceTexts::findAt(StringRef Path, StringRef Input) {
  if (Path.empty() || isSystemFile(Path) || !isSourceName(Path))
    return {};
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, IsNew] = Texts.try_emplace({Path.str(), Input.str()});
  if (IsNew) {
    It->second = readSource(Path);
    llvm::SmallString<128> Beside = path::parent_path(Input);
    path::append(Beside, path::filename(Path));
    if (!It->second)
      It->second = readSource(Beside);
  }
  return It->second ? It->second->getBuffer() : StringRef();
}

StringRef SourceTexts::find(StringRef Path, StringRef Input, StringRef Root) {
  if (!Root.empty() && path::is_relative(Path)) {
    llvm::SmallString<128> Full(Root);
    path::append(Full, Path);
    if (StringRef Text = findAt(Full, Input); !Text.empty())
      return Text;
  }
  return findAt(Path, Input);
}
