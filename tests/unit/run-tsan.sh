#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-tsan.sh - the unit suites that have threads, under the thread sanitizer
build=build-thread
mkdir -p $build
# checks/clang has built it, where there is a clang
cc=$(command -v clang) || cc=${CC:-cc}
echo 'int main(void) { return 0; }' >$build/probe.c
$cc -fsanitize=thread -o $build/probe $build/probe.c || { echo "this compiler has no thread sanitizer"; exit 77; }
if ! $build/probe; then
	# older runtimes find no room among addresses that the kernel scatters widely
	[ -z "${RINGSIDE_TEST_UNSCATTERED-}" ] && RINGSIDE_TEST_UNSCATTERED=1 exec setarch "$(uname -m)" -R "$0"
	echo "the thread sanitizer does not run here"
	exit 77
fi

tests/lib/sanitizer-make thread CC="$cc" unit || exit 1
. tests/lib/unit-parts.sh
# those that begin threads themselves, and those whose engine or writer is one
mapfile -t files < <(unit_tests | xargs grep -l 'pthread_create\|"tui-stage.h"\|"base/async-writer.h"')
mapfile -t suites < <(suites_of "${files[@]}")
# tests ask for impossible sizes on purpose
TSAN_OPTIONS=allocator_may_return_null=1${TSAN_OPTIONS:+:$TSAN_OPTIONS} CK_TIMEOUT_MULTIPLIER=20 run_suites $build/unit build/test-logs/unit-tsan.txt "${suites[@]}"
grep 'SUMMARY: ThreadSanitizer' build/test-logs/unit-tsan.txt
exit "$status"
