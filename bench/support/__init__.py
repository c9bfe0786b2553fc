# SPDX-License-Identifier: Apache-2.0
"""What the run scripts of the questions share."""
