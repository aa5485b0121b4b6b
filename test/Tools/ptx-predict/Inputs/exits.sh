#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exits.sh CODE COMMAND...: runs the command and fails unless it exits with CODE.
Expected=$1
shift
"$@"
Code=$?
test "$Code" -eq "$Expected" && exit 0
echo "exit code $Code where $Expected was expected: $*" >&2
exit 1
