#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alloc.sh [--all] - as faults/alloc, of commands that trace: nothing of them lives two seconds later, either
#
# Here a few of the call stacks that allocate; --all (make fuzz-alloc): each of them, alone and with all after it.
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -e "$build/tests/lib/fail-alloc.so" ] || skip "there is no $build/tests/lib/fail-alloc.so: run make tools"
grep -q __asan_init "$ringside" && skip "not with sanitizers"

# sweep MODE ARGUMENTS...
sweep() {
	begin "$*"
	"$python" "$root/tests/lib/alloc.py" --live --mode "$@" 2>&1 | tee said
	[ "${PIPESTATUS[0]}" = 0 ] || fail "see above"
}
if [ "${1-}" = --all ]; then
	sweep at --jobs 4
	sweep from --jobs 4
else
	sweep at tui record command attach --points 6 --lists 1 --jobs 4
	sweep from daemon stream save --points 6 --lists 1 --jobs 4
fi
finish
