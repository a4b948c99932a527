#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the unit suites, as built
exec build/unit
