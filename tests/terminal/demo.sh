#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# demo.sh - the tours lead by the keys that they name, need no rights, and leave nothing behind
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export XDG_CONFIG_HOME=$tmp/config TMPDIR=$tmp/unpacked PATH=$build:$PATH
screen_dir=$tmp/here
unset NO_COLOR COLORTERM

as_nobody() { if [ "$(id -u)" = 0 ]; then echo "setpriv --reuid 65534 --regid 65534 --clear-groups"; fi; }
tour() {
	mkdir -p here unpacked config
	chmod 777 here unpacked config
	screen_open "$1" "$2"
	screen_type "clear; $(as_nobody) ringside demo $3; echo status \$?"
	screen_wait ' Tour: step 1 of 5' 20
	screen_wait '^ *[0-9.]+m?s( of [0-9.]+m?s)? [█▉▊▋▌▍▎▏ ]+ .* waits? [0-9]+ %' # the finding that Enter opens
}
names_key() { screen_text | tr -s ' \n' ' ' | grep -qF -- "$1" || fail "the step does not say '$1'"; }
no_file() {
	local left
	left=$(ls here unpacked)
	[ -z "${left//$'here:\n\nunpacked:'/}" ] || fail "files are left: $left"
}

for name in inversion threads neighbor peer stall; do
	begin "$name: each step names the key that leads to the next one"
	tour 30 100 $name
	names_key 'Enter: '
	screen_keys Enter
	screen_wait ' Tour: step 2 of 5'
	names_key ' t: see it over time'
	screen_keys t
	screen_wait ' Tour: step 3 of 5'
	screen_wait '^victim '
	screen_keys q
	screen_wait ' Tour: step 2 of 5'
	screen_keys q
	screen_wait ' Tour: step 1 of 5'
	screen_keys q
	screen_wait '^status 0'
	screen_text | grep -q 'sudo ringside findings -d 5' || fail "it ends without a word on what to type next"
	no_file
done

begin "a screen that is not part of the tour says how to go on; the help has the whole screen's keys"
tour 24 80 ''
screen_keys F2
screen_wait 'not part of the tour. Backspace leads'
screen_keys Escape
screen_wait ' Tour: step 1 of 5'

test="saving: the file that is named is the only one"
screen_keys e
screen_wait ' Tour: step 4 of 5'
screen_keys -l all
screen_wait 'contains: all'
screen_keys Enter
screen_wait ' Tour: step 5 of 5'
screen_keys -l trace.dat
screen_wait 'contains: trace.dat'
screen_keys Enter
screen_wait '^save .* as: ringside-[0-9]{8}-[0-9]{6}\.'
screen_keys Enter
screen_wait '^ ringside-.*B, [0-9,]+ events'
screen_keys q
screen_wait '^status 0'
expect "files" 1 "$(ls here | wc -l)"
"$ringside" findings -q -i "here/$(ls here)" 2>&1 | grep -q 'audit-log' || fail "the saved recording has not the finding"

begin "Ctrl-C at once, and in a step, leaves nothing behind"
for keys in "" "Enter t"; do
	tour 24 80 ''
	for key in $keys; do screen_keys "$key"; sleep 0.2; done
	screen_keys C-c
	screen_wait '^status '
	no_file
done
screen_close
until_soon 5 nobody_left || fail "processes are left: $left"

begin "without a terminal"
mkdir unpacked
"$ringside" demo >out 2>err
expect "exit status" 1 $?
finds 'needs a terminal' err
"$ringside" demo nothing >out 2>err
expect "exit status of an unknown tour" 2 $?
"$ringside" demo --batch >out 2>err
finds 'Tour: step 1 of 5' out
test="a small terminal has room for the screen alone"
LINES=10 COLUMNS=40 "$ringside" demo --batch >out 2>err
finds '^Verdict' out
grep 'Tour' out && fail "the tour takes the room"
finish
