#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Timelines by random windows are what a plain scan of all spans says: of each recording, and of one
# made 5 M events long; with room for all of it, and for a part.
set -u
cd "$(dirname "$0")/../.." || exit 1
compare=build/tests/tools/timeline-compare
for file in tests/traces/*.dat; do
	words=$($compare -m 32 "$file") || { echo "$file: $words"; exit 1; }
done
long=tests/traces/debian-6.1-amd64-mixed.dat
for mib in 256 16; do
	words=$($compare -r 185 -m $mib $long) || { echo "$long, 185 times, in $mib MiB: $words"; exit 1; }
	[[ $words =~ events=([0-9]+).*\ evicted=([0-9]+) ]] || { echo "no figures: $words"; exit 1; }
	[ "${BASH_REMATCH[1]}" -ge 5000000 ] || { echo "not 5 M events: $words"; exit 1; }
	[ $((BASH_REMATCH[2] > 0)) = $((mib < 256)) ] || { echo "not what was to fit in $mib MiB: $words"; exit 1; }
done
echo "$words"
