#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# html.sh - the page that export writes: well-formed, safe, small, with all findings and a table for each view
#
# Usage: tests/cli/html.sh [BUILD]; in a real browser: tests/consumers/html.sh
. "$(dirname "$0")/../lib/offline.sh"

for trace in "$root"/tests/traces/*.dat "$root"/tests/perfdata/{mixed,stacks}.data.xz; do
	name=$(basename "$trace")
	"$ringside" export "$trace" -q -o page.html 2>err || fail "$name: $(cat err)"
	{ "$ringside" report "$trace" -q --view all --json; "$ringside" findings -i "$trace" -q --json; } >rows 2>err || fail "$name: $(cat err)"
	python3 "$root/tests/lib/page.py" page.html rows >said 2>&1 || fail "$name: $(tail -n 3 said)"
	[ "$name" != stacks.data.xz ] || grep -q '1 flame graph' said || fail "$name: no flame graph: $(cat said)"
done
# Of a recording of two seconds, each judged by itself; of a shorter one the findings say all.
"$ringside" export "$traces/faults/inversion.dat.xz" -q -o long.html || fail "no page of two seconds"
tr -d '\n' <long.html | sed 's/.*<section id="incidents">//; s|</section>.*||; s/<[^>]*>/ /g' >incidents
grep -Eq '0\.075378 +1\.91s +cpu-nice +146ms +12 times, slowest 146ms: trader \(24663\) waits' incidents || fail "no incident: $(head -c 600 incidents)"
"$ringside" export "$traces/debian-6.1-amd64-v6.dat" -q -o short.html
! grep -q 'id="incidents"' short.html || fail "incidents of less than a second"
finish "every recording as a page"
