#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# layers.sh - every #include goes the way that the architecture has: none points up
set -u
cd "$(dirname "$0")/../.." || exit 1
declare -A may=(
	[base]="base"
	[model]="base model"
	[tracefs]="base tracefs"
	[source]="base tracefs source"
	[decode]="base source decode"
	[engine]="base model source decode engine tracefs"
	[view]="base model view"
	[export]="base model view decode source export"
	[daemon]="base model tracefs source decode engine view export daemon"
	[tui]="base model view tui"
	[cli]="base model tracefs source decode engine view export daemon tui cli"
)
bad=0
# What a screen may know of the engine: who asks it, what there is to ask for, and how answers are read.
may_headers="daemon/client.h daemon/catalogue.h daemon/wire.h"
for dir in src/*/ tui/; do
	layer=$(basename "$dir")
	[ -n "${may[$layer]-}" ] || { echo "$dir: a folder that no layer is named after"; bad=1; continue; }
	while IFS=: read -r file line include; do
		header=${include#*\"} header=${header%%\"*} target=${header%%/*}
		[ "$layer" = tui ] && [[ " $may_headers " = *" $header "* ]] && continue
		case " ringside ${may[$layer]} " in
		*" $target "*) ;;
		*) echo "$file:$line: $layer may not include $target ($include)"; bad=1 ;;
		esac
	done < <(grep -rn --include='*.[ch]' '^#include "[a-z]*/' "$dir")
done
while IFS=: read -r file line include; do
	echo "$file:$line: a plugin includes ringside/ alone ($include)"
	bad=1
done < <(grep -n '^#include "' plugins/*.c | grep -v '"ringside/')
exit $bad
