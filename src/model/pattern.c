// SPDX-License-Identifier: GPL-2.0-or-later
/* pattern - does a text match a list of patterns, a value a term of a filter? */
#include <fnmatch.h>
#include <string.h>

#include "base/units.h"
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

bool rs_term_holds(const struct rs_term *term, struct rs_value value)
{
	char number[RS_UNIT_TEXT + 1];

	if (!value.known)
		return false;
	if (!term->patterns)
		return (!(term->column->flags & RS_COLUMN_SIGNED) || value.i >= 0) && value.u >= term->least;
	if (term->column->type == RS_TYPE_TEXT)
		return rs_pattern_matches(term->patterns, value.s);
	number[rs_units_put_u64(number, value.u)] = '\0';
	return rs_pattern_matches(term->patterns, number);
}
