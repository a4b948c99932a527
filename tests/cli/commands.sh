#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# commands.sh - each command that why and findings suggest runs, and shows rows: of RECORDINGS, or of those at hand
cd "$(dirname "$0")/../.." || exit 1
exec tests/cli/commands.py "$PWD/${RINGSIDE_BUILD:-build}/ringside" ${RECORDINGS:-tests/traces/debian-6.1-amd64-v6.dat tests/traces/debian-5.10-amd64-v6.dat}
