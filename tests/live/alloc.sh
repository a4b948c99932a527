#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alloc.sh [--all] - as faults/alloc, of commands that trace: nothing of them lives two seconds later, either
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
	sweep at --per 3
	sweep from --per 3
else
	sweep at tui record --points 3
	sweep from daemon view --points 3
fi
finish
