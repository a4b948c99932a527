/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roots-own.h - may root run what is in this file? Only if nobody else could have put it there
 */
#ifndef RS_BASE_ROOTS_OWN_H
#define RS_BASE_ROOTS_OWN_H

#include "base/error.h"

/*
 * rs_roots_own - 0 where path (absolute, and without links: as realpath gives it)
 * and each folder above it belong to root and nobody else may write there. A
 * sticky folder such as /tmp is refused: whoever creates the name below it first owns it.
 */
int rs_roots_own(const char *path, struct rs_error *err);

#endif
