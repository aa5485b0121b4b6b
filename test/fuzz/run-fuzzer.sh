#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run-fuzzer.sh FUZZER TARGET MAX-LENGTH FOLDER REGRESSIONS
# Lets a fuzzer run for PTXPREDICT_FUZZ_SECONDS of a processor (60 by default). FOLDER has what make-corpus.py wrote; what
# the fuzzer adds stays in FOLDER/corpus/TARGET for the next time, and what it finds in FOLDER/findings/TARGET.
# PTXPREDICT_FUZZ_FOLDER says another place for these two, and PTXPREDICT_FUZZ_TIMEOUT after how many seconds an input is
# a finding (5), which a busy machine needs more of.
set -euo pipefail
Fuzzer=$1 Target=$2 MaxLength=$3 Folder=$4 Regressions=$5
Kept=${PTXPREDICT_FUZZ_FOLDER:-$Folder}
mkdir -p "$Kept/corpus/$Target" "$Kept/findings/$Target"
Seeds=("$Folder/seeds/$Target")
[[ -d $Regressions/$Target ]] && Seeds+=("$Regressions/$Target")
export PTXPREDICT_FUZZ_SECONDS=${PTXPREDICT_FUZZ_SECONDS:-60}
Options=(-max_len="$MaxLength" -timeout="${PTXPREDICT_FUZZ_TIMEOUT:-5}" -rss_limit_mb=2048
  -mutate_depth=2 -dict="$Folder/$Target.dict" -artifact_prefix="$Kept/findings/$Target/" -print_final_stats=1 -verbosity=1)
# The messages of the command are many; the fuzzer keeps a copy of standard error for itself.
[[ $Target == command ]] && Options+=(-close_fd_mask=3)
# LLVM asks for more memory than there is, which it notices.
[[ $Target == ir ]] && Options+=(-malloc_limit_mb=1000000)
exec "$Fuzzer" "${Options[@]}" "$Kept/corpus/$Target" "${Seeds[@]}"
