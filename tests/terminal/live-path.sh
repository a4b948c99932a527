#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live-path.sh - the critical path of a call, on the timeline of a running kernel: its keys, and its tracks
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_tracing
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
unset NO_COLOR COLORTERM

begin "a client waits for a server that works"
stage -d 600 'client: ask s, sleep 20000' 'server: serve s, burn 30000, reply s' >did 2>&1 &
load=$!
until_soon 5 pgrep -x client >/dev/null || fail "no client: $(cat did)"
screen_open 40 150
screen_type "clear; ringside tui --own --window 512M -c client; echo status \$?"
screen_wait '[0-9] ev/s ' 20
pid=$(pgrep -P "$(pgrep -P "$(screen_is '#{pane_pid}')" -x ringside)")
screen_keys t
screen_wait 'client .*[0-9]'
screen_keys 0 # opened on a wait, it shows those alone who take part: now all tracks
screen_wait '^(victim)? *client .*[0-9]'
# the window may have moved on until the answer comes: then back to now, and another call
for _ in {1..10}; do
	! screen_text | grep -q 'critical path, ' || screen_keys c
	screen_keys End n
	screen_try 'woken by server' 2 && screen_keys c && screen_try 'critical path, 1 of [2-9]: ' 2 && break
done
screen_wait 'critical path, 1 of [2-9]: *client'
[ -z "${SHOW-}" ] || screen_text
test="along it and back"
screen_keys '>'
screen_wait 'critical path, 2 of [2-9]: *server'
[ -z "${SHOW-}" ] || screen_text
screen_wait '^ *client <- server'
screen_keys '<'
screen_wait 'critical path, 1 of [2-9]: *client'
test="off again"
screen_keys c
screen_wait_gone 'critical path, '
screen_keys Q
screen_wait '^status 0' 10
nothing_left "$pid"
kill $load
wait $load 2>/dev/null
screen_close
finish
