/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-name.h - the name by which the kernel, and other sessions, know ringside's processes and threads
 */
#ifndef RS_BASE_OWN_NAME_H
#define RS_BASE_OWN_NAME_H

#include <stdbool.h>
#include <string.h>

#define RS_OWN_NAME "ringside" /* each of their names begins with it */
/* In the kernel's filter language: true for all other tasks. */
#define RS_OWN_NAME_FILTER "!(COMM ~ \"" RS_OWN_NAME "*\")"

static inline bool rs_own_name(const char *comm)
{
	return !strncmp(comm, RS_OWN_NAME, sizeof RS_OWN_NAME - 1);
}

#endif
