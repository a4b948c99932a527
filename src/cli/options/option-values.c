// SPDX-License-Identifier: GPL-2.0-or-later
/* option-values - the value of an option: read, checked, and put where its row says */
#include "cli/options/option-values.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "source/perf/samples.h"

#define OPTION_VALUES_MAX_CPU 65535

int rs_option_values_refuse(struct rs_options_parser *p, const char *value, const char *why)
{
	struct rs_buf b = RS_BUF_INIT;

	rs_escape_text(&b, value);
	rs_fail_usage(p->err, "%s '%.80s': %s", p->typed, b.data, why);
	rs_buf_done(&b);
	return -1;
}

/* A whole decimal number and nothing else: no sign, no blank, as strtoull would let pass. */
static bool option_values_read_number(const char *s, const char **end, uint64_t *value)
{
	uint64_t v = 0;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *s - '0', &v))
			return false;
	*end = s;
	*value = v;
	return true;
}

static int option_values_set_flag(struct rs_options_parser *p, void *at, const char *value)
{
	*(bool *)at = true;
	return 0;
}

static int option_values_set_number(struct rs_options_parser *p, void *at, const char *value);

static int option_values_set_either(struct rs_options_parser *p, void *at, const char *value)
{
	*(bool *)at = true;
	if (value && p->row->max)
		return option_values_set_number(p, (char *)p->opt + p->row->extra, value);
	if (value && strcmp(value, p->row->argument) != 0)
		return rs_option_values_refuse(p, value, "is not what may stand there (or nothing)");
	if (value)
		*(bool *)((char *)p->opt + p->row->extra) = true;
	return 0;
}

static int option_values_set_text(struct rs_options_parser *p, void *at, const char *value)
{
	if (!*value)
		return rs_option_values_refuse(p, value, "is empty");
	*(const char **)at = value;
	return 0;
}

static size_t *option_values_list_length(struct rs_options_parser *p)
{
	return (size_t *)((char *)p->opt + p->row->extra);
}

static int option_values_set_optional(struct rs_options_parser *p, void *at, const char *value)
{
	if (value)
		return option_values_set_text(p, at, value);
	*(const char **)at = "";
	return 0;
}

/* "a,b" is cut in place, as "a" "b": it is a word of argv, which lives as long as the options. */
static int option_values_set_texts(struct rs_options_parser *p, void *at, const char *value)
{
	size_t *nr = option_values_list_length(p);
	char *rest = (char *)(uintptr_t)value, *one;

	while ((one = strsep(&rest, ","))) {
		if (!*one)
			return rs_option_values_refuse(p, one, "is empty");
		if (*nr == RS_MAX_LIST)
			return rs_option_values_refuse(p, one, "is one too many (at most 64)");
		((const char **)at)[(*nr)++] = one;
	}
	return 0;
}

static int option_values_set_choice(struct rs_options_parser *p, void *at, const char *value)
{
	size_t len = strlen(value);

	for (const char *c = p->row->argument; *c; c += strcspn(c, "|"), c += *c == '|') {
		if (len && strcspn(c, "|") == len && !memcmp(c, value, len)) {
			*(const char **)at = value;
			return 0;
		}
	}
	rs_fail_usage(p->err, "%s '%.40s': no such choice (%s)", p->typed, value, p->row->argument);
	return -1;
}

static int option_values_refuse_range(struct rs_options_parser *p, const char *value)
{
	char why[96];

	if (p->row->max == UINT64_MAX)
		snprintf(why, sizeof why, "must be at least %llu", (unsigned long long)p->row->min);
	else
		snprintf(why, sizeof why, "must be from %llu to %llu", (unsigned long long)p->row->min,
			 (unsigned long long)p->row->max);
	return rs_option_values_refuse(p, value, why);
}

static int option_values_set_number(struct rs_options_parser *p, void *at, const char *value)
{
	const char *end;
	uint64_t v;

	if (!option_values_read_number(value, &end, &v) || *end)
		return rs_option_values_refuse(p, value, "is not a whole number");
	if (v < p->row->min || v > p->row->max)
		return option_values_refuse_range(p, value);
	*(uint64_t *)at = v;
	return 0;
}

