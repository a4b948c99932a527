#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ctf.sh - `export -f ctf`: a strict reader of our own, and babeltrace2, read each recording, and both count what ringside counts
#
# Usage: tests/consumers/ctf.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
check=$root/tests/lib/ctf.py

to_ctf() { # to_ctf OPTIONS...: to the folder ctf, without a word
	rm -rf ctf
	"$ringside" export "$@" -f ctf -o ctf -q 2>err </dev/null && [ ! -s err ] || fail "export $*: $(cat err)"
	python3 "$check" ctf >checked 2>err || fail "export $*: $(cat err)"
}

# What both readers must say: the names and the sum of events, the lost ones (not counted: one at least), and in each event
# what trace-cmd prints of it.
cat >same.py <<'PY'
"""same.py CHECKED EVENTS.json REPORT [BABELTRACE]: is it all the same?"""
import json, re, sys
checked = json.load(open(sys.argv[1]))
rows = [json.loads(line) for line in open(sys.argv[2])]
meta = next(r["_meta"] for r in rows if "_meta" in r)
SPECIAL = {"net:netif_receive_skb": "net_if_receive_skb", "net:netif_rx": "net_if_rx", "kvm:kvm_entry": "kvm_x86_entry", "kvm:kvm_exit": "kvm_x86_exit"}
PREFIX = {"exceptions": "x86_exceptions", "irq_vectors": "x86_irq_vectors", "vmscan": "mm_vmscan"}
def lttng(event):
    system, name = event.split(":", 1)
    prefix = PREFIX.get(system, system)
    return SPECIAL.get(event) or (name if name.startswith(prefix + "_") else prefix + "_" + name)
def one_name(events): # calls have a name each
    out = {}
    for name, nr in events.items():
        m = re.match(r"(?:compat_)?syscall_(entry|exit)_", name)
        name = {"entry": "raw_syscalls_sys_enter", "exit": "raw_syscalls_sys_exit"}[m[1]] if m else name
        if not name.startswith("lttng_statedump"):
            out[name] = out.get(name, 0) + nr
    return out
wanted = {}
for r in rows:
    if "event" in r:
        wanted[lttng(r["event"])] = wanted.get(lttng(r["event"]), 0) + r["count"]
assert one_name(checked["events"]) == wanted, set(one_name(checked["events"]).items()) ^ set(wanted.items())
assert sum(wanted.values()) == meta["events"] > 0
lost = sum(nr or 0 for nr in meta["lost_by_cpu"]) + meta["gaps_uncounted"]
assert sum(checked["lost"].values()) == lost, (checked["lost"], lost)
assert checked["most"] <= 1 << 17, checked["most"]
env = checked["env"]
assert env["domain"] == "kernel" and env["tracer_name"] == "lttng-modules" and (env["tracer_major"], env["tracer_minor"]) >= (2, 9)
if len(sys.argv) < 5:
    sys.exit()

# babeltrace2: as many of each, and its own count of the lost ones
LINE = re.compile(r'\[(\d+)\.(\d{9})\] \(.*?\) (?:\S+ )?(\S+): \{ cpu_id = (\d+) \}, \{ tid = (-?\d+) \}, \{ ?(.*?) ?\}$')
counts, events = {}, []
for line in open(sys.argv[4], encoding="utf-8"):
    m = LINE.match(line)
    assert m, line
    counts[m[3]] = counts.get(m[3], 0) + 1
    events.append((int(m[1] + m[2]), int(m[4]), m[3], dict(re.findall(r'(\w+) = ("(?:[^"\\]|\\.)*"|[^,]*)', m[6]))))
assert counts == checked["events"], set(counts.items()) ^ set(checked["events"].items())
told = re.findall(r"WARNING: Tracer discarded (\d+) events? between", open(sys.argv[4] + ".err").read())
assert sum(map(int, told)) == lost and len(told) == open(sys.argv[4] + ".err").read().count("WARNING"), (told, lost)

# the fields, as trace-cmd prints them
BITS = {"W": 1, "D": 2, "R": 4, "A": 8, "S": 32, "M": 64, "F": 512}
def bits(rwbs):
    flush = 1024 if rwbs[0] == "F" and rwbs[1:2] in tuple("WDRNF") and len(rwbs) > 1 else 0
    rest = rwbs[1:] if flush else rwbs
    return flush | (256 if rest[0] == "F" else BITS.get(rest[0], 0)) | sum(BITS[c] for c in rest[1:])
