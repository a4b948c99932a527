#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# machines.sh - a host's recording and its guest's, read together: each machine by itself, all on one clock
#
# Usage: tests/cli/machines.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
put=$root/tests/lib/put_options.py

# The host counts cycles of 2/3 ns and has two guests; the guest's counter is 25,000,000,000 behind and 1000 ahead of that.
host=$traces/debian-6.1-amd64-v6.dat guest=$traces/debian-5.10-amd64-v6.dat
python3 "$put" "$host" host.dat trace_id=5 guest="web <1>,77,2,413/415" guest="other,78,1" tsc2nsec=3,1,0
python3 "$put" "$guest" guest.dat trace_id=77 host_id=5 tsc2nsec=3,1,0 time_shift=1:0,-25000000000,1,0/0,-24999999000,1,0
python3 "$put" "$guest" unsynced.dat trace_id=77 tsc2nsec=3,1,0
python3 "$put" "$guest" cycles.dat trace_id=77 host_id=5 tsc2nsec=0,0,0
gzip -k guest.dat

# JSON: the rows of both, each with its machine, and after each machine's its _meta; the same as of each alone.
for view in timehist sched cpus iosnoop; do
	for f in host guest; do "$ringside" report $f.dat --view $view --json >$f.alone 2>err || fail "$f: $(cat err)"; done
	"$ringside" report host.dat guest.dat.gz --view $view --json >both 2>err || fail "$view of both: $(cat err)"
	[ ! -s err ] || fail "$view of both: on stderr: $(cat err)"
	python3 - $view <<'PY' || fail "$view: rows of both"
import json, sys
both = [json.loads(line) for line in open("both")]
alone = {"vm": "host.alone", "web <1>": "guest.alone"}
assert [r["_meta"]["machine"] for r in both if "_meta" in r] == list(alone), "machines"
for name, file in alone.items():
    rows = [json.loads(line) for line in open(file)]
    assert rows[:-1] == [{k: v for k, v in r.items() if k != "_machine"} for r in both if r.get("_machine") == name], name
