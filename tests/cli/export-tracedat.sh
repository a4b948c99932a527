#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export-tracedat.sh - `export -f trace.dat`: a cut is what trace-cmd shows of the whole between two times, byte for byte
#
# Usage: tests/cli/export-tracedat.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
command -v trace-cmd >/dev/null || { echo "trace-cmd is not installed"; exit 77; }
perfdata=$root/tests/perfdata

export_dat() { # export_dat OUT FILE OPTIONS...: with one line alone, of what was written
	local to=$1
	shift
	"$ringside" export "$@" -f trace.dat -o "$to" 2>err </dev/null && [ "$(grep -cE "^ringside: $to: [0-9.]+[KM]iB, [0-9]+ events" err)/$(wc -l <err)" = 1/1 ] || fail "export $*: $(cat err)"
}
lines() { # lines FILE: trace-cmd must have nothing to warn of
	trace-cmd report -t "$1" >report 2>err && [ ! -s err ] || fail "trace-cmd report of $1: $(cat err)"
	grep -v '^cpus=' report
}

# Of each recording: the same records at the same ns, and the losses where they were, between two events and of one CPU.
cat >between.py <<'PY'
"""between.py range WHOLE: prints two times, in seconds from the first event: those of events
between.py same WHOLE CUT FROM TO [CPU]: is each record of CUT the kernel's, byte for byte?"""
import struct, sys
def read(path):
    """each record: (time, CPU, bytes); and the losses: (CPU, time of the event behind them, how many)"""
    data = open(path, "rb").read()
    order = ">" if data[12] else "<"
    def number(size, at):
        return struct.unpack_from(order + {4: "I", 8: "Q"}[size], data, at)[0]
    long, page_bytes = data[13], number(4, 14)
    at = data.index(b"flyrecord\0") + 10
    options = data.rindex(b"options  \0", 0, at)
    nr_cpus = number(4, options - 4)
    events, losses = [], []
    for cpu in range(nr_cpus):
        offset, size = number(8, at + 16 * cpu), number(8, at + 16 * cpu + 8)
        for page in range(offset, offset + size, page_bytes):
            time, commit, pos = number(8, page), number(long, page + 8) & 0xffffffff, page + 8 + long
            end = pos + (commit & 0xfffff)
            lost = None if not commit >> 31 else number(long, end) if commit >> 30 & 1 else 0
            while pos < end:
                word = number(4, pos)
                kind, delta = (word >> 27, word & 0x7ffffff) if data[12] else (word & 31, word >> 5)
                more = number(4, pos + 4) if pos + 8 <= end else 0
                if kind == 29:
                    if not delta:
                        break
                    time, pos = time + delta, pos + 4 + more
                elif kind == 30:
                    time, pos = time + delta + (more << 27), pos + 8
                elif kind == 31:
                    time, pos = delta + (more << 27), pos + 8
                else:
                    begin, size = (pos + 8, more - 4) if kind == 0 else (pos + 4, kind * 4)
                    time, pos = time + delta, begin + size
                    events.append((time, cpu, data[begin:pos]))
                    if lost is not None:
                        losses.append((cpu, time, lost))
                        lost = None
    return events, losses
