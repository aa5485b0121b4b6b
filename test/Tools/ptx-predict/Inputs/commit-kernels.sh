#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# commit-kernels.sh FOLDER SOURCE: makes a repository in FOLDER that uses the hooks in FOLDER/hooks, and commits kernels of SOURCE there.
set -u
folder=$1 pairs=$2/test/Lint/Inputs/pairs
export GIT_CONFIG_GLOBAL=$folder/home/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name tester
git config --global user.email tester@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always

git -C "$folder/hooks" init -q
git -C "$folder/hooks" add -A
git -C "$folder/hooks" commit -qm hooks
rev=$(git -C "$folder/hooks" rev-parse HEAD)

# Not below the build, whose compile_commands.json would be found.
repository=$(mktemp -d)
trap 'rm -rf "$repository"' EXIT
cd "$repository" || exit
git init -q
cat > .pre-commit-config.yaml <<EOF
repos:
  - repo: $folder/hooks
    rev: $rev
    hooks:
      - id: ptx-predict-lint
      - id: ptx-predict-diff
EOF
printf 'launch: launches.yaml\ndevices: a100-80gb\n' > .ptx-predict.yaml
cp "$pairs/strided.yaml" launches.yaml
pre-commit install >/dev/null
commit() { # MESSAGE: what is staged
  git commit -qm "$1" 2>&1 && echo committed || echo 'commit refused'
}
cp "$pairs/strided.cu" kernel.cu
sed 's,/src/pairs/strided.cu,kernel.cu,' "$pairs/strided.ptx" > both.ptx
git add .pre-commit-config.yaml .ptx-predict.yaml launches.yaml

echo '== the first commit'
cp "$2/docs/examples/reduce.ptx" .
git add reduce.ptx
pre-commit run --verbose
commit base

echo '== a stride'
cp both.ptx kernel.ptx
rm both.ptx
git add kernel.ptx
commit stride

echo '== the fix'
sed -i 's, // planted.*, // ptx-predict: ignore[uncoalesced-access] the slow twin is kept,' kernel.cu
cp "$2/docs/examples/saxpy.ptx" .
git add kernel.ptx saxpy.ptx
commit fix

echo '== once more, on all files'
pre-commit run --all-files --verbose ptx-predict-lint
ptx-predict lint kernel.ptx saxpy.ptx --verbose -o /dev/null

echo '== slower than the last commit'
sed -i 's/\(mul\.wide\.s32.*\), 4;/\1, 256;/' saxpy.ptx
git add saxpy.ptx
SKIP=ptx-predict-lint commit slower
git checkout -q HEAD -- saxpy.ptx

echo '== a configuration that is wrong'
printf 'rule: bank-conflict\n' > .ptx-predict.yaml
echo '// touched' >> kernel.ptx
git add kernel.ptx .ptx-predict.yaml
commit configuration
git checkout -q HEAD -- .ptx-predict.yaml kernel.ptx

echo '== a header that nobody knows'
echo '#pragma once' > lonely.cuh
echo '#include "lonely.cuh"' > user.cuh
git add lonely.cuh
commit header
ptx-predict lint --quiet lonely.cuh

echo '== the plain hook'
pre-commit uninstall >/dev/null
cp "$2/docs/examples/git-hook.sh" .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
sed -i 's, // ptx-predict: ignore.*,,' kernel.cu
echo '// touched' >> kernel.ptx
git add kernel.ptx
commit plain
git checkout -q HEAD -- kernel.ptx
echo '// touched' >> saxpy.ptx
git add saxpy.ptx
commit plain
