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
finish "every recording as a page"
