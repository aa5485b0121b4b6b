//===- OutputFile.cpp - Writing results -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OutputFile.h"
#include "CapturedRun.h"
#include "CommandLine.h"
#include "UnfinishedFile.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <unistd.h>

using namespace ptxpredict;
using namespace ptxpredict::tool;
namespace fs = llvm::sys::fs;

static bool writeError(StringRef Path, std::error_code EC) {
  usageError("cannot write " +
             (Path == "-" ? Twine("standard output") : "'" + Path + "'") +
             ": " + EC.message());
  return true;
}

using WriteFn = llvm::function_ref<std::error_code(raw_ostream &)>;

/// Results may be many megabytes.
static constexpr size_t BufferBytes = 1 << 16;

/// Writes everything and closes the stream.
static std::error_code writeAndClose(llvm::raw_fd_ostream &OS, WriteFn Write) {
  OS.SetBufferSize(BufferBytes);
  std::error_code EC = Write(OS);
  OS.close();
  if (OS.error())
    EC = OS.error();
  OS.clear_error(); // else its destructor ends the program
  return EC;
}

/// The descriptor that a path such as /dev/fd/3 names. What is behind it may be
/// a pipe without a name, or a file of which somebody else writes the rest.
static std::optional<int> descriptorOf(StringRef Path) {
  int Descriptor;
  if ((Path.consume_front("/dev/fd/") ||
       Path.consume_front("/proc/self/fd/")) &&
      !Path.getAsInteger(10, Descriptor))
    return Descriptor;
  return std::nullopt;
}

/// Replaces a link by what it names, which need not exist yet. Stops at a
/// descriptor.
static std::error_code followLinks(std::string &Path) {
  for (int Depth = 0; Depth != 40; ++Depth) { // as many as the kernel follows
    if (descriptorOf(Path))
      return {};
    SmallVector<char, 256> Link;
    Link.resize_for_overwrite(4096);
    ssize_t Length = ::readlink(Path.c_str(), Link.data(), Link.size());
    if (Length < 0 || size_t(Length) == Link.size())
      return {}; // no link
    StringRef To(Link.data(), size_t(Length));
    StringRef Folder = StringRef(Path).substr(0, Path.rfind('/') + 1);
    Path = To.starts_with("/") ? To.str() : (Folder + To).str();
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

/// Creates a file beside \p Target, for its owner alone: its content comes
/// after its final mode. It is noted before it is there, so that none is left.
static std::error_code createAside(const Twine &Target, int &FD,
                                   SmallVectorImpl<char> &Path) {
  std::error_code EC;
  for (int Tries = 0; Tries != 128; ++Tries) {
    fs::createUniquePath(Target + ".%%%%%%%%.tmp", Path,
                         /*MakeAbsolute=*/false);
    Path.push_back('\0'); // behind the name
    Path.pop_back();
    noteUnfinished(Path.data());
    EC = fs::openFile(StringRef(Path.data(), Path.size()), FD, fs::CD_CreateNew,
                      fs::FA_Write, fs::OF_None,
                      fs::owner_read | fs::owner_write);
    if (!EC)
      return EC;
    noteUnfinished(nullptr);
    if (EC != std::errc::file_exists)
      break;
  }
  return EC;
}

bool tool::flushStandardOutput() {
  if (CapturedRun::current())
    return false;
  llvm::raw_fd_ostream &OS = llvm::outs();
  OS.flush();
  std::error_code EC = OS.error();
  OS.clear_error();
  return EC && writeError("-", EC);
}

bool tool::writeResult(StringRef Path, StringRef Text) {
  return writeResult(Path, [Text](raw_ostream &OS) {
    OS << Text;
    return std::error_code();
  });
}

bool tool::writeResult(StringRef Path, WriteFn Write) {
  StageTimer Timer(Stage::Report);
  if (CapturedRun *Run = CapturedRun::current(); Run && Path == "-") {
    const std::error_code EC = Write(Run->outputStream());
    return EC && writeError(Path, EC);
  }
  if (Path == "-") {
    llvm::outs().SetBufferSize(BufferBytes);
    std::error_code EC = Write(llvm::outs());
    bool Failed = flushStandardOutput();
    return EC ? writeError(Path, EC) : Failed;
  }

  std::string Target = Path.str();
  if (std::error_code EC = followLinks(Target))
    return writeError(Path, EC);

  std::error_code EC;
  if (std::optional<int> Descriptor = descriptorOf(Target)) {
    int FD = ::dup(*Descriptor);
    if (FD < 0)
      return writeError(Path, std::error_code(errno, std::generic_category()));
    llvm::raw_fd_ostream OS(FD, /*shouldClose=*/true);
    EC = writeAndClose(OS, Write);
    return EC && writeError(Path, EC);
  }
  fs::file_status S;
  bool Exists = !fs::status(Target, S);
  if (Exists && S.type() != fs::file_type::regular_file) {
    llvm::raw_fd_ostream OS(Target, EC, fs::OF_None);
    if (!EC)
      EC = writeAndClose(OS, Write);
    return EC && writeError(Path, EC);
  }
  // What the user may not write stays as it is, even where its folder would
  // let us put another file in its place.
  if (Exists && (EC = fs::access(Target, fs::AccessMode::Write)))
    return writeError(Path, EC);

  fs::perms Mode = Exists ? S.permissions()
                          : fs::perms(fs::all_read | fs::all_write) &
                                ~fs::perms(fs::getUmask());
  int FD;
  llvm::SmallString<256> Aside;
  if ((EC = createAside(Target, FD, Aside)))
    return writeError(Path, EC);
  if (!(EC = fs::setPermissions(FD, Mode))) {
    llvm::raw_fd_ostream OS(FD, /*shouldClose=*/true);
    EC = writeAndClose(OS, Write);
  }
  if (!EC)
    EC = fs::rename(Aside, Target);
  if (EC)
    (void)fs::remove(Aside);
  noteUnfinished(nullptr);
  return EC && writeError(Path, EC);
}

void tool::endQuietlyOnClosedPipe() {
  struct sigaction Action = {};
  Action.sa_handler = [](int) { ::_exit(Done); };
  (void)::sigaction(SIGPIPE, &Action, nullptr);
}
