#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rules.sh - each rule of findings has a fault in tests/findings/cases.tsv that raises it, and a healthy load that comes near;
# and it is explained
set -u
cd "$(dirname "$0")/../.." || exit 1
cases=tests/findings/cases.tsv
bad=0
rules=$("${RINGSIDE_BUILD:-build}"/ringside list rules | awk 'NR > 1 { print $1 }')
[ -n "$rules" ] || { echo "ringside list rules: no rules"; exit 1; }

# named KIND: the rules that column "rules" of these cases has
named() { awk -F'\t' -v kind="$1" '!/^#/ && ($2 == "healthy") == (kind == "healthy") { print $9 }' $cases | tr , '\n' | sort -u; }
faults=$(named fault) near=$(named healthy)
for rule in $rules; do
	grep -qx "$rule" <<<"$faults" || { echo "$cases: no fault raises $rule"; bad=1; }
	grep -qx "$rule" <<<"$near" || { echo "$cases: no healthy load comes near $rule"; bad=1; }
done
for rule in $rules; do
	text=$("${RINGSIDE_BUILD:-build}"/ringside help "$rule") || { echo "help $rule: fails"; bad=1; }
	for part in "how it is found:" "when it is wrong:" "what to do:"; do
		grep -qx "$part" <<<"$text" || { echo "help $rule: no '$part' (.found and .wrong of its row)"; bad=1; }
	done
	grep '{' <<<"$text" && { echo "help $rule: has no such slot"; bad=1; }
done
for rule in $faults $near; do
	[ "$rule" = - ] || grep -qx "$rule" <<<"$rules" || { echo "$cases: there is no rule $rule"; bad=1; }
done
exit $bad
