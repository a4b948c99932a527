#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind.sh - recordings, whole and damaged, read without a memory error and without a leak
. "$(dirname "$0")/../lib/live.sh"
command -v valgrind >/dev/null || skip "valgrind is not installed"
traces=$root/tests/traces

# clean STATUS ARGUMENTS...: ringside under valgrind ends with that status, and valgrind has nothing to say
clean() {
	local wanted=$1 got
	shift
	timeout 100 valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
		--log-file=found "$ringside" "$@" >out 2>err </dev/null
	got=$?
	expect "ringside $*: status" "$wanted" $got
	[ ! -s found ] || fail "ringside $*: $(head -n 30 found)"
}

# few events, all kinds of sections: of a recording of each version, and one with events lost
begin "all views of recordings"
clean 0 report "$traces/debian-6.1-amd64-lost.dat" -q
clean 0 report "$traces/debian-6.1-amd64-lost.dat" --view all --json -q
clean 0 report "$traces/debian-6.1-amd64-mixed.dat" -q
clean 0 report "$traces/debian-6.1-amd64-mixed.dat" --view all --json -q
clean 0 report "$traces/debian-6.1-s390x-v6.dat" --view sched,syscalls --csv -q

begin "the ways out that are errors"
head -c 300000 "$traces/debian-6.1-amd64-mixed.dat" >cut.dat
clean 1 report cut.dat -q
head -c 20000 "$traces/debian-6.1-amd64-v6.dat" >cut.dat
clean 1 report cut.dat -q
clean 1 report "$root/Makefile" -q
clean 2 report "$traces/debian-6.1-amd64-mixed.dat" --view nonsense
clean 2 sched -i "$traces/debian-6.1-amd64-mixed.dat" --columns nonsense
clean 1 syscalls -i "$traces/debian-6.1-amd64-mixed.dat" --buffer nonsense

finish
