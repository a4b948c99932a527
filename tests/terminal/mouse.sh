#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mouse.sh - what the mouse does: a click, a double one, dragging, the wheel, and nothing when it is the terminal's
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$PATH
traces=$root/tests/traces

report() { screen_keys -l "$(printf '\033[<%d;%d;%d%s' "$@")"; } # report BUTTON COLUMN LINE M|m
click() { report 0 "$1" "$2" M && report 0 "$1" "$2" m; }
# line_of PATTERN: the number of the first line that matches
line_of() { screen_text | grep -nE -m 1 -- "$1" | cut -d: -f1; }
show() { # show OPTIONS
	screen_open 24 100 xterm-256color
	screen_type "clear; ringside tui $* $traces/debian-6.1-amd64-mixed.dat; echo status \$?"
}
leave() {
	screen_keys Q
	screen_wait '^status 0' 10
}

begin "dragging on the timeline marks the time that it passes"
show --screen timeline
screen_wait '^faulter ' 20
line=$(line_of '^faulter ')
report 0 40 "$line" M
report 32 50 "$line" M
report 32 60 "$line" M
screen_wait 'between the marks: 205ms' 5 # 20 cells of 10.26 ms
report 0 60 "$line" m
report 35 80 "$line" M # moved with no button: the marks stay
screen_keys u
screen_wait 'between the marks: 205ms'
screen_wait 'PAST '
leave

begin "the wheel zooms the timeline, with Ctrl too"
show --screen timeline
screen_wait '^[0-9.]+[mu]s a cell' 20
cell() { screen_text | sed -n 's/^\([0-9.]*[munm]*s\) a cell.*/\1/p'; }
before=$(cell)
report 80 60 "$line" M
until_soon 5 eval '[ "$(cell)" != "$before" ]' || fail "no zoom: $before a cell"
report 81 60 "$line" M
leave

begin "a double click is Enter"
show --screen cpus
screen_wait '^ *0 ' 20
line=$(line_of '^ *1 ')
click 10 "$line"
click 10 "$line"
screen_wait ' cpus › cpu 1'
test="a click on the breadcrumb goes back"
click "$(screen_text | sed -n 1p | awk '{ print index($0, "cpus ›") }')" 1
screen_wait ' cpus +all of the file'
leave

begin "--no-mouse and :mouse off leave the mouse to the terminal"
show --screen cpus
screen_wait '^ *0 ' 20
expect "the mouse is ours" 1 "$(screen_is '#{mouse_any_flag}')"
screen_keys :
screen_keys -l 'mouse off'
screen_keys Enter
screen_wait 'mouse: off'
until_soon 5 eval '[ "$(screen_is "#{mouse_any_flag}")" = 0 ]' || fail "the mouse is still ours"
leave
rm -rf config
show --no-mouse --screen cpus
screen_wait '^ *0 ' 20
expect "the mouse is the terminal's" 0 "$(screen_is '#{mouse_any_flag}')"
leave
screen_close
finish
