#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export.sh - the command line of export: what it writes is whole, or it is said why not
#
# Usage: tests/cli/export.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"

run() { # run STATUS STDERR ARGUMENTS...: what comes on standard output is in out
	local status=$1 message=$2 got
	shift 2
	"$ringside" "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$status" ] || fail "ringside $*: status $got, not $status: $(head -3 err)"
	! said "$@" || sed -i '1d' err
	[ "$(cat err)" = "$message" ] || fail "ringside $*: wanted '$message', came '$(head -3 err)'"
}
said() { # the line on a file that was written: its name, its size unless it is a pipe, and how many events
	local words="$*" name
	name=${words##*-o }
	name=${name%% *}
	grep -qE "^ringside: $name: ([0-9.]+[KM]?i?B, )?[0-9]+ events(\$|; left out for --max-size: )" <(head -1 err)
}
refused() { run 2 "$@"; [ ! -s out ] || fail "${*:2}: something on standard output"; }
whole() { # whole FILE [EXPRESSION]: it is JSON by a strict reader, and what is said of it holds
	python3 - "$@" <<'PY' || fail "$1: ${2-not whole}"
import json, sys
def strict(name):
    raise ValueError(name)
d = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"), parse_constant=strict)
events, meta, text = d["traceEvents"], d["metadata"], d.get("systemTraceEvents", "")
assert [k for k in d if k != "stackFrames"][:2] == ["traceEvents", "metadata"] and set(d) <= {"traceEvents", "metadata", "systemTraceEvents", "stackFrames"}
def count(ph, **keys):
    return sum(1 for e in events if e["ph"] == ph and all(e.get(k) == v for k, v in keys.items()))
if len(sys.argv) > 2:
    assert eval(sys.argv[2]), (len(events), meta)
PY
}

t=$traces/debian-6.1-amd64-v6.dat

# Every recording, both ways; the scheduling is in one of the two forms, never in both.
for trace in "$traces"/*.dat; do
	name=$(basename "$trace" .dat)
	"$ringside" export "$trace" -q >plain 2>err || fail "$name: $(cat err)"
	whole plain 'count("T", name="Running") > 10 and not text'
	"$ringside" export "$trace" --compat -q >compat 2>err || fail "$name --compat: $(cat err)"
	whole compat 'count("T") == 0 and text.count("sched_switch") > 10'
	# one line that a reader's pattern does not take ends its whole load
	python3 - compat <<'PY' || fail "$name --compat: a line that viewers refuse"
import json, re, sys
line = re.compile(r"[!-~]+-\d+ \[\d{3}\] \.\.\.\. \d+\.\d{9}: (sched_switch: prev_comm=[!-~]+ prev_pid=\d+ prev_prio=\d+ "
                  r"prev_state=[RSDTtXZPI] ==> next_comm=[!-~]+ next_pid=\d+ next_prio=\d+|"
                  r"sched_waking: comm=[!-~]+ pid=\d+ prio=\d+ target_cpu=\d{3})")
d = json.load(open(sys.argv[1]))
lines = d["systemTraceEvents"].split("\n")
named = {e["tid"] & 0x3fffff for e in d["traceEvents"] if e["name"] == "thread_name"} | {0}
assert lines[0] == "# tracer: nop" and lines[-1] == "", lines[0]
assert "trace_event_clock_sync: parent_ts=0" in lines[1], lines[1]
for l in lines[2:-1]:
    assert line.fullmatch(l) and l[0] != "#", l
    assert l.startswith("<idle>-0 [") or not re.match(r"[!-~]+-0 \[", l), l
    tid = re.search(r"next_pid=(\d+)", l)
    assert not tid or int(tid[1]) in named, ("no name of", l)
PY
done

# One thing by every way.
run 0 "" export "$t"
mv out first
for way in "-i $t" "$t -f chrome" "$t -o -"; do
	# shellcheck disable=SC2086 # several words
	run 0 "" export $way
	cmp -s out first || fail "export $way: other bytes"
done
cp "$t" trace.dat
run 0 "" export
cmp -s out first || fail "export of trace.dat by default: other bytes"
mkfifo pipe
cat pipe >through & run 0 "" export "$t" -o pipe
wait $!
cmp -s through first || fail "-o FIFO: other bytes"

# What was there is replaced, whole, and stays its owner's.
head -c 5000000 /dev/zero >there
chmod 640 there
run 0 "" export "$t" -o there
cmp -s there first && [ "$(stat -c %a there)" = 640 ] && [ ! -s out ] || fail "-o over a file that is there"
ln -s target link
run 0 "" export "$t" -o link
"$ringside" export "$t" -o link 2>err && said -o link || fail "no line says what was written: $(cat err)"
"$ringside" export "$t" -o link -q 2>err && [ ! -s err ] || fail "-q: $(cat err)"
cmp -s target first || fail "-o a link whose target is not there"
if [ "$(id -u)" = 0 ]; then
	SUDO_UID=65534 SUDO_GID=65534 "$ringside" export "$t" -q -o mine || fail "as sudo"
	SUDO_UID=65534 SUDO_GID=65534 "$ringside" export "$t" -q -o there || fail "as sudo, over a file"
	[ "$(stat -c %u:%g mine)" = 65534:65534 ] || fail "a file made under sudo belongs to $(stat -c %u mine)"
	[ "$(stat -c %u there)" = 0 ] || fail "a file that was there has changed hands"
fi

# Narrowed, and said so.
run 0 "" export "$t" -p 415
whole out 'meta["ringside_filters"] == "-p 415" and len(events) > 10'
run 0 "" export "$t" --from 0.05 --to 0.1
# a state that lasts on is drawn from its begin
whole out 'all(e["ts"] + e.get("dur", 0) >= 49999 and e["ts"] <= 100000.001 for e in events if e["ph"] in "XTC")'
[ "$(wc -c <out)" -lt "$(wc -c <first)" ] || fail "--from --to narrows nothing"
run 0 "" export "$t" -a syscalls
whole out 'count("X", cat="syscall") > 100 and count("b") == 0'
run 0 "" export "$t" --from 1000
whole out

# Where a critical path leads to tasks that are left out they have names; and each end of a flow is in a slice, where events were lost, too.
named='{e["pid"] for e in events if e["ph"] in "XTisf"} <= {e["pid"] for e in events if e["name"] == "process_name"}'
in_slice='all(any(x["pid"] == e["pid"] and x["tid"] == e["tid"] and x["ts"] - 0.001 <= e["ts"] <= x["ts"] + x["dur"] + 0.001
	for x in events if x["ph"] == "X") for e in events if e.get("cat") == "wake" and 190000 < e["ts"] < 192000)'
run 0 "" export "$traces/debian-6.1-amd64-mixed.dat" -p 359
whole out "$named and count('X', cat='critical-path') > 1"
run 0 "" export "$traces/debian-6.1-amd64-lost.dat"
whole out "$named and count('s', cat='wake') == count('f', cat='wake') > 900 and $(tr -d '\n' <<<"$in_slice")"
run 0 "" export "$traces/debian-6.1-amd64-lost.dat" -a irqs
whole out 'count("X", cat="syscall") == count("s", cat="wake") == 0 < count("X", cat="irq")'

# Where the recording ends too early the output ends well, and the status tells.
for bytes in 0 10 5000; do
	head -c $bytes "$t" >cut.dat
	"$ringside" export cut.dat -o cut.json 2>err
	[ $? = 1 ] && [ ! -e cut.json ] && [ "$(wc -l <err)" = 1 ] || fail "cut after $bytes: $(cat err)"
done
size=$(stat -c %s "$t")
for part in 60 75 90; do
	head -c $((size * part / 100)) "$t" >cut.dat
	"$ringside" export cut.dat -o cut.json 2>err
	[ $? -le 1 ] || fail "cut at $part %: $(cat err)"
	[ ! -e cut.json ] || whole cut.json
	"$ringside" export cut.dat --compat >cut.out 2>err
	[ $? -le 1 ] || fail "cut at $part %, --compat: $(cat err)"
	[ ! -s cut.out ] || whole cut.out
	rm -f cut.json
done
# the middle spoilt
{ head -c $((size / 2)) "$t"; head -c 65536 /dev/urandom; tail -c +$((size / 2 + 65537)) "$t"; } >spoilt.dat
"$ringside" export spoilt.dat --compat >out 2>err
[ $? -le 1 ] || fail "spoilt: $(cat err)"
[ ! -s out ] || whole out

# An output that takes no more.
"$ringside" export "$t" >/dev/full 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write the output: No space left on device" ] || fail "full: $(cat err)"
run 1 "ringside: cannot write '/dev/full': No space left on device (it is not whole)" export "$t" -o /dev/full
run 1 "ringside: cannot write 'no/such.json': No such file or directory (name another file)" export "$t" -o no/such.json
run 1 "ringside: cannot write '.': Is a directory (name another file)" export "$t" -o .
"$ringside" export "$t" 2>err | head -1 >out
[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s err ] || fail "| head: $(cat err)"
head -1 pipe >out & run 0 "" export "$t" -o pipe
wait $!

# A full disk, or Ctrl-C in the middle: what was there stays, and nothing remains beside it.
mkdir small; echo before >small/there
bash -c 'trap "" XFSZ; ulimit -f 40; exec "$@"' - "$ringside" export "$t" -o small/there 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write 'small/there': File too large (nothing was written)" ] || fail "too large: $(cat err)"
for try in {1..40}; do # the export takes a tenth of a second
	"$ringside" export "$traces/debian-6.1-amd64-mixed.dat" -o small/there 2>err & exporter=$!
	while [ "$(ls small | wc -l)" = 1 ] && kill -0 $exporter 2>/dev/null; do :; done
	kill -INT $exporter
	wait $exporter
	interrupted=$?
	[ $interrupted = 0 ] || break
	echo before >small/there
done
[ $interrupted = 1 ] && [ "$(cat err)" = "ringside: export: interrupted (nothing was written)" ] || fail "Ctrl-C: status $interrupted: $(cat err)"
[ "$(ls small)" = there ] && [ "$(cat small/there)" = before ] || fail "full or interrupted: $(ls -l small)"

# Compressed it is the same; limited it is smaller, whole, and says what it left out.
run 0 "" export "$t" --gzip
gzip -dc out | cmp -s - first || fail "--gzip: other bytes"
run 0 "" export "$t" -o first.json.gz
gzip -dc first.json.gz | cmp -s - first || fail ".gz: other bytes"
run 0 "" export "$t" --max-size 1G
cmp -s out first || fail "--max-size with room for all: other bytes"
"$ringside" export "$t" --max-size 200K -o limited.json 2>err || fail "--max-size: $(cat err)"
said -o limited.json && grep -q "; left out for --max-size: .* of .* syscall (shorter than " err || fail "--max-size says: $(cat err)"
size=$(stat -c %s limited.json)
[ "$size" -le 204800 ] && [ "$size" -gt 160000 ] || fail "--max-size 200K: $size"
whole limited.json '(meta["ringside_left_out"]["wake"]["written"], count("s", cat="wake")) == (0, 0)'
whole limited.json 'count("X", cat="syscall") == meta["ringside_left_out"]["syscall"]["written"]'
refused "ringside: --max-size: not for --compat (its text has every switch)" export "$t" --max-size 1M --compat
gz="chrome, perfetto, html"
refused "ringside: --max-size is for chrome, not for perfetto" export "$t" --max-size 1M -o x.pftrace
for format in perfetto trace.dat ctf sqlite html clickhouse replay asciicast; do
	refused "ringside: --compat is for chrome, not for $format" export "$t" --compat -f $format -o x
done
refused "ringside: --gzip is for $gz, not for trace.dat" export "$t" --gzip -f trace.dat
refused "ringside: 'x.db.gz' would be compressed: --gzip is for $gz, not for sqlite" export "$t" -o x.db.gz
refused "ringside: what format is 'x.unknown'? (.json (chrome), .pftrace .perfetto-trace (perfetto), .dat (trace.dat), .ctf (ctf), .db .sqlite (sqlite), .html .htm (html), .svg (replay), .cast (asciicast); or name one with -f)" \
	export "$t" -o x.unknown
for name in x.pftrace x.dat x.ctf x.db x.html x.svg x.cast "x -f clickhouse"; do
	# shellcheck disable=SC2086 # an option behind the name
	"$ringside" export "$t" -o $name 2>err && said -o $name && [ "$(wc -l <err)" = 1 ] || fail "-o $name says: $(cat err)"
	rm -r x*
done
refused "ringside: --max-size '5': not a size from 4K to 1T (write it as 256M)" export "$t" --max-size 5

# Each help lists the formats that there are, and the formats that an option is for.
formats=$("$ringside" list formats --csv | sed '1,/^csv,/d; s/,.*//' | paste -sd, | sed 's/,/, /g')
for command in export record save; do
	rest=
	[ $command != save ] || rest=", json, csv"
	"$ringside" help $command >help
	grep -q "^  -f, --format FORMAT  *write this format: $formats$rest\$" help || fail "$command --help: $(grep -e --format help)"
	grep -q -e "--gzip .* ($gz)\$" help && grep -q -e "--max-size SIZE .* (chrome)\$" help || fail "$command --help: which formats?"
done
"$ringside" help ship | grep -q -e "--max-size SIZE .*spool grows" || fail "ship --help: --max-size is not the spool's"
"$ringside" help profile | grep -q "write this format: folded or svg" || fail "profile --help: formats"

# What is wrong with the question; the output that is there is not touched.
echo keep >keep
refused "ringside: unknown format 'chrom'; did you mean 'chrome'?" export "$t" -f chrom -o keep
refused "ringside: unknown format 'xyzzy' (\"ringside list formats\" names them; a view writes rows: ringside VIEW -i FILE --csv, or --json)" export "$t" -f xyzzy -o keep
refused "ringside: export: 'b' is one file too many beside -i (name all files without -i)" export -i "$t" b -o keep
refused "ringside: export: 'ls': it runs no command (see 'ringside help export')" export "$t" -o keep -- ls
refused "ringside: unknown analysis 'syscals' (did you mean 'syscalls'?)" export "$t" -a syscals -o keep
refused "ringside: export: --json does not apply here (see 'ringside help export')" export "$t" --json -o keep
refused "ringside: 'trace.dat' is what is read: name another file to write to" export trace.dat -o trace.dat
ln trace.dat other.dat
refused "ringside: 'other.dat' is what is read: name another file to write to" export trace.dat -o other.dat
cmp -s trace.dat "$t" || fail "the recording was written to"
run 1 "ringside: cannot open 'no.dat': No such file or directory" export no.dat -o keep
[ "$(cat keep)" = keep ] || fail "a wrong question emptied the output"

finish "all passed"
