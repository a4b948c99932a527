#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# descriptors.sh - what a descriptor stands for is shown where it is certain, and never wrongly
. "$(dirname "$0")/../lib/live.sh"
need_tracing

reads() { # reads HOW WHAT: the sample's calls that begin with HOW, and have WHAT somewhere behind it
	ask "len([r for r in of(comm='descriptors') if r['call'].startswith('$1') and '$2' in r['call']])"
}

begin "a file and a pipe that are read for a while"
# a machine that is busy may be late with every answer, or lose events: three tries, and never a wrong path
for attempt in 1 2 3; do
	run syscalls --json -c descriptors --as-root -- "$samples/descriptors" -n 150 -r 0
	fine
	file=$(said steady) pipe=$(said pipe)
	[ "$(ask "meta['lost']")" != 0 ] || [ "$(reads "pread64($file<" "")" -lt 10 ] || [ "$(reads "read($pipe<" "")" -lt 10 ] || break
done
expect "reads of the file" 150 "$(reads "pread64($file" ", 100, 0)")"
expect "reads of the pipe" 150 "$(reads "read($pipe" ", 101)")"
within "of these, with the file's path" 10 150 "$(reads "pread64($file<" "")"
expect "with another path" 0 "$(ask "len([r for r in of(comm='descriptors') if ', 100, 0)' in r['call'] and '<' in r['call'] and not r['call'].startswith('pread64($file<$tmp/steady>, ')])")"
within "of these, with the pipe's name" 10 150 "$(reads "read($pipe<pipe:[$(said inode)]>" ", 101)")"
expect "with another name" "$(reads "read($pipe<pipe:[$(said inode)]>" ", 101)")" "$(reads "read($pipe<" ", 101)")"
expect "close shows what is closed" 1 "$(reads "close($file<$tmp/steady>)" "")"

check_paths() { # the length of a read says which file it was
	local file right=0
	for file in one:201 two:202 three:203; do
		right=$((right + $(reads "pread64(50<$tmp/${file%:*}>, " ", ${file#*:}, 0)")))
	done
	expect "reads with a path, with that of the file that was read" "$(reads "pread64(50<" "")" $right
}
begin "one number, other files in turn: never a wrong path"
for attempt in 1 2 3; do
	run syscalls --json -c descriptors --as-root -- "$samples/descriptors" -n 0 -r 40
	fine
	check_paths
	[ "$(ask "meta['lost']")" != 0 ] || [ "$(reads "pread64(50<" "")" -lt 10 ] || break
done
expect "reads" "$(said turns)" "$(reads "pread64(50" "")"
within "reads with a path" 10 "$(said turns)" "$(reads "pread64(50<" "")"
begin "a recording has the paths that were looked up, and no wrong one"
for attempt in 1 2 3; do
	run record -q -o trace.dat -a files --as-root -- "$samples/descriptors" -n 50 -r 0
	fine
	"$ringside" report trace.dat --view filelat -c descriptors --json >out 2>err || fail "report: $(cat err)"
	of_file=$(ask "sum(r['reads'] for r in rows if r['path'] == '$tmp/steady')")
	[ "$of_file" = 50 ] && break
done
expect "reads by file" 50 "$of_file"
"$ringside" report trace.dat --view syscalls --json >out 2>err || fail "report: $(cat err)"
expect "reads" 50 "$(reads "pread64(" ", 100, 0)")"
expect "reads with another path" 0 "$(ask "len([r for r in rows if r['comm'] == 'descriptors' and ', 100, 0)' in r['call'] and '<' in r['call'] and '$tmp/steady>' not in r['call']])")"

begin "pages of the cache that a read misses, and the same pages again"
if [ -e "$tracefs/events/filemap/mm_filemap_get_pages" ]; then
	dd if=/dev/zero of=cold bs=4096 count=40 conv=fsync 2>dd || fail "dd: $(cat dd)"
	dd of=cold oflag=nocache conv=notrunc,fdatasync count=0 2>dd || fail "dd: $(cat dd)"
	for missed in 40 0; do
		run cachestat --by comm,file --json -- dd if=cold of=/dev/null bs=163840 count=1 status=none
		fine
		expect "pages, and those of them that it missed" "(40, $missed)" \
			"$(ask "max((r['pages'], r['missed']) for r in of(comm='dd'))")"
	done
fi

begin "an open whose descriptor stays, with its path: of the kernel's probes, or looked up"
echo x >kept
run opensnoop --json -- "$python" -c "import time; kept = open('$tmp/kept'); time.sleep(0.4)"
fine
expect "opens of the file" 1 "$(ask "len(of(path='$tmp/kept', errno=None))")"

begin "block requests, with the file of the call that their task was in where --columns names it"
if [ "$(stat -f -c %T .)" != tmpfs ]; then
	cat >writes.py <<-EOF
		import os, time
		kept = os.open('$tmp/written', os.O_WRONLY | os.O_CREAT | os.O_DSYNC)
		for nr in range(25):
		    os.pwrite(kept, b'x' * 4096, 0)
		    time.sleep(0.02)
	EOF
	run iosnoop --json --columns comm,type,file -- "$python" writes.py
	fine
	within "requests of 25 writes" 10 100 "$(ask "len(of(file='$tmp/written'))")"
fi

finish
