#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-asan.sh - the unit suites under the address and undefined-behaviour sanitizers, leaks included
tests/lib/sanitizer-make 1 unit || exit 1
. tests/lib/unit-parts.sh
export ASAN_OPTIONS=quarantine_size_mb=32:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# Random recordings cost ten times as much here: fewer of them.
export RS_SEEDS=${RS_SEEDS:-60}
# Each check in one of the layouts, which take turns: all of them cost half of the time.
export RS_ONE_LAYOUT=1
# The tests of a suite run in one process: a process for each, copied and searched for leaks, would double the time.
export CK_FORK=no
mapfile -t tests < <(unit_tests)
mapfile -t suites < <(suites_of "${tests[@]}")
run_suites build-1/unit build/test-logs/unit-asan.txt "${suites[@]}"
exit "$status"
