#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# names.sh - tasks that began before, during, and that ended within the capture bear their right names
. "$(dirname "$0")/../lib/live.sh"
need_tracing

# "pid=1 tid=2 name=HEX number=k" lines against the rows: each task by its tid, under its process, by its name.
compare() {
	"$python" - "${1:-out}" did <<'PY' || fail "names"
import json, re, sys
rows = {}
for line in open(sys.argv[1], "rb"):
    row = json.loads(line.decode("utf-8"))
    if "_meta" not in row:
        rows.setdefault(row["tid"], []).append(row)
told = re.findall(r"pid=(\d+) tid=(\d+) name=([0-9a-f]*) ", open(sys.argv[2]).read())
bad = 0 if told else 1
for pid, tid, name in told:
    name = bytes.fromhex(name).decode("utf-8", "replace")
    got = {(r["pid"], r["comm"]) for r in rows.get(int(tid), [])}
    if not (got and all(g[0] == int(pid) for g in got) and any(g[1] == name for g in got)):
        print("tid %s: expected %r of %s, got %r" % (tid, name, pid, got))
        bad += 1
print("%d tasks told, %d wrong" % (len(told), bad))
sys.exit(bad != 0)
PY
}

begin "processes and threads that begin and end within the capture"
run sched --json -- "$samples/spawn" -p 6 -t 4
fine
expect "told" 30 "$(wc -l <did)"
compare
expect "one row for each task" True "$(ask "len({r['tid'] for r in rows}) == len(rows)")"
expect "no task is without a name" "[]" "$(ask "[r for r in rows if not r['comm']]")"

begin "threads that began before it"
hold spawn -p 2 -t 5
start sched --json
release
end
fine
expect "told" 17 "$(grep -c ^pid did)"
compare
expect "threads under their process" 6 "$(ask "len(of(pid=$sample_pid))")"

begin "the same, narrowed to the process: its children and their threads too"
hold spawn -p 2 -t 5
start sched --json -p "$sample_pid"
release
end
fine
compare
expect "nobody else" True "$(ask "{r['comm'] for r in rows} <= {'spawn', *('before-%d' % k for k in range(5)), *('proc-%d' % i for i in range(2)), *('p-%d-t-%d' % (i, k) for i in range(2) for k in range(5))}")"

begin "names in a recording"
run record -q -o trace.dat -a sched -- "$samples/spawn" -p 3 -t 3
fine
"$ringside" report trace.dat --view sched --json >out || fail "report"
compare

begin "a narrowed capture of system calls"
hold spawn -p 2 -t 5
start syscalls --json -p "$sample_pid"
release
end
fine
compare

begin "a program takes another one's place: the name follows, the process stays"
run sched --json -- /bin/sh -c 'echo $$ >pid; exec "$0" -n 3' "$samples/sleeper"
fine
expect "name" "[('sleeper', $(cat pid))]" "$(ask "[(r['comm'], r['pid']) for r in of(tid=$(cat pid))]")"

begin "names that must not reach a terminal, JSON or CSV as they are"
run syscalls --json -- "$samples/spawn" -h -p 3 -t 8
fine
compare
"$python" - out <<'PY' || fail "control characters in JSON"
import sys
data = open(sys.argv[1], "rb").read()
data.decode("utf-8")
sys.exit(any(b < 32 and b != 10 or b == 127 for b in data))
PY
raw() { # raw FILE: what a terminal would obey, or no UTF-8
	"$python" - "$1" <<'PY' || fail "raw bytes in $1"
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8")
bad = {c for c in text if c != "\n" and (unicodedata.category(c) == "Cc" or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")}
print("characters:", bad)
sys.exit(bool(bad))
PY
}
run record -q -o trace.dat -- "$samples/spawn" -h -p 3 -t 8
fine
for view in sched syscalls syscall-latency timehist runqlat; do
	[ $view = runqlat ] && by="--by comm" || by=
	# shellcheck disable=SC2086 # two words, or none
	"$ringside" $view -i trace.dat $by >text 2>err || fail "$view: $(cat err)"
	raw text
	# shellcheck disable=SC2086
	"$ringside" $view -i trace.dat $by --csv >csv 2>err || fail "$view: $(cat err)"
	raw csv
	"$python" - csv <<'PY' || fail "$view: CSV rows of unequal length"
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
sys.exit(len(rows) < 2 or len({len(r) for r in rows}) != 1)
PY
done
"$ringside" report trace.dat >text 2>err || fail "report: $(cat err)"
raw text
"$ringside" sched -i trace.dat -c "$(printf '\033[2J')*" --json >out 2>err || fail "-c: $(cat err)"
raw out

begin "command lines in a recording, and none with --no-args"
args() {
	"$python" - trace.dat "$1" <<'PY'
import json, sys
data = open(sys.argv[1], "rb").read()
trailer = json.loads(data[-16 - int.from_bytes(data[-16:-8], "little"):-16])
print([row[2] for row in trailer.get("args", []) if row[0] == int(sys.argv[2])])
PY
}
hold spawn -p 1 -t 1
start record -q -o trace.dat -e sched_process_exec
end
fine
expect "of a process that lives" "['$samples/spawn -w -p 1 -t 1']" "$(args "$sample_pid")"
start record -q -o trace.dat -e sched_process_exec --no-args
end
expect "without" "[]" "$(args "$sample_pid")"
release

finish
