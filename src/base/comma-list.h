/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comma-list.h - lists of names in one text, "pid,comm" */
#ifndef RS_BASE_COMMA_LIST_H
#define RS_BASE_COMMA_LIST_H

#include <stdbool.h>
#include <string.h>

/* Returns true if the list contains the name; list may be NULL. */
static inline bool rs_comma_list_has(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == len && !memcmp(at, name, len))
			return true;
	return false;
}

#endif
