#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# plugins.sh - an external analysis, built against what is installed: it is everywhere a built-in one is, or it is
# refused by name, with the reason, and the rest goes on
#
# Usage: tests/cli/plugins.sh; what root may load is tried as root only, live where there is tracefs
cd "$(dirname "$0")/../.." || exit 1
root=$PWD build=${RINGSIDE_BUILD:-build}
sample=$root/tests/traces/debian-6.1-amd64-v6.dat
command -v pkg-config >/dev/null || { echo "pkg-config is not installed"; exit 77; }
is_root() { [ "$(id -u)" = 0 ]; }
unset RINGSIDE_PLUGIN_PATH SUDO_UID SUDO_GID

# Root loads nothing that is below a folder where others may write, as the usual place for temporary files is.
roots_own() { # roots_own FOLDER
	local d=$1
	while :; do
		[ "$(stat -c %u "$d")" = 0 ] && [ -z "$(find "$d" -maxdepth 0 -perm /022)" ] || return 1
		[ "$d" = / ] && return 0
		d=$(dirname "$d")
	done
}
base=${TMPDIR:-/tmp}
if is_root; then
	base=
	for d in /root /var/lib /opt /srv; do [ -z "$base" ] && [ -w $d ] && roots_own $d && base=$d; done
	[ -n "$base" ] || { echo "there is no folder that is root's alone"; exit 77; }
fi
safe=$(mktemp -d "$base/ringside-test.XXXXXX") && tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$safe" "$tmp"' EXIT
chmod 755 "$safe" "$tmp"
cd "$tmp" || exit 1
failed=0
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
same() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

make -s -C "$root" install DESTDIR="$safe" PREFIX=/usr B="$build" >log 2>&1 || { cat log; exit 1; }
export PKG_CONFIG_PATH=$safe/usr/lib/pkgconfig PATH=$safe/usr/bin:$PATH
cp -r "$safe/usr/share/doc/ringside/plugin-hello" hello
make -s -C hello CFLAGS=-Werror >log 2>&1 || { cat log; fail "hello does not build"; }
same "what hello.so exports" rs_analysis_hello "$(nm -D --defined-only hello/hello.so | sed 's/.* //')"

# ---- from the install directory, as from the variable ----

rows() { grep -vc '^{"_meta"' "$1"; }
works() { # works WHERE: whatever is true of a built-in view is true of hello
	ringside list views --csv >out 2>err || fail "$1: list: $(cat err)"
	[ ! -s err ] || fail "$1: list says: $(cat err)"
	same "$1: list views" 'hello,stream,hello,"each new task, by who made it"' "$(grep -o '^hello,[^"]*"[^"]*"' out)"
	same "$1: list columns" 5 "$(ringside list columns --csv | grep -c ^hello,)"
	ringside help | grep -q '^  hello ' || fail "$1: help does not name it"
	ringside hello --help | grep -q '^usage: ringside hello ' || fail "$1: hello --help"
	ringside hello -i "$sample" --json >out 2>err || fail "$1: hello: $(cat err)"
	same "$1: rows" "$(zcat "${sample%.dat}.report.gz" | grep -c ' sched_process_fork: ')" "$(rows out)"
	ringside report "$sample" --view hello --json | cmp -s - out || fail "$1: report --view hello says otherwise"
	ringside report "$sample" --view all --json | grep -q '"_view":"hello"' || fail "$1: it is not in --view all"
	ringside report "$sample" | grep -qi hello || fail "$1: it is not on the page of all views"
	ringside hello -i "$sample" | head -n 1 | grep -q '^ *TIME(s) COMM' || fail "$1: text"
	same "$1: a word that is near" "ringside: unknown command 'hallo'; did you mean 'hello'?" "$(ringside hallo 2>&1)"
	# shellcheck disable=SC2016 # for the shell inside
	same "$1: completion" "hello" "$(bash -c 'compopt() { :; }; . "$0"; COMP_WORDS=(ringside hello); COMP_CWORD=1; _ringside; echo "${COMPREPLY[*]}"' \
		"$safe/usr/share/bash-completion/completions/ringside")"
}
live() {
	is_root && [ -d /sys/kernel/tracing/instances ] || return 0
	local command=(sh -c 'echo $$ >pid; /bin/true; /bin/true; /bin/true; :')
	ringside hello --json -- "${command[@]}" >out 2>err || fail "$1: live: $(cat err)"
	same "$1: live: children of the shell" 3 "$(grep -c "\"tid\":$(cat pid)," out)"
	ringside record -q -a hello -o own.dat -- "${command[@]}" 2>err || fail "$1: record -a hello: $(cat err)"
	ringside hello -i own.dat --json >out || fail "$1: of what was recorded"
	same "$1: children of the shell in the recording" 3 "$(grep -c "\"tid\":$(cat pid)," out)"
}
ringside hello -i "$sample" >out 2>&1 && fail "there is a view hello before it is installed"
make -s -C hello install >log 2>&1 || { cat log; fail "hello is not installed"; }
works "installed"
live "installed"
rm "$safe/usr/lib/ringside/plugins/hello.so"
mkdir -p "$safe/a" "$safe/b"
cp hello/hello.so "$safe/b"
export RINGSIDE_PLUGIN_PATH=$safe/a:$safe/b
works "RINGSIDE_PLUGIN_PATH"
live "RINGSIDE_PLUGIN_PATH"

