#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# save.sh - the flight recorder: what was done before anybody asked is in the file, by whatever program reads it
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
# On a machine where others do millions of calls a second the window may move on before it is asked for: once more then.
sleep_some() { # -> slept, and the times before and after
	client 'c = Client(path); print(c.ask("state")["now_ns"])' >from
	sample sleeper -n 200 -t 1000 >did
	slept=$(sed 's/^pid=\([0-9]*\) .*/\1/' did)
	# what has just ended is known some ten milliseconds later
	client 'import time
at = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
c = Client(path)
while c.ask("state")["now_ns"] < at: time.sleep(0.01)
print(c.ask("state")["now_ns"])' >now
}
tried() {
	local i got
	for i in 1 2 3 4 5; do
		sleep_some
		got=$("$@")
		[ "$got" = 200 ] && return
	done
	fail "$*: expected 200, got $got: $(head -c 300 err)"
}

rows_of_the_past() {
	client "c = Client(path); r = c.ask('rows', view='syscalls', from_ns=$(cat from), to_ns=$(cat now), limit=1,
		where='tid == $slept && syscall == clock_nanosleep'); print(r.get('total', r))"
}
in_a_part() {
	client "c = Client(path); f = open('part', 'wb'); print(c.ask('save', fds=(f.fileno(),), format='trace.dat',
		from_ns=$(cat from), to_ns=$(cat now)))" >said 2>&1
	finds "'ok': True\|gone" said
	"$ringside" report part --view syscalls -p "$slept" --json >rows 2>err
	grep -c '"syscall":"clock_nanosleep"' rows
}
in_a_recording() {
	asked save -o saved.dat --last 6
	"$ringside" report saved.dat --view syscalls -p "$slept" --json 2>/dev/null >rows
	grep -c '"comm":"sleeper".*"syscall":"clock_nanosleep"' rows
}
by_trace_cmd() { # which finds nothing to warn of, and knows the name though it is in no event
	asked save -o saved.dat --last 6
	trace-cmd report -i saved.dat >report 2>warned
	[ -s warned ] && fail "trace-cmd: $(head -3 warned)"
	grep "sleeper-$slept " report | grep -c 'sys_enter: *NR 230 '
}
in_rows() {
	asked save -f json -o saved.json --last 6
	grep '^{"_view":"syscalls"' saved.json | grep "\"tid\":$slept," | grep -c '"clock_nanosleep"'
}
in_csv() { # what begins with a view's name is a table of its own
	asked save -o saved.csv --last 6 # by its name
	grep '^syscalls,' saved.csv >calls.csv
	"$python" -c "import csv; print(sum(r['tid'] == '$slept' and r['syscall'] == 'clock_nanosleep'
		for r in csv.DictReader(open('calls.csv'))))"
}
in_chrome() {
	asked save -o saved.json --last 6
	"$python" -c "import json; print(sum(e.get('tid') == $slept and e['name'] == 'clock_nanosleep' and e['ph'] in 'XB'
		for e in json.load(open('saved.json'))['traceEvents']))"
}
by_export() { # of the whole window, with a recording's filters
	asked export --daemon -p "$slept" -o exported.json
	"$python" -c "import json; print(sum(e.get('tid') == $slept and e['name'] == 'clock_nanosleep' and e['ph'] in 'XB'
		for e in json.load(open('exported.json'))['traceEvents']))"
}

in_each_format() { # save and export --daemon are one: the same time range gives the same rows
	local range
	range="--from @$(ns_s "$(cat from)") --to @$(ns_s "$(cat now)")"
	# shellcheck disable=SC2086 # two options
	asked save -o saved.db -p "$slept" $range
	finds "saved.db: .*, [0-9]* events" err
	sqlite3 saved.db 'select count(*) from syscalls where syscall = "clock_nanosleep"'
}
ns_s() { awk -v ns="$1" 'BEGIN { printf "%d.%09d", ns / 1000000000, ns % 1000000000 }'; }

begin_daemon "the past" -a syscalls
tried rows_of_the_past
tried in_a_part
"$python" - "$(cat now)" <<'END' || fail "a call that ended later is in the part"
import json, sys
ends = [r["start_ns"] + r["lat_ns"] for r in map(json.loads, open("rows")) if "start_ns" in r]
sys.exit(not ends or max(ends) > int(sys.argv[1]))
END
tried in_a_recording
finds "saved.dat: .*, [0-9]* events" err
! command -v trace-cmd >/dev/null || [ "$(uname -m)" != x86_64 ] || tried by_trace_cmd
tried in_rows
tried in_csv
tried in_chrome
tried by_export
! command -v sqlite3 >/dev/null || tried in_each_format

test="the options of export"
asked save -o narrowed.json.gz -p "$slept" -C 0-63 --last 6
expect "exit status" 0 "$status"
finds "^ringside: narrowed.json.gz: .*iB, [0-9]* events" err
gzip -dc narrowed.json.gz | grep -q '"ringside_filters":"-p '"$slept" || fail "-p is not in narrowed.json.gz"
asked save -o cpu.dat -C 0 --last 6
expect "exit status" 0 "$status"
"$ringside" report cpu.dat --view cpus --json >rows 2>err
grep -q '"cpu":0.*"switches":[1-9]' rows && ! grep -q '"cpu":[1-9].*"switches":[1-9]' rows || fail "-C 0 has others: $(cat rows)"
for options in "-f json -p 1/--pid is not for rows" "-o x.csv --gzip/--gzip is not for rows" "-o x.html --compat/--compat is for chrome, not for html"; do
	# shellcheck disable=SC2086 # several words
	asked save ${options%%/*}
	expect "exit status of ${options%%/*}" 2 "$status"
	finds "${options#*/}" err
done
asked save -o quiet.db --last 6 -q
expect "-q says" "" "$(cat err)"

test="where it cannot be"
client 'c = Client(path); print(c.ask("save", format="pdf"))' >said 2>&1
finds "'usage'" said
client 'c = Client(path); print(c.ask("save", format="json"))' >said 2>&1
finds "no descriptor" said
asked save -o saved.txt
expect "a name that says nothing of the format" 2 "$status"
finds "what format is 'saved.txt'" err
[ ! -e saved.txt ] || fail "it wrote saved.txt"
asked save -o /dev/full -f json
[ "$status" = 1 ] || fail "saved to a full disk: $status"
finds "cannot write '/dev/full': No space" err
asked status
fine
end_daemon
expect "exit status" 0 "$status"
finish