abits = 32 if env["architecture"] in ("i386", "i686") else 64
readers = {
    "sched_switch": (r".*:(\d+) \[(\d+)\] \S+ ==> .*:(\d+) \[(\d+)\]", lambda m: {"prev_tid": m[1], "prev_prio": int(m[2]) - 100, "next_tid": m[3], "next_prio": int(m[4]) - 100}),
    "sched_waking": (r"comm=.* pid=(\d+) prio=(\d+) (?:success=1 )?target_cpu=(\d+)", lambda m: {"tid": m[1], "prio": int(m[2]) - 100, "target_cpu": int(m[3])}),
    "block_rq_issue": (r"(\d+),(\d+) (\S+) (\d+) \(.*?\) (\d+) \+ (\d+)", lambda m: {"dev": int(m[1]) << 20 | int(m[2]), "rwbs": bits(m[3]), "sector": m[5], "nr_sector": m[6]}),
    "sched_process_fork": (r"comm=.* pid=(\d+) child_comm=.* child_pid=(\d+)", lambda m: {"parent_tid": m[1], "child_tid": m[2]}),
    "softirq_entry": (r"vec=(\d+)", lambda m: {"vec": m[1]}),
    "sys_exit": (r"NR (-?\d+) = (-?\d+)", lambda m: {"ret": m[2]} if int(m[2]) < 1 << 31 or abits == 64 else {"ret": int(m[2]) - (1 << 32)}),
}
by_place = {}
for e in events:
    by_place.setdefault((e[0], e[1]), []).append(e)
nr = 0
for line in open(sys.argv[3], encoding="utf-8", errors="surrogateescape", newline="\n"):
    m = re.match(r"^\s*.*-\d+\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\w+):\s*(.*)$", line.rstrip("\n"))
    if not m or m[4] not in readers:
        continue
    there = by_place[int(m[2] + m[3]), int(m[1])]
    text = re.match(readers[m[4]][0], m[5])
    if not text:
        continue
    wanted = {key: str(value) for key, value in readers[m[4]][1](text).items()}
    assert any(wanted.items() <= e[3].items() for e in there), (line, there)
    nr += 1
