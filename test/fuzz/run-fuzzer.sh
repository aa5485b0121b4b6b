#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run-fuzzer.sh FUZZER TARGET MAX-LENGTH FOLDER REGRESSIONS
# Lets a fuzzer run for PTXPREDICT_FUZZ_SECONDS (60 by default). FOLDER has what make-corpus.py wrote; what the fuzzer adds
# stays in FOLDER/corpus/TARGET for the next time, and what it finds in FOLDER/findings/TARGET.
set -euo pipefail
Fuzzer=$1 Target=$2 MaxLength=$3 Folder=$4 Regressions=$5
mkdir -p "$Folder/corpus/$Target" "$Folder/findings/$Target"
Seeds=("$Folder/seeds/$Target")
[[ -d $Regressions/$Target ]] && Seeds+=("$Regressions/$Target")
exec "$Fuzzer" -max_total_time="${PTXPREDICT_FUZZ_SECONDS:-60}" -max_len="$MaxLength" -timeout=5 -rss_limit_mb=2048 \
  -dict="$Folder/$Target.dict" -artifact_prefix="$Folder/findings/$Target/" -print_final_stats=1 -verbosity=1 \
  "$Folder/corpus/$Target" "${Seeds[@]}"
