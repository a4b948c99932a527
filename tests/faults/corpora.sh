#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# corpora.sh - what the fuzzers found and were given, once more, under the address and undefined-behaviour sanitizers
shopt -s nullglob
bad=0 nr=0 targets=()
for fuzzer in tests/fuzz/fuzz-*.c; do
	name=$(basename "$fuzzer" .c)
	targets+=("build-1/replay-${name#fuzz-}")
done
tests/lib/sanitizer-make 1 ${WERROR:+WERROR=$WERROR} "${targets[@]}" || exit 1
export ASAN_OPTIONS=quarantine_size_mb=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}
for target in "${targets[@]}"; do
	name=${target##*/replay-} files=("tests/fuzz/corpus-${target##*/replay-}"/*)
	nr=$((nr + ${#files[@]}))
	if [ ${#files[@]} = 0 ]; then
		echo "fuzz-$name has no corpus: put seeds into tests/fuzz/corpus-$name"
		bad=$((bad + 1))
	elif ! timeout 60 "$target" "${files[@]}"; then
		echo "fuzz-$name fails on its corpus: of one file, run $target FILE"
		bad=$((bad + 1))
	fi
done
for corpus in tests/fuzz/corpus-*; do
	[ -e "${corpus/corpus-/fuzz-}.c" ] || { echo "$corpus is of no fuzzer"; bad=$((bad + 1)); }
done
# a request that no seed asks is one that the fuzzer would have to guess
ops=$(grep -oh 'struct rs_op rs_op_[a-z_]* = { .name = "[a-z]*"' src/service/op-*.c | cut -d '"' -f 2)
[ -n "$ops" ] || { echo "no request found in src/service/op-*.c"; bad=$((bad + 1)); }
for op in $ops; do
	grep -aqs "\"op\": \"$op\"" tests/fuzz/corpus-frame/* || { echo "corpus-frame has no '$op'"; bad=$((bad + 1)); }
done
echo "$nr inputs of ${#targets[@]} fuzzers, $bad failed"
[ $bad = 0 ]
