# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports are what the command writes, byte for byte, and their keys are attributes."""

import copy
import json
import os
import pickle
import unittest

import ptx_predict as pp
import support
from ptx_predict import _report, kinds, report

KERNELS = [name for name in sorted(os.listdir(support.EXAMPLES)) if name.endswith((".ptx", ".cubin", ".fatbin"))]
SCHEMAS = os.path.join(support.ROOT, "docs", "schemas")


def schema(name):
    """A schema of the JSON."""
    with open(os.path.join(SCHEMAS, f"{name}.schema.json"), encoding="utf-8") as file:
        return json.load(file)


class BytesTest(unittest.TestCase):
    """The JSON, the text and the page are the command's."""

    def setUp(self):
        self.folder = support.Folder()
        self.folder.__enter__()
        self.addCleanup(self.folder.__exit__)

    def test_predictions_of_all_examples(self):
        self.assertIn("matmul.ptx", KERNELS)
        for name in KERNELS:
            with self.subTest(name):
                self.assertEqual(pp.predict(name, device="h100-sxm").json, support.command(name, "--device=h100-sxm", "--format=json"))

    def test_code_in_memory_is_as_a_file_of_its_name(self):
        for name in KERNELS:
            with self.subTest(name), open(name, "rb") as file:
                code = pp.Code(file.read(), name)
                os.rename(name, "away")
                try:
                    here = pp.predict(code, device=["v100", "h100-sxm"]).json
                finally:
                    os.rename("away", name)
                self.assertEqual(here, support.command(name, "--device=v100", "--device=h100-sxm", "--format=json"))

    def test_subcommands(self):
        calls = [
            (pp.advise, "advise", ["transpose.ptx"], {"kernel": "tiled", "grid": (64, 64), "block": (32, 8)}, ["--kernel=tiled", "--grid=64,64", "--block=32,8"], 0),
            (pp.lint, "lint", ["transpose.ptx"], {"no_config": True, "no_cache": True}, ["--no-config", "--no-cache"], 1),
            (pp.diff, "diff", ["transpose.ptx", "transpose_padded.ptx"], {"device": "v100"}, ["--device=v100"], 0),
            (pp.occupancy, "occupancy", ["matmul.ptx"], {"device": "a100-80gb"}, ["--device=a100-80gb"], 0),
            (pp.occupancy, "occupancy", [], {"block": 256, "registers": 40, "device": "t4"}, ["--block=256", "--registers=40", "--device=t4"], 0),
            (pp.devices, "devices", ["h100-sxm"], {}, [], 0),
            (pp.clocks, "clocks", ["saxpy.ptx"], {"device": "v100", "grid": 1024, "block": 256}, ["--device=v100", "--grid=1024", "--block=256"], 0),
        ]
        for function, name, files, options, spelled, code in calls:
            with self.subTest(name, files=files):
                found = function(*files, **options)
                self.assertEqual(found.json, support.command(name, *files, *spelled, "--format=json", code=code))
                self.assertEqual(found.code, code)
                self.assertEqual(found.found, code == 1)
                self.assertEqual(str(found) + "\n", support.command(name, *files, *spelled, code=code).decode())

    def test_emulate_with_a_launch_file_in_memory(self):
        with open("emulate.yaml", encoding="utf-8") as file:
            text = file.read()
        want = support.command("emulate", "saxpy.ptx", "--launch=emulate.yaml", "--format=json")
        self.assertEqual(pp.emulate("saxpy.ptx", launch="emulate.yaml").json, want)
        os.remove("emulate.yaml")
        found = pp.emulate("saxpy.ptx", launch=pp.Code(text, "emulate.yaml"))
        self.assertEqual(found.json, want)
        self.assertEqual(found.kernels[0].problems, [])

    def test_any_subcommand(self):
        self.assertEqual(pp.run("systems").json, support.command("systems", "--format=json"))
        self.assertEqual(pp.run("objects", "kernels.fatbin").json, support.command("objects", "kernels.fatbin", "--format=json"))
        with self.assertRaisesRegex(ValueError, "there is no subcommand 'nothing'"):
            pp.run("nothing")

    def test_texts(self):
        self.assertEqual(pp.text("explain", "bank-conflict"), support.command("explain", "bank-conflict").decode())
        self.assertEqual(pp.text("predict", "saxpy.ptx", dump="graph"), support.command("saxpy.ptx", "--dump=graph").decode())

    def test_printing(self):
        found = pp.predict("matmul.ptx", device="h100-sxm")
        self.assertEqual(str(found) + "\n", support.command("matmul.ptx", "--device=h100-sxm").decode())
        self.assertEqual(found.html, support.command("matmul.ptx", "--device=h100-sxm", "--format=html").decode())
        quiet = pp.predict("matmul.ptx", device="h100-sxm", quiet=True)
        self.assertEqual(quiet.text, support.command("matmul.ptx", "--device=h100-sxm", "--quiet").decode())

    def test_sweeps_as_columns(self):
        found = pp.predict("saxpy.ptx", device="h100-sxm", grid=4096, block=256, sweep={"block": [128, 256], "core-mhz": "1000:1980:490"})
        self.assertEqual(len(found.kernel.predictions), 6)
        csv = support.command(
            "saxpy.ptx", "--device=h100-sxm", "--grid=4096", "--block=256", "--sweep=block=128,256", "--sweep=core-mhz=1000:1980:490", "--format=csv"
        )
        self.assertEqual(found.table.csv, csv)
        self.assertEqual(found.table.columns["core_mhz"], [1000, 1490, 1980] * 2)
        self.assertEqual(found.table.columns["time_us"], [p.time_us.value for p in found.kernel.predictions])


