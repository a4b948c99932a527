#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-asan.sh - the unit suites under the address and undefined-behaviour sanitizers, leaks included
make -s -j"$(nproc)" SAN=1 unit || exit 1
build-1/unit >build/test-logs/unit-asan.txt 2>&1
status=$?
cat build/test-logs/unit-asan.txt
grep -E '^[0-9]+%' build/test-logs/unit-asan.txt
exit $status
