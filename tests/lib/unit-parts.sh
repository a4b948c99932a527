# SPDX-License-Identifier: GPL-2.0-or-later
# unit-parts.sh - sourced: runs unit suites, several at a time
# shellcheck shell=bash disable=SC2034 # status is the caller's

# unit_tests [NAME]: the files of all suites, or of those whose names begin so
unit_tests() { find tests/unit -name "test-${1-}*.c" | sort; }

# suites_of FILE...: the names of the suites in these files
suites_of() { sed -n 's/.*suite_create("\([^"]*\)").*/\1/p' "$@"; }

# run_suites RUNNER LOG SUITE...: each suite in a process of its own, as many at a time as there are CPUs; prints what
# they said (a test that cannot run: "SKIP test: why", see skip.h) and sets status. Suites that trace run under the lock of all tests that trace;
# those that change what a process has once (its mounts, its user, its first failed allocation) have a process a test.
run_suites() {
	local runner=$1 log=$2
	shift 2
	status=0
	mkdir -p "$(dirname "$log")"
	rm -f "$log".*
	# The tests of a suite run in one process: to copy one for each (and to search it for leaks) costs a third (half) of the time.
	export runner log CK_FORK=no
	# shellcheck disable=SC2016 # for the shell inside
	printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
		case $1 in live | tracefs | tracefs-mount) lock=tests/lib/trace-lock ;; esac
		case $1 in memory-watch | tracefs | tracefs-mount) unset CK_FORK ;; esac
		CK_RUN_SUITE=$1 $lock "$runner" >"$log.$1" 2>&1' run {} || status=1
	cat "$log".* >"$log"
	cat "$log"
	grep -E '^([0-9]+%|SKIP )' "$log" | awk -F'[ ,%]+' '/^SKIP/ { skipped++; next } { checks += $4; failures += $6; errors += $8 }
		END { printf "%d checks, %d failures, %d errors%s\n", checks - skipped, failures, errors, skipped ? ", " skipped " skipped" : ""
		      if (checks - skipped <= 0) exit 1 }' || status=1
}