class AttributesTest(unittest.TestCase):
    """Keys are attributes; numbers with a status are Estimates."""

    @classmethod
    def setUpClass(cls):
        path = os.path.join(support.EXAMPLES, "matmul.ptx")
        cls.found = pp.predict(path, device="h100-sxm", grid=(64, 64), block=(16, 16), arg={3: 1024})

    def test_values(self):
        data = json.loads(self.found.json)
        self.assertEqual(self.found.data, data)
        kernel = self.found.kernel
        self.assertEqual(kernel.name, data["kernels"][0]["name"])
        self.assertIsInstance(kernel, kinds.Kernel)
        self.assertEqual(kernel.launch.grid, [64, 64, 1])
        time = data["kernels"][0]["predictions"][0]["time_us"]
        found = self.found.prediction.time_us
        self.assertIsInstance(found, pp.Estimate)
        self.assertEqual((found.value, found.status, found.low, found.high), (time["value"], time["status"], time["low"], time["high"]))
        self.assertIs(type(self.found.prediction.occupancy), kinds.Occupancy)
        self.assertEqual(kernel.characteristics.loops[0].trip_count, 64)
        self.assertEqual(kernel.characteristics.by_class["fp32"].value, data["kernels"][0]["characteristics"]["by_class"]["fp32"]["value"])
        self.assertEqual(self.found.tool.name, "ptx-predict")

    def test_absent_and_wrong_keys(self):
        self.assertIsNone(self.found.prediction.scaled)
        self.assertIsNone(self.found.kernel.profile)
        with self.assertRaisesRegex(AttributeError, "this Prediction has no 'time_ms'; did you mean 'time_us'\\?"):
            _ = self.found.prediction.time_ms
        with self.assertRaisesRegex(AttributeError, "this Predictions has no 'kernles'; did you mean 'kernels'\\?"):
            _ = self.found.kernles

    def test_the_only_one(self):
        two = pp.predict(os.path.join(support.EXAMPLES, "transpose.ptx"), device=["v100", "t4"])
        with self.assertRaisesRegex(ValueError, "there are 2 kernels, not one: naive, tiled"):
            _ = two.kernel
        with self.assertRaisesRegex(ValueError, "there are 2 predictions of naive, not one: bottleneck on v100, bottleneck on t4"):
            _ = two.kernels[0].prediction

    def test_as_a_mapping(self):
        launch = self.found.kernel.launch
        self.assertEqual(dict(launch.items()), launch.data)
        self.assertEqual(list(launch), list(launch.data))
        self.assertIn("grid", launch)
        self.assertNotIn("gird", launch)
        self.assertEqual(launch["block"], [16, 16, 1])
        self.assertIn("dynamic_shared_bytes", dir(launch))
        self.assertIn("kernels", dir(self.found))

    def test_copies(self):
        other = pickle.loads(pickle.dumps(self.found))
        self.assertEqual(other.json, self.found.json)
        self.assertEqual(other.prediction, self.found.prediction)
        self.assertEqual(other.text, self.found.text)
        kernel = pickle.loads(pickle.dumps(self.found.kernel))
        self.assertEqual(kernel.prediction.time_us.low, self.found.prediction.time_us.low)
        self.assertEqual(copy.deepcopy(self.found.kernel), self.found.kernel)


