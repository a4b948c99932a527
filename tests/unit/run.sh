#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the unit suites, as built
. tests/lib/unit-parts.sh
run_parts build/unit build/test-logs/unit.txt
exit "$status"
