#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the unit suites, as built
build/unit >build/test-logs/unit.txt 2>&1
status=$?
cat build/test-logs/unit.txt
grep -E '^[0-9]+%' build/test-logs/unit.txt
exit $status
