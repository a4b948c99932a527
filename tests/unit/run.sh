#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the unit suites, as built
. tests/lib/unit-parts.sh
mapfile -t tests < <(unit_tests)
mapfile -t suites < <(suites_of "${tests[@]}")
run_suites build/unit build/test-logs/unit.txt "${suites[@]}"
exit "$status"
