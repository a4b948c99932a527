#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# queries.sh - each question of docs/queries.md, asked of a database that export wrote: as the document and the views say
#
# Usage: tests/cli/queries.sh [BUILD]; UPDATE=1 writes the answers into the document
cd "$(dirname "$0")/../.." || exit 1
ringside=$PWD/${1:-build}/ringside
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
python3 tests/cli/queries.py "$ringside" "$tmp"
