#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ways-out.sh - however the screens over a live engine end: the terminal is as it was, nobody is left, nor an instance
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
screen_open 20 120

# live: the screens, once they have numbers; the two processes are $tui_pid and $engine_pid
live() {
	test=$1
	shift
	screen_state >before
	screen_type "clear; ringside tui --own $*; echo status \$?"
	screen_wait ' ev/s ' 20 || return
	tui_pid=$(pgrep -P "$(screen_is '#{pane_pid}')" -x ringside)
	engine_pid=$(pgrep -P "$tui_pid")
	left_behind "$engine_pid" >/dev/null || fail "no instance of $engine_pid"
}
gone() {
	local i
	for i in {1..250}; do [ -e "/proc/$1/exe" ] || return 0; sleep 0.02; done
	fail "$2 is still there"
}
# over [STATUS]
over() {
	[ -z "${1-}" ] || screen_wait "^status $1" 10
	screen_wait '^ready> *$' 10
	screen_state >after
	cmp -s before after || fail "the terminal is another: $(diff before after)"
	all_gone
}
all_gone() {
	gone "$tui_pid" "what draws"
	gone "$engine_pid" "the engine"
	nothing_left "$engine_pid"
}

for key in q F10 C-c; do
	live "$key"
	screen_keys "$key"
	over 0
done
for signal in TERM HUP INT; do
	live "SIG$signal"
	kill "-$signal" "$tui_pid"
	over 0
done

live "the engine is killed"
kill -9 "$engine_pid"
over 1
screen_text | grep -q '^ringside: the engine has gone' || { fail "not said"; screen_text; }
live "the engine is asked to end"
kill -TERM "$engine_pid"
over 1
test="the daemon is killed that was looked at"
touch none
start_daemon
screen_type "clear; ringside tui; echo status \$?"
screen_wait ' ev/s ' 20
kill -9 "$daemon_pid"
screen_wait 'THE DAEMON HAS GONE, waiting for it'
screen_keys '?' # keys work meanwhile, and what was seen stays
screen_wait 'keys and columns of this screen'
screen_keys '?' q
screen_wait '^status 0' 10
wait "$daemon_pid" 2>/dev/null
nothing_left "$daemon_pid"
live "what draws is killed"
kill -9 "$tui_pid"
all_gone # nobody could restore the terminal
screen_keys C-c
screen_type "reset; clear"
screen_wait '^ready> *$' 10
live "both at once"
kill -9 "$tui_pid" "$engine_pid"
all_gone

test="stopped and continued: the marks of a job in a shell"
screen_open 20 120
live "$test"
screen_keys C-z
screen_wait '^\[1\]\+  Stopped' 10
screen_state >after
cmp -s before after || fail "while stopped: $(diff before after)"
screen_type "clear; fg"
screen_wait ' ev/s ' 10
screen_keys q
screen_wait '^ready> *$' 10
all_gone

for how in "" "trap '' HUP; "; do
	screen_open 20 120
	live "the terminal goes away${how:+, and SIGHUP is ignored}"
	screen kill-session
	all_gone
done
screen_close
finish
