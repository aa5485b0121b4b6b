# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong options, inputs and files are exceptions that say what the command says."""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

import ptx_predict as pp
import support

WRONG = """.version 8.0
.target sm_90
.address_size 64
.visible .entry f() {
  .reg .b32 %r<2>;
  add.s32 %r1, %r2, 1;
  ret;
}
"""
LAUNCH = "launches: [{kernel: saxpy, gridd: 3}]\n"


class ErrorsTest(unittest.TestCase):
    """In a copy of the examples."""

    def setUp(self):
        folder = support.Folder()
        folder.__enter__()
        self.addCleanup(folder.__exit__)

    def error(self, kind, *files, **options):
        """What predict raises, which is of this kind and no other."""
        with self.assertRaises(kind) as caught:
            pp.predict(*files, **options)
        self.assertIs(type(caught.exception), kind)
        return caught.exception

    def test_options_with_the_nearest_name(self):
        for options, text in (
            ({"devise": "v100"}, "unknown option '--devise'; did you mean '--device'?"),
            ({"device": "h200x"}, "--device: no device named 'h200x'; did you mean 'h200'?"),
            ({"model": "botleneck"}, "--model: there is no model 'botleneck'; did you mean 'bottleneck'?"),
            ({"arg": {"nn": 3}}, "--arg: no selected kernel has a parameter 'nn'; there are saxpy_param_0"),
            ({"sweep": {"registres": [1, 2]}}, "--sweep: nothing is called 'registres'; did you mean 'registers'?"),
            ({"mwp_case": "litteral"}, "--mwp-case takes one of physical, literal; not 'litteral'; did you mean 'literal'?"),
            ({"kernel": "nothing"}, "--kernel: no kernel matches 'nothing'; there is saxpy"),
            ({"block": 2048}, "--block: 2048 threads a block are 1024 more than the limit of 1024"),
            ({"grid": (1, 2, 3, 4)}, "--grid takes one to three positive numbers"),
            ({"registers": 1.5}, "--registers takes a positive whole number; not '1.5'"),
        ):
            with self.subTest(options):
                found = str(self.error(ValueError, "saxpy.ptx", **options))
                self.assertTrue(found.startswith(text), found)
                spelled = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if not isinstance(value, (dict, tuple))]
                if spelled:  # word for word
                    self.assertIn(f"ptx-predict: error: {found}\n", support.messages("saxpy.ptx", *spelled))

    def test_wrong_ptx(self):
        with open("wrong.ptx", "w", encoding="utf-8") as file:
            file.write(WRONG)
        shown = support.messages("wrong.ptx", folder=".")
        for file in ("wrong.ptx", pathlib.Path("wrong.ptx"), pp.Code(WRONG, "wrong.ptx")):
            with self.subTest(file):
                found = self.error(pp.PTXError, file)
                self.assertIsInstance(found, ValueError)
                self.assertEqual((found.path, found.line, found.column), ("wrong.ptx", 6, 16))
                self.assertEqual(str(found), "wrong.ptx:6:16: error: use of undeclared register '%r2'; '%r<2>' ends at '%r1'\n  add.s32 %r1, %r2, 1;\n               ^")
                self.assertEqual("".join(m.shown for m in found.messages), shown)
                self.assertEqual(found.messages[0].severity, "error")
                self.assertEqual(found.messages[0].text, found.text)

    def test_the_right_files_are_answered(self):
        found = self.error(pp.PTXError, "saxpy.ptx", pp.Code(WRONG, "wrong.ptx"), device="v100")
        self.assertEqual([kernel.name for kernel in found.report.kernels], ["saxpy"])
        self.assertEqual(found.report.code, 2)
        self.assertIn("saxpy", str(found.report))
        again = pickle.loads(pickle.dumps(found))
        self.assertEqual((str(again), again.line, again.report.json), (str(found), found.line, found.report.json))

    def test_the_first_error_is_shown(self):
        """Not a message before or after it."""
        messages = [pp.Message(level, "a.ptx", line, 1, level, f"a.ptx:{line}:1: {level}\n") for line, level in enumerate(("note", "error", "error", "warning"), 1)]
        found = pp.PTXError(messages)
        self.assertEqual((found.line, found.text, str(found), len(found.messages)), (2, "error", "a.ptx:2:1: error", 4))

    def test_wrong_launch_file(self):
        found = self.error(pp.PTXError, "saxpy.ptx", launch=pp.Code(LAUNCH, "launch.yaml"))
        self.assertEqual((found.path, found.line, found.column), ("launch.yaml", 1, 28))
        self.assertIn("did you mean 'grid'?", found.text)

    def test_files_that_cannot_be_read(self):
        self.assertEqual(self.error(FileNotFoundError, "nothing.ptx").filename, "nothing.ptx")
        self.assertEqual(self.error(FileNotFoundError, "saxpy.ptx", launch="nothing.yaml").filename, "nothing.yaml")
        os.mkdir("folder")
        self.error(IsADirectoryError, "folder")

    def test_names_that_look_like_options(self):
        for name in ("--help", "-x.ptx", "@saxpy"):
            os.link("saxpy.ptx", name)
            self.assertEqual(pp.predict(name).inputs[0].path, f"./{name}")
            os.remove(name)
        with self.assertRaisesRegex(ValueError, "standard input is no file here"):
            pp.predict("-")

    def test_what_is_no_input(self):
        with self.assertRaisesRegex(TypeError, "a file is a path or a ptx_predict.Code, not bytes"):
            pp.predict(b"saxpy.ptx")
        with self.assertRaisesRegex(ValueError, "'a.ptx' can be no file's name, or stands for two texts"):
            pp.predict(pp.Code("", "a.ptx"), pp.Code("", "a.ptx"))
        with self.assertRaisesRegex(ValueError, "no byte 0"):
            pp.predict("a\0b.ptx")

    def test_warnings_are_messages(self):
        found = pp.predict("saxpy.ptx", device="h100")
        shown = support.messages("saxpy.ptx", "--device=h100")
        self.assertEqual("".join(m.shown for m in found.messages), shown)

    def test_names_and_texts_that_are_no_utf8(self):
        name = os.fsdecode(b"caf\xe9.ptx")
        os.link("saxpy.ptx", name)
        self.assertEqual(pp.predict(name).kernel.name, "saxpy")
        found = self.error(pp.PTXError, pp.Code(b"\xff\xfe\x00", "bytes.ptx"))
        self.assertEqual(found.path, "bytes.ptx")


