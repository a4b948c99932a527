/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-name.h - by what name ringside's processes and threads are known to the kernel, and to each other
 */
#ifndef RS_BASE_OWN_NAME_H
#define RS_BASE_OWN_NAME_H

#include <stdbool.h>
#include <string.h>

#define RS_OWN_NAME "ringside" /* each of their names begins with it */
/* In the kernel's filter language: what none of them does. */
#define RS_OWN_NAME_FILTER "!(COMM ~ \"" RS_OWN_NAME "*\")"

static inline bool rs_own_name(const char *comm)
{
	return !strncmp(comm, RS_OWN_NAME, sizeof RS_OWN_NAME - 1);
}

#endif
