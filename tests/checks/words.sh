#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# words.sh - names, texts and commit subjects follow docs/glossary.md; tests/checks/words.py does the work
#
# Each struct, macro and function is defined once and begins with the name of its file, so that `break merge_step` in a
# debugger has one answer.
cd "$(dirname "$0")/../.." || exit 1
command -v ctags >/dev/null || { echo "ctags is not installed (package universal-ctags)"; exit 77; }
found=$(tests/checks/words.py) || { echo "$found"; exit 1; }
