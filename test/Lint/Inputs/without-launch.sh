#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# without-launch.sh DIR NAME...: of each pair DIR/NAME.ptx `lint` has a warning at the line that is planted in NAME.cu,
# without being told of any launch, and none of the fixed kernel.
Dir=$1
shift
for Name; do
  Line=$(grep -n 'planted: ' "$Dir/$Name.cu" | cut -d: -f1)
  Rule=$(sed -n 's/.*planted: \([a-z-]*\).*/\1/p' "$Dir/$Name.cu")
  Found=$(ptx-predict lint --no-cache --no-config "$Dir/$Name.ptx")
  [ $? = 1 ] || echo "$Name: WRONG exit code"
  echo "$Found" | grep -q "$Name.cu:$Line:[0-9]*: warning: .*\[$Rule\]" || echo "$Name: WRONG, nothing at line $Line"
  echo "$Found" | grep -q '^  in    fixed' && echo "$Name: WRONG, the fix has a warning"
  echo "$Name: checked"
done
