#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# clang.sh - the other compiler finds nothing either
command -v clang >/dev/null || { echo "no clang on this machine (apt-get install clang)"; exit 77; }
make -s -j"$(nproc)" B=build-clang CC=clang WERROR=1 all unit
