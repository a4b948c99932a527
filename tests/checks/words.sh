#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - names, texts and commit subjects follow docs/glossary.md; tests/checks/words.py does the work
#
# Each struct, macro and function is defined once and begins with the name of its file, so that `break merge_step` in a
# debugger has one answer. Folders that still have refused words are in $pending: take a folder out once it is clean.
cd "$(dirname "$0")/../.." || exit 1
command -v ctags >/dev/null || { echo "ctags is not installed (package universal-ctags)"; exit 77; }
pending='^(docs/json\.md|docs/protocol\.md|include/|plugins/|samples/|src/|tui/|tests/unit/)'
found=$(tests/checks/words.py --list struct --list macro --list global --list static --list file --list subject) || { echo "words.py: $found"; exit 1; }
words=$(tests/checks/words.py --list word --list name) || { echo "words.py: $words"; exit 1; }
words=$(grep -Ev "$pending" <<<"$words")
[ -z "$found$words" ] || { echo "$found"; echo "$words"; exit 1; }
