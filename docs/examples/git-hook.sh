#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# .git/hooks/pre-commit: refuses a commit whose kernels have new findings. It looks at the files as they lie in the work tree.
# Links are left out, and no name is taken for an option: names come with the code.
git diff --cached --name-only --diff-filter=ACMR -z -- '*.ptx' '*.ll' '*.bc' '*.cu' '*.cuh' '*.cl' '*.cubin' '*.fatbin' |
  sed -z 's,^,./,' | xargs -0 -r sh -c 'find "$@" -prune -type f -print0' find |
  xargs -0 -r ptx-predict lint --quiet
