#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run-asan.sh - the unit suites under the address and undefined-behaviour sanitizers, leaks included
make -s -j"$(nproc)" SAN=1 unit || exit 1
exec build-1/unit