static int option_values_set_call_graph(struct rs_options_parser *p, void *at, const char *value)
{
	uint64_t *bytes = at;

	p->opt->samples = true;
	*bytes = 0;
	if (!strcmp(value, "fp"))
		return 0;
	*bytes = RS_SAMPLES_STACK_BYTES;
	if (!strcmp(value, "dwarf"))
		return 0;
	if (strncmp(value, "dwarf,", 6) != 0)
		return rs_option_values_refuse(p, value, "is neither fp nor dwarf, nor dwarf,BYTES");
	if (option_values_set_number(p, at, value + 6) < 0)
		return -1;
	return *bytes % 8 ? rs_option_values_refuse(p, value, "must be a multiple of 8") : 0;
}

static int option_values_set_ids(struct rs_options_parser *p, void *at, const char *value)
{
	size_t *nr = option_values_list_length(p);
	const char *s = value, *end;
	uint64_t v;

	do {
		if (!option_values_read_number(s, &end, &v) || (*end && *end != ','))
			return rs_option_values_refuse(p, value, "is not a number, nor a list as 1,2,3");
		if (v < p->row->min || v > p->row->max)
			return option_values_refuse_range(p, value);
		if (*nr == RS_MAX_LIST)
			return rs_option_values_refuse(p, value, "are too many (at most 64)");
		((int32_t *)at)[(*nr)++] = v;
		s = end + 1;
	} while (*end);
	return 0;
}

static int option_values_set_time(struct rs_options_parser *p, void *at, const char *value)
{
	bool is_ms = !strcmp(p->row->unit, "ms");
	uint64_t ns = UINT64_MAX;

	if (rs_units_parse_duration(value, p->row->unit, &ns) == RS_PARSE_BAD)
		return rs_option_values_refuse(p, value,
				 is_ms ? "is not a time (milliseconds, as 10, or with a unit, as 250us)"
				       : "is not a time (seconds, as 1.5, or with a unit, as 250ms)");
	if (ns < p->row->min)
		return rs_option_values_refuse(p, value, "is too short");
	if (ns > p->row->max || ns == UINT64_MAX)
		return rs_option_values_refuse(p, value, "is too long");
	*(uint64_t *)at = ns;
	if (p->row->extra)
		*(bool *)((char *)p->opt + p->row->extra) = true;
	return 0;
}

/* Given twice, as by a command that compares two ranges, the last one counts, and the first goes aside. */
static int option_values_set_moment(struct rs_options_parser *p, void *at, const char *value)
{
	memcpy((char *)p->opt + p->row->extra, at, sizeof(struct rs_moment));
	if (!rs_moment_parse(value, "s", at))
		return rs_option_values_refuse(
			p, value,
			"is not a time (1.5 or 250ms since the begin, -10s before the end, "
			"14:03:07, '2026-11-22 14:03:07', @SECONDS of the trace clock)");
	return 0;
}

static int option_values_set_cpus(struct rs_options_parser *p, void *at, const char *value)
{
	const char *s = value, *end;
	uint64_t first, last;

	do {
		if (!option_values_read_number(s, &end, &first))
			break;
		last = first;
		if (*end == '-' && !option_values_read_number(end + 1, &end, &last))
			break;
		if (first > last || last > OPTION_VALUES_MAX_CPU || (*end && *end != ','))
			break;
		s = end + 1;
		if (!*end) {
			*(const char **)at = value;
			return 0;
		}
	} while (true);
	return rs_option_values_refuse(p, value, "is not a list of CPUs, as 0,2-3");
}

static int (*const option_values_setters[])(struct rs_options_parser *p, void *at, const char *value) = {
	[RS_OPTION_FLAG] = option_values_set_flag,
	[RS_OPTION_EITHER] = option_values_set_either,
	[RS_OPTION_TEXT] = option_values_set_text,
	[RS_OPTION_TEXTS] = option_values_set_texts,
	[RS_OPTION_OPTIONAL] = option_values_set_optional,
	[RS_OPTION_CHOICE] = option_values_set_choice,
	[RS_OPTION_NUMBER] = option_values_set_number,
	[RS_OPTION_IDS] = option_values_set_ids,
	[RS_OPTION_TIME] = option_values_set_time,
	[RS_OPTION_MOMENT] = option_values_set_moment,
	[RS_OPTION_CPUS] = option_values_set_cpus,
	[RS_OPTION_CALL_GRAPH] = option_values_set_call_graph,
};

int rs_option_values_set(struct rs_options_parser *p, void *at, const char *value)
{
	return option_values_setters[p->row->kind](p, at, value);
}
