#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# keys-to-cause.sh - one key from a finding to its tree, at most two to a picture of victim, culprit and resource together
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_commands xz
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
unset NO_COLOR COLORTERM

# What is on the screen below the header.
body() { screen_text | tail -n +2; }
body_has() { body | grep -qE -- "$1"; }
# shows PATTERN...: each on a line, at the same time
shows() {
	local pattern
	for pattern; do until_soon 8 body_has "$pattern"; done
	body >seen
	for pattern; do
		grep -qE -- "$pattern" seen || { fail "not on the screen: $pattern"; sed 's/^/	| /' seen; }
	done
}
press() {
	nr_keys=$((nr_keys + $#))
	screen_keys "$@"
}
# overview FILE: its screen, where the first finding is selected
overview() {
	nr_keys=0
	screen_open 40 120
	screen_type "clear; ringside $1"
	screen_wait '^ *[0-9.]+m?s( of [0-9.]+m?s)? [█▉▊▋▌▍▎▏ ]+ .* waits? [0-9]+ %' 20
}

# fault NAME VICTIM CULPRIT RESOURCE: the recording NAME, and what the tree and the picture say of the three
fault() {
	local file=$root/tests/traces/faults/$1.dat.xz
	test="$1: Enter is the tree"
	overview "$file"
	press Enter
	shows "^ *[0-9.]+m?s $2 \([0-9]+\)" "^ *[0-9.]+m?s +$3 \([0-9]+\)"
	within "keys to the tree" 1 1 $nr_keys
	test="$1: t is the picture of the tree's wait"
	press t
	screen_wait '› why › wait of '
	shows "^victim +$2 " "$3" "$4" '^critical path'
	within "keys to the picture" 1 2 $nr_keys
	test="$1: t is the picture, from the overview, too"
	overview "$file"
	press t
	shows "^victim +$2 " "$3" "$4" '^critical path'
	within "keys to the picture" 1 1 $nr_keys
}

fault inversion order audit-log 'takes +CPU [01] .*encode/'
fault threads worker worker '^  syscall .*futex'
fault neighbor checkout backup 'takes +CPU 0 .*backup/'
fault peer shop pricing '^  syscall .*read─'
fault stall cart flush '^  syscall .*futex'

test="the wait that a finding is about is no dim one"
screen_open 40 120
screen_type "clear; NO_COLOR=1 ringside $root/tests/traces/faults/inversion.dat.xz"
screen_wait '^ *[0-9.]+m?s .* waits? [0-9]+ %' 20
screen_keys t
screen_wait '^victim +order .*fffff'
screen capture-pane -pe | grep -a '^[^ ]*victim' >row
grep -aqE $'\e\\[([0-9;]*;)?2m(\e\\[[34]9m)*f{5}' row && fail "it is dim: $(cat -v row)"
screen_close
finish
