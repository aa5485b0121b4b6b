# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions of Triton kernels against Triton's metadata, the arguments, and ptxas."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import stand_ins  # noqa: I001  (skips without triton)

import kernels
import numpy
import ptx_predict as pp
import triton
from ptx_predict.triton import Tensor, _launch, _predict, compile, predict
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICES = {"a100": 80, "h100": 90, "b200": 100, "rtx-5090": 120}
BUNDLED = pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin"


def half(*shape):
    return Tensor(shape, "fp16")


def matmul(m=1024, n=1024, k=1024, **more):
    args = (half(m, k), half(k, n), half(m, n), m, n, k, k, n, n)
    meta = {"TILE_M": 128, "TILE_N": 128, "TILE_K": 64, "num_warps": 8, "num_stages": 3, **more}
    return kernels.matmul, args, meta, lambda given: (triton.cdiv(n, given["TILE_N"]), triton.cdiv(m, given["TILE_M"]))


def attention(length):
    args = (half(8, length, 64), half(8, length, 64), half(8, length, 64), half(8, length, 64), length, 0.18)
    meta = {"WIDTH": 64, "TILE_Q": 128, "TILE_K": 64, "num_warps": 4}
    return kernels.attention, args, meta, lambda given: (triton.cdiv(length, given["TILE_Q"]), 8)


def softmax(rows):
    args = (Tensor((rows, 1000), "fp32"), Tensor((rows, 1000), "fp32"), rows, 1000, 1000)
    return kernels.softmax, args, {"BLOCK": 1024, "num_warps": 4}, (512,)


def layer_norm(columns):
    args = (half(4096, columns), half(columns), half(columns), half(4096, columns), columns, columns, 1e-5)
    return kernels.layer_norm, args, {"BLOCK": 1024, "num_warps": 4}, (4096,)


def trips(report):
    """The trip counts of the loops that a kernel's time rests on: those in the source, which run more than once."""
    counts = [loop["trip_count"] for loop in report.data["kernels"][0]["characteristics"]["loops"]]
    assert all(count["status"] == "known" for count in counts), counts
    return sorted(count["value"] for count in counts if count["value"] > 1)


def registers_of_ptxas(ptx, arch):
    """What ptxas, which the triton package brings, allocates for a thread."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        tool = BUNDLED / ("ptxas" if arch < 90 else "ptxas-blackwell")
        target = f"sm_{arch}{'a' if arch >= 90 else ''}"
        done = subprocess.run([tool, "-v", f"--gpu-name={target}", file.name, "-o", os.devnull], capture_output=True, text=True, check=True)
    return int(re.search(r"Used (\d+) registers", done.stderr)[1])


class Kernels(unittest.TestCase):
    """Must show 2 of issue 36's step: four kernels on four generations."""

    table: list[str] = []

    def check(self, make, size, larger, loops, each):
        """At `size` and at `larger` all loops have known trip counts, and `loops` of them run `each` times more often at the latter."""
        for device, arch in DEVICES.items():
            with self.subTest(device=device):
                fn, args, meta, grid = make(size)
                compiled = compile(fn, *args, arch=arch, **meta)
                report = predict(fn, *args, grid=grid, device=device, **meta)
                launch = report.kernel.launch
                self.assertEqual(launch.block, [32 * compiled.metadata["num_warps"], 1, 1])
                self.assertIn(f".reqntid {launch.block[0]}", compiled.ptx)
                self.assertEqual(launch.dynamic_shared_bytes, compiled.metadata["shared"])
                blocks = grid(compiled.arguments) if callable(grid) else grid
                self.assertEqual(launch.grid, [*blocks, *[1] * (3 - len(blocks))])
                assumed = [part["what"] for part in report.data["kernels"][0]["assumptions"] if "clock" not in part["what"]]
                self.assertEqual(assumed, [])
                self.assertIsNotNone(report.prediction.time_us)

                before = trips(report)
                fn, args, meta, grid = make(larger)
                after = trips(predict(fn, *args, grid=grid, device=device, **meta))
                # The sizes are one to two; software pipelining may peel an iteration, at either size.
                self.assertEqual(len(before), len(after))
                grown = [b - a for a, b in zip(before, after) if b != a]
                self.assertEqual(grown, [each] * loops)
                self.assertTrue(all(count in (each, each - 1) for count in before), before)

                registers = report.kernel.resources.registers
                own = registers_of_ptxas(compiled.ptx, arch)
                self.table.append(
                    f"{fn.__name__:11} sm_{arch:<4} {launch.block[0]:5} {launch.dynamic_shared_bytes:8} {str(before):14}"
                    f" {registers:5.0f} ({registers.low:.0f} to {registers.high:.0f})  {own:5}  {report.prediction.time_us}"
                )
                self.assertLessEqual(registers.low, own)
                self.assertLessEqual(own, registers.high)

    def test_matmul(self):
        self.check(lambda k: matmul(k=k), 1024, 2048, 1, 16)

    def test_attention(self):
        self.check(attention, 2048, 4096, 1, 32)

    def test_softmax(self):
        self.check(softmax, 4096, 8192, 1, 8)

    def test_layer_norm(self):
        self.check(layer_norm, 8192, 16384, 3, 8)

    @classmethod
    def tearDownClass(cls):
        print("kernel      arch     block   shared trip counts    registers          ptxas  time", file=sys.stderr)
        print(*cls.table, sep="\n", file=sys.stderr)


