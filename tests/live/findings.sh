#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# findings.sh - rules that any machine can stage: who suffers, from what, because of whom. Others of the machine may have findings, too
. "$(dirname "$0")/../lib/live.sh"
need_tracing

# stage ACTOR... runs the actors for a second. raises RULE VICTIM CULPRIT: is there such a finding? Patterns, as the shell has them.
stage() {
	run findings --json --as-root -- "$samples/stage" -d 1 "$@"
	fine
}
raises() {
	expect "$1 of $2 because of $3" True "$(ask "any(__import__('fnmatch').fnmatch(str(r['culprit']), '$3') for r in rows if r['rule'] == '$1' and r['victim'] == '$2')")"
}
only_sleeps() { # of its own choice, which is said of what the user asked about, and costs nobody anything
	expect "findings of $1" "['own-sleep']" "$(ask "[r['rule'] for r in rows if r['victim'] == '$1']")"
}

begin "time-outs, and signals; what sleeps, and works a little, is no victim"
stage 'asking: poll 10000' 'calm: sleep 100000, burn 1000'
raises timeouts asking asking
only_sleeps calm
stage 'handling: pause' 'sending: signal handling'
raises signal-storm handling sending

begin "a child, a slow writer of a pipe, and one that reads it"
stage 'parent: run child' 'child+called: burn 50000' 'reader: get q 4K, burn 100' 'writer: burn 20000, put q 4K'
raises peer-child parent child
raises peer-read reader writer

finish
