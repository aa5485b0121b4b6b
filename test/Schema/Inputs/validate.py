#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""validate.py SCHEMA DOCUMENT: checks a JSON document against a JSON schema.

Knows the part of JSON Schema 2020-12 that docs/schemas uses and refuses schemas with anything else, so that no rule is
silently ignored. Exits with 1 and one line a violation; prints "valid" otherwise.
"""

import json
import re
import sys

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
KEYWORDS = {
    *("$schema", "$defs", "title", "description", "$ref", "type", "const", "enum", "oneOf", "properties", "required"),
    *("additionalProperties", "minProperties", "items", "minItems", "maxItems", "minimum", "maximum", "minLength"),
    "pattern",
}


class Validator:
    def __init__(self, root):
        self.root = root

    def check(self, schema, value, path):
        """The violations of `value`, which stands at `path`."""
        if isinstance(schema, bool):
            return [] if schema else [f"{path}: not allowed"]
        unknown = set(schema) - KEYWORDS
        if unknown:
            sys.exit(f"validate.py does not know {sorted(unknown)}")
        if "$ref" in schema:
            return self.check(self.root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, path)

        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(TYPES[t](value) for t in types):
            return [f"{path}: {json.dumps(value)[:40]} is no {' or '.join(types)}"]
        if "const" in schema and value != schema["const"]:
            return [f"{path}: {json.dumps(value)[:40]} is not {json.dumps(schema['const'])}"]
        if "enum" in schema and value not in schema["enum"]:
            return [f"{path}: {json.dumps(value)[:40]} is none of {schema['enum']}"]
        if "oneOf" in schema:
            answers = [self.check(s, value, path) for s in schema["oneOf"]]
            matching = sum(not a for a in answers)
            if matching != 1:
                return [f"{path}: {matching} of {len(answers)} alternatives hold"] + sum(answers, [])

        found = []
        if isinstance(value, dict):
            found += [f"{path}: no {key}" for key in schema.get("required", []) if key not in value]
            if len(value) < schema.get("minProperties", 0):
                found.append(f"{path}: too few keys")
            for key, part in value.items():
                inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
                found += self.check(inner, part, f"{path}.{key}")
        elif isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                found.append(f"{path}: {len(value)} elements")
            for index, part in enumerate(value):
                found += self.check(schema.get("items", True), part, f"{path}[{index}]")
        elif isinstance(value, str):
            if len(value) < schema.get("minLength", 0):
                found.append(f"{path}: empty")
            if "pattern" in schema and not re.search(schema["pattern"], value):
                found.append(f"{path}: {value!r} does not match {schema['pattern']}")
        elif isinstance(value, (int, float)):
            if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                found.append(f"{path}: {value} is out of range")
        return found


def unique(pairs):
    """An object, of which no key may stand twice."""
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        sys.exit(f"a key stands twice among {keys}")
    return dict(pairs)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        # NaN and Infinity, which Python would read, are no JSON.
        document = json.load(file, object_pairs_hook=unique, parse_constant=lambda c: sys.exit(f"{c} is no JSON"))
    found = Validator(schema).check(schema, document, "$")
    print("\n".join(found) or "valid")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
