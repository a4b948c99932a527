#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alloc.sh [--all] - allocations that fail: the same output, or status 1 and a line that says so; see tests/lib/alloc.py
#
# Of what does not trace. Here a fixed choice of the distinct call stacks fails; --all (make fuzz-alloc): each allocation.
. "$(dirname "$0")/../lib/live.sh"
[ -e "$build/tests/lib/fail-alloc.so" ] || skip "there is no $build/tests/lib/fail-alloc.so: run make tools"
grep -q __asan_init "$ringside" && skip "not with sanitizers"
how=(--points 20 --lists 1)
[ "${1-}" != --all ] || how=(--all)

for mode in at from; do
	begin "$mode"
	"$python" "$root/tests/lib/alloc.py" --mode $mode "${how[@]}" 2>&1 | tee said
	[ "${PIPESTATUS[0]}" = 0 ] || fail "see above"
done
finish
