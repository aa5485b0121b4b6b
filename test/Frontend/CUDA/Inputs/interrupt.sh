#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# interrupt.sh FOLDER SOURCE: ends a run while its compiler works, and fails unless the compiler ends, too.
cat > "$1/nvcc" <<END
#!/bin/sh
test "\$1" = --version && { echo nvcc; exit 0; }
echo \$\$ > "$1/pid"
exec sleep 1000
END
chmod +x "$1/nvcc"
ptx-predict "$2" --compiler="$1/nvcc" &
until test -s "$1/pid"; do
  sleep 0.1
done
kill -TERM $!
wait $!
for Try in 1 2 3 4 5 6 7 8 9 10; do
  # One that nobody has waited for yet is a zombie.
  grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$(cat "$1/pid")/status" || exit 0
  sleep "$Try"
done
kill "$(cat "$1/pid")"
echo "the compiler goes on" >&2
exit 1
