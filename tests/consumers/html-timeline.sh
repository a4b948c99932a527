#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# html-timeline.sh - the timeline, the findings and the tables of a page, hovered over, zoomed, clicked, and linked to
#
# Needs what no build needs: apt-get install chromium. What is expected of the recording is in tests/lib/page_timeline.py.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/browser.sh
build/ringside export tests/traces/debian-6.1-amd64-mixed.dat -q -o "$tmp/page.html" || exit 1
build/ringside export tests/traces/faults/inversion.dat.xz -q -o "$tmp/incidents.html" || exit 1
python3 tests/lib/page_timeline.py "$tmp/page.html" "$tmp/incidents.html" || { echo "html-timeline: failed"; exit 1; }
echo "html-timeline: hovered, zoomed, clicked, linked to"
