#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# memory.sh - locks and stalls for memory in another kernel, on a machine so small that its memory can be filled
export RINGSIDE_VM_OPTIONS="-m 512M -d virtio:512M" RINGSIDE_TEST_FILL=/dev/vda
export RINGSIDE_VM_SECONDS=${RINGSIDE_VM_SECONDS:-320}
exec "$(dirname "$0")/boot" debian-6.1 locks reclaim
