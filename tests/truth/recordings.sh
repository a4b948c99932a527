#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each recording, read by ringside and by an independent reading of trace-cmd's text: every number must agree.
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 tests/truth/compare.py build/ringside tests/traces
