#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What somebody else's reader finds in a VCD file: a line "NAME TIME VALUE" for every change.

    read_values.py TRACE.vcd
"""

import sys

from vcdvcd import VCDVCD

trace = VCDVCD(sys.argv[1])
for name, code in trace.references_to_ids.items():
    for time, value in trace.data[code].tv:
        print(name, time, value)
