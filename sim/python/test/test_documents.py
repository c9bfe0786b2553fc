# SPDX-License-Identifier: Apache-2.0
"""The examples of the guide print what it says beside them."""

import contextlib
import io
import pathlib
import re
import warnings

ROOT = pathlib.Path(__file__).parents[3]


def test_the_examples_of_the_guide(tmp_path, monkeypatch):
    text = (ROOT / "sim/python/README.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 5
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    for example in examples:
        expected = re.findall(r"^print\(.*\) +# (.*)$", example, re.MULTILINE)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(example, "README.md", "exec"), {})
        assert printed.getvalue().splitlines() == expected
