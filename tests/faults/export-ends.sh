#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export-ends.sh - each format of export on a full disk, and interrupted: an error, and no half file; see tests/lib/export_ends.py
. "$(dirname "$0")/../lib/live.sh"
short=$root/tests/traces/debian-6.1-i386-v6.dat
disks=small
unshare -m mount -t tmpfs none /mnt 2>/dev/null || { disks='' && echo "note: without full disks: a mount needs root"; }
"$python" "$root/tests/lib/tracedat.py" --longer "$short" long.dat 16 || exit 1
mkdir small
# shellcheck disable=SC2086 # no word where nothing can be mounted
${disks:+unshare -m} sh -c '[ -z "$5" ] || mount -t tmpfs none small || exit 1; exec "$0" "$1" "$2" "$3" "$4" $5' \
	"$python" "$root/tests/lib/export_ends.py" "$ringside" "$tmp/long.dat" "$short" "$disks" || fail "see above"
finish
