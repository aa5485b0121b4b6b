//===- ProgramIdentity.cpp - Which build of the program this is -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Records/Records.h"
#include "ptxpredict/Version.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include <elf.h>
#include <link.h>

using namespace ptxpredict;

/// The GNU build-id among the notes of a segment; empty without one.
static StringRef buildIdIn(StringRef Notes) {
  while (Notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) Header;
    memcpy(&Header, Notes.data(), sizeof(Header));
    Notes = Notes.drop_front(sizeof(Header));
    StringRef Name = Notes.take_front(Header.n_namesz);
    Notes = Notes.drop_front(
        std::min<size_t>(Notes.size(), llvm::alignTo(Header.n_namesz, 4)));
    StringRef Content = Notes.take_front(Header.n_descsz);
    Notes = Notes.drop_front(
        std::min<size_t>(Notes.size(), llvm::alignTo(Header.n_descsz, 4)));
    if (Header.n_type == NT_GNU_BUILD_ID && Name == StringRef("GNU\0", 4))
      return Content;
  }
  return {};
}

static std::string sizeAndTime(const Twine &Path) {
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(Path, Status))
    return {};
  return std::to_string(Status.getSize()) + ' ' +
         std::to_string(
             Status.getLastModificationTime().time_since_epoch().count());
}

/// Adds one loaded object to a list of texts.
static int addObject(dl_phdr_info *Object, size_t /*Size*/, void *List) {
  auto &Ids = *static_cast<std::vector<std::string> *>(List);
  for (unsigned I = 0; I != Object->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Object->dlpi_phdr[I];
    if (P.p_type != PT_NOTE)
      continue;
    // The loader only says a number.
    const auto *Start =
        llvm::bit_cast<const char *>(Object->dlpi_addr + P.p_vaddr);
    if (StringRef Id = buildIdIn({Start, P.p_memsz}); !Id.empty()) {
      Ids.push_back(Id.str());
      return 0;
    }
  }
  StringRef Name = Object->dlpi_name;
  Ids.push_back(Name.str() +
                sizeAndTime(Name.empty() ? "/proc/self/exe" : Name));
  return 0;
}

const std::string &ptxpredict::programIdentity() {
  static const std::string Identity = [] {
    std::vector<std::string> Ids{PTXPREDICT_VERSION};
    (void)dl_iterate_phdr(addObject, &Ids);
    std::vector<StringRef> Parts(Ids.begin(), Ids.end());
    return ContentCache::hash(Parts);
  }();
  return Identity;
}
