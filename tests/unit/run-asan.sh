#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-asan.sh - the unit suites under the address and undefined-behaviour sanitizers, leaks included
tests/lib/sanitizer-make 1 unit || exit 1
. tests/lib/unit-parts.sh
export ASAN_OPTIONS=quarantine_size_mb=32:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# Random recordings cost ten times as much here: fewer of them.
export RS_SEEDS=${RS_SEEDS:-60}
# A sanitizer looks at the code, not at the answers: one layout for each check.
export RS_LAYOUTS=${RS_LAYOUTS:-1}
mapfile -t tests < <(unit_tests)
mapfile -t suites < <(suites_of "${tests[@]}")
run_suites build-1/unit build/test-logs/unit-asan.txt "${suites[@]}"
exit "$status"
