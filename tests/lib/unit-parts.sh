# SPDX-License-Identifier: GPL-2.0-or-later
# unit-parts.sh - sourced: the unit suites, several at the same time
# shellcheck shell=bash disable=SC2034 # status is the caller's

# run_parts RUNNER LOG: all of them, in as many parts as there are CPUs; prints them, sets status
run_parts() {
	local runner=$1 log=$2 nr k pids=()
	nr=$(nproc)
	status=0
	for ((k = 1; k <= nr; k++)); do
		"$runner" "$k/$nr" >"$log.$k" 2>&1 &
		pids+=($!)
	done
	for k in "${pids[@]}"; do wait "$k" || status=1; done
	sum_up "$log"
}

# run_suites RUNNER LOG SUITE...: only these, each in a process of its own, as many as there are CPUs; likewise
run_suites() {
	local runner=$1 log=$2
	shift 2
	status=0
	rm -f "$log".*
	# shellcheck disable=SC2016 # for the shell inside
	printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c 'CK_RUN_SUITE=$3 "$1" >"$2.$3" 2>&1' run "$runner" "$log" {} || status=1
	sum_up "$log"
}

sum_up() {
	cat "$1".* >"$1"
	cat "$1"
	grep -E '^[0-9]+%' "$1" | awk -F'[ ,%]+' '{ checks += $4; failures += $6; errors += $8 }
		END { printf "%d checks, %d failures, %d errors\n", checks, failures, errors; if (!checks) exit 1 }' || status=1
}