class NoFrontEndTest(unittest.TestCase):
    """Without ptx-predict-ir, and with it."""

    def test_missing(self):
        """A package of its own, whose library has no program beside it."""
        import ptx_predict._library as library

        with tempfile.TemporaryDirectory() as folder:
            environment = support.package_elsewhere(folder)
            os.symlink(os.path.realpath(library.PATH), os.path.join(folder, "ptx_predict", "libptxpredict.so"))
            environment["PATH"] = folder
            for name in ("saxpy.ll", "saxpy.cu", "saxpy.cl"):
                with self.subTest(name):
                    code = f"import ptx_predict as pp\ntry:\n  pp.predict({os.path.join(support.EXAMPLES, name)!r})\nexcept ImportError as e:\n  print(e)"
                    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=False)
                    self.assertIn("LLVM IR, CUDA and OpenCL source need ptx-predict-ir, which is not installed: ", done.stdout, done.stderr)

    def test_llvm_ir(self):
        program = os.path.join(os.path.dirname(support.COMMAND), "ptx-predict-ir")
        if not os.path.exists(program):
            self.skipTest("ptx-predict-ir is not built")
        with support.Folder():
            want = support.command("saxpy.ll", "--device=h100-sxm", "--grid=64", "--format=json")
            self.assertEqual(pp.predict("saxpy.ll", device="h100-sxm", grid=64).json, want)
            with open("saxpy.ll", "rb") as file:
                code = pp.Code(file.read(), "saxpy.ll")
            os.remove("saxpy.ll")
            found = pp.predict(code, device="h100-sxm", grid=64)
            self.assertEqual(found.json, want)
            self.assertIn("saxpy.ll", str(found))
            with self.assertRaises(pp.PTXError) as caught:
                pp.predict(pp.Code("define void @f() {\n  nothing\n}\n", "wrong.ll"))
            self.assertEqual((caught.exception.path, caught.exception.line), ("wrong.ll", 2))


if __name__ == "__main__":
    unittest.main()
