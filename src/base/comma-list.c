// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/comma-list.h"

#include <string.h>

bool rs_comma_list_has(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == len && !memcmp(at, name, len))
			return true;
	return false;
}
