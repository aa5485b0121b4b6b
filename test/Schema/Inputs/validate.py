#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""validate.py SCHEMA DOCUMENT: checks a JSON document against a JSON schema, as 2020-12 has it.

Exits with 1 and one line a violation; prints "valid" otherwise.
"""

import json
import sys

import jsonschema


def unique(pairs):
    """An object, of which no key may stand twice."""
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        sys.exit(f"a key stands twice among {keys}")
    return dict(pairs)


def lines(error):
    """What is wrong, and below it why each of several alternatives does not hold."""
    yield f"{error.json_path}: {error.message}"
    for inner in error.context:
        yield from lines(inner)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        # NaN and Infinity, which Python would read, are no JSON.
        document = json.load(file, object_pairs_hook=unique, parse_constant=lambda c: sys.exit(f"{c} is no JSON"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = list(jsonschema.Draft202012Validator(schema).iter_errors(document))
    print("\n".join(line for error in found for line in lines(error)) or "valid")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
