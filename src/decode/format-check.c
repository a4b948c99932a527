// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/format-check.h"

#include <ctype.h>
#include <string.h>

#define MAX_DIGITS 9 /* fits an int */

static bool format_check_skip(const char **at, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*at, text, len))
		return false;
	*at += len;
	return true;
}

static bool format_check_skip_number(const char **at)
{
	int nr = 0;

	while (isdigit((unsigned char)**at) && nr <= MAX_DIGITS) {
		(*at)++;
		nr++;
	}
	return nr > 0 && nr <= MAX_DIGITS;
}

static bool format_check_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool format_check_skip_word(const char **at)
{
	if (!format_check_is_word(**at) || isdigit((unsigned char)**at))
		return false;
	while (format_check_is_word(**at))
		(*at)++;
	return true;
}

/* "[16]", "[]", and in older kernels names and sums. */
static bool format_check_skip_length(const char **at)
{
	if (!format_check_skip(at, "["))
		return false;
	while (**at && (format_check_is_word(**at) || strchr(" +-*/()", **at)))
		(*at)++;
	return format_check_skip(at, "]");
}

/* "unsigned int common_flags", "const char * name", "__data_loc char[] comm", "char rwbs[8]": a type and a name. */
static bool format_check_skip_declaration(const char **at)
{
	int nr_words = 0;
	bool ends_well = false;

	while (**at && **at != ';') {
		if (**at == ' ' || **at == '*') {
			(*at)++;
		} else if (**at == '[') {
			if (!nr_words || !format_check_skip_length(at))
				return false;
		} else {
			if (!format_check_skip_word(at))
				return false;
			nr_words++;
			ends_well = **at == ';' || **at == '[';
		}
	}
	return nr_words >= 2 && ends_well;
}

static bool format_check_skip_field(const char **at)
{
	if (!format_check_skip(at, "\tfield:") || !format_check_skip_declaration(at) || !format_check_skip(at, ";\toffset:") || !format_check_skip_number(at) ||
	    !format_check_skip(at, ";\tsize:") || !format_check_skip_number(at) || !format_check_skip(at, ";"))
		return false;
	return !format_check_skip(at, "\tsigned:") || (format_check_skip_number(at) && format_check_skip(at, ";"));
}

bool rs_format_check(const char *text)
{
	const char *at = text;

	/* the name may be any word: a user's probe may have any name */
	if (!format_check_skip(&at, "name: ") || !format_check_is_word(*at))
		return false;
	while (format_check_is_word(*at))
		at++;
	if (!format_check_skip(&at, "\nID: ") || !format_check_skip_number(&at) || !format_check_skip(&at, "\nformat:\n"))
		return false;
	while (*at)
		if (*at == '\n')
			at++;
		else if (!format_check_skip_field(&at) || (*at && *at != '\n'))
			return false;
	return true;
}
