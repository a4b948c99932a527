#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# events.sh - what no other view reads: counted, listed with its fields; and views that have nothing stop no other
#
# Usage: tests/cli/events.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
t=$traces/debian-6.1-amd64-v6.dat

# The sum of the counts is what the quality line says, and the list has as many lines; both are whole without -e.
"$ringside" events -i "$t" --json >table
"$ringside" events -i "$t" --list --json >list
python3 - <<'PY' || fail "the table and the list do not say the same"
import json, collections
table = [json.loads(l) for l in open("table")]
rows = [json.loads(l) for l in open("list")]
events = table.pop()["_meta"]["events"]
rows.pop()
assert events == 7124, events
assert sum(r["count"] for r in table) == events == len(rows)
count = collections.Counter(r["event"] for r in rows)
cpus, tasks = collections.defaultdict(set), collections.defaultdict(set)
for r in rows:
    cpus[r["event"]].add(r["cpu"])
    if r["tid"]:
        tasks[r["event"]].add(r["tid"])
for r in table:
    e = r["event"]
    assert (r["count"], r["cpus"], r["tasks"]) == (count[e], len(cpus[e]), len(tasks[e])), r
    assert r["first_ns"] == min(x["time_ns"] for x in rows if x["event"] == e), r
wake = [r["fields"] for r in rows if r["event"] == "sched:sched_wakeup_new"]
assert wake and all(f.startswith("comm=") and " target_cpu=" in f for f in wake), wake
PY
"$ringside" events -i "$t" -e sched:sched_wak*,block_rq_issue --csv | cut -d, -f1 | sort | tr '\n' ' ' >names
grep -q 'block:block_rq_issue .*sched:sched_wakeup_new sched:sched_waking ' names || fail "-e: $(cat names)"
"$ringside" event-list -i "$t" -e sched --where 'event ~ *_exec && fields ~ "*filename=/*"' --csv | grep -c '^[0-9]' >nr
[ "$(cat nr)" -gt 0 ] || fail "--where of an event's fields finds none"
# two texts of a line, and not of the others: by trace-cmd's own report of it
"$ringside" event-list -i "$t" -e sched --where 'event ~ *waking && text ~ "*comm=p*" && text ~ "*target_cpu=001*"' --csv | grep -c '^[0-9]' >nr
zcat "${t%.dat}.report.gz" | grep -c 'sched_waking: .*comm=p.* target_cpu=001$' >wanted
cmp -s nr wanted || fail "--where of two texts: $(cat nr), not $(cat wanted)"
# TEXT is what trace-cmd report prints, line by line, but for the events that a plugin of its prints its own way.
"$ringside" event-list -i "$t" --self --json 2>/dev/null >list
zcat "${t%.dat}.report.gz" >report
python3 - <<'PY' || fail "TEXT is not what trace-cmd report prints"
import collections, json, re
own = {"sched_switch", "sched_wakeup", "sched_wakeup_new"}
theirs, ours = collections.defaultdict(list), collections.defaultdict(list)
for line in open("report", encoding="latin1"):
    m = re.match(r" *.*-\d+ +\[(\d+)\] +[0-9.]+: (\w+): *(.*?) *\n$", line)
    if m and m[2] not in own:
        theirs[int(m[1])].append((m[2], m[3].encode("latin1").decode("utf-8", "replace")))
for line in open("list"):
    r = json.loads(line)
    if "event" in r and r["event"].split(":")[1] not in own:
        ours[r["cpu"]].append((r["event"].split(":")[1], r["text"] or ""))
assert sum(map(len, ours.values())) > 3000
for cpu in theirs:
    assert len(theirs[cpu]) == len(ours[cpu]), (cpu, len(theirs[cpu]), len(ours[cpu]))
    for a, b in zip(theirs[cpu], ours[cpu]):
        assert a == b, (cpu, a, b)
PY
"$ringside" events -i "$t" -e no_such_event 2>err
[ $? = 1 ] && grep -q "events: -e 'no_such_event': this trace has no such event" err || fail "-e no_such_event: $(cat err)"
"$ringside" event-list -i "$t" -e sched_swich 2>err
[ $? = 1 ] && grep -q "event-list: -e 'sched_swich': this trace has no such event (did you mean 'sched_switch'?)$" err || fail "-e sched_swich: $(cat err)"
"$ringside" events --own 2>err
[ $? = 2 ] && grep -q "which events? (-e sched:sched_switch,kvm:\*" err || fail "live without -e: $(cat err)"

# reclaim cannot be had from this recording: the others are shown, and a note says so; by itself it is an error.
for format in "" --csv --json; do
	"$ringside" report "$t" --view reclaim,cpus $format >out 2>err && [ -s out ] || fail "--view reclaim,cpus $format: status $?"
	grep -q '^ringside: note: nothing to show: reclaim (' err && [ "$(grep -cv '^# ' err)" = 1 ] || fail "the note: $(cat err)"
done
tail -1 out | grep -q '"nothing":\["reclaim"\]' || fail "--json does not name what has nothing: $(tail -1 out)"
"$ringside" report "$t" --view reclaim,mmaplock >out 2>err || fail "two views that have nothing: status $?"
[ ! -s out ] && grep -q 'nothing to show: reclaim, mmaplock (' err || fail "two views that have nothing: $(cat out err)"
"$ringside" report "$t" --view all -q >out 2>err || fail "--view all: status $?: $(cat err)"
grep -q '^TASK' out && grep -q 'SYSCALL' out || fail "--view all stops on the way"
grep -q '^EVENT' out && fail "--view all counts events, which costs something for each: that is on request"
"$ringside" report "$t" >page
grep -q '^none seen: .*reclaim' page && [ "$(grep -c 'which this trace does not have\|^none seen' page)" = 1 ] ||
	fail "the page does not say in one line what has nothing"
# Counts of all events are on request, but where events were chosen by name: then most views have nothing.
grep -q '^events: ' page && fail "a report counts events, which costs something for each"
python3 -c 'import sys; sys.stdout.buffer.write(open(sys.argv[1], "rb").read().replace(b"name: sched_switch\n", b"name: sched_swotch\n"))' "$t" >named.dat
"$ringside" report named.dat -q | grep -q '^events: ' || fail "a recording without switches: its events are not counted"

finish "all passed"
