#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 1-stutter [SECONDS] - a player that has a frame to draw every 16 ms, and a real-time task that spins on its CPU
#
# Each frame takes 2 ms on a CPU. The spinner runs for 60 ms, then sleeps for 140 ms. It needs root: SCHED_FIFO.
exec "$(dirname "$0")/../stage" -d "${1:-5}" \
	'player@0: sleep 14000, burn 2000' \
	'spinner@0+fifo=50: burn 60000, sleep 140000'
