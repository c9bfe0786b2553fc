# SPDX-License-Identifier: Apache-2.0
"""Judges network files by the schema that sme prints, with a validator and a YAML parser by others.

    validate_schema.py SCHEMA SME ROOT

What the loader takes must be valid, what is wrong in keys or shape must not. Prints what is not as
it must be, and last how many files were judged.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import yaml

STRUCTURAL = {"unknown-key", "missing-key", "wrong-shape"}

# Examples of other codes that also have a wrong key or word.
WRONG_WORDS = {"bad-import-files-network", "bad-check", "bad-check-at", "bad-check-eventually", "bad-check-unlike",
               "bad-check-word", "bad-option-at-end", "bad-option-vcd-edge", "bad-name-process"}

# These concern the text, not its keys.
NOT_YAML = ("yaml-", "duplicate-key", "not-text")

# Errors that a schema cannot detect, with the reason.
BEYOND_A_SCHEMA = {
    "missing-key-empty-file": "nothing is no map, and editors do not mark an empty file",
    "missing-key-component": "a component alone is a good file, but nothing to run",
    "wrong-shape-empty-list": "a list is a list, also an empty one",
    "wrong-shape-domains": "a list is a list, also an empty one",
}


class Texts(yaml.BaseLoader):
    """Scalars are texts, as the loader reads them; nothing is null."""


def scalar(loader, node):
    return None if node.style is None and node.value == "" else node.value


Texts.add_constructor("tag:yaml.org,2002:str", scalar)


class Editor(yaml.SafeLoader):
    """Numbers and bools are what YAML makes of them, as in an editor; dates stay texts."""


Editor.add_constructor("tag:yaml.org,2002:timestamp", yaml.SafeLoader.construct_yaml_str)


def with_texts_as_keys(value):
    if isinstance(value, dict):
        return {str(key): with_texts_as_keys(each) for key, each in value.items()}
    return [with_texts_as_keys(each) for each in value] if isinstance(value, list) else value


def documents(text):
    return [with_texts_as_keys(yaml.load(text, Loader=loader)) for loader in (Texts, Editor)]


def examples(root):
    """(name, text, slug of the wrong ones) of every network in the catalogue."""
    for path in sorted((root / "lib/base/catalogue").glob("*.md")):
        wrong, _, right = path.read_text().partition("\n## Right\n")
        for part, slug in ((wrong, path.stem), (right, None)):
            for text in re.findall(r"^```yaml \S+\n(.*?)^```$", part, re.M | re.S):
                yield f"{path.stem}.md", text, slug


def bad_slug(stem, slugs):
    return max((slug for slug in slugs if stem == slug or stem.startswith(slug + "-")), key=len)


def wanted(slug, name):
    return "not valid" if slug in STRUCTURAL or name in WRONG_WORDS else "valid"


def main():
    schema, sme, root = json.loads(Path(sys.argv[1]).read_text()), sys.argv[2], Path(sys.argv[3])
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    slugs = re.findall(r'^    X\(\w+, "([a-z-]+)"', (root / "lib/base/codes.hpp").read_text(), re.M)
    judged = {"valid": 0, "not valid": 0}

    components = "component_file" in schema["definitions"]

    def judge(name, text, wanted):
        try:
            loaded = documents(text)
        except yaml.YAMLError:
            return
        for document in loaded:
            errors = list(validator.iter_errors(document))
            found = "not valid" if errors else "valid"
            judged[found] += 1
            if found != wanted:
                print(f"{name} is {found}, but must be {wanted}", *(e.message[:200] for e in errors))

    for folder in ("models", "lib/std", "lib/yaml/fuzz/corpus"):
        for path in sorted((root / folder).rglob("*.yaml")):
            text = path.read_text()
            if not re.search("^network:", text, re.M):  # no network
                loaded = components
            else:
                loaded = subprocess.run([sme, "check", path], capture_output=True).returncode == 0
            if loaded:
                judge(path.relative_to(root), text, "valid")
    for name, text, slug in examples(root):
        if slug is None or not slug.startswith(NOT_YAML):
            judge(name, text, wanted(slug, slug))
    for path in sorted((root / "lib/yaml/test/bad").glob("*.yaml")):
        slug = bad_slug(path.stem, slugs)
        if not slug.startswith(NOT_YAML) and path.stem not in BEYOND_A_SCHEMA:
            judge(path.name, path.read_text(), wanted(slug, path.stem))
    print(f"{judged['valid']} valid, {judged['not valid']} not valid")


main()
