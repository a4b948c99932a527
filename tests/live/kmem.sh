#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kmem.sh - a known number of files, messages and pages that the kernel allocates for a process; what another process frees is freed
. "$(dirname "$0")/../lib/live.sh"
need_tracing
[ -e "$tracefs/events/kmem/kmalloc" ] || skip "this kernel has no events of kmem"

# total TYPE FUNCTIONS: of their rows
total() { ask "[sum(r[k] or 0 for r in rows if r['type'] == '$1' and (r['function'] or '').split('.')[0] in $2) for k in ('allocs', 'frees', 'live', 'live_bytes')]"; }

all_expected() {
	expect "lost" 0 "$(ask "meta['samples_lost']")"
	expect "files of 300 pipes" "[600, 600, 0, 0]" "$(total slab "('alloc_empty_file', '__alloc_file')")"
	expect "300 messages, of which another process took 150" "[300, 150, 150, 9600]" \
	       "$(total kmalloc "('alloc_msg', 'load_msg')")"
	within "KiB of 400 pages" 1600 2400 "$(ask "sum(r['alloc_bytes'] for r in rows if r['type'] == 'pages') // 1024")"
	within "KiB of them that live after its end" 0 600 "$(ask "sum(r['live_bytes'] for r in rows if r['type'] == 'pages') // 1024")"
	expect "functions of the kernel" True "$(ask "all(r['module'] is None or r['module'].startswith('[') for r in rows)")"
}

# The files' own memory may be freed some milliseconds after the files, by RCU.
begin "what the kernel allocates for a process, by its code"
hold kallocs -n 300 -g 400
start kmem --json --max-overhead 100% -p "$sample_pid"
release
"$samples/kallocs" -n 150 -r "$(said queue)" || fail "the messages were not received"
sleep 0.5
end
expect "exit status" 0 "$status"
finds "the kernel allocates [0-9]* times a second for process $sample_pid" err
all_expected
"$samples/kallocs" -n 150 -r "$(said queue)"

begin "recorded, and shown from the recording"
hold kallocs -n 300 -g 400
start record -q -a kmem --max-overhead 100% -p "$sample_pid" -o kmem.dat
release
"$samples/kallocs" -n 150 -r "$(said queue)" || fail "the messages were not received"
sleep 0.5
end
"$ringside" kmem --json -i kmem.dat >out 2>err || fail "$(cat err)"
all_expected
"$ringside" kmem-stacks --json -i kmem.dat --type kmalloc >out 2>err || fail "$(cat err)"
expect "the stack begins in the program, ends in the kernel" True \
       "$(ask "any('msgsnd' in r['stack'] and r['stack'].split(';')[-1] in ('alloc_msg', 'load_msg') for r in rows)")"
"$ringside" kmem -f folded -i kmem.dat >out 2>err || fail "$(cat err)"
finds "msgsnd.*;\(alloc_msg\|load_msg\) " out
expect "the same stacks" "$(cat out)" "$("$ringside" kmem-stacks -q -f folded -i kmem.dat)"
"$samples/kallocs" -n 150 -r "$(said queue)"

begin "of a command"
run kmem --json --max-overhead 100% -- "$samples/kallocs" -n 300
expect "exit status" 0 "$status"
within "files, 600 of them of 300 pipes" 600 640 "$(ask "sum(r['allocs'] for r in of(type='slab') if (r['function'] or '').split('.')[0] in ('alloc_empty_file', '__alloc_file'))")"

begin "which process?"
run kmem -d 1
expect "exit status" 2 "$status"
finds "of which process" err
finish
