#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# flame.sh - the flame graph in a terminal, with keys, mouse and another size of the window
#
# The recording has 494 samples of a program without symbols: 350 of them, 70.9 %, are below 0x17c3, 143 below 0x17c8,
# and one in clock_gettime, too narrow for a frame of its own; 214 of the first are in or below 0x1437. 0x17c3 only calls
# another, so both are one frame, x2.
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
unset NO_COLOR COLORTERM

flame() { # flame HEIGHT WIDTH [VARIABLE=VALUE]
	screen_open "$1" "$2" xterm-256color
	screen_type "clear; env ${*:3} ringside tui --screen flame $root/tests/perfdata/stacks.data.xz; echo status \$?"
	screen_wait '^.on-CPU  494 samples' 20
}
leave() {
	screen_keys Q
	screen_wait '^status 0' 10
}
click() { screen_keys -l "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"; } # click COLUMN LINE
is_whole="^.\[unknown\] shares\+0x17c3 x2 *$" is_part="^.\[unknown\] shares\+0x17c3 x2 +│\[unknown\] sha"

begin "a flame graph fits 80 columns"
flame 24 80
screen_wait '^.all *$'
screen_wait "$is_part"
screen_wait '^ 100.0 % .*total 494   self 0   all'

test="the heaviest callees, a zoom, and back"
screen_keys Down Down Down Down
screen_wait '^ 70.9 % \(66.7 to 74.7\) +total 350   self 0 .*0x17c3'
screen_keys Enter
screen_wait "$is_whole"
screen_keys BSpace
screen_wait "$is_part"

test="to the right, and a zoom there"
screen_keys Right
screen_wait '^ 28.9 % .*total 143 .*0x17c8'
screen_keys Enter
screen_wait '^.\[unknown\] shares\+0x17c8 *$'
screen_keys Escape
screen_wait "$is_part"

test="a search adds up, shows the next, and is cleared"
screen_keys /
screen_type 0x1437
screen_wait '"0x1437": 43.3 %, 1 frame'
screen_keys n
screen_wait '^ 43.3 % .*total 214 .*0x1437'
screen_keys / C-u
screen_type clock_get
screen_wait '"clock_get": 0.2 %, 1 frame'
screen_keys Escape
screen_wait_gone 'clock_get'

test="the mouse selects, and zooms into what is selected"
line=$(screen_text | grep -n '0x17c3' | head -n 1 | cut -d: -f1)
click 70 "$line"
screen_wait '^ 28.9 % .*total 143 .*0x17c8'
click 5 "$line"
screen_wait '^ 70.9 % .*total 350'
click 5 "$line"
screen_wait "$is_whole"
screen_keys Escape

test="another time range, compared with this one"
screen_wait "$is_part"
screen_keys D
screen_wait 'now choose another time range'
screen_keys '['
screen_wait '^.on-CPU .* compared with '
screen_wait '^.[-+]\[unknown\] shares\+0x17c3'
screen_wait '^ .*[0-9.]+ % \([-+][0-9.]+, was 70.9 %\) .*0x17c3'
screen_keys D
screen_wait_gone 'compared with '
leave

begin "it follows the window's size"
flame 24 60
screen_wait '^.on-CPU'
screen_resize 40 200
screen_wait '^.\[unknown\] shares\+0x17c3 x2 +│\[unknown\] shares\+0x17c8 '
screen_resize 10 40
screen_keys Down Down Down Down
screen_wait '^.\[unknown\] shares\+0x17c3 x2 +│'
screen_wait '^ 70.9 % .*total 350'
leave

begin "without colors frames are apart, and the selected one and what was found are seen"
flame 24 80 NO_COLOR=1
screen_keys Down Down Down Down
screen_wait '^ 70.9 % '
screen_colours >seen
grep -q '38;5;\|48;5;' seen && fail "there are colors: $(head -n 3 seen)"
grep '0x17c3 ' seen | grep -q $'\033\\[[0-9;]*7m' || fail "the selected frame is as the others: $(grep 0x17c3 seen)"
leave
screen_close
finish
