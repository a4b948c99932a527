#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# requests.sh - block requests of the running kernel: each read of a direct reader is one request, its size right
. "$(dirname "$0")/../lib/live.sh"
need_tracing
command -v losetup >/dev/null || skip "losetup is not installed"

# A device of our own: its blocks are in one piece, and nobody else reads it.
truncate -s 8M "$tmp/../ringside-disk.$$" 2>/dev/null || skip "no room for a file of 8 MiB"
mv "$tmp/../ringside-disk.$$" "$tmp/.disk"
loop=$(losetup --find --show "$tmp/.disk" 2>/dev/null) || skip "no loop device can be had"
trap 'losetup -d "$loop"; clean_up' EXIT
dev=$((0x$(stat -c %t "$loop"))),$((0x$(stat -c %T "$loop")))
reader='of(dev="'$dev'", comm="direct-reads")'
check() { # check READS BYTES [PID]: the rows in out
	expect "requests" "$1" "$(ask "len($reader)")"
	expect "sizes" "{$2}" "$(ask "{r['bytes'] for r in $reader}")"
	# synchronous ones, which kernels before 6.0 did not say
	expect "types" "set()" "$(ask "{r['type'] for r in $reader} - {'R', 'RS'}")"
	expect "whose" "{$(said pid)}" "$(ask "{r['pid'] for r in $reader} | {r['tid'] for r in $reader}")"
	expect "sectors, in the order of the reads" True \
		"$(ask "[r['sector'] for r in $reader] == [i * $2 % (8 << 20) // 512 for i in range($1)]")"
	expect "each ends after its begin" True "$(ask "all(r['end_ns'] - r['start_ns'] == r['lat_ns'] > 0 for r in $reader)")"
	# what completes of others, begun before we looked, is an unmatched end, and none of ours
	expect "lost" 0 "$(ask "meta['lost']")"
}

for bytes in 512 4096 65536; do
	begin "a command's direct reads of $bytes bytes"
	run iosnoop --json --dev "$dev" -- "$samples/direct-reads" -n 500 -s $bytes "$loop"
	fine
	check 500 $bytes
done

begin "each of a process's requests with -p, whoever's context they complete in"
hold direct-reads -n 300 -s 4096 "$loop"
start iosnoop --json -p "$sample_pid"
sample direct-reads -n 50 -s 8192 "$loop" >other
release
end
fine
sed -i '/^ready/d' did
check 300 4096
expect "nobody else's" "[]" "$(ask "[r for r in rows if r['pid'] != $sample_pid]")"

# the look-up of the path comes a moment after the first read: the process must live that long
begin "the file of each request, by the call that asked for it"
for attempt in 1 2 3; do
	hold direct-reads -n 4000 -s 4096 "$loop"
	start iofiles --json --by comm,file -p "$sample_pid"
	release
	end
	fine
	[ "$(ask "[r['file'] for r in of(comm='direct-reads')]")" != "[None]" ] || continue
	break
done
expect "requests by file" "[('$loop', 4000, 16384000, 0)]" \
	"$(ask "[(r['file'], r['reads'], r['read_bytes'], r['writes']) for r in of(comm='direct-reads')]")"

begin "-t and -c"
hold direct-reads -n 100 -s 4096 "$loop"
start iosnoop --json -t "$sample_pid"
release
end
fine
expect "-t: requests" 100 "$(ask "len(rows)")"
run iosnoop --json -c 'direct-*' -- "$samples/direct-reads" -n 100 -s 4096 "$loop"
fine
expect "-c: requests" 100 "$(ask "len(rows)")"
run iosnoop --json -q -c 'indirect-*' -- "$samples/direct-reads" -n 100 -s 4096 "$loop"
fine
expect "-c: those of others" 0 "$(ask "len(rows)")"

begin "the wrapper with the old letters"
RINGSIDE=$ringside "$root/scripts/wrappers/iosnoop" -n direct-reads -d "$dev" >out 2>err 7>&- 8<&- &
pid=$!
tracing $pid || fail "does not trace: $(cat err)"
sample direct-reads -n 20 -s 4096 "$loop" >did
end
fine
expect "rows" 20 "$(grep -Ec "^ *direct-reads +$(said pid) +RS? +$dev +[0-9]+ +4096 +[0-9.]+$" out)"

# whole requests are counted; of times only that they add up
begin "the processes that use a disk at once"
hold direct-reads -n 700 -s 4096 "$loop"
start biotop --json --dev "$dev"
sample direct-reads -n 300 -s 8192 "$loop" >other
release
end
fine
users='of(comm="direct-reads")'
expect "requests, reads, and bytes of each" "[(300, 300, 2457600, 0), (700, 700, 2867200, 0)]" \
	"$(ask "sorted((r['requests'], r['reads'], r['read_bytes'], r['writes']) for r in $users)")"
expect "the shares of the disk's time are all of it" True \
	"$(ask "99.9 < sum(r['served_pct'] for r in rows) <= 100")"
expect "each waits behind the other, or nobody" True \
	"$(ask "all(r['behind_pid'] in {None} | {o['pid'] for o in rows} - {r['pid']} for r in rows)")"

begin "issued is completed under a storm"
for i in 1 2; do "$samples/calls" -n 0 >/dev/null & storm[i]=$!; done
"$samples/pingpong" -n 100000000 >/dev/null 2>&1 & storm[3]=$!
many=${RINGSIDE_TEST_READS:-3000}
run iosnoop --json --dev "$dev" -- "$samples/direct-reads" -n "$many" -s 4096 "$loop"
fine
check "$many" 4096
run disks --json -- "$samples/direct-reads" -n 500 -s 4096 "$loop"
fine
expect "reads of the disk, its bytes" "[(500, 2048000)]" "$(ask "[(r['reads'], r['read_bytes']) for r in of(dev='$dev')]")"
expect "lost" 0 "$(ask "meta['lost']")"
run biolatency --json --by dev -- "$samples/direct-reads" -n 500 -s 4096 "$loop"
fine
expect "latencies of the disk" 500 "$(ask "sum(r['count'] for r in of(dev='$dev'))")"
# all events at once: what is lost then is said, and no request is invented
run record -q -o trace.dat -- "$samples/direct-reads" -n 500 -s 4096 "$loop"
kill "${storm[@]}"
wait "${storm[@]}" 2>/dev/null
"$ringside" report trace.dat --view iosnoop --json >out || fail "report"
if [ "$(ask "meta['lost'] + meta['gaps']")" = 0 ]; then
	expect "recorded with everything else" 500 "$(ask "len($reader)")"
else
	within "recorded with loss" 0 500 "$(ask "len($reader)")"
fi

finish
