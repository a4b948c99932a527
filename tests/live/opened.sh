#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# opened.sh - files that are closed before any look-up have the names that the kernel reads, each open and stat its own,
# and the probes do not stay behind
. "$(dirname "$0")/../lib/live.sh"
need_tracing
probes() { grep "^[ep]:ringside_$1_" "$tracefs/dynamic_events" 2>/dev/null; }
no_probes() { ! probes "$1" >left; }

begin "where a session ends by itself, and where it is killed"
start filelat --json
mine=$pid
probes "$mine" >made || { end; skip "this kernel has no eprobes and no kprobes"; }
case $(head -c 1 made) in
e) expect "calls that open files" 4 "$(wc -l <made)" ;;
p) expect "the function behind all of them" 1 "$(wc -l <made)" ;;
esac
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
for name in one two three; do cp data $name; done
run filelat --json -- sh -c 'cat one "$0" three >/dev/null' "$tmp/two"
fine
for path in "$tmp/one" "$tmp/two" "$tmp/three"; do
	expect "reads of $path" "[(2, 4096)]" "$(ask "[(r['reads'], r['read_bytes']) for r in of(path='$path')]")"
done

begin "each open and each stat, with the name that it was given"
run opensnoop --json -- sh -c 'for i in 1 2 3 4 5; do cat one no-such; done >/dev/null 2>&1; exit 0'
fine
expect "opens that succeeded" "[5, 0]" \
	"$(ask "[len(of(path=p, errno=None, comm='cat')) for p in ('one', 'no-such')]")"
expect "opens that failed" "[(2, None)]" "$(ask "sorted({(r['errno'], r['fd']) for r in of(path='no-such')})")"
expect "of these" 5 "$(ask "len(of(path='no-such'))")"
run statsnoop --json -- stat -c '' one two no-such
expect "files whose attributes are asked for" "[1, 1, 1]" \
	"$(ask "[len(of(path=p, comm='stat')) for p in ('one', 'two', 'no-such')]")"
expect "the one that is not there" "[2]" "$(ask "[r['errno'] for r in of(path='no-such')]")"

finish
