/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comma-list.h - lists of names in one text, "pid,comm" */
#ifndef RS_BASE_COMMA_LIST_H
#define RS_BASE_COMMA_LIST_H

#include <stdbool.h>

/* Returns true if the list contains the name; list may be NULL. */
bool rs_comma_list_has(const char *list, const char *name);

#endif
