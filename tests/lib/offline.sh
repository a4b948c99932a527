# SPDX-License-Identifier: GPL-2.0-or-later
# offline.sh - what tests of the command line on recordings share; to be sourced, first of all, by tests/FOLDER/NAME.sh [BUILD]
#
#	. "$(dirname "$0")/../lib/offline.sh"
#	"$ringside" report "$traces/x.dat" >out 2>err || fail "x: $(cat err)"
#	finish "what has passed"
#
# Files are in a folder of their own, the current one, which goes at the end.
# shellcheck shell=bash disable=SC2034 # the variables are the tests'
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-${RINGSIDE_BUILD:-build}}
ringside=$root/$build/ringside traces=$root/tests/traces
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
fail() { failed=$((failed + 1)); echo "FAIL: $*"; }

finish() { # finish WHAT: what is said where all has passed
	local name
	name=$(basename "$0" .sh)
	[ $failed = 0 ] || { echo "$name: $failed failed"; exit 1; }
	echo "$name: $*"
}
