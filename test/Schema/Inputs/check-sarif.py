#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-sarif.py DOCUMENT: checks what `lint --format=sarif` writes against what SARIF 2.1.0 asks for.

Not all of the standard, which has a schema of its own: the keys that we write, which of them are required, their types,
and what a schema cannot say (section numbers of the standard stand at each). Prints the number of rules, results and
notifications; exits with 1 and one line a violation otherwise.
"""

import json
import re
import sys

from validate import unique

LEVELS = {"none", "note", "warning", "error"}
# RFC 3986: nothing but these stands in a path, '%' with two digits behind it.
PATH = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})+")

found = []


def wrong(path, text):
    found.append(f"{path}: {text}")


def check_object(value, path, required=(), optional=()):
    """Whether `value` is an object with these keys and no others."""
    if not isinstance(value, dict):
        wrong(path, "no object")
        return False
    for key in required:
        if key not in value:
            wrong(path, f"no {key}")
    for key in value:
        if key not in required and key not in optional:
            wrong(path, f"{key} is not known")
    return all(key in value for key in required)


def check_array(value, path, least=0):
    """The elements with their paths."""
    if not isinstance(value, list):
        wrong(path, "no array")
        return []
    if len(value) < least:
        wrong(path, f"{len(value)} elements")
    return [(part, f"{path}[{index}]") for index, part in enumerate(value)]


def check_text(value, path):
    if not isinstance(value, str) or not value:
        wrong(path, "no text")


def check_number(value, path, least):
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        wrong(path, f"{value!r} is no whole number from {least} on")


def check_message(value, path, formatted=False):
    """3.11, 3.12: literal braces of what may have arguments are doubled."""
    if not check_object(value, path, ["text"], ["markdown"] if formatted else []):
        return
    for key, text in value.items():
        check_text(text, f"{path}.{key}")
    if not formatted and re.search(r"[{}]", re.sub(r"{{|}}", "", value["text"])):
        wrong(path, "a brace that is not doubled (3.11.5)")


def check_artifact(value, path, bases, is_base=False):
    """3.4: an absolute URI, or one relative to a base that the run has."""
    if not check_object(value, path, ["uri"], ["uriBaseId"]):
        return
    uri, rest = value["uri"], value["uri"]
    if rest.startswith("file://"):
        rest = rest.removeprefix("file://")
        if not rest.startswith("/"):
            wrong(path, f"{uri}: names a host (3.10.2)")
        if "uriBaseId" in value:
            wrong(path, f"{uri}: absolute, and has a base (3.4.4)")
        if ".." in rest.split("/") or "." in rest.split("/") or "//" in rest:
            wrong(path, f"{uri}: not normal (3.10.2)")
    else:
        if is_base:
            wrong(path, f"{uri}: a base that is relative")
        if rest.startswith("/") or ":" in rest.split("/")[0]:
            wrong(path, f"{uri}: no relative reference (RFC 3986, 4.2)")
        if "uriBaseId" not in value:
            wrong(path, f"{uri}: no base (3.4.4)")
        elif bases and value["uriBaseId"] not in bases:
            wrong(path, f"{uri}: its base is not known (3.4.4)")
    if not PATH.fullmatch(rest):
        wrong(path, f"{uri!r}: no URI (RFC 3986, 3.3)")
    if is_base and not uri.endswith("/"):
        wrong(path, f"{uri}: does not end with a slash (3.14.14)")


def check_region(value, path, is_context=False):
    """3.30: lines and columns from 1."""
    if not check_object(value, path, ["startLine"], ["snippet"] if is_context else ["startColumn", "snippet"]):
        return
    check_number(value["startLine"], f"{path}.startLine", 1)
    check_number(value.get("startColumn", 1), f"{path}.startColumn", 1)
    if "snippet" in value and check_object(value["snippet"], f"{path}.snippet", ["text"]):
        if not isinstance(value["snippet"]["text"], str) or "\n" in value["snippet"]["text"]:
            wrong(path, "a snippet of several lines")


def check_location(value, path, bases, is_related=False):
    """3.28."""
    required = ["id", "physicalLocation", "message"] if is_related else ["physicalLocation"]
    if not check_object(value, path, required, [] if is_related else ["logicalLocations"]):
        return
    if is_related:
        check_number(value["id"], f"{path}.id", 0)
        check_message(value["message"], f"{path}.message")
    place, inner = value["physicalLocation"], f"{path}.physicalLocation"
    if check_object(place, inner, ["artifactLocation"], ["region", "contextRegion"]):
        check_artifact(place["artifactLocation"], f"{inner}.artifactLocation", bases)
        if "region" in place:
            check_region(place["region"], f"{inner}.region")
        if "contextRegion" in place:
            check_region(place["contextRegion"], f"{inner}.contextRegion", is_context=True)
            if place.get("region", {}).get("startColumn", 1) < 2:
                wrong(inner, "a context that is no more than the region (3.29.5)")
            whole, part = (place.get(k, {}).get("snippet", {}).get("text", "") for k in ("contextRegion", "region"))
            if not whole.endswith(part):
                wrong(inner, "a snippet that is not in its context")
    for logical, inner in check_array(value.get("logicalLocations", []), f"{path}.logicalLocations"):
        if check_object(logical, inner, ["name", "fullyQualifiedName", "decoratedName", "kind"]):
            for key, text in logical.items():
                check_text(text, f"{inner}.{key}")
            if logical["kind"] != "function":
                wrong(inner, f"kind {logical['kind']}")
            if logical["name"] not in logical["fullyQualifiedName"]:
                wrong(inner, "the name is not in the full name (3.33.5)")


def check_rule(value, path):
    """3.49."""
    texts = ["shortDescription", "fullDescription"]
    if not check_object(value, path, ["id", "name", *texts, "help", "defaultConfiguration", "properties"]):
        return
    check_text(value["id"], f"{path}.id")
    if not re.fullmatch(r"([A-Z][a-z0-9]*)+", value["name"]):
        wrong(path, f"{value['name']} is no Pascal case (3.49.7)")
    for key in texts:
        check_message(value[key], f"{path}.{key}")
    if "\n" in value["shortDescription"]["text"]:
        wrong(path, "a short description of several lines (3.49.9)")
    check_message(value["help"], f"{path}.help", formatted=True)
    if "](" in value["help"]["text"] + value["help"]["markdown"]:
        wrong(path, "a link that leads nowhere outside of the documentation")
    if check_object(value["defaultConfiguration"], f"{path}.defaultConfiguration", ["level"]):
        if value["defaultConfiguration"]["level"] not in LEVELS:
            wrong(path, "no such level (3.50.3)")
    if check_object(value["properties"], f"{path}.properties", ["tags"]):
        tags = value["properties"]["tags"]
        if len(tags) != len(set(tags)):
            wrong(path, "a tag stands twice (3.8.2)")


def check_result(value, path, rules, bases):
    """3.27."""
    required = ["ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "partialFingerprints"]
    if not check_object(value, path, [*required, "suppressions"], ["baselineState", "properties"]):
        return
    check_number(value["ruleIndex"], f"{path}.ruleIndex", 0)
    if value["ruleIndex"] >= len(rules) or rules[value["ruleIndex"]]["id"] != value["ruleId"]:
        wrong(path, f"ruleIndex {value['ruleIndex']} is not that of {value['ruleId']} (3.27.6)")
    if value["level"] not in LEVELS:
        wrong(path, f"level {value['level']} (3.27.10)")
    check_message(value["message"], f"{path}.message")
    for part, inner in check_array(value["locations"], f"{path}.locations", least=1):
        check_location(part, inner, bases)
        if "logicalLocations" not in part:
            wrong(inner, "no kernel")
    ids = []
    for part, inner in check_array(value["relatedLocations"], f"{path}.relatedLocations"):
        check_location(part, inner, bases, is_related=True)
        ids.append(part.get("id"))
    if len(ids) != len(set(ids)):
        wrong(path, "an id stands twice (3.28.2)")
    prints = value["partialFingerprints"]
    if check_object(prints, f"{path}.partialFingerprints", ["ptxPredict/v1"]):
        if not re.fullmatch("[0-9a-f]{32}", prints["ptxPredict/v1"]):
            wrong(path, "no fingerprint")
    for part, inner in check_array(value["suppressions"], f"{path}.suppressions"):
        if check_object(part, inner, ["kind"], ["justification"]) and part["kind"] not in {"inSource", "external"}:
            wrong(inner, f"kind {part['kind']} (3.35.2)")
    if value.get("baselineState", "new") not in {"new", "unchanged", "updated", "absent"}:
        wrong(path, f"baselineState {value['baselineState']} (3.27.24)")
    gains = value.get("properties", {}).get("gain", {"any": 0})
    if not gains or not all(0 <= share <= 1 for share in gains.values()):
        wrong(path, f"gains {gains}")


def check_run(run, path):
    """3.14. How many rules, results and notifications it has."""
    required = ["tool", "invocations", "columnKind", "results"]
    if not check_object(run, path, required, ["originalUriBaseIds", "properties"]):
        return (0, 0, 0)
    if "properties" in run and check_object(run["properties"], f"{path}.properties", ["findingsLeftOut"]):
        check_number(run["properties"]["findingsLeftOut"], f"{path}.properties.findingsLeftOut", 1)
    if len(run["results"]) > 5000:
        wrong(path, "more results than GitHub shows")
    bases = run.get("originalUriBaseIds", {})
    for name, base in bases.items():
        check_artifact(base, f"{path}.originalUriBaseIds.{name}", bases, is_base=True)
    if run["columnKind"] not in {"utf16CodeUnits", "unicodeCodePoints"}:
        wrong(path, f"columnKind {run['columnKind']} (3.14.27)")

    rules = []
    if check_object(run["tool"], f"{path}.tool", ["driver"]):
        driver, inner = run["tool"]["driver"], f"{path}.tool.driver"
        if check_object(driver, inner, ["name", "version", "semanticVersion", "rules"]):
            if not re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", driver["semanticVersion"]):
                wrong(inner, "no semantic version (3.19.12)")
            rules = driver["rules"]
            for rule, place in check_array(rules, f"{inner}.rules"):
                check_rule(rule, place)
    ids = [rule["id"] for rule in rules]
    if len(ids) != len(set(ids)):
        wrong(path, "a rule stands twice")

    notifications = []
    for invocation, inner in check_array(run["invocations"], f"{path}.invocations", least=1):
        if not check_object(invocation, inner, ["executionSuccessful", "toolExecutionNotifications"]):
            continue
        notifications = check_array(invocation["toolExecutionNotifications"], f"{inner}.toolExecutionNotifications")
        for note, place in notifications:
            if check_object(note, place, ["level", "message"], ["locations"]):
                check_message(note["message"], f"{place}.message")
                for part, where in check_array(note.get("locations", []), f"{place}.locations"):
                    check_location(part, where, bases)
        if invocation["executionSuccessful"] is not all(note["level"] != "error" for note, _ in notifications):
            wrong(inner, "executionSuccessful contradicts its notifications (3.58.6)")

    results = run["results"]
    for result, inner in check_array(results, f"{path}.results"):
        check_result(result, inner, rules, bases)
    if len({result["partialFingerprints"]["ptxPredict/v1"] for result in results}) != len(results):
        wrong(path, "a fingerprint stands twice")
    if len({"baselineState" in result for result in results}) > 1:
        wrong(path, "baselineState of some results alone (3.27.24)")
    if set(ids) != {result["ruleId"] for result in results}:
        wrong(path, "rules that are not those of the results")
    return (len(rules), len(results), len(notifications))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file, object_pairs_hook=unique, parse_constant=lambda c: sys.exit(f"{c} is no JSON"))
    counts = (0, 0, 0)
    if check_object(log, "$", ["$schema", "version", "runs"]):
        if log["version"] != "2.1.0" or not log["$schema"].endswith("/sarif-schema-2.1.0.json"):
            wrong("$", "not SARIF 2.1.0 (3.13.2)")
        runs = check_array(log["runs"], "$.runs", least=1)
        counts = check_run(*runs[0]) if len(runs) == 1 else wrong("$", f"{len(runs)} runs")
    if found:
        print("\n".join(found))
        sys.exit(1)
    print("{} rules, {} results, {} notifications".format(*counts))


main()
