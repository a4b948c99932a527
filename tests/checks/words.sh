#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - names, texts and commit subjects follow docs/glossary.md; tests/checks/words.py does the work
#
# Each struct, macro and function is defined once and begins with the name of its file, so that `break merge_step` in a
# debugger has one answer. No line of the product or of a sample is longer than 110 columns.
cd "$(dirname "$0")/../.." || exit 1
command -v ctags >/dev/null || { echo "ctags is not installed (package universal-ctags)"; exit 77; }
wide=$(git ls-files 'include/*.h' 'src/*.[ch]' 'plugins/*.c' 'tui/*.[ch]' 'samples/*.[ch]' | xargs -r awk '
	{ line = $0; while ((tab = index(line, "\t"))) line = substr(line, 1, tab - 1) sprintf("%*s", 8 - (tab - 1) % 8, "") substr(line, tab + 1) }
	length(line) > 110 { print FILENAME ":" FNR ": " length(line) " columns, more than 110" }')
[ -z "$wide" ] || { echo "$wide"; exit 1; }
found=$(tests/checks/words.py) || { echo "$found"; exit 1; }
