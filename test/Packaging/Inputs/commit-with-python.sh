#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# commit-with-python.sh FOLDER SOURCE WHEELS BIN: commits kernels of SOURCE with the hooks that pre-commit installs for itself; BIN,
# where the command lies, is taken out of the PATH. With
# PTXPREDICT_TEST_SOURCE=1 it installs SOURCE, as a user's does, which takes as long as a build; else a project of no more than its
# name, its version and the command of WHEELS.
set -eu
folder=$1 source=$2 wheels=$3
PATH=$(printf '%s' ":$PATH:" | sed "s,:$4:,:,; s,^:,,; s,:$,,")
if command -v ptx-predict >/dev/null; then
  echo 'the command is still in the PATH'
fi
export GIT_CONFIG_GLOBAL=$folder/gitconfig GIT_CONFIG_NOSYSTEM=1 PRE_COMMIT_HOME=$folder/pre-commit
git config --global user.name tester
git config --global user.email tester@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always

mkdir -p "$folder/hooks"
if [[ ${PTXPREDICT_TEST_SOURCE:-} ]]; then
  # As it is now, committed or not.
  (cd "$source" && git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - 2>/dev/null) | tar -x -C "$folder/hooks"
else
  cp "$source/.pre-commit-hooks.yaml" "$folder/hooks"
  # A build of one command, `pip install .`: the wheel that is there already.
  cat > "$folder/hooks/pyproject.toml" <<EOF
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "ptx-predict"
version = "0.1.0"
EOF
  cat > "$folder/hooks/backend.py" <<EOF
import glob, os, shutil
def build_wheel(folder, config_settings=None, metadata_directory=None):
    wheel, = glob.glob("$wheels/*.whl")
    shutil.copy(wheel, folder)
    return os.path.basename(wheel)
EOF
fi
git -C "$folder/hooks" init -q
git -C "$folder/hooks" add -A
git -C "$folder/hooks" commit -qm hooks

repository=$(mktemp -d)
trap 'rm -rf "$repository"' EXIT
cd "$repository"
git init -q
cat > .pre-commit-config.yaml <<EOF
repos:
  - repo: $folder/hooks
    rev: $(git -C "$folder/hooks" rev-parse HEAD)
    hooks:
      - id: ptx-predict-lint-python
        verbose: true
      - id: ptx-predict-diff-python
EOF
printf 'devices: a100-80gb\nlaunch: launch.yaml\n' > .ptx-predict.yaml
printf 'launches:\n  - kernel: "*"\n    grid: 64x64\n    block: 32x8\n' > launch.yaml
cp "$source/docs/examples/saxpy.ptx" .
pre-commit install >/dev/null
git add -A
echo '== a kernel without findings'
git commit -qm first 2>&1 && echo committed || echo 'commit refused'
cp "$source/docs/examples/transpose.ptx" .
git add -A
echo '== a stride'
git commit -qm second 2>&1 && echo committed || echo 'commit refused'
