#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rules.sh - each rule of findings has a fault in tests/findings/cases.tsv that raises it, and a healthy load that comes near
set -u
cd "$(dirname "$0")/../.." || exit 1
cases=tests/findings/cases.tsv
# What no guest has been made to do, as a wait in state D of which no event tells why; tests/unit raises these.
no_fault=" blocked cpu-kernel disk-wait memory-compaction peer-socket "
no_near=" blocked cpu-kernel memory-compaction "
bad=0
rules=$("${RINGSIDE_BUILD:-build}"/ringside list rules | awk 'NR > 1 { print $1 }')
[ -n "$rules" ] || { echo "ringside list rules: no rules"; exit 1; }

# named KIND: the rules that column "rules" of these cases has
named() { awk -F'\t' -v kind="$1" '!/^#/ && ($2 == "healthy") == (kind == "healthy") { print $9 }' $cases | tr , '\n' | sort -u; }
faults=$(named fault) near=$(named healthy)
for rule in $rules; do
	grep -qx "$rule" <<<"$faults" || [[ $no_fault = *" $rule "* ]] || { echo "$cases: no fault raises $rule"; bad=1; }
	grep -qx "$rule" <<<"$near" || [[ $no_near = *" $rule "* ]] || { echo "$cases: no healthy load comes near $rule"; bad=1; }
done
for rule in $no_fault; do ! grep -qx "$rule" <<<"$faults" || { echo "$0: a fault raises $rule now"; bad=1; }; done
for rule in $no_near; do ! grep -qx "$rule" <<<"$near" || { echo "$0: a healthy load comes near $rule now"; bad=1; }; done
for rule in $faults $near $no_fault $no_near; do
	[ "$rule" = - ] || grep -qx "$rule" <<<"$rules" || { echo "$cases: there is no rule $rule"; bad=1; }
done
exit $bad
