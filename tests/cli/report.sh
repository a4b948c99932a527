#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# report.sh - views of the recordings through the command line: whole, the same twice, the same by every way
#
# Usage: tests/cli/report.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
wrappers=$root/scripts/wrappers

run() { # run STATUS OUTPUT ARGUMENTS...: nothing on stderr is expected
	local status=$1 output=$2 got
	shift 2
	"$ringside" "$@" >"$output" 2>err </dev/null
	got=$?
	[ $got = "$status" ] || fail "ringside $*: status $got, not $status: $(cat err)"
	[ ! -s err ] || fail "ringside $*: on stderr: $(head -3 err)"
}

# Every recording: the page, all rows as JSON that parses, twice the same bytes, and invariants that hold.
for trace in "$traces"/*.dat; do
	name=$(basename "$trace" .dat)
	"$ringside" report "$trace" >page 2>err || fail "$name: the page: $(cat err)"
	[ "$(grep -c '^# ' page)" = 1 ] || fail "$name: the page has not one quality line"
	"$ringside" report "$trace" --view all --json -q >all 2>err || fail "$name: --view all: $(cat err)"
	"$ringside" "$trace" --json -q >again 2>err
	cmp -s all again || fail "$name: the same file twice, other bytes"
	python3 - all <<'PY' || fail "$name: --view all --json"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert list(rows[-1]) == ["_meta"] and rows[-1]["_meta"]["view"] == "all", rows[-1]
assert all("_view" in row for row in rows[:-1])
keys = {}
for row in rows[:-1]:
    assert keys.setdefault(row["_view"], list(row)) == list(row), "keys differ within " + row["_view"]
PY
	"$ringside" report "$trace" --check >invariants 2>err || fail "$name: --check: $(cat err; grep -v ^holds invariants)"
	[ "$(grep -c '^holds .*: imbalance 0$' invariants)" -ge 4 ] || fail "$name: --check shows $(wc -l <invariants) invariants"
done

t=$traces/debian-6.1-amd64-v6.dat

# A view that this recording cannot feed says what it lacks.
"$ringside" reclaim -i "$t" >out 2>err
[ $? = 1 ] && grep -q '^ringside: reclaim: needs vmscan:.*, which this trace does not have$' err || fail "reclaim: $(cat err)"

# One view of the one pass is the view by itself, and the view as a command.
for view in $("$ringside" list views --csv | grep ',yes$' | cut -d, -f1 | grep -vx 'reclaim|signals' -E); do
	run 0 single report "$t" --view "$view" --json
	run 0 command "$view" -i "$t" --json
	cmp -s single command || fail "$view -i FILE is not report --view $view"
	"$ringside" report "$t" --json | grep "^{\"_view\":\"$view\"" | sed 's/"_view":"[^"]*",//' >part
	grep -v '^{"_meta"' single | cmp -s - part || fail "$view: other rows among all than alone"
	run 0 text "$view" -i "$t"
	tail -1 text | grep -q '^# 6.1.0' || fail "$view: no quality line"
	"$ringside" "$view" -i "$t" --csv >csv 2>err || fail "$view --csv: $(cat err)"
	[ "$(wc -l <csv)" = $(($(wc -l <part) + 1)) ] || fail "$view: CSV has other rows than JSON"
	tail -1 err | grep -q '^# 6.1.0' || fail "$view: no last line beside CSV"
	run 0 columns "$view" --columns help
	grep -q . columns || fail "$view: --columns help says nothing"
done

run 0 two report "$t" --view sched,cpus --json
[ "$(cut -d'"' -f4 two | sort -u | tr '\n' ' ')" = "cpus sched view " ] || fail "--view sched,cpus: $(cut -c1-30 two | sort -u)"
run 0 two report "$t" --view sched,cpus
[ "$(grep -c '^# ' two)" = 2 ] || fail "--view sched,cpus as text: not two blocks"
# Beside the CSV of several views a quality line that they share is printed once.
"$ringside" report "$t" --view sched,syscalls,iosnoop --csv >csv 2>err || fail "--csv of three views: $(cat err)"
[ "$(grep -c '^# 6.1.0' err)" = 1 ] || fail "--csv of three views: $(cat err)"
[ "$(grep '^[a-z]*: ' two | cut -d: -f1 | tr '\n' ' ')" = "sched cpus " ] || fail "--view sched,cpus as text: whose rows are they? $(head -1 two)"
run 0 two report "$t" --view sched
grep -q '^sched: ' two && fail "--view sched: a title over what was asked for alone"

# Narrowed, it says so; and --from --to hold what ended within.
run 0 some report "$t" --view syscalls -p 415 -m 1 --json
tail -1 some | grep -q '"filters":"-p 415 -m 1"' || fail "filters: $(tail -1 some)"
run 0 some syscalls -i "$t" --from 0.05 --to 0.1 --json
python3 - some <<'PY' || fail "--from --to"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
begin = 39970034785 # the first event, as `trace-cmd report -t` has it
assert len(rows) > 30
for row in rows[:-1]:
    assert begin + 50_000_000 <= row["end_ns"] <= begin + 100_000_000, row
PY
run 0 same syscalls -i "$t" --from @40.020034785 --to @40.070034785 --json
sed 's/"filters":"[^"]*"//' some >a; sed 's/"filters":"[^"]*"//' same >b
cmp -s a b || fail "--from @TIME is not --from TIME"
# Before the end, which is 255.467 ms behind the begin; durations; and what has no wall clock says so, and what to do.
same_as() { # same_as VIEW "OPTIONS" "OPTIONS": the same rows and data quality
	# shellcheck disable=SC2086 # options are words
	{ run 0 a "$1" -i "$t" --json $2; run 0 b "$1" -i "$t" --json $3; }
	sed -i 's/"filters":"[^"]*"//' a b
	cmp -s a b || fail "$1: $2 is not $3"
}
same_as sched "--from 0.05 --last 50ms" "--from 0.05 --to 0.1"
same_as syscalls "--to 0.1 --last 50ms" "--from 0.05 --to 0.1"
same_as sched "--last 100ms" "--from -100ms"
same_as cpus "--from -200ms --to -0.1" "--to -100ms --last 100ms"
"$ringside" sched -i "$t" --from 14:03:10 >none 2>err && fail "--from TIME OF DAY: of a recording that does not say it"
grep -q "^ringside: --from: it is not recorded what time of day it was (say seconds since the begin, as --from 1.5, or before the end, as --from -10s)$" err ||
	fail "--from TIME OF DAY: $(cat err)"
"$ringside" cpus -i "$t" --from 100 >none 2>err || fail "--from past the end: status $?"
run 0 none cpus -i "$t" --from 0.1000001 --to 0.1000002
run 0 none cpus -i "$t" --from 0.2545 -C 1
"$ringside" cpus -i "$t" --from 100 --to 101 >none 2>err || fail "--from past the end: status $?"
grep -q "nothing was recorded from --from on: the last event is 0.255467 s behind the first" err || fail "--from past the end: $(cat err)"

# An expression leaves the rows of which it is true, by the reading of another language; of nothing known nothing is.
where() { # where VIEW EXPRESSION PYTHON: of the row r
	run 0 all "$1" -i "$t" --json
	run 0 some "$1" -i "$t" --json --where "$2"
	python3 - "$2" "$3" <<'PY' || fail "$1 --where $2"
import json, sys
rows = [json.loads(line) for line in open("all")][:-1]
some = [json.loads(line) for line in open("some")]
assert some[-1]["_meta"]["filters"] == "--where " + sys.argv[1], some[-1]
wanted = [r for r in rows if eval(sys.argv[2])]
assert 0 < len(wanted) < len(rows), f"{len(wanted)} of {len(rows)}: tells nothing"
assert some[:-1] == wanted, f"{len(some) - 1} rows, not {len(wanted)}"
PY
}
where sched 'delay_max_ns > 1ms && comm !~ K*' 'r["delay_max_ns"] is not None and r["delay_max_ns"] > 1e6 and r["comm"][0] not in "kK"'
where sched 'pid == 1 or not (switches >= 3)' 'r["pid"] == 1 or r["switches"] < 3'
where syscalls 'ret > 0 && lat_ns >= 1.5us' 'r["ret"] is not None and r["ret"] > 0 and r["lat_ns"] >= 1500'
where syscalls 'ret == - || ret == 0' 'r["ret"] in (None, 0)'
t=$traces/debian-6.1-amd64-mixed.dat
where syscalls 'errno != - and syscall ~ E' 'r["errno"] is not None and "e" in r["syscall"]'
t=$traces/debian-6.1-amd64-v6.dat
where iosnoop 'bytes >= 8KiB || type ~ w' 'r["bytes"] >= 8192 or "W" in r["type"]'
where cpus 'util_pct > 76.1%' 'r["util_pct"] > 76.1'
run 0 out sched -i "$t" -n 2 --where 'comm ~ kworker'
[ "$(grep -c '^kworker' out)" = 2 ] || fail "-n with --where: $(cat out)"
run 0 out runqlat -i "$t" --by comm --where 'comm ~ kworker/?:*'
[ "$(grep '^comm' out | grep -vc '^comm = kworker/.:')" = 0 ] && grep -q '^comm' out || fail "runqlat --where: $(cat out)"
run 0 out runqlat -i "$t" --by comm --where 'comm ~ kworker/?:*' --json
[ "$(tail -1 out | grep -o '"label":"[^"]*"' | grep -vc kworker/.:)" = 0 ] || fail "runqlat --where --json: $(tail -1 out)"

# The known tools' letters.
export RINGSIDE=$ringside
"$wrappers/iosnoop" --input "$t" -st >out 2>err || fail "iosnoop -st: $(cat err)"
head -1 out | grep -Eq '^ *START[^ ]* +END[^ ]* +COMM +PID +TYPE +DEV +BLOCK +BYTES +LATms$' || fail "iosnoop -st: $(head -1 out)"
"$wrappers/runqslower" --input "$t" -P 20000 --json >out 2>err || fail "runqslower: $(cat err)"
[ "$(grep -vc _meta out)" -gt 0 ] || fail "runqslower 20000: no rows"
python3 -c 'import json; assert all(r["lat_ns"] >= 20000000 for r in map(json.loads, open("out")) if "lat_ns" in r)' || fail "runqslower 20000"
for wrapper in runqlat biolatency syscall-latency offcputime; do
	"$wrappers/$wrapper" --input "$t" >out 2>err || fail "$wrapper: $(cat err)"
done
"$wrappers/syscount" --input "$t" -T 2 >out 2>err || fail "syscount: $(cat err)"
[ "$(head -3 out | tr -s ' ' | tr '\n' ' ')" = "SYSCALL CALLS write 412 read 403 " ] || fail "syscount: $(cat out)"
"$wrappers/syscount" --input "$t" -PT 2 >out 2>err || fail "syscount -P: $(cat err)"
[ "$(head -1 out | tr -s ' ')" = " PID COMM CALLS" ] && [ "$(wc -l <out)" = 4 ] || fail "syscount -P: $(cat out)"
for wrapper in "$wrappers"/*; do # -h: its own options, and no other
	"$wrapper" -h >out 2>err || fail "$wrapper -h: $(cat err)"
	grep -q "^usage: " out && grep -q "^  -h  *this help" out && ! grep -q -- "--buffer-size" out || fail "$wrapper -h: $(cat out)"
done

# The reader goes away in the middle: quietly.
"$ringside" syscalls -i "$t" 2>err | head -1 >out
[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s err ] || fail "| head: $(cat err)"

# A disk that is full is said, and is not success.
"$ringside" syscalls -i "$t" >/dev/full 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write the output: No space left on device" ] || fail "full: $(cat err)"

# What is wrong with the question.
refused() { # refused MESSAGE ARGUMENTS...
	local message=$1
	shift
	"$ringside" "$@" >out 2>err
	[ $? = 2 ] && [ "$(cat err)" = "ringside: $message" ] && [ ! -s out ] || fail "ringside $*: $(cat err)"
}
refused "unknown view 'shed': did you mean 'sched'?" report "$t" --view shed
refused "report: --queue does not apply to sched" report "$t" --view sched -Q
refused "report: --check verifies all invariants: without --view" report "$t" --check --view sched
refused "report: --columns needs one --view" report "$t" --columns comm
refused "report: --where needs one --view" report "$t" --where 'comm == x'
refused "--where: runqlat has one picture of all (with --by a picture for each key)" runqlat -i "$t" --where 'comm == x'
refused "--where: at 1: sched has no column 'p99' (did you mean 'delay_p99_ns'?)" sched -i "$t" --where 'p99 > 1ms'
refused "--where '': is empty" sched -i "$t" --where ''
refused "--where: at 10: '&&' or '||' is missing before '|' (text with blanks or signs: in quotes)" sched -i "$t" --where 'pid == 1 | (pid == 2)'
refused "--by 'lat': runqlat groups by comm, pid, tid, cgroup, unit, slice, container, pod" runqlat -i "$t" --by lat
refused "--by 'cgroup': a row of cpus is of no task (sched has rows of tasks)" cpus -i "$t" --by cgroup
refused "--by 'unit': a row of irqs is of no task (irqtime has rows of tasks)" irqs -i "$t" --by unit
refused "runqlat: -s does not apply here (see 'ringside help runqlat')" runqlat -i "$t" -s count
refused "sched: -I is for live capture, a recording is shown whole (or --from --to)" sched -i "$t" -I 1
refused "sched: --system is for live capture, a recording is shown whole (or -p)" sched -i "$t" --system
refused "sched: -d is for live capture (of a recording: --to)" sched -i "$t" -d 1
refused "sched: -I is for live capture, --from, --to and --last are for what has passed" sched --last 5s -I 1
refused "sched: --from, --to and --last are for a recording (-i FILE), or the daemon's window: not for a capture that begins now" sched --own --last 5s
for command in why findings; do
	refused "$command: --from, --to and --last are for a recording (-i FILE), or the daemon's window: not for a capture that begins now" $command --own --last 5s
done
refused "sched: a recording is read, no command is run ('ls')" sched -i "$t" -- ls
refused "sched: a recording is read, no command is run ('x')" sched -i "$t" x
refused "sched: '5' is no command (for so many seconds: -d 5)" sched 5
refused "sched: '$t' is no command (a recording: report $t)" sched "$t"
refused "record: '2.5' is no command (for so many seconds: -d 2.5)" record 2.5
for words in "doctor x" "status x" "cleanup x" "version x" "daemon x" "save x" "list views x"; do
	# shellcheck disable=SC2086
	refused "${words%% *}: 'x' is one word too many (see 'ringside help ${words%% *}')" $words
done
for command in doctor status cleanup version daemon save list help trace; do
	refused "$command: 'ls': it runs no command (see 'ringside help $command')" $command -- ls
done

# lines that come as things end, sorted at their end: the largest first, and reversed
for words in "lat_ns 41722818,7464308" "-lat_ns 202945,219359" "comm,bytes 3514938,2657285"; do
	run 0 sorted iosnoop -i "$t" -s "${words% *}" -n 2 --json
	got=$(sed -n 's/.*"lat_ns":\([0-9]*\).*/\1/p' sorted | paste -sd,)
	[[ $got = "${words#* }"* ]] || fail "iosnoop -s ${words% *}: $got"