# ---- the same source built in says the same ----

unset RINGSIDE_PLUGIN_PATH
ringside hello -i "$sample" >/dev/null 2>&1 && fail "it is still there without the variable"
RINGSIDE_PLUGIN_PATH=$safe/b ringside hello -i "$sample" --json >as-plugin
mkdir tree && (cd "$root" && cp -a Makefile include plugins scripts src tui "$build" "$tmp/tree/")
cp hello/hello.c tree/plugins/
# without link-time optimization, a minute: what it says is compared, not how fast
make -s -C tree B="$build" LTO=-fno-lto all >log 2>&1 || { tail -n 20 log; fail "it does not build as a built-in"; }
"tree/$build/ringside" hello -i "$sample" --json >built-in 2>&1
cmp -s as-plugin built-in || fail "as a plugin and built in: $(diff as-plugin built-in | head -n 3)"
rm -rf tree

# ---- refused, by name and with the reason; hello and the rest go on ----

export RINGSIDE_PLUGIN_PATH=$safe/a:$safe/b
refused() { # refused FILE PATTERN: the file is in a/, and goes again
	ringside list views --csv >out 2>err || fail "$1: status $?: $(cat err)"
	same "$1: notes" 1 "$(wc -l <err)"
	grep -Eq "^ringside: note: plugin '$safe/a/$1' is not used: $2" err || fail "$1: no '$2': $(cat err)"
	grep -q ^hello, out || fail "$1: hello is not there"
	grep -q ^iosnoop, out || fail "$1: iosnoop is not there"
	rm -rf "${safe:?}/a/"*
}
variant() { # variant NAME SED-SCRIPT: hello.c, changed, as NAME.so in a/; its names are its own if it says nothing else
	sed -e "s/rs_analysis_hello/rs_analysis_$1/; s/\.name = \"hello\"/.name = \"$1\"/g" -e "$2" hello/hello.c >"$1.c"
	# shellcheck disable=SC2046 # words
	${CC:-cc} -std=c11 $(pkg-config --cflags ringside) -fPIC -shared -o "$safe/a/$1.so" "$1.c" || fail "$1 does not build"
}
variant other ''
ringside list views --csv >out 2>err
[ -s err ] && fail "another one beside it: $(cat err)"
same "another one beside it" "other hello" "$(sed -n 's/^\(hello\|other\),.*/\1/p' out | tr '\n' ' ' | sed 's/ $//')"
rm "$safe/a/other.so"

variant old 's/\.abi = RS_ABI/.abi = RS_ABI + 1/'
refused old.so "it was built for ABI [0-9]+, this ringside has ABI [0-9]+ \(rebuild it"
variant right '' && mv "$safe/a/right.so" "$safe/a/wrong.so"
refused wrong.so "it has no 'rs_analysis_wrong'"
echo "this is a text" >"$safe/a/text.so"
refused text.so ".*invalid ELF header|file too short.*\(it has to be a shared object"
: >"$safe/a/empty.so"
refused empty.so ".*file too short"
variant needs 's/rs_emit(c, 0, v);/rs_emit(c, 0, v); extern void rs_session_free(void *); rs_session_free(c);/'
refused needs.so "undefined symbol: rs_session_free .*no more than ringside/plugin.h offers"
mkfifo "$safe/a/pipe.so"
refused pipe.so "it is no file"
mkdir "$safe/a/folder.so"
refused folder.so "it is no file"
ln -s /nonexistent "$safe/a/link.so"
refused link.so "No such file"
variant odd '' && mv "$safe/a/odd.so" "$safe/a/Odd.so"
refused Odd.so "the file's name says what"
cp hello/hello.so "$safe/a/$(printf 'x\nringside: y.so')"
refused "x.ringside: y.so" "the file's name says what"
variant sched ''
refused sched.so "there is an analysis 'sched' already"
variant twin 's/{ .name = "twin", .topic/{ .name = "iosnoop", .topic/'
refused twin.so "the analysis 'iosnoop' has a view 'iosnoop' already"
variant word 's/{ .name = "word", .topic/{ .name = "record", .topic/'
refused word.so "'record' is a word of ringside's own"
columns=$(for i in {0..70}; do printf '{ "c%d", "C", RS_TYPE_COUNT, 0, 0, 1, "x" }, ' "$i"; done)
variant wide "s/^	{ 0 },\$/	{ 0 }, /; 0,/^	{ 0 }, \$/s/^	{ 0 }, \$/	$columns { 0 },/"
refused wide.so "view 'wide' has more than 64 columns"
variant big 's/sizeof(struct maker)/1 << 20/'
refused big.so "it wants 1048576 bytes for each task"
variant lost 's/RS_VIEW_STREAM/RS_VIEW_TABLE/'
refused lost.so "view 'lost': a table and a histogram have either .rows or .store"
cp hello/hello.so "$safe/a/hello.so" # first of the two
ringside list views >out 2>err
grep -q "plugin '$safe/b/hello.so' is not used: there is an analysis 'hello' already" err || fail "twice: $(cat err)"
rm "$safe/a/hello.so"
RINGSIDE_PLUGIN_PATH=/nonexistent/folder ringside list views >out 2>err || fail "a folder that is not there: $?"
same "a folder that is not there" "ringside: note: no plugins from '/nonexistent/folder': No such file or directory (see RINGSIDE_PLUGIN_PATH)" "$(cat err)"

