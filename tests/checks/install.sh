#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# install.sh - what "make install" puts there works from there: program, wrappers, man pages, completion, headers
cd "$(dirname "$0")/../.." || exit 1
sample=$PWD/tests/traces/debian-6.1-amd64-mixed.dat
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
make -s install DESTDIR="$tmp" PREFIX=/usr >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
export PATH=$tmp/usr/bin:$PATH
share=$tmp/usr/share
cd "$tmp" || exit 1
failed=0
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }

[ "$(command -v ringside)" = "$tmp/usr/bin/ringside" ] || fail "not in bin"
ringside iosnoop -i "$sample" -n 1 | grep -q '^COMM ' || fail "iosnoop"

# Wrappers: their tool's letters, ringside's long options.
rows() { # rows WRAPPER ARGUMENTS...
	local wrapper=$share/ringside/scripts/$1
	shift
	"$wrapper" "$@" --input "$sample" --json | grep -vc '^{"_meta"'
}
[ "$(rows iosnoop -i WS)" = "$(ringside iosnoop -i "$sample" --type WS --json | grep -vc '^{"_meta"')" ] || fail "iosnoop -i WS"
"$share/ringside/scripts/iosnoop" -st --input "$sample" | head -n 1 | grep -q '^ *STARTs *ENDs *COMM' || fail "iosnoop -st"
[ "$(rows runqslower 20000)" = "$(ringside runqslower -i "$sample" -m 20ms --json | grep -vc '^{"_meta"')" ] || fail "runqslower 20000"
"$share/ringside/scripts/runqlat" -P --input "$sample" | grep -q 'pid = ' || fail "runqlat -P"
"$share/ringside/scripts/biolatency" -F --input "$sample" | grep -q 'type = ' || fail "biolatency -F"
"$share/ringside/scripts/biolatency" -h | grep -q '^usage: biolatency \[options\] \[SECONDS\] \[COUNT\]' || fail "biolatency -h"
[ "$(rows syscall-latency -T 3)" = 3 ] || fail "syscall-latency -T 3"

# The daemon as a service: what it begins is what was installed.
grep -q "^ExecStart=/usr/bin/ringside daemon$" "$tmp/usr/lib/systemd/system/ringside.service" || fail "ringside.service"
grep -q "^u ringside " "$tmp/usr/lib/sysusers.d/ringside.conf" || fail "no user for the engine"
if command -v systemd-analyze >/dev/null; then
	sed -i "s|/usr/bin/ringside|$tmp/usr/bin/ringside|" "$tmp/usr/lib/systemd/system/ringside.service"
	systemd-analyze verify --man=no "$tmp/usr/lib/systemd/system/ringside.service" 2>&1 | grep ringside && fail "systemd finds fault with ringside.service"
fi

# A page for each command and view.
[ -s "$share/man/man1/ringside.1" ] || fail "no ringside.1"
for name in $(ringside help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'); do
	[ -s "$share/man/man1/ringside-$name.1" ] || fail "no ringside-$name.1"
done

# Completion, as bash calls it.
complete_words() {
	bash -c 'compopt() { :; }; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ringside; echo "${COMPREPLY[*]}"' \
		- "$share/bash-completion/completions/ringside" "$@"
}
[ "$(complete_words ringside runqs)" = runqslower ] || fail "completion of a view: $(complete_words ringside runqs)"
[ "$(complete_words ringside iosnoop --star)" = --starts ] || fail "completion of an option: $(complete_words ringside iosnoop --star)"
[ "$(complete_words ringside report --view biol)" = biolatency ] || fail "completion of --view"
[ "$(complete_words ringside sched -s run)" = run_ns ] || fail "completion of a column"
[ "$(complete_words ringside sched -s comm,-run)" = comm,-run_ns ] || fail "completion of a column that is sorted the other way"
[ "$(complete_words ringside sched --columns comm,run)" = comm,run_ns ] || fail "completion after a comma"
[ "$(complete_words ringside report --view disks,biol)" = disks,biolatency ] || fail "completion of --view after a comma"
# the other shells where they are here: at least that they can read it
if command -v zsh >/dev/null; then zsh -n "$share/zsh/site-functions/_ringside" || fail "zsh completion"; fi
if command -v fish >/dev/null; then fish -n "$share/fish/vendor_completions.d/ringside.fish" || fail "fish completion"; fi
if command -v fish >/dev/null; then
	offered=$(fish -c 'source $argv; complete -C "ringside tui -- ls --sys"' "$share/fish/vendor_completions.d/ringside.fish")
	[ -z "$offered" ] || fail "fish completes ringside's options for a command: $offered"
fi
[ -s "$share/zsh/site-functions/_ringside" ] && [ -s "$share/fish/vendor_completions.d/ringside.fish" ] || fail "no completion for zsh or fish"

# What a plugin's Makefile asks for; tests/cli/plugins.sh builds and loads one.
if command -v pkg-config >/dev/null; then
	export PKG_CONFIG_PATH=$tmp/usr/lib/pkgconfig
	[ "ringside $(pkg-config --modversion ringside)" = "$(ringside version | head -n 1 | cut -d, -f1)" ] || fail "pkg-config: another version"
	[ -d "$(pkg-config --variable=plugindir ringside)" ] || fail "pkg-config: no plugindir"
	[ -e "$(pkg-config --cflags-only-I ringside | sed 's/^-I//; s/ *$//')/ringside/plugin.h" ] || fail "pkg-config: no headers"
	# what compiles in this tree compiles outside of it: strcasestr and the like are declared there, too
	printf '#include <string.h>\n#include <ringside/plugin.h>\nchar *f(const char *s) { return strcasestr(s, "x"); }\n' |
		${CC:-cc} -std=c11 -Wall -Werror $(pkg-config --cflags ringside) -fsyntax-only -x c - || fail "pkg-config: other flags than the tree's"
fi
[ -s "$share/doc/ringside/plugin-hello/hello.c" ] || fail "no example of a plugin"
[ "$(ls "$OLDPWD/docs/labs")" = "$(ls "$share/doc/ringside/labs")" ] || fail "the labs are not all there"

# A plugin needs the installed headers, and nothing else.
for header in "$tmp"/usr/include/ringside/*.h; do
	echo "#include <ringside/$(basename "$header")>" | ${CC:-cc} -std=c11 -Wall -Werror -fsyntax-only -I"$tmp/usr/include" -x c - ||
		fail "$(basename "$header") does not stand by itself"
done

# And what was put there goes again; a plugin of somebody else's stays.
touch "$tmp/usr/lib/ringside/plugins/other.so"
make -s -C "$OLDPWD" uninstall DESTDIR="$tmp" PREFIX=/usr >"$tmp/log" 2>&1 || fail "uninstall: $(cat "$tmp/log")"
left=$(find "$tmp/usr" ! -type d)
[ "$left" = "$tmp/usr/lib/ringside/plugins/other.so" ] || fail "uninstall leaves: $left"

[ $failed = 0 ] || { echo "install: $failed failed"; exit 1; }
echo "install: all passed"
