#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# clang.sh - the other compiler finds nothing either; unit/run-tsan runs what this builds
command -v clang >/dev/null || { echo "no clang on this machine (apt-get install clang)"; exit 77; }
tests/lib/sanitizer-make thread CC=clang WERROR=1 all unit
