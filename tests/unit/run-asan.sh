#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-asan.sh - the unit suites under the address and undefined-behaviour sanitizers, leaks included
make -s -j"$(nproc)" SAN=1 unit || exit 1
. tests/lib/unit-parts.sh
# what is freed is kept for a while to be found out; of the default 256 MB every forked test would have a copy to go through
export ASAN_OPTIONS=quarantine_size_mb=8:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# of what is made at random a quarter: ten times slower here, and all of it runs without the sanitizers
export RS_SEEDS=${RS_SEEDS:-500}
run_parts build-1/unit build/test-logs/unit-asan.txt
exit "$status"
