#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-junit.py DOCUMENT: checks the JUnit XML of `lint`: elements, attributes, and that its numbers are right.

Prints the numbers of suites, tests, failures and errors; exits with 1 and one line a violation otherwise.
"""

import sys
import xml.etree.ElementTree

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"classname", "name", "file", "line"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "system-out": set(),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "system-out"},
}

found = []


def check(element):
    """Names of `element` and what is in it."""
    extra = set(element.attrib) - ATTRIBUTES[element.tag]
    missing = ATTRIBUTES[element.tag] - set(element.attrib) - {"line"}
    if extra or missing:
        found.append(f"<{element.tag}>: {sorted(extra)} not known, {sorted(missing)} missing")
    tags = [child.tag for child in element]
    for tag in tags:
        if tag not in CHILDREN.get(element.tag, set()):
            found.append(f"<{tag}> in <{element.tag}>")
            return
    if element.tag == "testcase" and len(tags) != len(set(tags)):
        found.append(f"{tags} in one test")
    if element.tag in CHILDREN:
        if (element.text or "").strip():
            found.append(f"text in <{element.tag}>")
    elif not element.text:
        found.append(f"<{element.tag}> without text")
    for child in element:
        check(child)


def numbers(element):
    """Tests, failures and errors that stand in `element`."""
    return tuple(len(list(element.iter(tag))) for tag in ("testcase", "failure", "error"))


def main():
    root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    if root.tag != "testsuites":
        sys.exit(f"<{root.tag}> is the root")
    check(root)
    if not found:
        for element in [root, *root]:
            said = tuple(int(element.get(key)) for key in ("tests", "failures", "errors"))
            if said != numbers(element):
                found.append(f"{element.get('name')}: says {said}, has {numbers(element)}")
        names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
        if len(names) != len(set(names)):
            found.append("a test stands twice")
    if found:
        print("\n".join(found))
        sys.exit(1)
    print("{} suites, {} tests, {} failures, {} errors".format(len(root), *numbers(root)))


main()
