#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# layers.sh - every #include goes the way that docs/layers.md has: none points up, and each folder has its row;
# the folders of the unit tests have the names of those that they test
#
# A file, and what it includes, belongs to the deepest folder around it that has a row.
set -u
cd "$(dirname "$0")/../.." || exit 1
declare -A may=()
bad=0
while IFS='|' read -r _ folder _ includes _; do
	folder=${folder//[\` ]/}
	[[ $folder = */ ]] && may[$folder]=$includes
done < <(grep '^| `' docs/layers.md)
[ ${#may[@]} -gt 5 ] || { echo "docs/layers.md: no table of folders"; exit 1; }

# room_of FOLDER: the deepest folder around it that has a row, in $room; "": none
room_of() {
	room=$1
	until [ -z "$room" ] || [ -n "${may[$room]+set}" ]; do
		room=${room%/} room=${room%"${room##*/}"}
	done
}

# is_allowed FROM TO: may FROM include TO? A name stands for the folders below it, too, but not in the rows of these
is_allowed() {
	local name
	case $2/ in "$1"* | include/*) return 0 ;; esac
	for name in ${may[$1]}; do
		[[ $name = tui/* ]] || name=src/$name
		[[ $2 = "$name/" || ($2 = "$name/"* && $1 != "$name/"*) ]] && return 0
	done
	return 1
}

for dir in include/ringside/ plugins/ src/*/ tui/*/; do
	room_of "$dir"
	[ -n "$room" ] || { echo "$dir: docs/layers.md has no row for it"; bad=1; }
done
for dir in tests/unit/*/ tests/unit/*/*/; do
	name=${dir#tests/unit/}
	[ -d "src/$name" ] || [ -d "$name" ] || { echo "$dir: there is no folder src/$name or $name"; bad=1; }
done
while IFS=: read -r file line include; do
	target=${include#*\"} target=${target%/*}/
	case $target in ringside/) target=include/ringside/ ;; tui/* | plugins/*) ;; *) target=src/$target ;; esac
	room_of "${file%/*}/"
	from=$room
	room_of "$target"
	[ -z "$from" ] || is_allowed "$from" "$room" || {
		echo "$file:$line: $from may not include ${room:-$target}, by docs/layers.md ($include)"
		bad=1
	}
done < <(grep -rn --include='*.[ch]' '^#include "[a-z-]*/' include/ringside plugins src tui)
for folder in "${!may[@]}"; do
	[ -d "$folder" ] || { echo "docs/layers.md: there is no folder $folder"; bad=1; }
	for name in ${may[$folder]}; do
		[[ $name = tui/* ]] && [ -d "$name" ] || [ -d "src/$name" ] || { echo "docs/layers.md: $folder: there is no folder $name"; bad=1; }
	done
done
exit $bad
