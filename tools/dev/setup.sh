# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by the scripts beside it, which source it: what they need from apt, and how a build folder comes about.
# Progress goes to standard error, so that standard output is what the user asked for.

Root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$Root"

# What the command alone needs, and what each part of the suite needs beside it.
CommandPackages=(cmake ninja-build g++ llvm-22-dev zlib1g-dev libzstd-dev liblz4-dev libeigen3-dev)
TestPackages=(lld-22 libgtest-dev libgmock-dev libbenchmark-dev libmpfr-dev llvm-22-tools clang-22 python3 python3-venv python3-jsonschema)
SanitizerPackages=(clang-22 libclang-rt-22-dev googletest)
# What single tests need; the suite says which it did without. Of a CUDA toolkit, Debian's main archive has nothing.
OptionalPackages=(git pre-commit python3-yaml chromium clang-14 libclc-22 valgrind locales zsh fish man-db groff libsimgrid-dev)
LintPackages=(clang-22 clang-format-22 clang-tidy-22)

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "error: $*"; exit 2; }

# need_packages NAME...: installs those that are missing. With none missing it needs neither root nor a network.
need_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    { say "no apt here; needed are: $*"; return 0; }
  local Package Missing=()
  for Package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$Package" 2>/dev/null) == installed ]] || Missing+=("$Package")
  done
  ((${#Missing[@]})) || return 0
  local AsRoot=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "not root and no sudo; install these and try again: ${Missing[*]}"
    AsRoot=(sudo)
  fi
  say "installing ${Missing[*]}"
  local Apt=("${AsRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  "${Apt[@]}" update >&2 || say "warning: the package lists could not be renewed"
  "${Apt[@]}" install -y --no-install-recommends "${Missing[@]}" >&2 ||
    die "apt could not install ${Missing[*]}; LLVM 22 is in Debian 12's security archive"
}

# configure PRESET [OPTION...]: configures build/PRESET; the many lines that this says are shown when it fails.
configure() {
  local Preset=$1 Log
  say "configuring build/$Preset"
  Log=$(cmake --preset "$@" 2>&1) || { printf '%s\n' "$Log" >&2; die "cmake could not configure build/$Preset"; }
}
