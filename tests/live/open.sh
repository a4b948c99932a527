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
mkfifo silent
exec 8<>silent
cat <silent 8>&- & # reads what nobody writes
cat=$!
"$samples/sleeper" -n 1 -t 30000000 >/dev/null 8>&- &
idler=$!
# person FILE: a cat on a terminal at which nobody types; its number is in FILE
person() {
	python3 -c 'import os, pty, time
pid, fd = pty.fork()
if not pid:
	os.execlp("cat", "cat")
print(pid, flush=True)
time.sleep(600)' >"$1" 8>&- 9>&- &
	persons="${persons-} $!"
	until [ -s "$1" ]; do sleep 0.02; done
}
person before
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
# not its read of what told it to go on: that is listed until the engine knows that it has ended
in_read() { [ "$(items "$1" "" "[o['what'].startswith('read($2') for o in open]")" = "[True]" ]; }
soon in_read "$reader" "$(said fd)"
expect "kind" call "$(items "$reader" "" "open[0]['kind']")"
expect "what" True "$(items "$reader" "" "open[0]['what'].startswith('read($(said fd)')")"
expect "it began within the capture" False "$(items "$reader" "" "open[0]['at_least']")"
expect "it is not idle" False "$(items "$reader" "" "open[0]['idle']")"
first=$(items "$reader" "" "now - open[0]['since_ns']")
sleep 0.3
second=$(items "$reader" "" "now - open[0]['since_ns']")
[ "$second" -gt "$first" ] || fail "its age does not grow: $first, then $second"
expect "the least age that is asked for" 0 "$(items "$reader" "'min_ns': 3600000000000" "len(open)")"

test="a read of a terminal, from before the capture and since"
person since
soon listed "$(cat since)" "'idle': True" 1
expect "idle" True "$(items "$(cat since)" "'idle': True" "open[0]['idle']")"
soon listed "$(cat since)" "" 0
expect "idle, from before" True "$(items "$(cat before)" "'idle': True" "open[0]['idle']")"
expect "neither is stuck" 0 "$(items "$(cat before)" "" "len(open)")"
# shellcheck disable=SC2086 # a list
kill $persons

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

test="a read that began before the capture, and nobody named"
soon listed $cat "'idle': True" 1
expect "nobody knows what it waits for: it is not stuck" 0 "$(items $cat "" "len(open)")"
expect "kind" call "$(items $cat "'idle': True" "open[0]['kind']")"
expect "what" True "$(items $cat "'idle': True" "open[0]['what'].startswith('read(0')")"
expect "its age is the least that it can be" True "$(items $cat "'idle': True" "open[0]['at_least']")"
expect "a sleep is not listed" 0 "$(items $idler "" "len(open)")"
soon listed $idler "'idle': True" 1

test="tasks has all that exist"
"$ringside" tasks -d 0.5 --by tid --json -q >all.json 2>err || fail "$(cat err)"
expect "those of which no event tells" "sleep read, sleep $(grep -o '"tid":'$idler',.*' all.json | grep -o '"open_syscall":"[a-z_]*"' | cut -d'"' -f4)" \
	"$(python3 -c "
import json
rows = {r['tid']: r for r in map(json.loads, open('all.json')) if 'tid' in r}
print(', '.join(f\"{rows[t]['open_state']} {rows[t]['open_syscall']}\" for t in ($cat, $idler)))" 2>&1)"
expect "and is off the CPU since" True "$(python3 -c "
import json
rows = {r['tid']: r for r in map(json.loads, open('all.json')) if 'tid' in r}
print(rows[$cat]['open_ns'] > 0 and rows[$cat]['open_ns'] <= rows[$cat]['life_ns'])" 2>&1)"
kill $idler; wait $idler 2>/dev/null

test="what goes on is listed no more"
echo >&8
exec 8>&-
soon listed $cat "" 0
wait $cat
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
