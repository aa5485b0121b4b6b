#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.sh SCRIPT WORD...: what the completion script offers for the last word of `ptx-predict WORD...`.
source "$1"
shift
# The function sees words as the bash-completion package would cut them: not at '='.
_init_completion() { cur=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD; }
COMP_WORDS=(ptx-predict "$@")
COMP_CWORD=$#
_ptx_predict
printf '%s\n' "${COMPREPLY[@]}"
