//===- GitRevision.cpp - Files as they were at a revision -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Git is asked; nothing is written into the repository, its index or its work
// tree.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/InputList.h"
#include "ptxpredict/Driver/Records/Builds.h"
#include "ptxpredict/Support/ChildProcess.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/ProjectBoundary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace ptxpredict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static Error failure(const Twine &Message) {
  return llvm::createStringError(Message);
}

namespace {

/// A repository, as git finds it from a folder.
class Repository {
public:
  /// That of \p Path.
  static Expected<Repository> find(StringRef Path);

  /// The hash of the revision's commit.
  Expected<std::string> resolve(StringRef Revision) const;
  /// \p Path within the repository.
  Expected<std::string> placeOf(StringRef Path) const;
  /// Whether HEAD is a branch that no commit was made on.
  bool hasNoCommit() const;
  /// The files of a commit that are at \p Places or below them.
  Expected<std::vector<std::string>> list(StringRef Commit,
                                          ArrayRef<std::string> Places) const;
  /// What a checkout without filters would write.
  Expected<std::string> contentOf(StringRef Commit, StringRef Place) const;
  /// Writes all files of a commit into \p Folder.
  Error checkOut(StringRef Commit, StringRef Folder) const;

  StringRef top() const { return Top; }

private:
  std::string Git;
  /// Options that keep git from running what the repository configures.
  std::vector<std::string> Safely;
  std::string Folder; ///< git is run there; empty: where this program is
  std::string Top;    ///< its real path

  Expected<ChildResult> run(const std::vector<std::string> &Arguments) const;
  /// Turns the filters off that attributes of files may name.
  Error stopFilters();
};

} // namespace

/// What git says, on one line.
static std::string complaint(const ChildResult &R) {
  StringRef Text = StringRef(R.Messages).trim().split('\n').first;
  Text.consume_front("fatal: ");
  return Text.empty() ? "git failed" : Text.str();
}

Expected<ChildResult>
Repository::run(const std::vector<std::string> &Arguments) const {
  std::vector<std::string> All = Safely;
  llvm::append_range(All, Arguments);
  Expected<ChildResult> R = runProgram(Git, All, Folder);
  if (!R)
    return failure("cannot run '" + Git +
                   "': " + llvm::toString(R.takeError()));
  return R;
}

/// A repository's configuration, or one that a folder of it brings, may name
/// programs; none of them is run, and nothing is fetched.
static std::vector<std::string> withoutPrograms() {
  std::vector<std::string> Options = {"--no-pager", "--no-optional-locks"};
  for (StringRef Setting :
       {"core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat",
        "core.alternateRefsCommand=", "diff.external=", "protocol.allow=never",
        "safe.bareRepository=explicit"})
    Options.insert(Options.end(), {"-c", Setting.str()});
  return Options;
}

Error Repository::stopFilters() {
  Expected<ChildResult> R =
      run({"config", "-z", "--name-only", "--get-regexp", "^filter\\."});
  if (!R)
    return R.takeError();
  llvm::StringSet<> Names;
  SmallVector<StringRef, 0> Keys;
  StringRef(R->Output).split(Keys, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Key : Keys) {
    auto [Name, Last] = Key.drop_front(strlen("filter.")).rsplit('.');
    if (Last.empty() || !Names.insert(Name).second)
      continue;
    // Git takes what is behind the first "=" for the value.
    if (Name.contains('='))
      return failure("--git-base: git has a filter with '=' in its name, '" +
                     Name + "', which cannot be turned off");
    for (StringRef Setting :
         {"smudge=", "clean=", "process=", "required=false"})
      Safely.insert(Safely.end(),
                    {"-c", ("filter." + Name + "." + Setting).str()});
  }
  return Error::success();
}

/// The folder of \p Path, or the first one above it that is there: the file
/// may be gone.
static std::string nearestFolder(StringRef Path) {
  llvm::SmallString<256> Folder(Path);
  if (fs::make_absolute(Folder))
    return "/";
  while (!fs::is_directory(Folder) && path::has_relative_path(Folder))
    path::remove_filename(Folder);
  return Folder.str().str();
}

