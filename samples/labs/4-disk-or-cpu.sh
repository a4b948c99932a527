#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 4-disk-or-cpu [SECONDS [FILE]] - two slow tasks: one waits for a disk, one for a CPU
#
# Both work for less than 1 ms a round. "logger" then writes a record and waits until it is on the disk; "solver"
# shares its CPU with "indexer", which never sleeps. FILE (labs.data, 64 MiB) is removed at the end.
file=${2:-labs.data}
"$(dirname "$0")/../stage" -d "${1:-5}" \
	"logger: burn 200, write $file 16K, fsync $file" \
	'solver@0: burn 900, sleep 500' \
	'indexer@0: burn 50000'
rm -f "$file"
