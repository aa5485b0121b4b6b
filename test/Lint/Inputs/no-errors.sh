#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# no-errors.sh KERNEL N FOLDER...: whether advise finds no error in the kernels of the folders' PTX, with the launch file of
# the same name, where there is one, and without. Of the files it takes every N-th.
kernel=$1
one_in=$2
shift 2
seen=0
found=0
advise() {
  found=$((found + 1))
  ptx-predict advise "$@" --kernel="$kernel" --device=a100-80gb --fail-on=error --quiet -o /dev/null || exit 1
}
for folder; do
  for ptx in "$folder"/*.ptx "$folder"/ptx/*.ptx; do
    [ -e "$ptx" ] || continue
    seen=$((seen + 1))
    [ $((seen % one_in)) -eq 0 ] || continue
    name=$(basename "$ptx" .ptx)
    advise "$ptx"
    for launch in "$folder/$name.yaml" "$folder/launch/$name.yaml"; do
      [ ! -e "$launch" ] || advise "$ptx" --launch="$launch"
    done
  done
done
[ "$found" -gt 0 ]
