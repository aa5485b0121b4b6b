# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.zsh SCRIPT WORD...: what the completion script offers for the last word of `ptx-predict WORD...`.
source $1
shift
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@"; }
compset() { : }
_files() { print files; }
words=(ptx-predict "$@")
CURRENT=$#words
_ptx_predict
