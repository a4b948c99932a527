#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# reclaim.sh - stalls for memory on the running kernel: a cgroup too small for what is read in it, and a compaction
. "$(dirname "$0")/../lib/live.sh"
need_tracing
mb=24

# A cgroup of our own with a limit, of whichever version has the memory controller: tasks join by $group/cgroup.procs.
make_group() {
	local v1=/sys/fs/cgroup/memory v2=$tmp/.cgroup
	if [ -e $v1/memory.limit_in_bytes ]; then
		group=$v1/ringside-test-$$
		mkdir "$group" && echo $((mb << 20)) >"$group/memory.limit_in_bytes"
		return
	fi
	mkdir -p "$v2" && mount -t cgroup2 none "$v2" || return
	mounted=$v2
	grep -qw memory "$v2/cgroup.controllers" && echo +memory >"$v2/cgroup.subtree_control" || return
	group=$v2/ringside-test-$$
	mkdir "$group" && echo $((mb << 20)) >"$group/memory.max"
}
group='' mounted=''
trap '[ -z "$group" ] || rmdir "$group"; [ -z "$mounted" ] || umount "$mounted"; [ -z "${loop-}" ] || losetup -d "$loop"; clean_up' EXIT
make_group 2>err || skip "no memory cgroup can be had: $(cat err)"

# What is read is kept in memory as long as there is room: a file system in memory would keep it for good, a device does not.
truncate -s $((4 * mb))M .disk && loop=$(losetup --find --show "$PWD/.disk" 2>/dev/null) || skip "no loop device can be had"
cat >.reader <<END
#!/bin/sh
echo \$\$ >$group/cgroup.procs
echo pid=\$\$ >$tmp/did
exec dd if=$loop of=/dev/null bs=64k iflag=fullblock 2>/dev/null
END
chmod 755 .reader

begin "a reader in a cgroup of $mb MiB reads $((4 * mb))"
run reclaim --json --as-root -- ./.reader
fine
expect "lost" 0 "$(ask "meta['lost'] + meta['gaps']")"
mine="of(pid=$(said pid), kind='memcg')"
within "stalls" 10 100000 "$(ask "len($mine)")"
expect "whose, in which call, for how much" "{('dd', 'read', 0)}" "$(ask "{(r['comm'], r['syscall'], r['order']) for r in $mine}")"
expect "each has a length and an end" True "$(ask "all(r['lat_ns'] > 0 and meta['from_ns'] <= r['time_ns'] <= meta['to_ns'] for r in $mine)")"

begin "recorded, and read again; shorter ones left out"
blockdev --flushbufs "$loop" 2>/dev/null
run record -q --as-root -a reclaim -o trace.dat -- ./.reader
fine
"$ringside" report trace.dat --view reclaim --json >out || fail "report"
mine="of(pid=$(said pid), kind='memcg')"
within "stalls" 10 100000 "$(ask "len($mine)")"
"$ringside" report trace.dat --view reclaim -m 20us --json >long || fail "report -m"
expect "of these, 20 us and more" "$(ask "sum(r['lat_ns'] >= 20000 for r in rows)")" "$(ask "len(rows)" long)"

begin "somebody else's are not the reader's"
run reclaim --json --as-root -c 'not-dd' -- ./.reader
expect "exit status" 0 "$status"
finds "no task was seen that passes -c not-dd" err
expect "rows" 0 "$(ask "len(rows)")"

# What follows makes the whole machine short of memory: for a small one that is ours alone (see tests/kernels/memory.sh).
# Page cache fills it, and then somebody wants huge pages: whoever asks has to make room, and in one piece.
if [ -n "${RINGSIDE_TEST_FILL-}" ]; then
	begin "huge pages on a machine that is full of page cache"
	dd if="$RINGSIDE_TEST_FILL" of=/dev/null bs=1M 2>/dev/null
	pages=$(awk '/^MemAvailable:/ { print int($2 * 0.7 / 2048) }' /proc/meminfo)
	run reclaim --json --as-root -- sh -c "echo pid=\$\$ >$tmp/did; echo $pages >/proc/sys/vm/nr_hugepages; echo 0 >/proc/sys/vm/nr_hugepages"
	fine
	mine="of(pid=$(said pid), syscall='write')"
	within "direct reclaims for an order of 9" 1 1000000 "$(ask "len([r for r in $mine if r['kind'] == 'reclaim' and r['order'] == 9])")"
	within "direct compactions for it" 1 1000000 "$(ask "len([r for r in $mine if r['kind'] == 'compaction' and r['order'] == 9])")"
	expect "nothing of the kernel's own reclaimers" "[]" "$(ask "[r for r in rows if r['comm'].startswith(('kswapd', 'kcompactd'))]")"

	begin "a compaction that was asked for"
	run reclaim --json --as-root -- sh -c "echo pid=\$\$ >$tmp/did; echo 1 >/proc/sys/vm/compact_memory"
	fine
	within "compactions" 1 10000 "$(ask "len(of(pid=$(said pid), kind='compaction', syscall='write', order=None))")"
fi

finish
