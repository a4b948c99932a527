#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mutants.sh - each command on recordings with times of all sizes, under the sanitizers: it ends, without a report; see tests/lib/mutants.py
#
#	MUTANTS=6000 tests/faults/mutants.sh    what "make fuzz-times" does
. "$(dirname "$0")/../lib/live.sh"
nr=${MUTANTS:-12}
"$root/tests/lib/sanitizer-make" 1 ${WERROR:+WERROR=$WERROR} >build.log 2>&1 || { cat build.log; exit 1; }
mkdir mutants
"$python" "$root/tests/lib/mutants.py" "$root/build-1/ringside" "$root" "$tmp/mutants" "${MUTANTS_FIRST:-1}" "$nr" || fail "see above"
finish
