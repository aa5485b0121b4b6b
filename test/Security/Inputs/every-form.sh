#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# every-form.sh FOLDER LAUNCH NAME...: what commands say of NAME.ptx, in every form that may show lines of its source.
cd "$1" || exit 2
Launch=$2
shift 2
for Name; do
  for Form in text json html csv; do
    ptx-predict "$Name.ptx" --format=$Form --verbose
    ptx-predict advise "$Name.ptx" --format=$Form
    ptx-predict emulate "$Name.ptx" --launch="$Launch" --check --format=$Form
  done
  for Form in text json sarif github junit markdown; do
    ptx-predict lint "$Name.ptx" --severity=note --no-cache --format=$Form
  done
done
exit 0
