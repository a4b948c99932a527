#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pane.sh - on a wide terminal the details of the selected row stand beside the list, and follow it
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export LC_ALL=C.UTF-8 XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
file=$root/tests/traces/faults/inversion.dat.xz

# in_pane PATTERN: until a line has it right of the pane's edge
in_pane() { screen_wait "│.*$1" 20; }
show() { # show HEIGHT WIDTH OPTIONS
	screen_open "$1" "$2"
	screen_type "clear; NO_COLOR=1 ringside tui ${*:3} $file; echo status \$?"
	screen_wait ' all of the file' 20
}
leave() {
	screen_keys Q
	screen_wait '^status 0' 10
}

begin "a finding: where the time of its slowest wait went, and what to try"
show 50 200
in_pane 'order \([0-9]+\): [0-9.]+ms in futex'
in_pane 'audit-log \([0-9]+\), holder'
in_pane 'try +hold the lock'

begin "the pane follows the selection, to a process: all about it"
screen_keys Tab Tab
screen_wait '^Processes'
in_pane '▸tasks +[0-9]+ rows?'
before=$(screen_text | sed -n 's/.*│ \([a-z]* ([0-9]*)\) *$/\1/p' | sed -n 1p)
screen_keys Down
until_soon 10 eval '[ "$(screen_text | sed -n "s/.*│ \([a-z]* ([0-9]*)\) *\$/\1/p" | sed -n 1p)" != "$before" ]' ||
	fail "the pane still shows $before"

begin "keys that come together: the last row is shown"
screen_keys Up Up Up Up Up
in_pane 'order \([0-9]+\): [0-9.]+ms in futex'
leave

begin "a table: the details of its row"
show 50 200 --screen tasks
in_pane '▸tasks +[0-9]+ rows?'
leave

begin "no pane where there is no room"
for size in '50 159' '39 200'; do
	# shellcheck disable=SC2086
	show $size
	screen_wait '^Processes'
	screen_settled >seen
	grep -q 'holder' seen && fail "a pane at $size: $(cat seen)"
	leave
done

screen_close
finish