/// \p Path without links, but for that of a file: git keeps links as they are.
static std::string placeOnDisk(StringRef Path) {
  if (fs::is_directory(Path))
    return realPath(Path);
  llvm::SmallString<256> Absolute(Path.rtrim('/'));
  (void)fs::make_absolute(Absolute);
  llvm::SmallString<256> Place(realPath(path::parent_path(Absolute)));
  path::append(Place, path::filename(Absolute));
  return Place.str().str();
}

Expected<Repository> Repository::find(StringRef Path) {
  auto Git = findOnPath("git");
  if (!Git)
    return failure("--git-base needs the program 'git', which is not on PATH");
  Repository R;
  R.Git = *Git;
  R.Safely = withoutPrograms();
  std::string Why;
  std::vector<std::string> Folders = {nearestFolder(Path), std::string()};
  // In a hook the environment says where the repository is, perhaps relative
  // to where the hook runs.
  if (llvm::sys::Process::GetEnv("GIT_DIR"))
    std::reverse(Folders.begin(), Folders.end());
  for (const std::string &Folder : Folders) {
    R.Folder = Folder;
    Expected<ChildResult> Answer = R.run({"rev-parse", "--show-toplevel"});
    if (!Answer)
      return Answer.takeError();
    if (Answer->ExitCode != 0) {
      Why = complaint(*Answer);
      continue;
    }
    R.Top = placeOnDisk(StringRef(Answer->Output).rtrim('\n'));
    Expected<std::string> Place = R.placeOf(Path);
    if (Place) {
      if (Error E = R.stopFilters())
        return E;
      return R;
    }
    Why = llvm::toString(Place.takeError());
  }
  return failure("--git-base: '" + Path +
                 "' is in no work tree of git: " + Why);
}

Expected<std::string> Repository::resolve(StringRef Revision) const {
  Expected<ChildResult> R = Revision.starts_with("-") // an option
                                ? Expected<ChildResult>(ChildResult{{}, {}, 1})
                                : run({"rev-parse", "--verify", "--quiet",
                                       (Revision + "^{commit}").str()});
  if (!R)
    return R.takeError();
  if (R->ExitCode != 0)
    return failure("--git-base: there is no revision '" + Revision + "' in '" +
                   Top + "'");
  return StringRef(R->Output).trim().str();
}

bool Repository::hasNoCommit() const {
  Expected<ChildResult> R = run({"rev-list", "--max-count=1", "--all"});
  if (!R) {
    llvm::consumeError(R.takeError());
    return false;
  }
  return R->ExitCode == 0 && StringRef(R->Output).trim().empty();
}

Expected<std::string> Repository::placeOf(StringRef Path) const {
  std::string Real = placeOnDisk(Path);
  StringRef Place = Real;
  if (!Place.consume_front(Top) ||
      !(Place.empty() || Top == "/" || Place.consume_front("/")))
    return failure("'" + Path + "' is not in the work tree '" + Top + "'");
  return Place.str();
}

Expected<std::vector<std::string>>
Repository::list(StringRef Commit, ArrayRef<std::string> Places) const {
  std::vector<std::string> Arguments = {
      "--literal-pathspecs", "ls-tree",    "-r", "-z",
      "--full-tree",         Commit.str(), "--"};
  // Of the work tree's top itself all files are wanted.
  if (!llvm::is_contained(Places, ""))
    llvm::append_range(Arguments, Places);
  Expected<ChildResult> R = run(Arguments);
  if (!R)
    return R.takeError();
  if (R->ExitCode != 0)
    return failure("--git-base: " + complaint(*R));
  std::vector<std::string> Files;
  SmallVector<StringRef, 0> Entries;
  StringRef(R->Output).split(Entries, '\0', /*MaxSplit=*/-1,
                             /*KeepEmpty=*/false);
  for (StringRef Entry : Entries) {
    // "100644 blob HASH\tPATH"; no links, no other repositories.
    auto [Kind, Place] = Entry.split('\t');
    if (Kind.starts_with("100"))
      Files.push_back(Place.str());
  }
  return Files;
}

