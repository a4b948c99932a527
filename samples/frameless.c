// SPDX-License-Identifier: GPL-2.0-or-later
/* frameless - as shares, but built without frame pointers */
#include "shares.c"
