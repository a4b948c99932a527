#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# output-links.sh - what root writes in a user's folder: he cannot have another file changed, or made his own, by a link
. "$(dirname "$0")/../lib/offline.sh"
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
t=$traces/debian-6.1-amd64-v6.dat
me=12345
unset SUDO_UID SUDO_GID
mkdir -p d/u && chmod 755 d . && chown $me:$me d/u
echo secret >d/victim && chmod 600 d/victim
untouched() { # untouched WHEN
	[ "$(stat -c '%u %a' d/victim) $(cat d/victim)" = "0 600 secret" ] || fail "$1: $(ls -ln d/victim)"
}
user() { setpriv --reuid $me --regid $me --clear-groups "$@"; }

# A link of his: at the end of the name, in its middle; to a file that is there, and to one that is not.
user ln -s "$PWD/d/victim" d/u/link
user ln -s "$PWD/d/none" d/u/dangling
user ln -s "$PWD/d" d/u/folder
for name in d/u/link d/u/dangling d/u/folder/new; do
	for format in chrome sqlite ctf; do
		"$ringside" export -q -i "$t" -f $format -o $name >out 2>err && fail "export -f $format -o $name is not refused"
	done
	grep -q "a link in it that is not root's" err || fail "$name: $(cat err)"
done
untouched "a link of his"
[ ! -e d/none ] && [ ! -e d/new ] || fail "a link of his was followed: $(ls d)"

# Links of root's are followed, and so are anybody's in a folder that only root writes.
ln -s "$PWD/d/real.json" d/u/roots
"$ringside" export -q -i "$t" -f chrome -o d/u/roots 2>err && [ -s d/real.json ] || fail "root's link: $(cat err)"
ln -s real2.json d/his && chown -h $me d/his
"$ringside" export -q -i "$t" -f chrome -o d/his 2>err && [ -s d/real2.json ] && [ -L d/his ] || fail "a link in root's folder: $(cat err)"
"$ringside" export -q -i "$t" -f chrome -o /dev/stdout 2>err >out && [ -s out ] || fail "/dev/stdout: $(cat err)"

# He replaces the new file by a link while root changes its owner, which strace delays so that he wins.
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	user sh -c "echo >$PWD/d/u/x.json"
	user sh -c "for i in \$(seq 400); do for f in $PWD/d/u/x.json.??????; do
		[ -f \"\$f\" ] && [ ! -L \"\$f\" ] && mv \"\$f\" $PWD/d/u/gone && ln -s $PWD/d/victim \"\$f\" && exit
	done; sleep 0.01; done" >/dev/null 2>&1 &
	strace -o /dev/null -e trace=chown,fchown -e inject=chown,fchown:delay_enter=800000 \
		"$ringside" export -q -i "$t" -f chrome -o d/u/x.json >out 2>err
	wait
	[ -e d/u/gone ] || fail "he did not win the race: $(ls d/u)"
	untouched "the race"
else
	echo "strace is not installed: no race"
fi
finish "no link of a user is followed"