Expected<std::string> Repository::contentOf(StringRef Commit,
                                            StringRef Place) const {
  Expected<ChildResult> R =
      run({"cat-file", "--filters", (Commit + ":" + Place).str()});
  if (!R)
    return R.takeError();
  if (R->ExitCode != 0)
    return failure(complaint(*R));
  if (StringRef(R->Output).starts_with("version https://git-lfs"))
    return failure("Git LFS keeps this file, and no filter of git is run; "
                   "check the revision out and compare the folders");
  return std::move(R->Output);
}

Error Repository::checkOut(StringRef Commit, StringRef Into) const {
  auto Tar = findOnPath("tar");
  if (!Tar)
    return failure(
        "--git-base with CUDA or OpenCL source needs the program 'tar', "
        "which is not on PATH");
  std::string Archive = (Into + "/.archive.tar").str();
  // From a folder below git would only take what is there.
  Repository AtTop = *this;
  AtTop.Folder = Top;
  Expected<ChildResult> R = AtTop.run(
      {"archive", "--format=tar", "--output=" + Archive, Commit.str()});
  if (!R)
    return R.takeError();
  if (R->ExitCode != 0)
    return failure("--git-base: " + complaint(*R));
  R = runProgram(*Tar, {"-xf", Archive}, Into.str());
  if (!R)
    return R.takeError();
  if (R->ExitCode != 0)
    return failure("--git-base: tar: " + complaint(*R));
  return fs::remove(Archive)
             ? failure("--git-base: cannot remove '" + Archive + "'")
             : Error::success();
}

/// The work tree's files at \p Paths, without those that are gone.
static Error findHead(const Repository &R, ArrayRef<std::string> Paths,
                      BuildFiles &Head) {
  llvm::StringSet<> Seen;
  for (const std::string &Path : Paths) {
    std::vector<std::string> Files = {Path};
    if (fs::is_directory(Path)) {
      auto Below = codeBelow(Path);
      if (!Below)
        return Below.takeError();
      Files = std::move(Below->Files);
      llvm::append_range(Head.LinksOut, Below->LinksOut);
    }
    for (const std::string &File : Files) {
      Expected<std::string> Place = R.placeOf(File);
      if (!Place)
        return Place.takeError();
      if (!fs::exists(File) || !Seen.insert(*Place).second)
        continue;
      Head.Inputs.push_back({File});
      Head.Places.push_back(std::move(*Place));
    }
  }
  return Error::success();
}

/// The revision's files at \p Paths.
static Expected<std::vector<std::string>>
findBase(const Repository &R, StringRef Commit, ArrayRef<std::string> Paths) {
  std::vector<std::string> Places;
  llvm::StringSet<> Named;
  for (const std::string &Path : Paths) {
    Expected<std::string> Place = R.placeOf(Path);
    if (!Place)
      return Place.takeError();
    Named.insert(*Place);
    Places.push_back(std::move(*Place));
  }
  Expected<std::vector<std::string>> Files = R.list(Commit, Places);
  if (Files)
    llvm::erase_if(*Files, [&](const std::string &File) {
      return !Named.contains(File) && !isCodeName(File);
    });
  return Files;
}

/// Paths that are nowhere are errors.
static Error checkThere(const Repository &R, ArrayRef<std::string> Paths,
                        ArrayRef<std::string> Files, StringRef Revision) {
  llvm::StringSet<> AtRevision = {""}; // files and their folders
  for (StringRef File : Files)
    while (AtRevision.insert(File).second)
      File = path::parent_path(File);
  for (const std::string &Path : Paths) {
    Expected<std::string> Place = R.placeOf(Path);
    if (!Place)
      return Place.takeError();
    if (!fs::exists(Path) && !AtRevision.contains(*Place))
      return failure("'" + Path + "' is neither in the work tree nor in " +
                     Revision);
  }
  return Error::success();
}

