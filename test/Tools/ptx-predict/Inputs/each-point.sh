# Runs a command at every point of the sweep that sweep.test makes, in its order.
for block in 8,8 16,16; do
  for core in 500 750; do
    for sms in 2 3; do
      "$@" --block=$block --core-mhz=$core --active-sms=$sms || exit
    done
  done
done
