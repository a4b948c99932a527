#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs.sh [BUILD] - what the program has is documented, what is documented the program has
#
# Options and columns are compared with the program's own help; each command line that is shown is run on a
# recording, and the first line that is shown beneath it must be what the program prints today.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
cd "$(dirname "$0")/../.." || exit 1
exec python3 tests/checks/docs.py "${1:-build}"
