#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# incidents.sh - the list of what was found: it is there while nobody looked, Enter goes to the wait, the filter narrows it
. "$(dirname "$0")/../lib/live.sh"
. "$root/tests/lib/screen.sh"
need_tracing
. "$root/tests/lib/daemon.sh"
export XDG_CONFIG_HOME=$tmp/config PATH=$build:$samples:$PATH
unset NO_COLOR COLORTERM

begin_daemon "found before anybody looked" --window 128M
stage -d 600 'holder: sleep 500000, lock m, sleep 400000, unlock m' 'waiter: lock m, unlock m, sleep 20000' >did 2>&1 &
load=$!
until_soon 5 pgrep -x waiter >/dev/null || fail "no load: $(cat did)"
client "
import time
c = Client(path)
found = lambda: [i for i in c.ask('incidents')['incidents'] if i['finding']['victim'] == 'waiter']
while not any(i['finding']['culprit'] == 'holder' for i in found()): time.sleep(0.2)
print(any(i['finding']['culprit'] == 'holder' for i in c.ask('incidents')['incidents'] if i['finding']['victim'] == 'waiter'),
      c.ask('incidents', where='comm == \"nobody\"')['incidents'], len(c.ask('incidents', where='comm == \"waiter\"')['incidents']) > 0)" >said 2>&1
expect "what the daemon tells" "True [] True" "$(cat said)"
screen_open 40 150
screen_type "clear; ringside tui; echo status \$?"
screen_wait '[0-9] ev/s ' 20
screen_keys i
screen_wait 'of the time from'
screen_wait ' waiter \([0-9]+\) waits '

test="a filter narrows it, and another leaves none"
screen_keys '\'
screen_wait '^filter'
screen_type waiter
screen_wait ' comm ~ waiter '
screen_wait ' waiter \([0-9]+\) waits '
others() { screen_text | sed 1,3d | grep -E '^ +[0-9]+\.[0-9]+ s ' | grep -v 'waiter'; }
for _ in {1..100}; do [ -n "$(others)" ] || break; sleep 0.1; done
expect "rows of others" "" "$(others)"
screen_keys '|' '\'
screen_wait '^filter'
screen_type nobody
screen_wait 'the filter leaves none'
screen_keys '|'
screen_wait ' waiter \([0-9]+\) waits '

test="Enter goes to its slowest wait"
screen_keys '\'
screen_wait '^filter'
screen_type waiter
screen_wait ' comm ~ waiter '
for _ in {1..100}; do [ -n "$(others)" ] || break; sleep 0.1; done
screen_keys Enter
screen_wait 'waiter \([0-9]+\): [0-9.]+m?s .*from [0-9.]+ s'
screen_wait ' holder \([0-9]+\)'
screen_keys Q
screen_wait '^status 0' 10
kill $load
wait $load 2>/dev/null
screen_close
end_daemon
finish
