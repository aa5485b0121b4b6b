#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""locales-test.py LIBRARY BIN EXAMPLES FOLDER [PLUGIN]: the locale of the environment changes no byte of what ptx-predict
reads and writes, nor does that of a program that uses its library, for which the library of inject/FailCalls.cpp stands.

FOLDER keeps the locales, which localedef makes: in German numbers have a comma, and in Turkish I is no i in capitals.
"""

import os
import shutil
import subprocess
import sys
import unittest

from example_commands import COMMANDS

LIBRARY, BIN, EXAMPLES, FOLDER = (os.path.abspath(argument) for argument in sys.argv[1:5])
PLUGIN = os.path.abspath(sys.argv[5]) if len(sys.argv) > 5 else None
LOCALES = "de_DE.UTF-8", "tr_TR.UTF-8"


def run(command, locale, own=False):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": locale, "LOCPATH": FOLDER, "LD_PRELOAD": LIBRARY,
                   "XDG_CACHE_HOME": os.path.join(FOLDER, "cache")}
    if own:
        environment["SET_LOCALE"] = "1"
    done = subprocess.run(command, cwd=EXAMPLES, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Locales(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER, exist_ok=True)
        for locale in LOCALES:
            folder = os.path.join(FOLDER, locale)
            if not os.path.exists(folder):
                name, charmap = locale.split(".")
                subprocess.run(["localedef", "-i", name, "-f", charmap, folder + ".new"], check=True)
                shutil.move(folder + ".new", folder)

    def check(self, command):
        plain = run(command, "C")
        self.assertIn(plain[0], (0, 1), plain[2])
        for locale in LOCALES:
            for own in False, True:
                with self.subTest(command=command, locale=locale, own=own):
                    self.assertEqual(run(command, locale, own), plain)

    def test_locales_matter(self):
        # Else the rest would show nothing.
        show = [sys.executable, "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.str(0.5))"]
        self.assertEqual([run(show, locale)[1] for locale in ("C", *LOCALES)], [b"0.5\n", b"0,5\n", b"0,5\n"])

    def test_commands(self):
        for arguments in COMMANDS:
            self.check([os.path.join(BIN, "ptx-predict"), *arguments])

    def test_numbers(self):
        for arguments in ("saxpy.ptx --core-mhz=1234.5 --arg=1=2.5 --verbose", "saxpy.ptx --sweep=core-mhz=900.5,1000.25",
                          "emulate saxpy.ptx --launch=emulate.yaml --max-instructions=1Ki"):
            self.check([os.path.join(BIN, "ptx-predict"), *arguments.split()])

    @unittest.skipUnless(PLUGIN, "without the plugin")
    def test_plugin(self):
        self.check(["clang++-22", "-x", "cuda", "--cuda-device-only", "--offload-arch=sm_80", "-nocudainc", "-nocudalib",
                    "--cuda-feature=+ptx88", "-Wno-unknown-cuda-version", "-O2", "-S", "-fpass-plugin=" + PLUGIN, "-Rpass-analysis=ptx-predict",
                    "-include", "device.h", "saxpy.cu", "-o", "-"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
