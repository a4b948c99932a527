#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# open.sh - what hangs in the running kernel is listed, oldest first: from before the capture, and since
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"

begin "what hangs"
touch none
hold stuck
blocked=$(said blocked)
start_daemon 9>&- # an open end of the pipe would keep the sample waiting
exec 9>&-
until grep -q reader did; do sleep 0.02; done
reader=$(said reader)

# open PID KIND -> the items of that process, as the engine lists them
items() { client "
c = Client(path)
r = c.ask('open', limit=1000, **{$2})
open = [o for o in r['open'] if o['pid'] == $1]
now = r['now_ns']
print($3)" 2>&1; }
listed() { [ "$(items "$1" "$2" 'len(open)')" = "$3" ]; }

test="a read of a pipe that nobody writes to"
soon listed "$reader" "" 1
expect "kind" call "$(items "$reader" "" "open[0]['kind']")"
expect "what" True "$(items "$reader" "" "open[0]['what'].startswith('read($(said fd)')")"
expect "it began within the capture" False "$(items "$reader" "" "open[0]['at_least']")"
expect "it is not idle" False "$(items "$reader" "" "open[0]['idle']")"
first=$(items "$reader" "" "now - open[0]['since_ns']")
sleep 0.3
second=$(items "$reader" "" "now - open[0]['since_ns']")
[ "$second" -gt "$first" ] || fail "its age does not grow: $first, then $second"
expect "the least age that is asked for" 0 "$(items "$reader" "'min_ns': 3600000000000" "len(open)")"

test="a task that was in D before the capture"
expect "listed" 1 "$(items "$blocked" "" "len(open)")"
expect "kind" blocked "$(items "$blocked" "" "open[0]['kind']")"
expect "comm" blocked "$(items "$blocked" "" "open[0]['comm']")"
expect "what" True "$(items "$blocked" "" "open[0]['what'].startswith('vfork(): in D')")"
expect "its age is the least that it can be" True "$(items "$blocked" "" "open[0]['at_least']")"
expect "it is older than the read" True "$(client "
c = Client(path)
tids = [o['tid'] for o in c.ask('open', limit=1000)['open']]
print(tids.index($blocked) < tids.index($reader))" 2>&1)"

test="what goes on is listed no more"
# the vforked child is killed: its parent goes on, and exits
kill -KILL $(cat "/proc/$blocked/task/$blocked/children")
soon listed "$blocked" "" 0
kill $sample_job; wait $sample_job 2>/dev/null
soon listed "$reader" "" 0

test="what waits for whatever comes"
"$samples/sleeper" -n 1 -t 30000000 >/dev/null &
sleeper=$!
soon listed $sleeper "'idle': True" 1
expect "idle" True "$(items $sleeper "'idle': True" "open[0]['idle']")"
expect "not listed where idle waits are not asked for" 0 "$(items $sleeper "" "len(open)")"
kill $sleeper; wait $sleeper 2>/dev/null
soon listed $sleeper "'idle': True" 0
end_daemon
finish