GitRevision::GitRevision(GitRevision &&O) noexcept
    : Base(std::move(O.Base)), Head(std::move(O.Head)),
      IsBeforeFirstCommit(O.IsBeforeFirstCommit),
      Revision(std::move(O.Revision)), Folder(std::move(O.Folder)) {
  O.Folder.clear();
}

GitRevision::~GitRevision() {
  if (!Folder.empty())
    (void)fs::remove_directories(Folder); // nobody is left to be told
}

void GitRevision::rename(std::string &Path) const {
  StringRef Rest = Path;
  if (!Folder.empty() && Rest.consume_front(Folder) && Rest.consume_front("/"))
    Path = Revision + ":" + Rest.str();
}

Expected<GitRevision> GitRevision::read(StringRef Revision,
                                        ArrayRef<std::string> Paths,
                                        const ReadOptions &Options) {
  Expected<Repository> R = Repository::find(Paths.front());
  if (!R)
    return R.takeError();
  GitRevision Result;
  Expected<std::string> Commit = R->resolve(Revision);
  if (!Commit && Revision == "HEAD" && R->hasNoCommit()) {
    llvm::consumeError(Commit.takeError());
    Result.IsBeforeFirstCommit = true;
    return Result;
  }
  if (!Commit)
    return Commit.takeError();
  Result.Revision = Revision.str();
  if (Error E = findHead(*R, Paths, Result.Head))
    return E;
  Expected<std::vector<std::string>> Files = findBase(*R, *Commit, Paths);
  if (!Files)
    return Files.takeError();

  if (Error E = checkThere(*R, Paths, *Files, Revision))
    return E;

  ReadOptions There = Options;
  if (llvm::any_of(*Files, looksLikeSource)) {
    llvm::SmallString<128> Folder, Real;
    if (std::error_code EC = fs::createUniqueDirectory("ptx-predict", Folder))
      return failure("--git-base: no temporary folder can be made: " +
                     EC.message());
    Result.Folder =
        fs::real_path(Folder, Real) ? Folder.str().str() : Real.str().str();
    if (Error E = R->checkOut(*Commit, Result.Folder))
      return E;
    There.CompilerFolder = Result.Folder;
    // As far below the top as this program is.
    if (Expected<std::string> Here = R->placeOf(".")) {
      std::string Below = Result.Folder + "/" + *Here;
      if (fs::is_directory(Below))
        There.CompilerFolder = std::move(Below);
    } else
      llvm::consumeError(Here.takeError());
  }

  std::vector<std::string> Problems(Files->size());
  Result.Base.Inputs.resize(Files->size());
  forEachInParallel(Files->size(), numThreads(0), [&](size_t N) {
    const std::string &Place = (*Files)[N];
    DriverInput &In = Result.Base.Inputs[N];
    if (looksLikeSource(Place)) {
      In.Path = Result.Folder + "/" + Place;
      In.Read = There;
      return;
    }
    In.Path = Result.Revision + ":" + Place;
    Expected<std::string> Text = R->contentOf(*Commit, Place);
    if (!Text) {
      Problems[N] = llvm::toString(Text.takeError());
      return;
    }
    auto Input =
        expandInput(llvm::MemoryBuffer::getMemBufferCopy(*Text, In.Path));
    if (!Input) {
      Problems[N] = llvm::toString(Input.takeError());
      return;
    }
    In.Text = std::move(*Input);
  });
  for (size_t N = 0; N != Problems.size(); ++N)
    if (!Problems[N].empty())
      return failure("--git-base: '" + Result.Base.Inputs[N].Path +
                     "': " + Problems[N]);
  Result.Base.Places = std::move(*Files);
  return Result;
}
