# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA C++ in a string through libnvrtc: findings at its lines, names, arguments, and what is wrong with it."""

import concurrent.futures
import os
import tempfile
import unittest
import unittest.mock

import ptx_predict as pp
from ptx_predict import _libnvrtc, nvrtc

try:
    _libnvrtc.load()
except ImportError as error:
    raise unittest.SkipTest(f"libnvrtc: {error}") from None

SOURCE = """// Sums of rows, each by a thread, and scaled.
extern "C" __global__ void sums(float *out, const float *in, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += in[row * columns + k];
  out[row] = sum * SCALE;
}

template <class T, int Width> __global__ void fill(T *out) {
  for (int k = 0; k < Width; ++k)
    out[(blockIdx.x * blockDim.x + threadIdx.x) * Width + k] = T(k);
}
"""
LAUNCH = {"device": "h100-sxm", "grid": 512, "block": 256}


def line_of(text):
    """The line of SOURCE that holds a text."""
    return 1 + next(i for i, line in enumerate(SOURCE.splitlines()) if text in line)


def places(report, rule):
    """Where findings of a rule are."""
    return [(f.location.path, f.location.line) for f in report.kernel.findings if f.id == rule]


class RawKernel:
    """What cupy.RawKernel has for others to read."""

    def __init__(self, code, name, options=(), file_path=None):
        self._code, self._name, self._options, self.file_path = code, name, options, file_path

    code = property(lambda self: self._code)
    name = property(lambda self: self._name)
    options = property(lambda self: self._options)


