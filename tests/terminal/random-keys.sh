#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# random-keys.sh [-n KEYS] [-s SEED] - random keys, words, mouse reports and sizes into the screens of a recording
#
# 2,000 keys, or what the environment variable KEYS says (make test-long: 30,000, also under the sanitizers). It prints its
# seed; -s types the same again. e and P are not typed, because they write files.
. "$(dirname "$0")/../lib/live.sh"
nr=${KEYS:-2000} seed=$((10#$(date +%N)))
while getopts n:s: option; do
	case $option in n) nr=$OPTARG ;; s) seed=$OPTARG ;; *) exit 2 ;; esac
done
export XDG_CONFIG_HOME=$tmp/config TERM=xterm-256color LC_ALL=C.UTF-8
export ASAN_OPTIONS=log_path=$tmp/here/sanitizer${ASAN_OPTIONS:+:$ASAN_OPTIONS}
unset NO_COLOR COLORTERM
echo "seed $seed"

begin "$nr random keys, seed $seed"
mkdir -m 777 here config
cd here || exit 1
# not by root: a word that is typed may be the path of a file that is written
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
[ "$(id -u)" = 0 ] && "${nobody[@]}" "$ringside" version >/dev/null 2>&1 || nobody=()
"$python" "$root/tests/lib/random_keys.py" -n "$nr" -s "$seed" -x eP \
	"${nobody[@]}" "$ringside" tui "$root/tests/traces/debian-6.1-amd64-mixed.dat" || fail "it ended"
# of the engine, too, which is a process of its own
for log in sanitizer.*; do
	[ ! -e "$log" ] || fail "$(head -n 40 "$log")"
done
cd "$tmp" || exit 1
finish
