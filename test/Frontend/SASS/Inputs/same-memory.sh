#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-memory.sh PREFIX ARCHITECTURE...: whether the seven buffers of each are those of PTX.
Prefix=$1
shift
for Architecture; do
  for Buffer in 0 1 2 3 4 5 6; do
    cmp "$Prefix.ptx.$Buffer" "$Prefix.$Architecture.$Buffer" || exit 1
  done
done
