#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# opened.sh - files that are closed before any look-up have the names that the kernel reads, and its probes do not stay behind
. "$(dirname "$0")/../lib/live.sh"
need_tracing
probes() { grep "^e:ringside_$1_" "$tracefs/dynamic_events" 2>/dev/null; }
no_probes() { ! probes "$1" >left; }

begin "where a session ends by itself, and where it is killed"
start filelat --json
mine=$pid
probes "$mine" >made || { end; skip "this kernel has no eprobes"; }
expect "calls that open files" 4 "$(wc -l <made)"
end
until_soon 2 no_probes "$mine" || fail "left behind: $(cat left)"
start filelat --json
mine=$pid
kill -9 "$mine"
wait "$mine"
nothing_left "$mine"
until_soon 2 no_probes "$mine" || fail "left behind after a kill: $(cat left)"

begin "three files of a process that lives for a moment"
head -c 4096 /dev/zero >data
in=$instances/opened-$$
mkdir "$in"
echo "e:opened_$$/openat syscalls/sys_enter_openat filename=+0(\$filename):ustring" >>"$tracefs/dynamic_events"
echo 1 >"$in/events/opened_$$/openat/enable"
cat data >/dev/null
echo 0 >"$in/events/opened_$$/openat/enable"
grep -c 'filename="data"' "$in/trace" >read
rmdir "$in"
echo "-:opened_$$/openat" >>"$tracefs/dynamic_events"
[ "$(cat read)" != 0 ] || [ $failed != 0 ] || skip "this kernel reads one byte of the name's address (6.1): no names"
for name in one two three; do cp data $name; done
run filelat --json -- sh -c 'cat one "$0" three >/dev/null' "$tmp/two"
fine
for path in one "$tmp/two" three; do
	expect "reads of $path" "[(2, 4096)]" "$(ask "[(r['reads'], r['read_bytes']) for r in of(path='$path')]")"
done

finish
