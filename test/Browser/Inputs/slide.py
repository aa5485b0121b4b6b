#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""slide.py BROWSER PAGE FOLDER LINES: moves the sliders of a page to every point, by keys as a reader without a mouse does,
and compares what it shows with the lines of --quiet, which are in the same order. The page itself must show its first point
under its own policy, without a word in the console.
"""

import json
import os
import re
import subprocess
import sys
import urllib.parse

SCRIPT = r"""
<script>
const inputs = [...document.querySelectorAll(".sliders input")], seen = [];
const walk = n => {
  if (n == inputs.length)
    return void seen.push([...document.querySelectorAll(".sliders dd")].map(e => e.textContent).join("; "));
  for (let v = 0; v <= Number(inputs[n].max); v++) {
    inputs[n].focus();
    inputs[n].value = v;
    inputs[n].dispatchEvent(new Event("input"));
    if (document.activeElement != inputs[n]) seen.push("no focus");
    walk(n + 1);
  }
};
walk(0);
document.title = "RESULT" + encodeURIComponent(JSON.stringify([inputs.length, seen])) + "END";
</script>
"""
browser, page, folder, lines = sys.argv[1:]


def browse(path):
    done = subprocess.run(
        [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
         "--user-data-dir=" + os.path.join(folder, "profile"), "--enable-logging=stderr", "--log-level=0",
         "--virtual-time-budget=20000", "--dump-dom", "file://" + os.path.abspath(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return done.stdout.decode(), [l for l in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in l]


os.makedirs(folder, exist_ok=True)
with open(lines, encoding="utf-8") as file:
    wanted = [line.split("  ")[-2:] for line in file.read().splitlines()]
dom, console = browse(page)
for line in console:
    print("console:", line)
if f"<dd>{wanted[0][0]}, limited by {wanted[0][1]}, " not in dom:
    print("the page's own script did not show its first point")
with open(page, encoding="utf-8") as file:
    text = file.read()
policy = re.search(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>\n", text)
with open(os.path.join(folder, "slide.html"), "w", encoding="utf-8") as file:
    file.write(text.replace(policy.group(0), "").replace("</body>", SCRIPT + "</body>"))
dom, _ = browse(os.path.join(folder, "slide.html"))
result = re.search(r"RESULT(\S+?)END", dom)
if not result:
    sys.exit("error: the script gave no result")
number, seen = json.loads(urllib.parse.unquote(result.group(1)))
if len(seen) != len(wanted):
    sys.exit(f"error: {len(seen)} points, {len(wanted)} lines")
for shown, (time, by) in zip(seen, wanted):
    if not shown.startswith(f"{time}, limited by {by}, "):
        sys.exit(f"error: the page shows {shown}, and the command {time} {by}")
print(f"{number} sliders, {len(seen)} points as the command says")
