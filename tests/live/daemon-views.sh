#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# daemon-views.sh - views of what a daemon traces: the same command lines, the same counts, no root
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"

# follow ARGUMENTS...: a view, in the background, that has begun to follow; enough: it ends
follow() {
	"$ringside" "$@" >out 2>err </dev/null 7>&- 8<&- 9>&- &
	view_pid=$!
	soon followed
	sleep 0.3 # the last step, from being let in to the first page
}
followed() { asked_silently && grep -q ', 2 clients' status.out; }
asked_silently() { "$ringside" status >status.out 2>&1; }
enough() { kill -"${1:-INT}" $view_pid; wait $view_pid; status=$?; }

begin_daemon "a view as nobody of the group" --group daemon --window 512M
chmod 777 . # the others' output
hold sleeper -n 20
follow syscalls --json -p "$sample_pid"
expect "instances" 1 "$(compgen -G "$instances/ringside-$daemon_pid*" | wc -l)"
left_behind $view_pid >/dev/null && fail "it traces by itself"
release
sleep 0.5
enough
fine
expect "sleeps" 20 "$(ask 'len([r for r in rows if r["syscall"] in ("nanosleep", "clock_nanosleep")])')"
# a page begins before the view does: the shell, about to become the sample, may be in the first one
expect "names" "{'sleeper'}" "$(ask '{r["comm"] for r in rows if r["syscall"] in ("nanosleep", "clock_nanosleep")}')"
expect "lost" 0 "$(ask 'meta["lost"]')"
expect "filter" "-p $sample_pid" "$(ask 'meta["filters"]')"

# no table of ours has this call: the daemon tells what the kernel calls its parameters
test="the kernel's own names of parameters"
follow syscalls --json --syscall sched_getscheduler -c python3
python3 -c 'import os; os.sched_getscheduler(0)'
sleep 0.5
enough
fine
expect "arguments" "{'sched_getscheduler(pid: 0)'}" "$(ask '{r["call"] for r in rows}')"

test="the same by itself"
hold sleeper -n 20
start syscalls --own --json -p "$sample_pid"
release
end
fine
expect "sleeps" 20 "$(ask 'len([r for r in rows if r["syscall"] in ("nanosleep", "clock_nanosleep")])')"

test="without any right"
as 65534 "$(id -g daemon)" "$ringside" syscall-latency --json -d 1 >out 2>err || fail "$(cat err)"
[ "$(ask 'meta["events"]')" -gt 0 ] || fail "nothing was seen"
expect "ringside's own work" 0 "$(ask 'len([r for r in rows if r["pid"] == '$daemon_pid'])')"
as 65534 65534 "$ringside" syscall-latency -d 1 >out 2>err && fail "a user outside the group sees"
as 65534 "$(id -g daemon)" "$ringside" syscall-latency --own -d 1 >out 2>err && fail "without root, of its own"
finds "root" err

test="a time that has passed, by the time of day"
before=$(date +%H:%M:%S.%N)
hold sleeper -n 9
release
after=$(date '+%Y-%m-%d %H:%M:%S.%N')
sleep 1.2 # the window has it once the next second has begun
calls='sum(r["calls"] for r in rows if r["comm"] == "sleeper" and r["syscall"] in ("nanosleep", "clock_nanosleep"))'
for range in "--from $before" "--from $before|--last 1h" "--to $after|--last 20s"; do
	IFS='|' read -ra parts <<<"$range"
	words=()
	for part in "${parts[@]}"; do words+=("${part%% *}" "${part#* }"); done
	"$ringside" syscall-latency --json -p "$sample_pid" "${words[@]}" >out 2>err || fail "$range: $(cat err)"
	expect "calls $range" 9 "$(ask "$calls")"
done
"$ringside" syscall-latency --json -p "$sample_pid" --to "$before" >out 2>err || fail "--to: $(cat err)"
expect "calls before" 0 "$(ask "$calls")"
"$ringside" save -o part.dat --from "$before" --to "$after" -q 2>err || fail "save: $(cat err)"
"$ringside" report part.dat --view syscall-latency --json --from "$before" >out 2>err || fail "report: $(cat err)"
expect "calls saved" 9 "$(ask "$calls")"
"$ringside" why -p "$sample_pid" --json --from "$before" >out 2>err || fail "why: $(cat err)"
expect "sleeps of why" 9 "$(ask 'sum(r.get("count", 0) for r in rows if r.get("part") == "timer")')"
"$ringside" findings --json --from "$before" >out 2>err || fail "findings: $(cat err)"
grep -q '^{"_meta":{"view":"findings",' out || fail "findings: $(cat out)"
grep -q -- "daemon's window" out && fail "findings names the window as a file: $(cat out)"
as 65534 "$(id -g daemon)" "$ringside" syscall-latency --last 5s >out 2>err && fail "who may only look saves the window"

