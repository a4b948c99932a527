#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# command-lines.sh [BUILD] - the program takes each command line that a document, a help text or a message names
#
# Each is run as a user without rights, beside recordings of the names that it has: every option, rule, column, view and value
# is checked before a right is needed, so that status 2 says which line is refused, and nothing is traced.
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
[ "$(id -u)" != 0 ] || command -v setpriv >/dev/null || { echo "setpriv is not installed"; exit 77; }
exec python3 tests/checks/command-lines.py "${1:-build}"
