#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# debug.sh - --debug says what was done and why, to standard error alone, and nothing of domains that are off
#
# Usage: tests/cli/debug.sh [BUILD]
ringside=$(cd "${1:-build}" && pwd)/ringside
traces=$(cd tests/traces && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

fail() { # fail WHAT
	failed=$((failed + 1))
	echo "FAIL: $1"
	head -n 5 err
}

run() { # run STATUS ARGUMENTS...
	local status=$1 got
	shift
	"$ringside" "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$status" ] || fail "ringside $* ended with $got, not $status"
}

only() { # only DOMAIN: each line is of it, with the time since the begin
	[ -s err ] || fail "nothing is said of $1"
	grep -Ev "^ringside: \[ *[0-9]+\.[0-9]{6}\] $1: ." err && fail "a line is not of $1"
}

has() { # has EXPRESSION
	grep -Eq -- "$1" err || fail "no line has: $1"
}

run 0 --debug help
grep -q '^plan  *events chosen' out && [ ! -s err ] || fail "--debug help does not list the domains"
cp out list
run 0 sched --debug help
cmp -s out list || fail "sched --debug help is not the same list"
run 2 report --debug plan,nonsense
has "^ringside: --debug 'nonsense': no such domain \(plan, tracefs, .*, all\)$"
run 2 --debug '' report
has "^ringside: --debug '': no such domain"

lost=$traces/debian-6.1-amd64-lost.dat
run 0 sched -i "$lost"
cp out plain
[ ! -s err ] || fail "it logs without being asked"
run 0 sched -i "$lost" --debug source
only source
cmp -s out plain || fail "the log changes the output"
has "version 7, compression zstd, little endian, long of 8 bytes, pages of 4096 bytes$"
has ": 4 CPUs, 71 event formats, clock local, kernel 6.1.0-50-amd64, 109 tasks in the initial snapshot, 0 pauses$"

# what is said at the end is what the footer says; 94, 1156 and 345 events were lost on three of the CPUs
run 0 --debug match sched -i "$lost"
only match
has "CPU 0: 94 events were lost, and 0 gaps have no count$"
has "CPU 2: 1156 events were lost, and 3 gaps have no count$"

echo "no library" >bad.so
export RINGSIDE_PLUGIN_PATH=$tmp
unset SUDO_UID
run 0 --debug=plugin list views
has "plugin: '.*bad.so' is refused: "
unset RINGSIDE_PLUGIN_PATH

# screens: one process asks, the other, which has no standard error of its own, answers
run 0 tui --batch --debug rpc "$lost"
only rpc
has 'sent [0-9]+ bytes: .*"op":"hello"'
has 'received [0-9]+ bytes: .*"op":"hello"'

[ $failed = 0 ] && echo "debug: all as it should be"
exit $((failed > 0))
