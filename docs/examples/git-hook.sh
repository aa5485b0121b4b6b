#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# .git/hooks/pre-commit: refuses a commit whose kernels have new findings. It looks at the files as they lie in the work tree.
git diff --cached --name-only --diff-filter=ACMR -z -- '*.ptx' '*.ll' '*.bc' '*.cu' '*.cuh' |
  xargs -0 -r ptx-predict lint --quiet