test="a table, from now on"
hold sleeper -n 7
follow syscall-latency --json
release
sleep 0.5
enough TERM
fine
expect "calls" 7 "$(ask 'sum(r["calls"] for r in rows if r["comm"] == "sleeper" and r["syscall"] in ("nanosleep", "clock_nanosleep"))')"

test="intervals"
"$ringside" cpus --json -I 0.3 -d 1.6 >out 2>err
status=$?
fine
within "intervals" 3 12 "$(grep -c _meta out)"

test="rows enough"
"$ringside" timehist -n 5 --json >out 2>err
status=$?
fine
expect "rows" 5 "$(ask 'len(rows)')"
"$ringside" timehist 2>err | head -n 3 >out
expect "lines" 3 "$(wc -l <out)"

test="tracing is turned off meanwhile"
follow sched --json
"$ringside" trace off || fail "trace off"
"$ringside" trace on || fail "trace on"
sleep 0.5
enough
fine
within "gaps" 1 "$(nproc)" "$(ask 'meta["gaps"]')" # of each CPU one

test="an event is turned off meanwhile"
follow sched --json
"$ringside" trace set sched:sched_switch=off || fail "trace set"
soon grep -q "sched: needs sched:sched_switch, which was turned off" err
enough
expect "exit status" 0 "$status"
expect "rows" 0 "$(ask 'len(rows)')"
follow sched --json
soon grep -q "sched: needs sched:sched_switch" err
enough
"$ringside" trace set sched:sched_switch=on || fail "trace set"

test="what this daemon does not trace"
hold toucher -n 500 # where nobody does anything, nobody takes a page in a second
start memory --json
release
end
fine
expect "rows of the sample, of a capture of its own" 1 "$(ask "len(of(pid=$sample_pid))")"

test="one that is stopped slows nobody"
follow syscalls --json
kill -STOP $view_pid
sample spawn -p 200 >/dev/null
asked status --json
fine
gaps_before=$(ask 'rows[0]["gaps"]')
client 'c = Client(path); print(all(c.ask("state")["ok"] for i in range(50)))' >said 2>&1
expect "the others" True "$(cat said)"
asked status --json
expect "gaps" "$gaps_before" "$(ask 'rows[0]["gaps"]')"
kill -CONT $view_pid
enough
expect "exit status" 0 "$status"

test="more than may follow"
many=()
for i in {1..20}; do
	"$ringside" iosnoop --json -d 2 >many.$i 2>&1 </dev/null 7>&- 8<&- &
	many+=($!)
done
wait "${many[@]}"
for i in {1..20}; do grep -q _meta many.$i || fail "one of many: $(cat many.$i)"; done

dead_view() { ! grep -qs "^State:.[^Z]" /proc/$view_pid/status; }

test="waits name their socket, which is looked up"
"$samples/stage" -d 60 'client: ask s, sleep 20' 'server: serve s, sleep 20, reply s' >did 2>&1 7>&- 8<&- &
load=$!
client '
import time
c, names = Client(path), set()
until = time.monotonic() + 20
while not names and time.monotonic() < until:
    time.sleep(0.2)
    names = {cell for row in c.ask("rows", view="offcpu", by=["comm", "socket"], limit=1000)["rows"] if row[0] == "client"
             for cell in row if str(cell).startswith("UNIX-STREAM:[")}
print(len(names))' >said 2>&1
expect "sockets of the client" 1 "$(cat said)"
test="who follows, and a time that has passed, have what was looked up"
# where events were lost they are looked up again first
has_socket() { # has_socket OPTIONS...: the client's waits name it
	"$ringside" offcpu --by comm,socket --json "$@" >out 2>err || fail "$*: $(cat err)"
	[ "$(ask 'len({r["socket"] for r in rows if r["comm"] == "client" and (r["socket"] or "").startswith("UNIX-STREAM:[")})')" = 1 ]
}
until_soon 20 has_socket -d 0.5 || fail "from now on: $(grep client out)"
until_soon 20 has_socket --last 1s || fail "in what has passed: $(grep client out)"
client '
import time
c, names = Client(path), set()
until = time.monotonic() + 20
while not names and time.monotonic() < until:
    rows = c.answer(c.begin("rows", view="offcpu", by=["comm", "socket"], from_ns=c.ask("state")["now_ns"] - 10 ** 9, limit=1000), 60)["rows"]
    names = {cell for row in rows if row[0] == "client" for cell in row if str(cell).startswith("UNIX-STREAM:[")}
print(len(names))' >said 2>&1
expect "sockets, in what has passed, by the daemon" 1 "$(cat said)"
kill $load
wait $load

test="the daemon goes"
follow sched --json -I 0.2
soon test -s out # it has got pages, however busy the machine is
end_daemon
expect "exit status" 0 "$status"
soon dead_view
wait $view_pid
expect "exit status" 0 $?
[ "$(ask 'len(rows)')" -gt 0 ] || fail "nothing of what was there"
finish