whole, losses = read(sys.argv[2])
begin = min(e[0] for e in whole)
if sys.argv[1] == "range":
    times = sorted(e[0] - begin for e in whole)
    print(*(f"{t // 10 ** 9}.{t % 10 ** 9:09}" for t in (times[len(times) // 3], times[len(times) * 2 // 3])))
    sys.exit()
cut, cut_losses = read(sys.argv[3])
first, last = (begin + int(s.replace(".", "")) for s in sys.argv[4:6])
def inside(time, cpu):
    return first <= time <= last and (len(sys.argv) < 7 or cpu == int(sys.argv[6]))
wanted = [e for e in whole if inside(e[0], e[1])]
assert len(wanted) > 10, len(wanted)
assert cut == wanted, (len(cut), len(wanted), next(((a, b) for a, b in zip(cut, wanted) if a != b), None))
# the page in which the range begins tells a loss before it, which is not in it
wanted = [l for l in losses if inside(l[1], l[0])]
assert set(cut_losses) <= set(wanted), (cut_losses, wanted)
assert {l for l in wanted if any(e[1] == l[0] and e[0] < l[1] for e in cut)} <= set(cut_losses), (cut_losses, wanted)
PY
nr=0
for trace in "$traces"/*.dat; do
	name=$(basename "$trace" .dat)
	lines "$trace" >whole
	export_dat all.dat "$trace"
	lines all.dat | cmp -s whole - || fail "$name: all of it: other lines"
	read -r from to < <(python3 between.py range all.dat)
	export_dat cut.dat "$trace" --from "$from" --to "$to"
	python3 between.py same all.dat cut.dat "$from" "$to" || fail "$name: from $from to $to"
	lines cut.dat >/dev/null
	export_dat cpu.dat "$trace" --from "$from" --to "$to" -C 0
	python3 between.py same all.dat cpu.dat "$from" "$to" 0 || fail "$name: from $from to $to, CPU 0"
	# as ringside sees it
	"$ringside" report "$trace" --view events --from "$from" --to "$to" --json 2>/dev/null | grep -o '"event":[^}]*"count":[0-9]*' >events
	"$ringside" report cut.dat --view events --json 2>/dev/null | grep -o '"event":[^}]*"count":[0-9]*' | cmp -s events - ||
		fail "$name: ringside counts other events"
	[ -s events ] || fail "$name: no events"
	nr=$((nr + 1))
done
[ $nr -ge 7 ] || fail "only $nr recordings"

# Packed becomes plain, and version 7 version 6: to a pipe, too.
t=$traces/debian-6.1-amd64-lost.dat
lines "$t" >whole
if trace-cmd convert -i "$t" -o v7.dat --file-version 7 --compression any >/dev/null 2>&1; then
	export_dat v6.dat v7.dat
	[ "$(head -c 12 v6.dat | tr -d '\0' | tail -c 8)" = tracing6 ] || fail "version 7 stays"
	lines v6.dat | cmp -s whole - || fail "of version 7: other lines"
	"$ringside" export v7.dat -f trace.dat | cmp -s v6.dat - || fail "to a pipe: other bytes"
	"$ringside" export v7.dat -q -o ending.dat && cmp -s v6.dat ending.dat || fail "by the ending of its name: other bytes"
fi

# A perf.data, and the samples in it: of the time range alone.
export_dat perf.dat "$perfdata/stacks.data.xz"
samples() { "$ringside" report "$@" --view profile --json 2>/dev/null | grep -v _meta; }
samples "$perfdata/stacks.data.xz" >whole
samples perf.dat | cmp -s whole - || fail "samples: other rows"
export_dat part.dat "$perfdata/stacks.data.xz" --from 0.5 --to 1
samples "$perfdata/stacks.data.xz" --from 0.5 --to 1 >whole
samples part.dat >out
grep -q ", 0 events, [1-9][0-9]* samples$" err || fail "samples are not said: $(cat err)"
[ -s out ] && cmp -s whole out || fail "samples of a time range: other rows"

# What cannot be kept is refused.
refused() { # refused MESSAGE ARGUMENTS...
	local message=$1
	shift
	"$ringside" export "$t" -f trace.dat -o none.dat "$@" >out 2>err </dev/null
	[ $? = 2 ] && [ ! -e none.dat ] && grep -qF -- "$message" err || fail "$*: $(cat err)"
}
refused "ringside: -p: trace.dat has each event of everybody" -p 1
refused "ringside: -c: trace.dat has each event of everybody" -c sh
refused "ringside: --compat is for chrome, not for trace.dat" --compat
refused "cannot use the CPU list '9'" -C 9
cp "$t" mine.dat
"$ringside" export mine.dat -f trace.dat -o mine.dat 2>err
[ $? = 2 ] && cmp -s mine.dat "$t" || fail "over what is read: $(cat err)"
"$ringside" export "$t" -f trace.dat >/dev/full 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write the output: No space left on device" ] || fail "full: $(cat err)"
"$ringside" export "$t" -f trace.dat --from 1000 -o none.dat 2>err
[ $? = 0 ] && grep -q "no event of" err && trace-cmd report none.dat >/dev/null 2>&1 || fail "nothing: $(cat err)"

finish "all passed, $nr recordings"
