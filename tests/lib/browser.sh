# SPDX-License-Identifier: GPL-2.0-or-later
# browser.sh - a real browser, for tests/consumers; to be sourced: without a browser the test is skipped
#
#	. "$(dirname "$0")/../lib/browser.sh"
#	browse --dump-dom "file://$tmp/page.html" >"$tmp/dom"      # what it says is in $tmp/err
#	tell "$checks"                                              # "ok this;FAILED that": false if one has failed
#
# apt-get install chromium; need_playwright: nodejs, and in tests/consumers: npm install --ignore-scripts
# shellcheck shell=bash
skip() { echo "$*"; exit 77; }
[ -x "${CHROMIUM:=/usr/bin/chromium}" ] || skip "chromium is not installed"
export CHROMIUM
if [ -z "${tmp-}" ]; then # else offline.sh has made it
	tmp=$(mktemp -d) || exit 1
	trap 'rm -rf "$tmp"' EXIT
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../consumers" && pwd)

need_playwright() {
	command -v node >/dev/null || skip "node is not installed"
	[ -d "$here/node_modules/playwright-core" ] || skip "playwright-core is not installed (npm install --ignore-scripts in tests/consumers)"
}

browse() {
	timeout 120 "$CHROMIUM" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --window-size=1300,900 "$@" 2>"$tmp/err"
}

tell() {
	tr ';' '\n' <<<"$1"
	[ -n "$1" ] && ! grep -q FAILED <<<"$1"
}