class Arguments(unittest.TestCase):
    """Which arguments have parameters, and what is said of them."""

    def parameters(self, *args, **meta):
        compiled = compile(kernels.add, *args, arch=90, **{"BLOCK": 128, **meta})
        return compiled, len(re.findall(r"^\s*\.param ", compiled.ptx.split(")")[0], re.MULTILINE))

    def test_constants_and_ones_have_no_parameter(self):
        x = Tensor(1024, "fp32")
        compiled, count = self.parameters(x, x, x, 1024)
        self.assertEqual([name for name, _, _ in compiled.parameters], ["x", "y", "out", "n"])
        self.assertEqual(count, 6, "four parameters and two scratch pointers")
        compiled, count = self.parameters(x, x, x, 1)
        self.assertEqual([name for name, _, _ in compiled.parameters], ["x", "y", "out"])
        self.assertEqual(count, 5)

    def test_scratch_pointers_follow(self):
        x = Tensor(1024, "fp32")
        compiled, count = self.parameters(x, x, x, 1000)
        entry = _launch.launch(compiled, [8])
        self.assertEqual(list(entry["args"]), [str(i) for i in range(count)])
        self.assertEqual((entry["args"]["3"], entry["args"]["4"], entry["args"]["5"]), (1000, 0, 0))

    def test_one_tensor_has_one_buffer(self):
        x, other = Tensor(1024, "bf16"), Tensor((4, 8), "bf16", (100, 1))
        entry = _launch.launch(self.parameters(x, x, other, 1024)[0], [8])
        self.assertEqual(entry["buffers"], {"x": {"type": "bf16", "count": 1024}, "out": {"type": "bf16", "count": 308}})
        self.assertEqual(entry["args"]["1"], {"buffer": "x"})

    def test_numpy(self):
        arrays = [numpy.zeros(4096, numpy.float32) for _ in range(3)]
        report = predict(kernels.add, *arrays, numpy.int32(4096), grid=(32,), device="a100", BLOCK=128)
        same = predict(kernels.add, *[Tensor(4096, "float32") for _ in range(3)], 4096, grid=(32,), device="a100", BLOCK=128)
        self.assertEqual(report.json, same.json)

    def test_types(self):
        for dtype, name in ((numpy.dtype("int64"), "int64"), (numpy.float16, "fp16"), ("fp8e5", "fp8e5"), (triton.language.bfloat16, "bf16")):
            self.assertEqual(str(Tensor(1, dtype).dtype), name)
        with self.assertRaisesRegex(ValueError, "no type 'flot16'; did you mean 'float16'"):
            Tensor(1, "flot16")
        with self.assertRaisesRegex(ValueError, "2 strides for 1 extents"):
            Tensor(1, "fp16", (1, 1))
        with self.assertRaisesRegex(ValueError, "negative"):
            Tensor((2, -1), "fp16")

    def test_alignment(self):
        """A pointer that is not aligned, and a number that 16 does not divide, are compiled as the JIT does: without wide accesses."""
        x, odd = Tensor(1024, "fp32"), Tensor(1024, "fp32", address=4)
        self.assertIn("ld.global.v4", self.parameters(x, x, x, 1024, BLOCK=1024)[0].ptx)
        self.assertNotIn("ld.global.v4", self.parameters(odd, odd, odd, 1024, BLOCK=1024)[0].ptx)

    def test_same_as_the_jit(self):
        """What is compiled here is, byte for byte, what Triton's JIT gives ptxas."""
        x, odd = Tensor(4096, "fp32"), Tensor(4096, "fp32", address=4)
        tiles = [TensorDescriptor(half(1024, 1024), [1024, 1024], [1024, 1], [64, 32]) for _ in range(2)]
        calls = [(arch, *matmul(k=96)) for arch in (80, 90, 120)]
        calls += [(90, kernels.add, (x, odd, x, 1), {"BLOCK": 128}, (1,)), (90, kernels.add, (x, x, odd, 4000), {"BLOCK": 128, "num_ctas": 2}, (1,))]
        calls += [(90, kernels.sum_of, ((x, odd, 3), x, 4096), {"BLOCK": 128}, (32,)), (80, kernels.sum_of, ((x, x, 1), x, 1), {"BLOCK": 64}, (1,))]
        calls += [(90, kernels.double_tiles, (*tiles, 1024), {"TILE": 32}, (16,)), (80, kernels.double_tiles, (*tiles, 1024), {"TILE": 32}, (16,))]
        for arch, fn, args, meta, grid in calls:
            with self.subTest(arch=arch, kernel=fn.__name__, meta=meta), stand_ins.machine(arch) as (driver, ptxas):
                jitted = stand_ins.fresh(fn)
                jitted[grid](*args, **meta)
                self.assertEqual(len(driver.launched), 1)
                compiled = compile(jitted, *args, arch=arch, **meta)
                self.assertEqual(ptxas.calls(), [stand_ins.digest(compiled.ptx)])

    def test_without_ptxas(self):
        """Where there is no ptxas at all, not even to be asked for its version."""
        code = (
            "import sys, subprocess, triton.knobs as k\n"
            "k.NvidiaTool.from_path = staticmethod(lambda path: None)\n"
            f"sys.path[:0] = {sys.path[:2]!r}\n"
            "import kernels\n"
            "from ptx_predict.triton import Tensor, compile\n"
            "x = Tensor(64, 'fp32')\n"
            "print(compile(kernels.add, x, x, x, 64, arch=100, BLOCK=64).ptx.count('.version 9.0'))\n"
        )
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.returncode), ("1\n", 0), done.stderr)

    def test_compiled_kernel(self):
        with stand_ins.machine(90):
            fn, args, meta, grid = matmul()
            kernel = stand_ins.fresh(fn).warmup(*args, grid=(1,), **meta)
            report = predict(kernel, *args, grid=(8, 8), device="h100")
            direct = predict(fn, *args, grid=(8, 8), device="h100", **meta)
            self.assertEqual(report.kernel.launch.data, direct.kernel.launch.data)
            self.assertEqual(report.prediction.time_us, direct.prediction.time_us)
            self.assertEqual(predict(kernel, *args, grid=grid, device="h100").kernel.launch.grid, [8, 8, 1])
            with self.assertRaisesRegex(TypeError, "missing its argument .*b_row"):
                predict(kernel, *args[:5], grid=(8, 8))
            with self.assertRaisesRegex(ValueError, "no argument 'a_rwo'; did you mean 'a_row'"):
                predict(kernel, *args, a_rwo=1, grid=(8, 8))
            with self.assertRaisesRegex(TypeError, "takes 12 arguments, not 13"):
                predict(kernel, *args, 1, 2, 3, 4, grid=(8, 8))

    def test_heuristics(self):
        fn = triton.heuristics({"BLOCK": lambda given: triton.next_power_of_2(given["n"])})(kernels.add)
        x = Tensor(1000, "fp32")
        self.assertEqual(compile(fn, x, x, x, 1000, arch=90).arguments["BLOCK"], 1024)

    def test_one_configuration(self):
        x = Tensor(1000, "fp32")
        one = triton.autotune([triton.Config({"BLOCK": 256}, num_warps=8)], [])(kernels.add)
        self.assertEqual(compile(one, x, x, x, 1000, arch=90).metadata["num_warps"], 8)
        two = triton.autotune([triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 512})], [])(kernels.add)
        with self.assertRaisesRegex(ValueError, "add has 2 configurations: pass its .fn"):
            compile(two, x, x, x, 1000, arch=90)