class Sources(unittest.TestCase):
    def test_findings_are_at_lines_of_the_text(self):
        report = nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2"], args=(None, None, 1024), **LAUNCH)
        self.assertEqual(places(report, "uncoalesced-access"), [("kernel.cu", line_of("sum += in"))])
        self.assertGreater(report.prediction.time_us, 0)
        # The folder of the process is in no path.
        self.assertNotIn(os.getcwd().encode(), report.json)

    def test_the_text_may_have_a_path(self):
        report = nvrtc.predict(SOURCE, name="sums", path="src/rows.cu", options=["-DSCALE=2"], **LAUNCH)
        self.assertEqual(places(report, "uncoalesced-access")[0], ("src/rows.cu", line_of("sum += in")))

    def test_it_is_the_prediction_of_what_compile_writes(self):
        code = nvrtc.compile(SOURCE, name="sums", options=["-DSCALE=2"], device="h100-sxm")
        self.assertEqual(code.name, "kernel.ptx")
        by_hand = pp.predict(code, kernel="sums", arg={2: 1024}, **LAUNCH)
        self.assertEqual(nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2"], args=(None, None, 1024), **LAUNCH).json, by_hand.json)

    def test_arguments_say_how_often_loops_run(self):
        def time(columns):
            return float(nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2"], args=("in", "out", columns), **LAUNCH).prediction.time_us)

        self.assertGreater(time(4096), 3 * time(1024))
        # What `arg` says comes first.
        given = nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2"], args=(None, None, 7), arg={2: 1024}, **LAUNCH)
        self.assertEqual(float(given.prediction.time_us), time(1024))

    def test_a_template_is_named_as_in_cpp(self):
        report = nvrtc.predict(SOURCE, name="fill<float, 3>", options=["-DSCALE=2"], **LAUNCH)
        self.assertEqual(report.kernel.demangled, "void fill<float, 3>(float*)")
        self.assertIn(("kernel.cu", line_of("= T(k)")), places(report, "uncoalesced-access"))

    def test_without_a_name_all_kernels_are_predicted(self):
        second = 'extern "C" __global__ void zero(float *out) { out[threadIdx.x] = 0; }\n'
        report = nvrtc.predict(SOURCE + second, options=["-DSCALE=2"], **LAUNCH)
        self.assertEqual([kernel.name for kernel in report.kernels], ["sums", "zero"])

    def test_headers_are_texts(self):
        report = nvrtc.predict('#include "scale.h"\n' + SOURCE, name="sums", headers={"scale.h": "#define SCALE 3\n"}, **LAUNCH)
        self.assertEqual(places(report, "uncoalesced-access"), [("kernel.cu", 1 + line_of("sum += in"))])


class Architectures(unittest.TestCase):
    def target(self, **more):
        text = nvrtc.compile(SOURCE, name="sums", **{"options": ["-DSCALE=2"], **more}).data.decode()
        return next(line.split()[1] for line in text.splitlines() if line.startswith(".target"))

    def test_code_is_for_the_device(self):
        self.assertEqual(self.target(device="h100-sxm"), "sm_90")
        self.assertEqual(self.target(device="a100-80gb"), "sm_80")

    def test_an_option_comes_first(self):
        self.assertEqual(self.target(device="h100-sxm", options=["-DSCALE=2", "-arch=sm_80"]), "sm_80")

    def test_an_older_device_gets_the_oldest_code(self):
        oldest = min(_libnvrtc.load().architectures())
        self.assertEqual(self.target(device="gtx-280"), f"sm_{oldest[0]}{oldest[1]}")
        report = nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2"], device="k20", grid=512, block=256)
        self.assertEqual(report.prediction.device, "k20")


class RawKernels(unittest.TestCase):
    def test_its_code_options_and_name_are_taken(self):
        kernel = RawKernel(SOURCE, "sums", ("-DSCALE=2", "--std=c++17"))
        report = nvrtc.predict(kernel, args=(None, None, 1024), **LAUNCH)
        self.assertEqual(report.kernel.name, "sums")
        self.assertEqual(places(report, "uncoalesced-access"), [("kernel.cu", line_of("sum += in"))])

    def test_one_of_a_file_is_predicted_from_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sums.ptx")
            with open(path, "wb") as file:
                file.write(nvrtc.compile(SOURCE, name="sums", options=["-DSCALE=2"], device="h100-sxm").data)
            report = nvrtc.predict(RawKernel(None, "sums", (), path), args=(None, None, 1024), **LAUNCH)
        self.assertEqual(report.kernel.name, "sums")

    def test_that_of_cupy_has_these_attributes(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("cupy")
        kernel = cupy.RawKernel(SOURCE, "sums", options=("-DSCALE=2",))
        self.assertEqual(nvrtc.predict(kernel, **LAUNCH).kernel.name, "sums")


class WrongInput(unittest.TestCase):
    def test_wrong_source_is_located(self):
        wrong = SOURCE.replace("float sum = 0;", "float sum = 0 +;")
        with self.assertRaises(pp.PTXError) as caught:
            nvrtc.predict(wrong, name="sums", options=["-DSCALE=2"], **LAUNCH)
        error = caught.exception
        self.assertEqual((error.path, error.line, error.column), ("kernel.cu", line_of("float sum"), wrong.splitlines()[3].index(";") + 1))
        self.assertIn("expected an expression", error.text)
        shown = str(error).splitlines()
        self.assertEqual(shown[1].index(";"), shown[2].index("^"))

    def test_every_message_is_there(self):
        with self.assertRaises(pp.PTXError) as caught:
            nvrtc.predict(SOURCE.replace("sum += in", "total += on"), name="sums", options=["-DSCALE=2"], **LAUNCH)
        errors = [m for m in caught.exception.messages if m.severity == "error"]
        self.assertEqual([m.text for m in errors], ['identifier "total" is undefined', 'identifier "on" is undefined'])

    def test_unknown_names(self):
        with self.assertRaisesRegex(ValueError, "no kernel 'sum'.*did you mean 'sums'"):
            nvrtc.predict(SOURCE, name="sum", options=["-DSCALE=2"], **LAUNCH)
        with self.assertRaisesRegex(ValueError, "--fast"):
            nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2", "--fast"], **LAUNCH)
        with self.assertRaisesRegex(ValueError, "h1000-sxm"):
            nvrtc.predict(SOURCE, name="sums", options=["-DSCALE=2"], device="h1000-sxm", grid=1, block=32)

    def test_a_missing_library_says_what_to_install(self):
        with unittest.mock.patch.dict(os.environ, {"PTX_PREDICT_NVRTC": "/nowhere/libnvrtc.so"}):
            with self.assertRaisesRegex(ImportError, "/nowhere/libnvrtc.so.*pip install nvidia-cuda-nvrtc"):
                nvrtc.predict(SOURCE, name="sums", **LAUNCH)


class Threads(unittest.TestCase):
    def test_they_may_compile_at_once(self):
        def time(width):
            return nvrtc.predict(SOURCE, name=f"fill<float, {width}>", options=["-DSCALE=2"], **LAUNCH).json

        widths = [1, 2, 4, 8]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(time, widths)), [time(width) for width in widths])


if __name__ == "__main__":
    unittest.main()
