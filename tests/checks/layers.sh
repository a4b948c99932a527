#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# layers.sh - every #include goes the way that docs/layers.md has: none points up, and each folder has its row
set -u
cd "$(dirname "$0")/../.." || exit 1
declare -A may=()
bad=0
while IFS='|' read -r _ folder _ includes _; do
	folder=${folder//[\` ]/}
	[[ $folder = */ ]] && may[$folder]=" ringside $includes "
done < <(grep '^| `' docs/layers.md)
[ ${#may[@]} -gt 5 ] || { echo "docs/layers.md: no table of folders"; exit 1; }

for dir in include/ringside/ plugins/ src/*/ tui/; do
	[ -n "${may[$dir]-}" ] || { echo "$dir: docs/layers.md has no row for it"; bad=1; continue; }
	while IFS=: read -r file line include; do
		target=${include#*\"} target=${target%%/*}
		case "${may[$dir]}$(basename "$dir") " in
		*" $target "*) ;;
		*) echo "$file:$line: $dir may not include $target, by docs/layers.md ($include)"; bad=1 ;;
		esac
	done < <(grep -rn --include='*.[ch]' '^#include "[a-z-]*/' "$dir")
done
for folder in "${!may[@]}"; do
	[ -d "$folder" ] || { echo "docs/layers.md: there is no folder $folder"; bad=1; }
done
exit $bad
