#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# setup.sh - scripts/setup asks for what is missing, for that purpose, and says why it cannot install it
cd "$(dirname "$0")/../.." || exit 1
setup=$PWD/scripts/setup
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }

# A machine that has what is named: tools of a shell, and stubs.
machine() { # machine UID COMMAND...
	rm -rf "$tmp/bin"
	mkdir "$tmp/bin"
	local tool
	for tool in grep cut tail mktemp rm cat; do ln -s "$(command -v $tool)" "$tmp/bin/"; done
	printf '#!/bin/sh\necho %s\n' "$1" >"$tmp/bin/id"
	shift
	for tool; do printf '#!/bin/sh\nexit 0\n' >"$tmp/bin/$tool"; done
	chmod 755 "$tmp/bin"/*
}
stub() { cat >"$tmp/bin/$1"; chmod 755 "$tmp/bin/$1"; }
run() { PATH=$tmp/bin /bin/sh "$setup" "$@" >"$tmp/out" 2>"$tmp/err"; status=$?; }
says() { grep -q -- "$1" "$2" || fail "$3: no '$1' in: $(cat "$2")"; }
all="gcc make pkg-config check trace-cmd valgrind python3 gzip tmux pgrep ctags chromium protoc babeltrace2 ip nft strace"

machine 1000 $all
stub pkg-config <<<'#!/bin/sh'
run
[ $status = 0 ] && [ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ] || fail "no root and nothing missing: $(cat "$tmp/out" "$tmp/err")"

machine 1000 gcc make apt-get
stub pkg-config <<<'#!/bin/sh'
run run
[ $status = 0 ] || fail "running needs more than it says: $(cat "$tmp/out" "$tmp/err")"
run
[ $status = 1 ] || fail "without what tests need: status $status"
says 'setup: installing tmux: ' "$tmp/out" tmux
says 'setup: installing procps: ' "$tmp/out" procps
says 'only root can install packages: sudo apt-get install .*trace-cmd' "$tmp/err" "not root"

machine 0 make
stub apt-get <<'S'
#!/bin/sh
echo "$*" >>"$APT_LOG"
S
export APT_LOG=$tmp/asked
run run
[ $status = 0 ] || fail "install: status $status"
says 'install --no-install-recommends gcc pkg-config libtracefs-dev ' "$tmp/asked" "what is asked for"
grep -q 'check\|trace-cmd' "$tmp/asked" && fail "make run asks for what tests need: $(cat "$tmp/asked")"

stub apt-get <<'S'
#!/bin/sh
case $* in *update) echo "W: Failed to fetch InRelease  Could not resolve 'a.server'"; exit 0 ;; esac
echo "E: Unable to locate package gcc"
exit 100
S
run run
[ $status = 1 ] || fail "no network: status $status"
says 'setup: no network' "$tmp/err" "no network"

rm "$tmp/bin/apt-get"
run run
says 'no apt-get on this machine.*: gcc pkg-config' "$tmp/err" "no apt-get"
run nonsense
[ $status = 2 ] || fail "nonsense: status $status"

[ $failed = 0 ] || { echo "setup: $failed failed"; exit 1; }
echo "setup: all passed"
