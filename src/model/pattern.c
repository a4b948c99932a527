// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <string.h>

#include "ringside/table.h"

#define MAX_PATTERN 256

bool rs_pattern_matches(const char *patterns, const char *text)
{
	char pattern[MAX_PATTERN];

	if (!patterns)
		return true;
	for (const char *at = patterns; *at; at += strcspn(at, " "), at += *at == ' ') {
		size_t len = strcspn(at, " ");

		if (len >= sizeof pattern)
			continue;
		memcpy(pattern, at, len);
		pattern[len] = '\0';
		if (!strcmp(pattern, text) || fnmatch(pattern, text, 0) == 0)
			return true;
	}
	return false;
}