assert list(both[0])[0] == "_machine"
PY
done
# The guest's CPU 1, by hand: (t - 24999999000) * 3 / 2 of each of the recording's own times, rounded down.
"$ringside" timehist -i "$guest" --json --columns time_ns,cpu -q 2>err >own
"$ringside" report host.dat guest.dat --view timehist --json --columns time_ns,cpu 2>err >both
python3 - <<'PY' || fail "times by hand"
import json
own = [json.loads(l) for l in open("own")]
both = [json.loads(l) for l in open("both")]
want = sorted((r["time_ns"] - (24999999000 if r["cpu"] else 25000000000)) * 3 // 2 for r in own if "cpu" in r)
got = sorted(r["time_ns"] for r in both if r.get("_machine") == "web <1>")
assert want == got and len(want) > 300, (len(want), len(got), want[:2], got[:2])
PY

# Text: under the machine's name, times from the first event of all; CSV: the name before each row, a table each.
"$ringside" report host.dat guest.dat --view runqslower -n 1 >text 2>err || fail "text: $(cat err)"
[ "$(grep '^machine' text)" = "machine vm: host.dat
machine web <1>: guest.dat" ] || fail "text: $(grep ^machine text)"
[ "$(grep -c '^# vm: 6.1\|^# web <1>: 5.10' text)" = 2 ] || fail "text: $(grep '^#' text)"
"$ringside" report host.dat guest.dat --view cpus --csv 2>err >csv || fail "csv: $(cat err)"
[ "$(grep -c '^vm,[0-9]' csv) $(grep -c '^web <1>,[0-9]' csv) $(grep -c ',cpu,' csv)" = "4 2 2" ] || fail "csv: $(head -3 csv)"
"$ringside" report host.dat guest.dat >page 2>err || fail "page: $(cat err)"
[ "$(grep -c '^machine' page)" = 2 ] || fail "page: $(grep ^machine page)"
"$ringside" report host.dat guest.dat --check >invariants 2>err || fail "--check: $(cat err)"

# One picture: no process and no CPU of one machine is the other's, and all is counted from one moment.
"$ringside" export host.dat guest.dat -o both.json 2>err || fail "export: $(cat err)"
"$ringside" export host.dat -o host.json 2>err && "$ringside" export guest.dat -o guest.json 2>err || fail "export: $(cat err)"
python3 - <<'PY' || fail "export of both"
import json
both, host, guest = (json.load(open(n + ".json")) for n in ("both", "host", "guest"))
names = {}
for e in both["traceEvents"]:
    if e["ph"] == "M" and e["name"] == "process_name":
        assert e["pid"] not in names, names[e["pid"]]
        names[e["pid"]] = e["args"]["name"]
machine = lambda e: names[e["pid"]].split(": ")[0]
assert {machine(e) for e in both["traceEvents"]} == {"vm", "web <1>"}
for name, alone in (("vm", host), ("web <1>", guest)):
    nr = lambda events: {ph: sum(e["ph"] == ph for e in events) for ph in "XTiCbsf"}
    assert nr(alone["traceEvents"]) == nr([e for e in both["traceEvents"] if machine(e) == name]), name
cpus = lambda name: {e["args"]["cpu"] for e in both["traceEvents"]
                     if e["ph"] == "T" and "cpu" in e.get("args", {}) and machine(e) == name}
assert cpus("vm") == {0, 1, 2, 3} and cpus("web <1>") == {4, 5}, (cpus("vm"), cpus("web <1>"))
meta = both["metadata"]["ringside_machines"]
assert [m["ringside_machine"] for m in meta] == ["vm", "web <1>"]
base = min(int(d["metadata"]["ringside_base_ns"]) for d in (host, guest))
assert {int(m["ringside_base_ns"]) for m in meta} == {base}
# the first slice of each is as far from the base as it is from its own recording's begin
for name, alone in (("vm", host), ("web <1>", guest)):
    first = lambda events: min(e["ts"] for e in events if e["ph"] == "X")
    shift = (int(alone["metadata"]["ringside_base_ns"]) - base) / 1000
    assert abs(first([e for e in both["traceEvents"] if machine(e) == name]) - first(alone["traceEvents"]) - shift) < 0.002
PY

# The screens: under each machine's name its CPUs and disks, then its threads; a view and the header are of the host.
LINES=60 COLUMNS=100 "$ringside" host.dat guest.dat --batch --screen timeline >out 2>err || fail "timeline: $(cat err)"
[ "$(sed -nE -e 's/^(CPU [0-9]|[0-9]+,[0-9]+|vm: threads|vm|web <1>) .*/\1/p' -e '/^vm: threads/q' out)" = "vm
CPU 0
CPU 1
CPU 2
CPU 3
259,0
web <1>
CPU 0
CPU 1
254,0
vm: threads" ] || fail "timeline: $(cat out)"
"$ringside" guest.dat host.dat --batch --screen cpus >out 2>err || fail "screens: $(cat err)"
grep -q "^ ringside  web <1>  guest.dat" out && grep -q " 2 rows " out || fail "screens: $(cat out)"
COLUMNS=100 "$ringside" guest.dat host.dat --batch >out 2>err || fail "overview: $(cat err)"
[ "$(grep -oE '^Verdict: (web <1>|vm)  ' out)" = "Verdict: web <1>  
Verdict: vm  " ] || fail "overview: $(cat out)"

# The host's tasks 413 (ping) and 415 (pong) are the guest's CPUs 0 and 1, as its GUEST option has it.
"$ringside" report host.dat guest.dat --view cpus >out 2>err || fail "vcpus: $(cat err)"
grep -qx "its guests: web <1> vcpu 0 is task 413, web <1> vcpu 1 is task 415, other vcpu 0 is task 1000" out || fail "vcpus: $(head -3 out)"
for want in "web <1> vcpu 0 (ping)" "web <1> vcpu 1 (pong)"; do grep -qF "\"$want\"" both.json || fail "export: no $want"; done
LINES=150 COLUMNS=120 "$ringside" host.dat guest.dat --batch --screen timeline >out 2>err || fail "timeline: $(cat err)"
grep -q "^web <1> vcpu 0 (pin 413 " out && grep -q "^web <1> vcpu 1 (pon 415 " out || fail "timeline: $(cat out)"

# Cycles of a guest's counter, brought to the host's, take the host's factor where the guest's file has none.
python3 "$put" "$guest" lent.dat trace_id=77 host_id=5 tsc2nsec=0,0,0 time_shift=1:0,-25000000000,1,0/0,-24999999000,1,0
"$ringside" report host.dat guest.dat --view timehist --json >both 2>err || fail "a factor of its own: $(cat err)"
"$ringside" report host.dat lent.dat --view timehist --json >lent 2>err || fail "the host's factor: $(cat err)"
cmp both lent || fail "the host's factor gives other times"
! grep -q 'cycles' err || fail "the host's factor is used: $(cat err)"
"$ringside" report lent.dat --view cpus >out 2>err
grep -q 'factor from cycles to ns is missing' err || fail "alone there is no factor: $(cat err)"

# What does not belong together is refused; what was never compared is said to be so.
refused() { # refused STATUS TEXT ARGUMENTS...
	local status=$1 text=$2 got
	shift 2
	"$ringside" "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$status" ] || fail "$*: status $got"
	grep -qF -- "$text" err || fail "$*: $(cat err)"
}
refused 1 "'$guest' shares its clock with none of the others" report host.dat "$guest"
refused 1 "the times of 'cycles.dat' are" report host.dat cycles.dat
refused 2 "--compat: of one machine" export host.dat guest.dat --compat -o x.json
refused 2 "'guest.dat' is what is read" export host.dat guest.dat -f chrome -o guest.dat
refused 1 "'$guest' shares its clock with none of the others" tui host.dat "$guest" --batch
refused 1 "cannot open 'gone.dat'" report host.dat gone.dat
"$ringside" report host.dat unsynced.dat --view cpus >out 2>err || fail "not compared: $(cat err)"
grep -q "web <1>: its clock was not compared with its host's" err || fail "not compared: $(cat err)"

finish "all passed"
