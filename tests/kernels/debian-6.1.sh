#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# debian-6.1.sh - the kernel that most users have: what this kernel may not be able to show
exec "$(dirname "$0")/boot" debian-6.1 accounts sched calls
