#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - each name is defined once and bears its file's, so that a debugger and a reader have one answer
#
# Words that the glossary refuses are counted, not yet refused: tests/checks/words.py --list word, --list name.
cd "$(dirname "$0")/../.." || exit 1
command -v ctags >/dev/null || { echo "ctags is not installed (package universal-ctags)"; exit 77; }
kinds=()
for kind in struct macro global static file; do
	kinds+=(--list $kind)
done
found=$(tests/checks/words.py "${kinds[@]}") || { echo "words.py: $found"; exit 1; }
[ -z "$found" ] || { echo "$found"; exit 1; }
