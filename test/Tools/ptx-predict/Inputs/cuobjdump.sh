#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cuobjdump.sh FILE.ptx...: the text that `cuobjdump -ptx` prints of a program with machine code and PTX of each file.
for File; do
  printf '\nFatbin elf code:\n================\narch = sm_90\ncode version = [1,7]\nhost = linux\ncompile_size = 64bit\n'
  printf '\nFatbin ptx code:\n================\narch = sm_90\ncode version = [8,0]\nhost = linux\ncompile_size = 64bit\ncompressed\nptxasOptions = \n\n'
  cat "$File"
done
