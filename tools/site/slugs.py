# SPDX-License-Identifier: Apache-2.0
"""The names by which links reach headings, as GitHub makes them."""

import re


def slug(heading: str, separator: str = "-"):
    """The name of a heading, from its text without marks of Markdown."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)
