#!/bin/sh
# Stands for a ptxas: prints the log in $FAKE_LOG for the architecture that is asked for, and counts its runs in
# $FAKE_RUNS. Knows sm_80 and sm_90; $FAKE_MODE is what else may happen. Its cubin is $FAKE_CUBIN-80.cubin and so on.
PATH=$PATH:/usr/bin:/bin
[ "$1" = --version ] && echo "fake ptxas, version 1" && exit 0
echo run >> "$FAKE_RUNS"
for argument in "$@"; do
  case $argument in
  -arch=*) arch=${argument#-arch=} ;;
  *.ptx) input=$argument ;;
  *.cubin) output=$argument ;;
  esac
done
grep -q '^\.version' "$input" || exit 9
case $FAKE_MODE in
nonsense) echo "what is this" && exit 0 ;;
refuse) echo "ptxas $input, line 7; error   : Not this one" && exit 255 ;;
dies) kill -9 $$ ;;
extern) case $* in *-c) ;; *) echo "ptxas fatal   : Unresolved extern function 'f'" && exit 255 ;; esac ;;
esac
case $arch in
sm_80 | sm_90) sed "s/sm_80/$arch/; s/Used 10/Used ${arch#sm_}/" "$FAKE_LOG" >&2 ;;
*) echo "ptxas fatal   : Value '$arch' is not defined for option 'gpu-name'" && exit 255 ;;
esac
[ -z "$FAKE_CUBIN" ] || cp "$FAKE_CUBIN-${arch#sm_}.cubin" "$output"
