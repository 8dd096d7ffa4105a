#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares each schema with the reader in cox: both accept the documents of documents.py, and both refuse them with a mistake in one place.

    schemas.py COX
"""
import concurrent.futures
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is missing")
    sys.exit(77)

import documents

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {path.name.split(".")[0]: json.loads(path.read_text()) for path in sorted((ROOT / "schemas").glob("*.schema.json"))}
STORE = {schema["$id"]: schema for schema in SCHEMAS.values() if "$id" in schema}
COX = ""
# Members that readers ignore, whatever they hold.
IGNORED = {("unquantised",), ("simd_unit_config", "instruction_list", 0, "name"), ("$schema",), ("_comment",)}
# Members whose limits depend on others, or that have a list of values.
OTHER_LIMITS = {("macro_group_size_configurable_values", 0), ("special",)}
# What cox says of a number that is out of its range, and of a member that is missing.
OUT_OF_RANGE = re.compile(r"from -?\d+ to \d+|is not a positive number|must be a number of cycles|is not an address")
MISSING = re.compile(r"missing|needs one of|is wanted$")


def validator(kind):
    schema = SCHEMAS[kind]
    return jsonschema.Draft7Validator(schema, resolver=jsonschema.RefResolver(schema["$id"], schema, store=STORE))


def mistakes(value, path=()):
    """Yields (kind of mistake, place, function that changes the parent) for each place of a document. Of a list, only the elements that differ
    in their members are changed."""
    if isinstance(value, dict):
        yield "unknown", path + ("unknown_member",), None
        for name in value:
            yield "missing", path + (name,), None
    if path:
        yield "type", path, False if not isinstance(value, bool) else "a text"
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            for number in (-1000, 1 << 62):
                yield "range", path, number
    if isinstance(value, dict):
        for name, member in value.items():
            yield from mistakes(member, path + (name,))
    if isinstance(value, list):
        seen = set()
        for index, element in enumerate(value):
            members = frozenset(element) if isinstance(element, dict) else type(element)
            if members not in seen:
                seen.add(members)
                yield from mistakes(element, path + (index,))


def changed(document, mistake):
    kind, path, value = mistake
    result = copy.deepcopy(document)
    parent = result
    for step in path[:-1]:
        parent = parent[step]
    if kind == "missing":
        del parent[path[-1]]
    else:
        parent[path[-1]] = 1 if kind == "unknown" else value
    return result


def cox_says(document, folder, name, words):
    """Returns an empty text if cox accepts the document, else its message."""
    file = folder / name
    file.write_text(json.dumps(document))
    command = [COX]
    for word in words:
        if word == "OPTIONS":
            command += [text for key, value in document.items() for text in ("--option", f"{key}={json.dumps(value)}")]
        else:
            command.append(word.replace("FILE", name))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    assert done.returncode in (1, 2, 3, 4), f"{command}: exit status {done.returncode}: {done.stderr}"
    return done.stderr


def limits(error, path):
    """The limits of a schema that the value at this place breaks, which an error of jsonschema or of its parts names."""
    if error.validator in ("minimum", "maximum") and tuple(error.absolute_path) == path:
        yield error.validator
    for part in error.context or ():
        yield from limits(part, path)


def breaks_limit(check, document, path, number):
    return any(list(limits(error, path)) for error in check.iter_errors(changed(document, ("range", path, number))))


class Agreement(unittest.TestCase):
    pass


def compare(make):
    def test(self):
        kind = next(kind for kind, makers in documents.KINDS.items() if make in makers)
        check = validator(kind)
        with tempfile.TemporaryDirectory() as temporary:
            folders = []
            for worker in range(os.cpu_count() or 1):
                folders.append(Path(temporary, str(worker)))
                folders[-1].mkdir()
                document, name, words = make(folders[-1])
            check.validate(document)
            self.assertEqual(cox_says(document, folders[0], name, words), "")
            todo = [(mistake, changed(document, mistake)) for mistake in mistakes(document)]

            def judge(folder, part):
                return [(mistake, wrong, cox_says(wrong, folder, name, words)) for mistake, wrong in part]

            with concurrent.futures.ThreadPoolExecutor(len(folders)) as pool:
                parts = [pool.submit(judge, folder, todo[index :: len(folders)]) for index, folder in enumerate(folders)]
            counts = dict.fromkeys(("unknown", "missing", "type", "range"), 0)
            for mistake, wrong, said in (each for part in parts for each in part.result()):
                kind_of_mistake, path, _ = mistake
                if any(path[-len(end) :] == end for end in IGNORED):
                    continue
                valid = check.is_valid(wrong)
                with self.subTest(mistake=mistake):
                    if said == "":
                        self.assertTrue(valid, "cox accepts what the schema refuses")
                    must = kind_of_mistake in ("unknown", "type") or bool((MISSING if kind_of_mistake == "missing" else OUT_OF_RANGE).search(said.strip()))
                    if must:
                        self.assertNotEqual(said, "", "cox accepts it")
                        self.assertFalse(valid, f"the schema accepts what cox refuses: {said}")
                    counts[kind_of_mistake] += must
                    if ends := re.search(r"from (-?\d+) to (\d+)", said):
                        least, most = int(ends[1]), int(ends[2])
                        if kind_of_mistake == "range" and not any(path[-len(end) :] == end for end in OTHER_LIMITS):
                            broken = [breaks_limit(check, document, path, number) for number in (least - 1, least, most, most + 1)]
                            self.assertEqual(broken, [True, False, False, True], f"the schema has other limits: {said}")
            print(f"{make.__name__}: {len(todo)} mistakes; refused by both because of {counts}", flush=True)
            self.assertGreater(counts["unknown"], 0)
            self.assertGreater(counts["type"], 0)

    return test


for makers in documents.KINDS.values():
    for maker in makers:
        setattr(Agreement, f"test_{maker.__name__}", compare(maker))


class Files(unittest.TestCase):
    """The JSON files and the documents' examples that are of a kind with a schema."""

    @staticmethod
    def kind_of(value):
        first = value.get("jobs", [None])[0] if isinstance(value, dict) else value[0] if value else None
        if isinstance(first, dict) and "task" in first:
            return "jobs"
        if not isinstance(value, dict):
            return None
        if value.get("format") == "coxswain-network":
            return "network"
        if {"local memory list", "pim_unit_config", "core_cnt"} & set(value):
            return "pim_configuration"
        if {"windows", "tensors", "constants"} & set(value):
            return "stream_bindings" if "bases" in value or any("base" in window for window in value.get("windows", [])) else "bindings"
        return None

    @staticmethod
    def all():
        """Yields place and text of each JSON document."""
        names = subprocess.run(["git", "ls-files", "-z", "*.json", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        for name in filter(None, names):
            if name.startswith(("tests/fuzz/", "schemas/")):  # inputs of fuzz targets have mistakes
                continue
            text = (ROOT / name).read_text()
            if name.endswith(".json"):
                yield name, text
                continue
            for block in re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
                yield f"{name}: {block.splitlines()[0]}", block
            for block in re.findall(r"^echo '(\{.*?\})' > \S+\.json$", text, re.MULTILINE | re.DOTALL):
                yield f"{name}: {block.splitlines()[0]}", block

    def test_are_valid(self):
        found = dict.fromkeys(documents.KINDS, 0)
        for place, text in self.all():
            value = json.loads(text)
            kind = self.kind_of(value)
            if kind is None:
                continue
            with self.subTest(place=place):
                validator(kind).validate(value)
            found[kind] += 1
        print(f"files: {found}", flush=True)
        for kind in ("bindings", "stream_bindings", "jobs", "network", "pim_configuration"):
            self.assertGreater(found[kind], 0, kind)


class Schemas(unittest.TestCase):
    def test_are_schemas_of_draft_7(self):
        for name, schema in SCHEMAS.items():
            jsonschema.Draft7Validator.check_schema(schema)
            self.assertEqual(schema["$id"], f"{name}.schema.json")

    def test_describe_each_member(self):
        def look(schema, place):
            for name, member in schema.get("properties", {}).items() if isinstance(schema, dict) else ():
                if isinstance(member, dict) and "$ref" not in member and not {"if", "then", "else"} & set(place[-5:]):
                    self.assertIn("description", member, f"{place}: {name}")
            for key, part in schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ():
                if isinstance(part, (dict, list)):
                    look(part, place + (key,))

        for name in documents.KINDS:
            look(SCHEMAS[name], (name,))


if __name__ == "__main__":
    COX = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
