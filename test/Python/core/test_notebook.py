# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show."""

import html
import re
import unittest

import ptx_predict as pp
import support


class NotebookTest(unittest.TestCase):
    """HTML of reports and tables."""

    def setUp(self):
        folder = support.Folder()
        folder.__enter__()
        self.addCleanup(folder.__exit__)

    def test_page(self):
        shown = pp.predict("matmul.ptx", device="h100-sxm")._repr_html_()
        page = re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*"></iframe>', shown)[1]
        self.assertEqual(html.unescape(page), support.command("matmul.ptx", "--device=h100-sxm", "--format=html").decode())

    def test_text_where_there_is_no_page(self):
        shown = pp.advise("transpose.ptx", device="v100")._repr_html_()
        text = re.fullmatch(r"<pre>([^<]*)</pre>", shown)[1]
        self.assertEqual(html.unescape(text), support.command("advise", "transpose.ptx", "--device=v100").decode())

    def test_table(self):
        shown = pp.rank("reduce-shapes.yaml", device="a100-80gb")._repr_html_()
        self.assertEqual(shown.count("<tr>"), 6)
        self.assertIn("<td>memory-latency</td>", shown)
        self.assertNotIn("rows", shown)
        many = pp.predict("saxpy.ptx", sweep="core-mhz=1000:1999").table
        self.assertEqual(many._repr_html_().count("<tr>"), 21)
        self.assertIn("<p>1000 rows</p>", many._repr_html_())

    def test_pages_of_all_subcommands_that_have_one(self):
        found = pp.diff("transpose.ptx", "transpose_padded.ptx", device="v100")
        self.assertIn("<iframe", found._repr_html_())


if __name__ == "__main__":
    unittest.main()
