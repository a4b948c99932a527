#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# whose.sh - block requests on a daemon's timelines: who asked for each; and those that a disk does not answer
. "$(dirname "$0")/../lib/live.sh"
need_tracing
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
command -v losetup >/dev/null || skip "losetup is not installed"

mounted=
frozen=
put_back() {
	[ -z "$frozen" ] || fsfreeze -u "$tmp/fs"
	[ -z "${disk-}" ] || losetup -d "$disk"
	[ -z "$mounted" ] || umount "$tmp/fs"
	clean_up
}
truncate -s 64M "$tmp/.disk" 2>/dev/null || skip "no room for a file of 64 MiB"
loop=$(losetup --find --show "$tmp/.disk" 2>/dev/null) || skip "no loop device can be had"
trap 'losetup -d "$loop"; put_back' EXIT
number() { echo $((0x$(stat -c %t "$1"))):$((0x$(stat -c %T "$1"))); }

begin_daemon "the longest requests, and who asked for them"
"$samples/direct-reads" -n 100 -s 4096 "$loop" >did &
reader=$!
wait $reader
sleep 0.5
client "
c = Client(path)
spans = c.ask('latencies', kind='request', track='disk:$(number "$loop")', **{'as': 'slowest', 'limit': 1000})['spans']
reads = [s for s in spans if s['label'] in ('R 4096', 'RS 4096')]
print(len(reads), {(s['comm'], s['tid'], s['on']) for s in reads})
count = lambda **whose: c.ask('latencies', kind='request', label='R* 4096', track='disk:$(number "$loop")', **whose, **{'as': 'histogram'})['count']
print(count(tid=$reader), count(pid=$reader), count(tid=$$))
print({s['comm'] for s in c.ask('worst', from_ns=c.ask('state')['oldest_ns'])['worst'] if s['on'] == '${loop#/dev/}'} <= {'direct-reads'})
" >out
expect "each read's" "100 {('direct-reads', $reader, '${loop#/dev/}')}" "$(sed -n 1p out)"
expect "of the thread, of the process, of somebody else" "100 100 0" "$(sed -n 2p out)"
expect "among the worst" True "$(sed -n 3p out)"

test="a disk that does not answer"
mkdir -p fs
if mkfs.ext4 -q "$loop" 2>/dev/null && mount "$loop" fs 2>/dev/null; then
	mounted=1
	truncate -s 8M fs/disk
	disk=$(losetup --find --show fs/disk)
	sync -f fs
	fsfreeze -f fs && frozen=1 # what the disk's worker writes to its file waits, and so its requests are in flight
	dd if=/dev/zero of="$disk" bs=4096 count=1 oflag=direct 2>/dev/null &
	writer=$!
	sleep 1.5
	client "
c = Client(path)
disk = 'disk:$(number "$disk")'
print([t['lanes'] for t in c.ask('tracks', of='disk')['tracks'] if t['track'] == disk])
now = c.ask('state')['now_ns']
s = c.ask('span', track=disk, lane='async', at_ns=now - 1)['span'] or {}
print(s.get('label'), s.get('open'), s.get('comm'), s.get('tid') == $writer, s.get('end_ns', 0) - s.get('start_ns', 0) > 10**9)
runs = c.ask('spans', tracks=[disk], from_ns=now - 10**9, to_ns=now, cells=10)['tracks'][0]['lanes']
print([(l['lane'], l['runs'][0][:2]) for l in runs])
" >out
	fsfreeze -u fs && frozen=
	wait $writer
	expect "its track" "[['async']]" "$(sed -n 1p out)"
	expect "its request" "WS 4096 True dd True True" "$(sed -n 2p out)"
	expect "what it looks like" "[('async', [0, 10])]" "$(sed -n 3p out)"
	sleep 0.5
	# what else dd asks for, of its own program or when it closes the disk, is not counted
	client "print(Client(path).ask('latencies', kind='request', tid=$writer, track='disk:$(number "$disk")', label='W* 4096', **{'as': 'histogram'})['count'])" >out
	expect "complete in the end" 1 "$(cat out)"
else
	echo "	cannot mount a file system here: not tested"
fi
end_daemon
finish