class SchemaTest(unittest.TestCase):
    """The typed attributes are the schemas' keys."""

    def compare(self, kind, definition, every=True):
        """Each attribute is a key, optional where the key is; with `every` each key is an attribute."""
        typed = {}
        for base in reversed(kind.__mro__):
            if base not in (object, _report.Report, _report.Node):
                typed.update(base.__annotations__)
        keys = definition["properties"]
        required = set(definition["required"])
        self.assertLessEqual(set(typed), set(keys), kind)
        if every:
            self.assertEqual(set(keys) - set(typed) - {"schema", "version", "tool"}, set(), kind)
        for name, text in typed.items():
            self.assertEqual(text.startswith("Optional["), name not in required, (kind, name))
            is_estimate = keys[name].get("$ref") == "#/$defs/Estimate"
            self.assertEqual("Estimate" in text, is_estimate, (kind, name))

    def test_predictions(self):
        top = schema("prediction")
        self.compare(report.Predictions, top)
        for name in ("Input", "Diagnostic", "Assumption", "Launch", "Resources", "Occupancy", "Location", "Finding", "Prediction", "Kernel"):
            self.compare(getattr(kinds, name), top["$defs"][name])
        self.compare(kinds.Characteristics, top["$defs"]["Characteristics"], every=False)
        self.compare(kinds.Loop, top["$defs"]["Characteristics"]["properties"]["loops"]["items"])

    def test_others(self):
        for name, kind, parts in (
            ("advice", report.Advice, {"Kernel": report.AdvisedKernel}),
            ("lint", report.LintReport, {"Finding": report.LintFinding, "Summary": report.LintSummary}),
            ("diff", report.DiffReport, {"Verdict": report.Verdict, "KernelDiff": report.KernelDiff}),
            ("emulation", report.Emulation, {"Kernel": report.EmulatedKernel, "Finding": report.Problem}),
            ("devices", report.DevicesReport, {"Device": report.Device}),
            ("clocks", report.ClocksReport, {}),
        ):
            top = schema(name)
            self.compare(kind, top)
            for part, its_kind in parts.items():
                self.compare(its_kind, top["$defs"][part])
        self.compare(report.OccupancyResult, schema("occupancy")["$defs"]["Result"])

    def test_occupancy_has_results_in_both_forms(self):
        path = os.path.join(support.EXAMPLES, "transpose.ptx")
        self.assertEqual(len(pp.occupancy(path, device="v100").results), 2)
        one = pp.occupancy(block=256, registers=40, device="t4")
        self.assertEqual(one.result.occupancy.warps_per_sm, one.data["occupancy"]["warps_per_sm"])


if __name__ == "__main__":
    unittest.main()