class Launches(unittest.TestCase):
    """Launches by Triton's metadata: as many arguments as the PTX has parameters, and what the kernel is compiled for."""

    def launch(self, fn, *args, grid, arch=90, **meta):
        compiled = compile(fn, *args, arch=arch, **meta)
        entry = _launch.launch(compiled, grid)
        count = len(re.findall(r"^\s*\.param ", compiled.ptx.split(")")[0], re.MULTILINE))
        self.assertEqual(list(entry["args"]), [str(index) for index in range(count)])
        self.assertIn(f".reqntid {entry['block'][0]}\n", compiled.ptx)
        device = next(name for name, its in DEVICES.items() if its == arch)
        report = predict(fn, *args, grid=tuple(grid), device=device, **meta)
        self.assertGreater(report.prediction.time_us, 0)
        return entry, report

    def descriptors(self, *blocks):
        return [TensorDescriptor(half(1024, 1024), [1024, 1024], [1024, 1], block) for block in blocks]

    def test_tensor_maps(self):
        a, b = self.descriptors([64, 32], [64, 32])
        entry, report = self.launch(kernels.double_tiles, a, b, 1024, grid=[16], TILE=32)
        self.assertEqual(entry["args"]["0"], {"tensor_map": "a"})
        self.assertEqual([entry["args"][str(i)] for i in range(1, 5)], [1024, 1024, 1024, 1], "shape and strides follow")
        self.assertEqual(
            entry["tensor_maps"]["b"],
            {"buffer": "b", "type": "f16", "dims": [1024, 1024], "strides": [2048], "box": [32, 64], "swizzle": 64},
        )
        self.assertEqual(entry["buffers"]["b"], {"type": "f16", "count": 1 << 20})

    def test_descriptors_before_hopper(self):
        a, b = self.descriptors([64, 64], [64, 64])
        a.padding = "nan"
        entry, _ = self.launch(kernels.double_tiles, a, b, 1024, grid=[16], arch=80, TILE=64)
        self.assertNotIn("tensor_maps", entry)
        values = [entry["args"][str(i)] for i in range(11)]
        self.assertEqual(values, [{"buffer": "a"}, 1024, 1024, 1024, 1, 1, 0, 1024, 1024, 1024, 1])

    def test_specialised_warps(self):
        args = (*self.descriptors([128, 64], [64, 128], [128, 128]), 1024)
        entry, _ = self.launch(kernels.specialised, *args, grid=[8, 8], arch=100, TILE_M=128, TILE_N=128, TILE_K=64, num_warps=4)
        self.assertGreater(entry["block"][0], 128, "more warps than num_warps")

    def test_cluster(self):
        x = Tensor(4096, "fp32")
        entry, report = self.launch(kernels.add, x, x, x, 4096, grid=[16], BLOCK=256, num_ctas=2)
        self.assertEqual((entry["grid"], entry["cluster"]), ([32], [2]))
        self.assertEqual(report.kernel.launch.cluster, [2, 1, 1])

    def test_tuple(self):
        x, y = Tensor(4096, "fp32"), Tensor(2048, "fp32")
        entry, _ = self.launch(kernels.sum_of, (x, y, 3), x, 4096, grid=[32], BLOCK=128)
        self.assertEqual([entry["args"][str(i)] for i in range(5)], [{"buffer": "pair_0"}, {"buffer": "pair_1"}, 3, {"buffer": "pair_0"}, 4096])
        entry, _ = self.launch(kernels.sum_of, (x, y, 1), x, 4096, grid=[32], BLOCK=128)
        self.assertEqual([entry["args"][str(i)] for i in range(4)], [{"buffer": "pair_0"}, {"buffer": "pair_1"}, {"buffer": "pair_0"}, 4096])

    def test_gluon(self):
        x = Tensor(4096, "fp32")
        entry, _ = self.launch(kernels.copy, x, x, 4096, grid=[32], BLOCK=128, num_warps=2)
        self.assertEqual(entry["block"], [64])

    def test_scratch_memory(self):
        compiled = compile(kernels.add, *[Tensor(4096, "fp32")] * 3, 4096, arch=90, BLOCK=128)
        compiled.metadata.update(global_scratch_size=512, num_ctas=2)
        entry = _launch.launch(compiled, [8, 2])
        self.assertEqual(entry["args"]["4"], {"buffer": ".global_scratch"})
        self.assertEqual(entry["buffers"][".global_scratch"], {"type": "u8", "count": 512 * 8 * 2 * 2})
        self.assertEqual(entry["args"]["5"], 0)
        self.assertGreater(_predict.of(compiled, [8, 2], "h100", None).prediction.time_us, 0)


