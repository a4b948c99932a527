// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/parse.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define LEAST_WINDOW (1ull << 20)
#define LEAST_SIZE (4ull << 10)
#define MOST_SIZE (1ull << 40)

/* "256M", "64MiB", "1g": powers of two, as every tool's sizes. False: it is none. */
static bool parse_bytes(const char *text, uint64_t *bytes)
{
	static const char letters[] = "kmgt";
	const char *letter;
	char *end;
	uint64_t n;

	if (!isdigit((unsigned char)*text))
		return false;
	n = strtoull(text, &end, 10);
	letter = *end ? strchr(letters, tolower((unsigned char)*end)) : NULL;
	if (!letter || n >> 40 || (strcmp(end + 1, "") && strcasecmp(end + 1, "b") && strcasecmp(end + 1, "ib")))
		return false;
	*bytes = n << 10 * (letter - letters + 1);
	return *bytes >> 10 * (letter - letters + 1) == n;
}

static int fail_window(const char *what, const char *text, struct rs_error *err)
{
	return rs_fail_usage(err, "%s '%.40s': not a size from 1M to 1T, nor a time (write it as 256M, 30s or 1G,60s)", what,
			     text);
}

int rs_parse_window(const char *what, const char *text, size_t *bytes, uint64_t *ns, struct rs_error *err)
{
	char part[40];

	for (const char *at = text;; at += strcspn(at, ",") + 1) {
		uint64_t n;
		int len = (int)strcspn(at, ",");

		if (len == 0 || (size_t)len >= sizeof part)
			return fail_window(what, text, err);
		snprintf(part, sizeof part, "%.*s", len, at);
		if (parse_bytes(part, &n)) {
			if (n < LEAST_WINDOW || n > MOST_SIZE)
				return fail_window(what, text, err);
			*bytes = n;
		} else if (isdigit((unsigned char)part[strlen(part) - 1]) || rs_units_parse_duration(part, "s", ns) != RS_PARSE_OK || !*ns) {
			return fail_window(what, text, err); /* a bare number could be either */
		}
		if (!at[len])
			return 0;
	}
}

int rs_parse_size(const char *what, const char *text, uint64_t *bytes, struct rs_error *err)
{
	if (parse_bytes(text, bytes) && *bytes >= LEAST_SIZE && *bytes <= MOST_SIZE)
		return 0;
	return rs_fail_usage(err, "%s '%.40s': not a size from 4K to 1T (write it as 256M)", what, text);
}

int rs_parse_percent(const char *what, const char *text, unsigned int *milli, struct rs_error *err)
{
	unsigned long whole;
	unsigned int tenth = 0;
	char *end = (char *)text;

	whole = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 1000;
	if (*end == '.' && isdigit((unsigned char)end[1])) {
		tenth = (unsigned int)(end[1] - '0');
		end += 2;
	}
	end += *end == '%';
	if (*end || whole > 100 || whole * 10 + tenth > 1000 || whole + tenth == 0)
		return rs_fail_usage(err, "%s '%.40s': not a percentage from 0.1 to 100 (write it as 5%%)", what, text);
	*milli = (unsigned int)whole * 10 + tenth;
	return 0;
}
