#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pause.sh - what is seen of a paused time stays the same, byte for byte, while the window goes by three times; e saves it
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_tracing
. "$root/tests/lib/daemon.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
unset NO_COLOR COLORTERM

begin_daemon "paused on the overview" --window 24M
# Calls that wait, tasks that come and go, and one that has other names later (three are kept).
stage -d 600 'client: ask s, sleep 2000' 'server: serve s, burn 1000, reply s' 'ticker: sleep 500' >did 2>&1 &
load=$!
bash -c 'for name in first second; do echo $name >/proc/self/comm; sleep 3; done; exec sleep 600' 2>/dev/null &
renames=$!
until_soon 5 pgrep -x ticker >/dev/null || fail "no load: $(cat did)"

passed() { # passed N: the window goes by so often, however little the machine has to do
	pingpong -n 100000000 >/dev/null &
	client "
import time
c = Client(path)
for i in range($1):
    now = c.ask('state')['now_ns']
    while c.ask('state')['oldest_ns'] < now: time.sleep(0.05)"
	kill $! && wait $! 2>/dev/null
}
seen() { screen_settled >/dev/null; screen_text >"$1"; screen_colours >"$1.colors"; }
same() { # same WHAT: as it was seen before
	seen now
	cmp -s "$1" now || fail "$1: it changes: $(diff <(sort "$1") <(sort now) | head -n 20)"
	cmp -s "$1.colors" now.colors || fail "$1: the colors change"
}

screen_open 50 150
screen_type "clear; ringside tui; echo status \$?"
screen_wait '[0-9] ev/s ' 20
screen_wait '^client  *[0-9]'
screen_keys Space
screen_wait 'PAUSED at [0-9.]+ s, pinned'
screen_wait_gone ' reading '
screen_settled >/dev/null # strips of what is shown may still come
screen_settled >/dev/null
seen paused
# each is asked for when it is opened, of the paused time
look() { # look NAME KEYS...: a screen from the overview, and back
	local name=$1
	shift
	screen_keys "$@"
	screen_wait_gone '^Processes '
	screen_wait "PAUSED at .* pinned"
	screen_wait_gone '( reading |being read|being judged|waiting|^ *\.\.\.$)' 30
	$how "$name"
	screen_keys BSpace
	screen_wait '^Processes '
}
view() { screen_keys F2; screen_wait 'type to narrow'; screen_keys -l "$1"; screen_wait "contains: $1"; look "$1" Enter; }
look_around() {
	look timeline t
	look why W
	view offcpu
	view tasks
	$how overview
}
test="paused on the overview, which is asked for nothing"
passed 1
same paused

test="each screen, asked for again when the window has gone by"
how=true
look histogram h # from here on the overview is one of the time range, too
screen_keys / # one row, whatever else is selected
screen_type client
how=seen
look_around
passed 3
how=same
look_around

test="what is seen is what e saves"
screen_keys e
screen_wait ' save .*type to narrow'
screen_keys -l shown
screen_wait 'contains: shown'
screen_keys Enter
screen_wait 'save as.*type to narrow'
screen_keys -l trace.dat
screen_wait 'contains: trace.dat'
screen_keys Enter
screen_wait '^save .* as: '
screen_keys C-u
screen_type paused.dat
screen_wait '^ paused.dat: .*B, [0-9,]+ events' 20
# the first and last event are of the time that was paused at, by the trace clock: "PAUSED at 5123.456789 s", a second before that
until screen_text | grep -q 'times of the trace clock'; do screen_keys z; sleep 0.3; done
to=$(screen_text | sed -n '1s/.*PAUSED at \([0-9.]*\) s.*/\1/p')
"$ringside" report paused.dat --view cpus --json >saved
client "
import json
meta = [json.loads(line)['_meta'] for line in open('saved') if '_meta' in line][0]
at = [meta[k] / 1e9 for k in ('from_ns', 'to_ns')]
print('that time' if $to - 1.5 < at[0] < at[1] <= $to + 0.001 and meta['events'] else ($to, at, meta))" >said 2>&1
expect "the time of the file" "that time" "$(cat said)"
screen_keys Q
screen_wait '^status 0' 10
kill $load $renames
wait $load $renames 2>/dev/null
screen_close
end_daemon
finish
