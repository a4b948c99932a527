#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# input.sh - recordings that are none, or no longer whole: one clear line each, and nothing on standard output
. "$(dirname "$0")/../lib/live.sh"
traces=$root/tests/traces

# refused STATUS PATTERN ARGUMENTS...: one line on stderr that matches, nothing on stdout
refused() {
	local wanted=$1 pattern=$2 got
	shift 2
	timeout 20 "$ringside" "$@" >out 2>err </dev/null
	got=$?
	expect "ringside $*: status" "$wanted" $got
	expect "ringside $*: lines" 1 "$(wc -l <err)"
	grep -Eq "^ringside: $pattern" err || fail "ringside $*: no '$pattern': $(head -c 300 err)"
	[ ! -s out ] || fail "ringside $*: on standard output: $(head -c 200 out)"
}

begin "what is no recording"
printf 'hello\n' >text
head -c 100000 /dev/urandom >noise
: >empty
mkdir folder
mkfifo pipe
ln -s nowhere dangling
for file in text noise empty; do
	refused 1 "'$file' is .*(no|not a) .*trace|.*'$file'" report $file
	refused 1 ".*'$file'" sched -i $file
done
refused 1 ".*'folder'.*irectory" report folder
refused 1 ".*'dangling': No such file" report dangling
refused 1 ".*'nothing.dat': No such file" report nothing.dat
refused 1 ".*'/dev/null'" report /dev/null
(sleep 0.1 >pipe) &
refused 1 ".*'pipe'" report pipe
wait $!
cp "$ringside" elf
refused 1 ".*'elf'" report elf
printf '\027\010\104tracing7\0' >short
refused 1 ".*'short'" report short
printf '\027\010\104tracing9\0\0\0\0\0' >newer
refused 1 ".*'newer'" report newer

begin "cut off anywhere: an error, or what is there is shown and said to be cut; in silence only if nothing is missing"
for trace in debian-6.1-amd64-v6 debian-6.1-amd64-mixed debian-6.1-i386-v6; do
	size=$(stat -c %s "$traces/$trace.dat")
	"$ringside" report "$traces/$trace.dat" --view all --json -q >whole
	for part in 1 3 10 11 12 100 1000 "$((size / 10))" $((size / 3)) $((size / 2)) $((size * 3 / 4)) $((size * 9 / 10)) $((size - 4096)) $((size - 1)); do
		head -c "$part" "$traces/$trace.dat" >cut.dat
		timeout 20 "$ringside" report cut.dat --view all --json -q >out 2>err
		got=$?
		if [ $got = 0 ]; then
			[ -n "$(ask "meta['view']" 2>&1)" ] || fail "$trace cut at $part: no quality line"
			cmp -s out whole && continue
			timeout 20 "$ringside" report cut.dat >out 2>err || fail "$trace cut at $part: the page: $(cat err)"
			grep -q "^ringside: note: .*\(cut\|end\|short\|missing\)" err || fail "$trace cut at $part: nobody says so"
		else
			expect "$trace cut at $part: status" 1 $got
			expect "$trace cut at $part: lines" 1 "$(wc -l <err)"
			grep -q "^ringside: .*'cut.dat'" err || fail "$trace cut at $part: $(head -c 300 err)"
			[ ! -s out ] || fail "$trace cut at $part: on standard output: $(head -c 200 out)"
		fi
	done
done

begin "bytes that lie"
"$python" - "$traces/debian-6.1-amd64-v6.dat" <<'PY'
import random, sys
data = open(sys.argv[1], "rb").read()
random.seed(1)
for n in range(24):
    spoilt = bytearray(data)
    for _ in range(1 + n % 6 * 40):
        # the head, where sizes and offsets are, more often than the pages
        at = random.randrange(len(data) if n % 3 else 4096)
        spoilt[at] = random.choice((0, 0xff, 0x7f, 0x80, spoilt[at] ^ 1 << random.randrange(8)))
    open("spoilt-%d.dat" % n, "wb").write(spoilt)
PY
for file in spoilt-*.dat; do
	timeout 20 "$ringside" report $file --view all --json -q >out 2>err
	got=$?
	[ $got = 0 ] || [ $got = 1 ] || fail "$file: status $got: $(head -c 300 err)"
	[ $got = 0 ] || grep -q "^ringside: " err || fail "$file: nothing is said"
	[ ! -s out ] || ask "len(rows)" >/dev/null || fail "$file: no JSON"
	grep -qv "^ringside: " err && fail "$file: on stderr: $(grep -v '^ringside: ' err | head -c 300)"
done

begin "a page whose time no clock shows is a bad page, and the rest is read"
"$python" - "$traces/debian-6.1-i386-v6.dat" "$root/tests/lib" <<'PY'
import struct, sys
sys.path.insert(0, sys.argv[2])
from tracedat import Recording
data = bytearray(open(sys.argv[1], "rb").read())
for number, time in enumerate((2**64 - 1, 2**62 + 1)):
    struct.pack_into("<Q", data, Recording(bytes(data)).cpus[0][0], time)
    open("late-%d.dat" % number, "wb").write(data)
PY
for file in late-*.dat; do
	for args in "report --view all --json" findings why "tui --batch" "tui --batch --screen timeline" "export -f chrome -o out" "export -f perfetto -o out"; do
		# shellcheck disable=SC2086 # words
		timeout 20 "$ringside" $args -i $file >late.out 2>err </dev/null
		expect "$args of $file: status" 0 $?
	done
	"$ringside" cpus -i $file --json >out 2>err
	expect "$file: bad pages" 1 "$(ask "meta['bad_pages']")"
	[ "$(ask "meta['events']")" -gt 6000 ] || fail "$file: only $(ask "meta['events']") of 7,200 events"
done

begin "a question that makes no sense"
t=$traces/debian-6.1-amd64-v6.dat
refused 2 "unknown view 'shced': did you mean 'sched'\?" report "$t" --view shced
refused 2 ".*'--jsno'; did you mean '--json'\?" report "$t" --jsno
refused 2 ".*column 'pdi'" sched -i "$t" --columns pdi
refused 2 ".*column 'pdi'" sched -i "$t" -s pdi
refused 2 ".*--by" runqlat -i "$t" --by cmom
refused 2 ".*CPU" sched -i "$t" -C 0,x
refused 2 ".*CPU" sched -i "$t" -C 4096
refused 2 ".*-p" sched -i "$t" -p x
refused 2 ".*-p" sched -i "$t" -p 99999999999
refused 2 ".*-m" sched -i "$t" -m 1parsec
refused 2 ".*--from" sched -i "$t" --from 2 --to 1
refused 1 ".*'nobuffer'" report "$t" --buffer nobuffer

begin "output that cannot be written"
for view in "report" "sched -i" "syscalls --json -i" "syscalls --csv -i"; do
	# shellcheck disable=SC2086 # words
	"$ringside" $view "$t" >/dev/full 2>err
	expect "$view: status" 1 $?
	expect "$view: what is said" "ringside: cannot write the output: No space left on device" "$(cat err)"
	# shellcheck disable=SC2086
	"$ringside" $view "$t" 2>err >&-
	expect "$view: status with no standard output" 1 $?
	expect "$view: lines" 1 "$(wc -l <err)"
done

finish
