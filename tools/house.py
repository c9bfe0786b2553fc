# SPDX-License-Identifier: Apache-2.0
"""The files of the house: what the checks in this folder walk over."""

import os
from pathlib import Path

FOLDERS = ("lib", "sim", "hdl", "models", "validator", "bench", "tools", ".ci")
CPP = (".hpp", ".cpp")
CODE = CPP + (".def", ".py", ".sh", ".cmake", ".v", ".toml", ".h", ".c", ".ts", ".tsx", ".mjs", ".css")


def files(root: Path):
    """Every file of ours under root, sorted, as paths relative to root."""
    found = [path.relative_to(root) for path in root.iterdir() if path.is_file()]
    for folder in FOLDERS:
        for directory, folders, names in os.walk(root / folder):
            folders[:] = [name for name in folders if name != "__pycache__"]
            found += [(Path(directory) / name).relative_to(root) for name in names]
    return sorted(found)


def is_script(path: Path):
    """Is this a file without a suffix that names its interpreter?"""
    if path.suffix:
        return False
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def is_code(root: Path, path: Path):
    if path.suffix == ".yaml":  # a network; in tests and corpora it is data
        return not {"test", "fuzz"} & set(path.parts)
    return path.suffix in CODE or path.name == "CMakeLists.txt" or is_script(root / path)
