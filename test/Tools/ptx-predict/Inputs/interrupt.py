#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py COMMAND...: sends SIGINT to the command once it has several threads; exits as it does."""

import signal
import subprocess
import sys
import time


def main():
    # A shell starts what runs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(sys.argv[1:]) as process:
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                if any(line.split() != ["Threads:", "1"] for line in status if line.startswith("Threads:")):
                    break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
    sys.exit(process.returncode)


main()
