// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <string.h>

#include "ringside/table.h"

#define MAX_PATTERN 256

/* An ambiguous call's name ends in "?" (rs_syscall_name): a pattern for that call matches it too. */
static bool pattern_fits(const char *pattern, const char *text)
{
	size_t len = strlen(text);
	char certain[MAX_PATTERN];

	if (!strcmp(pattern, text) || fnmatch(pattern, text, 0) == 0)
		return true;
	if (!len || text[len - 1] != '?' || len >= sizeof certain)
		return false;
	memcpy(certain, text, len - 1);
	certain[len - 1] = '\0';
	return fnmatch(pattern, certain, 0) == 0;
}

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
		if (pattern_fits(pattern, text))
			return true;
	}
	return false;
}
