#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - each name is defined once and bears its file's, so that a debugger and a reader have one answer
#
# Words that the glossary refuses are counted, not yet refused: tests/checks/words.py --list word, --list name.
cd "$(dirname "$0")/../.." || exit 1
command -v ctags >/dev/null || { echo "ctags is not installed (package universal-ctags)"; exit 77; }
bad=0
for kind in struct macro global static file; do
	found=$(tests/checks/words.py --list $kind) || { echo "words.py --list $kind: failed"; exit 1; }
	[ -z "$found" ] || { echo "$found"; bad=1; }
done
exit $bad
