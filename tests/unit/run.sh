#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the unit suites, as built
. tests/lib/unit-parts.sh
# The layouts of a check take turns with those of the next: "make test-long" reads each check in all of them.
export RS_LAYOUTS=${RS_LAYOUTS:-2}
mapfile -t tests < <(unit_tests)
mapfile -t suites < <(suites_of "${tests[@]}")
run_suites build/unit build/test-logs/unit.txt "${suites[@]}"
exit "$status"