class Wrong(unittest.TestCase):
    """Calls that cannot be meant."""

    def call(self, *, grid=(8,), device="a100", n=1024, **meta):
        x = Tensor(1024, "fp32")
        return predict(kernels.add, x, x, x, n, grid=grid, device=device, **{"BLOCK": 128, **meta})

    def test_grid(self):
        for grid, why in (((0,), "no blocks"), ((1, 2, 3, 4), "one to three"), ((1.5,), "not made of whole"), ((), "one to three")):
            with self.subTest(grid=grid), self.assertRaisesRegex(ValueError, why):
                self.call(grid=grid)
        self.assertEqual(self.call(grid=8).kernel.launch.grid, [8, 1, 1])
        self.assertEqual(self.call(grid=lambda given: (triton.cdiv(given["n"], given["BLOCK"]),)).kernel.launch.grid, [8, 1, 1])

    def test_grid_in_threads(self):
        with self.assertRaisesRegex(ValueError, "1024 blocks of 128 threads for tensors of up to 1024 elements: a grid counts blocks"):
            self.call(grid=(1024,))

    def test_names(self):
        with self.assertRaisesRegex(ValueError, "add has no argument 'num_warp'; did you mean 'num_warps'"):
            self.call(num_warp=4)
        with self.assertRaisesRegex(ValueError, "add has no argument 'BLOK'; did you mean 'BLOCK'"):
            self.call(BLOK=4)
        with self.assertRaisesRegex(ValueError, "h100"):
            self.call(device="h101-sxm")
        with self.assertRaisesRegex(TypeError, "add.* missing 1 required positional argument: 'n'"):
            x = Tensor(1024, "fp32")
            predict(kernels.add, x, x, x, BLOCK=128, grid=(8,), device="a100")
        with self.assertRaisesRegex(ValueError, "Triton has no GPU to ask: say device="):
            self.call(device=None)
        with self.assertRaisesRegex(TypeError, "a kernel is a function under @triton.jit, not function"):
            predict(lambda x: x, 1, grid=(1,), device="a100")

    def test_interpreted(self):
        from triton.runtime.interpreter import InterpretedFunction

        with self.assertRaisesRegex(TypeError, "add is interpreted .TRITON_INTERPRET=1., not compiled"):
            compile(InterpretedFunction(kernels.add.fn), arch=90)

    def test_other_triton(self):
        """Inner functions that another version has not: its name and the one that has them."""
        with mock.patch.object(triton.runtime.jit, "create_function_from_signature"):
            del triton.runtime.jit.create_function_from_signature
            with self.assertRaisesRegex(ImportError, rf"triton {triton.__version__} has no triton.runtime.jit.create_function_from_signature; 3.9 has"):
                self.call()

    def test_no_triton(self):
        code = f"import sys; sys.path[:0] = [{str(stand_ins.ROOT / 'python')!r}]; sys.modules['triton'] = None; import ptx_predict.triton"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertIn("ImportError: ptx_predict.triton needs the package triton: pip install 'triton==3.9.*'", done.stderr)

    def test_driver_device(self):
        with stand_ins.machine(90):
            self.assertEqual(self.call(device=None).prediction.device, pp.predict(pp.Code(STUB)).prediction.device)

    def test_too_much_shared_memory(self):
        """There is no time, and it is said why."""
        fn, args, meta, grid = matmul(num_stages=8)
        try:
            report = predict(fn, *args, grid=grid, device="a100", **meta)
            self.assertIsNone(report.prediction.time_us)
            why = str(report.prediction.applicability["notes"])
        except ValueError as error:
            why = str(error)
        self.assertIn("bytes of shared memory a block are", why)


STUB = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"

if __name__ == "__main__":
    unittest.main()
