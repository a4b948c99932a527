#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export-memory.sh - each format of export takes no more memory for a long recording than for a short one
#
# The kernel gives a process so much memory and no more, in which a short recording and one that is much longer are exported: the same
# tasks, again and again, because what each task has is kept. Its own memory counts, not the mapped file.
. "$(dirname "$0")/../lib/live.sh"
grep -q __asan_init "$ringside" && skip "not with sanitizers"
need_commands prlimit

# limits FORMAT: sets what it may take, in MiB: what it takes here, and 4 more; and the length of the recording
limits() {
	times=100
	case $1 in
	sqlite) mib=72 times=40 ;; # its cache has 32 MiB, and sorting for an index as much again in time; slow
	html) mib=62 ;;             # the rows of tables, columns and at most 131,072 slices of the timeline
	chrome | replay | asciicast) mib=18 ;; # the history, of which critical paths and wait trees are made
	perfetto) mib=20 ;;
	clickhouse) mib=8 ;;        # sums
	*) mib=6 ;;
	esac
}

begin "the length of a recording does not matter"
short=$root/tests/traces/debian-6.1-i386-v6.dat
"$python" "$root/tests/lib/tracedat.py" --longer "$short" long100.dat 100 || exit 1
"$python" "$root/tests/lib/tracedat.py" --longer "$short" long40.dat 40 || exit 1
formats=$("$python" -c 'import sys; sys.path.insert(0, sys.argv[1]); import exports; print(*exports.listed(sys.argv[2]))' \
	"$root/tests/lib" "$ringside") || exit 1
for format in $formats; do
	limits "$format"
	for recording in "$short" long$times.dat; do
		rm -rf out
		prlimit --data=$((mib << 20)) "$ringside" export "$recording" -q -f "$format" -o out 2>err ||
			fail "$format of $(basename "$recording") in $mib MiB: $(cat err)"
	done
done
finish