# ---- one that crashes ----

crashes() { # crashes NAME SIGNAL STATEMENT: its handler does that
	variant "$1" "1i#include <stdlib.h>
s/^	m = rs_task_data/	$3 &/"
	grep -q -F "$3 " "$1.c" || fail "hello.c has no handler to break"
	RINGSIDE_PLUGIN_PATH=$safe/a ringside "$1" -i "$sample" >out 2>err
	same "$1: status" 1 $?
	same "$1: what is said" "ringside: the plugin '$1' crashed ($2): take it out of the plugins' folder, or report this to its author" "$(cat err)"
	rm "$safe/a/$1.so"
}
crashes null SEGV 'strtol((char *)(long)(ev->ts_ns == 0), 0, 0);'
crashes abort ABRT 'abort();'

# ---- whose it is ----

if is_root && command -v setpriv >/dev/null; then
	cp hello/hello.so "$safe/a/owned.so" && chown 65534 "$safe/a/owned.so"
	refused owned.so "'$safe/a/owned.so' is not root's"
	cp hello/hello.so "$safe/a/open.so" && chmod 666 "$safe/a/open.so"
	refused open.so "'$safe/a/open.so' can be written by others"
	cp hello/hello.so "$safe/a/group.so" && chgrp 65534 "$safe/a/group.so" && chmod 664 "$safe/a/group.so"
	refused group.so "'$safe/a/group.so' can be written by others"
	chmod 777 "$safe/a"
	cp hello/hello.so "$safe/a/below.so"
	refused below.so "'$safe/a' can be written by others"
	chmod 1777 "$safe/a"
	cp hello/hello.so "$safe/a/below.so"
	refused below.so "'$safe/a' can be written by others"
	chmod 755 "$safe/a"
	mkdir tmp && chmod 755 . tmp && cp hello/hello.so tmp/below.so
	ln -s "$tmp/tmp/below.so" "$safe/a/elsewhere.so"
	refused elsewhere.so "'$(dirname "$tmp")' can be written by others"

	SUDO_UID=1000 ringside hello -i "$sample" >out 2>err && fail "the variable holds under sudo"
	grep -q '^ringside: note: RINGSIDE_PLUGIN_PATH is ignored' err || fail "sudo: no note: $(cat err)"
	cp hello/hello.so "$safe/usr/lib/ringside/plugins/"
	SUDO_UID=1000 ringside hello -i "$sample" >out 2>err || fail "sudo: what is installed is not there: $(cat err)"
	rm "$safe/usr/lib/ringside/plugins/hello.so"

	# who has no rights can lose none
	cp "$safe/usr/bin/ringside" "$sample" tmp/ && mv tmp/below.so tmp/hello.so && chmod -R a+rX tmp
	chown 65534 tmp/hello.so
	RINGSIDE_PLUGIN_PATH=$tmp/tmp setpriv --reuid=65534 --regid=65534 --clear-groups tmp/ringside hello -i tmp/*.dat >out 2>err ||
		fail "a user's own: $(cat err)"
	[ ! -s err ] || fail "a user's own: $(cat err)"
fi

# ---- what a plugin may call: all that the headers declare, and nothing else ----

"$root/scripts/list-exports" "$safe"/usr/include/ringside/*.h | tr -d '\t;{}' | grep . >declared
nm -D --defined-only "$root/$build/ringside" | sed -n 's/.* T //p' | sort >exported
cmp -s declared exported || fail "exported and declared differ: $(diff declared exported | head -n 5)"

[ $failed = 0 ] || { echo "plugins: $failed failed"; exit 1; }
echo "plugins: all passed"
