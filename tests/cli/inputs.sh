#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# inputs.sh - files that are given to ringside: packed ones are read as if they were not, others are named
#
# Usage: tests/cli/inputs.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
trace=$traces/debian-6.1-amd64-v6.dat
export TMPDIR=$tmp

# A recording packed whole: every way to read it gives what the recording itself gives.
cp "$trace" plain.dat
gzip -k plain.dat
python3 -c 'import lzma, shutil; shutil.copyfileobj(open("plain.dat", "rb"), lzma.open("plain.dat.xz", "wb", preset=1))'
names=(plain.dat.gz plain.dat.xz)
command -v zstd >/dev/null && zstd -q plain.dat && names+=(plain.dat.zst)
for way in "report @" "report @ --view sched,cpus" "runqlat -i @" "summary -i @" "export @" "tui --batch -n 1 @"; do
	# shellcheck disable=SC2086 # words
	"$ringside" ${way//@/plain.dat} >expected 2>err </dev/null || fail "$way, not packed: $(cat err)"
	[[ $way != tui* ]] || sed -i 1d expected
	for name in "${names[@]}"; do
		# shellcheck disable=SC2086
		"$ringside" ${way//@/$name} >got 2>err </dev/null || fail "$way of $name: $(cat err)"
		[ ! -s err ] || fail "$way of $name: on stderr: $(cat err)"
		sed -i "s/-i $name$/-i plain.dat/" got # the commands that findings name
		# the first line of a screen has the file's name, and the memory that it took
		[[ $way != tui* ]] || sed -i 1d got
		cmp -s expected got || fail "$way of $name: not as of the file that was packed"
	done
done
left=$(find "$tmp" -name 'ringside-*')
[ -z "$left" ] || fail "left behind: $left"

# What is no recording is named, with what to do; status 1, and nothing on stdout.
refused() { # refused NAME REASON
	local way
	for way in "report $1" "export $1" "tui --batch $1" "$1"; do
		# shellcheck disable=SC2086
		"$ringside" $way >got 2>err </dev/null
		[ $? = 1 ] || fail "ringside $way: not status 1"
		[ ! -s got ] || fail "ringside $way: on stdout: $(head -2 got)"
		grep -q "^ringside: '$1' is not a trace.dat recording: .*$2.* (.*)\$" err || fail "ringside $way: $(cat err)"
	done
}
printf 'PERFFILEh\0\0\0' >perf.data
refused perf.data "it is a perf.data of before Linux 3.2"
printf 'version https://git-lfs.example/spec/v1\noid sha256:1\nsize 9\n' >lfs.dat
refused lfs.dat "it is a pointer of Git LFS"
tar -cf a.tar plain.dat
refused a.tar "it is a tar archive"
gzip -k a.tar
refused a.tar.gz "unpacked with gzip it is a tar archive"
head -c 4096 plain.dat | tail -c 2000 >trace.dat.cpu0
refused trace.dat.cpu0 "it is one CPU's raw pages"
head -c 3000 plain.dat.gz >cut.dat.gz
"$ringside" report cut.dat.gz >got 2>err
{ [ $? = 1 ] && grep -q "ends too early (the file is cut off)" err; } || fail "cut.dat.gz: $(cat err)"

finish "all passed"