done
run 0 meta iosnoop -i "$t" --csv=meta -q
[ "$(sed -n '/^$/,$p' meta | sed -n '2p;9p')" = "key,value
filters," ] || fail "--csv=meta: $(cat meta)"

# a filter that nothing passes says so, and what there is
noted() { # noted NOTE ARGUMENTS...
	local note=$1
	shift
	"$ringside" "$@" >out 2>err || fail "ringside $*: $(cat err)"
	[ "$(cat err)" = "ringside: note: $note" ] || fail "ringside $*: $(cat err)"
}
noted "iosnoop: none of 7 rows passes the filters: one has dev 259,0" iosnoop -i "$t" --dev 8,77
noted "iosnoop: none of 7 rows passes the filters: one has type RS" iosnoop -i "$t" --type read --dev 259:0
noted "no task was seen that passes -c nobody" sched -i "$t" -c nobody
noted "no task was seen that passes -p 999999" sched -i "$t" -p 999999
refused "--syscall 'raed': there is no such system call (did you mean 'read'?)" syscalls -i "$t" --syscall raed

# --syscall takes several: each has its row, and its calls
for call in openat close; do
	"$ringside" syscall-latency -i "$t" -q --by syscall --json --syscall openat,close | grep -q "\"syscall\":\"$call\"" ||
		fail "syscall-latency --syscall openat,close: no row of $call"
	"$ringside" syscalls -i "$t" -q --json --syscall openat,close | grep -q "\"syscall\":\"$call\"" ||
		fail "syscalls --syscall openat,close: no row of $call"
done

# a view's old name is taken until the next release
"$ringside" report -q "$t" --view irqvictims --json | grep -q '"view":"irqtime"' || fail "irqvictims is not irqtime any more"
refused "--type 'softriq': irqs has no such type, but irq,softirq (did you mean 'softirq'?)" irqs -i "$t" --type softriq

# of several views each note is said once; a recording of no command cannot be narrowed to it
noted "no task was seen that passes -c nobody" report "$t" --view sched,tasks,syscall-latency -c nobody
refused "--command: this recording was made of no command, or by a program that does not tell (-p narrows)" report "$t" --view sched --command

refused "tui: a recording or a command, not both ('$t' is taken for a recording)" tui "$t" -- ls

# the sums by stack are those of all, and a column of stacks is there only where it is asked for
stacks=$traces/debian-6.1-amd64-stacks.dat
for view in offcpu.total_ns syscall-latency.total_ns faults.user locks.contended; do
	"$ringside" "${view%.*}" -i "$stacks" --json --by pid >all && "$ringside" "${view%.*}" -i "$stacks" --json --by stack >parts || fail "$view"
	python3 - "${view#*.}" <<'EOF' || fail "$view by stack: $(head -c 300 parts)"
import json, sys
rows = {name: [row for row in map(json.loads, open(name)) if "_meta" not in row] for name in ("all", "parts")}
sums = {name: sum(row[sys.argv[1]] for row in rows[name]) for name in rows}
assert sums["all"] == sums["parts"] > 0, sums
assert any(row["stack"] for row in rows["parts"]) and not any("stack" in row for row in rows["all"])
EOF
done
"$ringside" offcpu -i "$stacks" -q --csv | grep -q stack && fail "offcpu --csv has a column of stacks"
"$ringside" offcpu -i "$t" --by stack >out 2>err
[ $? = 1 ] && grep -q "offcpu --by stack: no stacks were recorded" err || fail "offcpu --by stack without stacks: $(cat err)"
"$ringside" iosnoop -i "$stacks" --json --columns stack -q >out || fail "iosnoop --columns stack"
# a view of counts alone says why there are none
"$ringside" cgroups -i "$t" >out 2>err
grep -q "cgroups: this recording has no counts of control groups" err || fail "cgroups without counts: $(cat err)"
# whole stacks are written by their own view, too
for format in folded svg; do
	"$ringside" stacks -i "$stacks" -q -f $format >out && [ -s out ] && "$ringside" wait-stacks -i "$stacks" -q -f $format >whole || fail "-f $format"
	cmp out whole || fail "wait-stacks -f $format: not that of stacks"
done

# Of a recording of two seconds, when what the page says was found; in a shorter one it is all the same time.
run 0 page report "$traces/faults/stall.dat.xz"
tail -n 3 page >incidents
grep -Eq '^ +0\.018 +1\.79s  futex-lock +4 times, slowest 294ms: cart \(25232\) waits 94 % for ' incidents ||
	fail "report: no incident at its end: $(cat incidents)"
grep -q "^see: ringside findings --over-time -i .*stall.dat.xz$" incidents || fail "report: no command for more: $(cat incidents)"
run 0 page report "$t"
! grep -q INCIDENT page || fail "report: incidents of less than a second"

# the screen in a pipe, however it is asked for
export LINES=24 COLUMNS=80 XDG_CONFIG_HOME=$tmp
run 0 one tui -i "$t" --batch
for words in "$t --batch" "--batch $t" "--batch -i $t"; do
	# shellcheck disable=SC2086
	run 0 other $words
	[ "$(sed -n 2p other)" = "$(sed -n 2p one)" ] && grep -q "^Verdict" other || fail "ringside $words: $(head -3 other)"
done

finish "all passed"
