# SPDX-License-Identifier: Apache-2.0
"""Runs a network. Arguments: the file, and the number of cycles."""
import sys
import warnings

import sme

warnings.simplefilter("ignore")
sim = sme.load(sys.argv[1])
sim.run(int(sys.argv[2]))
sim.finish()
