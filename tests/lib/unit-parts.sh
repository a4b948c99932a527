# SPDX-License-Identifier: GPL-2.0-or-later
# unit-parts.sh RUNNER LOG - sourced: the unit suites in as many parts as there are CPUs, at the same time; prints them, sets status
run_parts() {
	local runner=$1 log=$2 nr k pids=()
	nr=$(nproc)
	status=0
	for ((k = 1; k <= nr; k++)); do
		"$runner" "$k/$nr" >"$log.$k" 2>&1 &
		pids+=($!)
	done
	for k in "${pids[@]}"; do wait "$k" || status=1; done
	cat "$log".* >"$log"
	cat "$log"
	grep -E '^[0-9]+%' "$log" | awk -F'[ ,%]+' '{ checks += $4; failures += $6; errors += $8 }
		END { printf "%d checks, %d failures, %d errors\n", checks, failures, errors; if (!checks) exit 1 }' || status=1
}
