#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-memory.sh PREFIX ARCHITECTURE...: whether the buffers of each are those of PTX, PREFIX.ptx.0 and so on.
Prefix=$1
shift
for Architecture; do
  for Wanted in "$Prefix".ptx.*; do
    cmp "$Wanted" "$Prefix.$Architecture.${Wanted##*.}" || exit 1
  done
done