assert nr > 100, nr
PY
reader=
command -v babeltrace2 >/dev/null && reader=babeltrace2
nr=0
for trace in "$traces"/*.dat; do
	name=$(basename "$trace" .dat)
	to_ctf "$trace"
	"$ringside" events -i "$trace" --self --json >events 2>/dev/null
	zcat "$traces/$name.report.gz" >report
	if [ -n "$reader" ]; then
		babeltrace2 --clock-seconds ctf >bt 2>bt.err || fail "$name: babeltrace2: $(tail -3 bt.err)"
	fi
	python3 same.py checked events report ${reader:+bt} || fail "$name"
	nr=$((nr + 1))
done

# A time range, and a CPU; the tasks that were there before, of a recording of ringside's own.
t=$traces/debian-6.1-amd64-v6.dat
to_ctf "$t" --from 0.05 --to 0.1 -C 1
[ "$(ls ctf)" = "channel0_1
metadata" ] || fail "-C 1: $(ls ctf)"
[ "$("$ringside" events -i "$t" --self --from 0.05 --to 0.1 -C 1 --json 2>/dev/null | grep -o '"events":[0-9]*')" = \
	"\"events\":$(python3 -c 'import json; print(sum(n for k, n in json.load(open("checked"))["events"].items() if "statedump" not in k))')" ] || fail "a time range: $(cat checked)"
grep -q '"event": "lttng_statedump_process_state"' checked || fail "no tasks at the begin of a time range"

# Nothing at all.
to_ctf "$t" --from 1000
[ "$(ls ctf)" = metadata ] || fail "nothing: $(ls ctf)"

# Ten seconds without an event, which 32 bits of ns do not hold; and times of one CPU that step back.
python3 - "$t" <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
table = data.index(b"flyrecord\0") + 10
page_bytes, = struct.unpack_from("<I", data, 14)
offset, size = struct.unpack_from("<QQ", data, table)
def moved(page, by):
    out = bytearray(data)
    struct.pack_into("<Q", out, page, struct.unpack_from("<Q", out, page)[0] + by)
    return out
open("late.dat", "wb").write(moved(offset + size - page_bytes, 10 ** 10))
open("back.dat", "wb").write(moved(offset + page_bytes, -10 ** 6))
PY
for moved in late back; do
	to_ctf $moved.dat
	"$ringside" events -i $moved.dat --self --json >events 2>/dev/null
	rm -f bt
	if [ -n "$reader" ]; then
		babeltrace2 --clock-seconds ctf >bt 2>bt.err || fail "$moved: babeltrace2: $(tail -3 bt.err)"
	fi
	python3 - checked events $reader <<'PY' || fail "$moved: other times"
import json, re, sys
checked, rows = json.load(open(sys.argv[1])), [json.loads(line) for line in open(sys.argv[2])]
last = max(r["last_ns"] for r in rows if "event" in r)
assert checked["last"] == last, (checked["last"], last)
assert sum(checked["events"].values()) == sum(r["count"] for r in rows if "event" in r) + 2
if len(sys.argv) > 3:
    assert max(int(re.match(r"\[(\d+)\.(\d{9})\]", l).expand(r"\1\2")) for l in open("bt")) == last
PY
done

# Hostile: names that are no UTF-8, a field named by a keyword, what is cut off or spoilt.
python3 - "$t" <<'PY'
import re, sys
data = open(sys.argv[1], "rb").read()
body = data.index(b"flyrecord")
open("names.dat", "wb").write(data[:body] + data[body:].replace(b"ping\0", b"\xff\xc3\"\n\0"))
open("keyword.dat", "wb").write(data.replace(b"field:int prio;", b"field:int enum;").replace(b"target_cpu;", b"signed;    "))
size = len(data)
open("cut.dat", "wb").write(data[:size * 3 // 4])
import random
random.seed(14)
for n in range(6):
    spoilt = bytearray(data)
    for _ in range(40):
        at = random.randrange(body + 200, size)
        spoilt[at:at + 4] = random.randbytes(4)
    open(f"spoilt{n}.dat", "wb").write(spoilt)
PY
for hostile in names keyword cut spoilt0 spoilt1 spoilt2 spoilt3 spoilt4 spoilt5; do
	rm -rf ctf
	"$ringside" export $hostile.dat -f ctf -o ctf -q >/dev/null 2>err
	[ $? -le 1 ] || fail "$hostile: $(tail -1 err)"
	[ ! -e ctf ] || python3 "$check" ctf >checked 2>err || fail "$hostile: $(cat err)"
	[ ! -e ctf ] || [ -z "$reader" ] || babeltrace2 ctf >/dev/null 2>err || fail "$hostile: babeltrace2: $(tail -2 err)"
done
rm -rf ctf
"$ringside" export names.dat -f ctf -o ctf -q 2>/dev/null
grep -q '??"\\n' <(python3 "$check" ctf) || grep -aq '??"' ctf/channel0_0 || fail "names: not replaced"

# What is there is not touched, and nothing half stays.
"$ringside" export "$t" -f ctf -o ctf 2>err
[ $? = 1 ] && grep -q "is there already" err || fail "over a folder: $(cat err)"
"$ringside" export "$t" -f ctf 2>err >out
[ $? = 2 ] && grep -q "name a folder with -o" err || fail "to standard output: $(cat err)"
"$ringside" export "$t" -f ctf -p 1 -o refused 2>err
[ $? = 2 ] && [ ! -e refused ] && grep -q "^ringside: -p: ctf has each event of everybody" err || fail "-p: $(cat err)"
if [ "$(id -u)" = 0 ] && mkdir small && unshare -m true 2>/dev/null; then
	unshare -m sh -c 'mount -t tmpfs -o size=300k none small && "$0" export "$1" -f ctf -o small/ctf && exit; ls small' \
		"$ringside" "$traces/debian-6.1-amd64-lost.dat" >out 2>err
	[ ! -s out ] && grep -q "No space left on device (nothing was written)" err || fail "a full disk: $(cat out err)"
fi
ls -d ctf.* 2>/dev/null && fail "a folder is left"

[ $failed = 0 ] || { echo "ctf: $failed failed"; exit 1; }
[ -n "$reader" ] || { echo "our own reader: all passed; babeltrace2 is not installed"; exit 77; }
echo "ctf: all passed, $nr recordings"
