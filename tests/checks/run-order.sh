#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-order.sh - tests/run runs each test once, those that trace one at a time, and once more alone what failed beside others
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
export RINGSIDE_TEST_LOCK=$tmp/lock RINGSIDE_TEST_MOUNTED=1 said=$tmp/said
mkdir -p "$tmp/tree/tests/"{lib,unit,checks,cli,truth,consumers,faults,live,terminal,kernels}
cp tests/run "$tmp/tree/tests/" && cp tests/lib/trace-lock "$tmp/tree/tests/lib/" && cd "$tmp/tree" || exit 1
printf 'all samples tools unit:\n\t@:\n' >Makefile

has() { # has TIER/NAME LINE...: a test of these lines; each run is a line of said
	local test=tests/$1.sh
	# shellcheck disable=SC2016 # for the test
	printf '#!/bin/bash\necho %s >>"$said"\n' "$1" >"$test"
	shift
	printf '%s\n' "$@" >>"$test"
	chmod +x "$test"
}
# shellcheck disable=SC2016 # for the tests
alone='mkdir "$said.traces" || { echo overlap >>"$said"; exit 1; }; sleep 0.1; rmdir "$said.traces"'
has unit/run-asan 'until grep -q live/b "$said"; do sleep 0.05; done' # a long one: the others do not wait for it
has unit/run 'exit 0'
has unit/short 'exit 0'
has checks/clang 'exit 0'
has checks/a 'echo why; exit 77'
has cli/a 'exit 1'
has truth/a 'exit 0'
has consumers/a 'exit 0'
has faults/a 'need_tracing() { :; }' "$alone"
has live/a "$alone"
has live/b "$alone"
# fails while others run, passes alone
# shellcheck disable=SC2016
has terminal/a "$alone" '[ -e "$said.again" ] || { : >"$said.again"; exit 1; }'
# runs until terminal/a has failed: only what fails beside others runs again
# shellcheck disable=SC2016
has faults/z 'for ((i = 0; i < 600; i++)); do [ -e "$said.again" ] && break; sleep 0.05; done; sleep 1'
has kernels/a 'exit 0'

: >"$said"
tests/run >out 2>&1 && fail "cli/a failed, the run did not"
once="checks/a checks/clang cli/a consumers/a faults/a faults/z live/a live/b truth/a unit/run unit/run-asan unit/short"
for test in $once; do [ "$(grep -c "^$test$" "$said")" = 1 ] || fail "$test ran $(grep -c "^$test$" "$said") times"; done
[ "$(grep -c '^terminal/a$' "$said")" = 2 ] || fail "terminal/a ran $(grep -c '^terminal/a$' "$said") times, not once more alone"
grep -q kernels "$said" && fail "a guest was booted"
grep -q overlap "$said" && fail "two tests that trace ran at once"
grep -q '^passed 11, failed 1, skipped 1$' out || fail "the sum: $(grep '^passed' out)"
[ "$(grep -n '^checks/clang$' "$said" | cut -d: -f1)" -lt "$(grep -n '^unit/short$' "$said" | cut -d: -f1)" ] ||
	fail "one that takes minutes began after a short one"
grep -q '^again   terminal/a ' out || fail "terminal/a is not said to run again"

: >"$said"
tests/run live/a truth kernels >out 2>&1 || fail "named ones: status $?"
[ "$(sort "$said" | tr '\n' ' ')" = "kernels/a live/a truth/a " ] || fail "named ones: $(sort "$said" | tr '\n' ' ')"
[ $failed = 0 ] || { cat out; echo "run-order: $failed failed"; exit 1; }
echo "run-order: all passed"
