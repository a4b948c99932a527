// SPDX-License-Identifier: GPL-2.0-or-later
/* condition-clauses - behind a comparison: for TIME, until VALUE, every TIME, except HH:MM-HH:MM */
#include "when/condition-clauses.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

static int clause_take_time(struct rs_condition_parser *p, uint64_t *ns, const char *clause)
{
	char word[40];
	size_t at = rs_condition_parser_take_word(p, word, sizeof word);

	if (!*word)
		return rs_condition_parser_fail(p, at, "'%s' needs a time (such as 2s, 10min)", clause);
	if (rs_units_parse_duration(word, "s", ns) != RS_PARSE_OK)
		return rs_condition_parser_fail(p, at, "'%s' is no time (such as 2s, 10min)", word);
	return 0;
}

static int clause_take_for(struct rs_condition_parser *p, const char *unit)
{
	return clause_take_time(p, &p->c->limits.for_ns, "for");
}

static int clause_take_every(struct rs_condition_parser *p, const char *unit)
{
	return clause_take_time(p, &p->c->limits.every_ns, "every");
}

/* It must be a value at which the condition no longer holds, or the two are one. */
static int clause_check_until(struct rs_condition_parser *p, size_t at, const char *value)
{
	const struct rs_expression_node *begins = p->c->begins.nodes, *until = p->c->goes_on.nodes;
	bool is_signed = p->c->view->columns[p->c->column].flags & RS_COLUMN_SIGNED;
	bool is_less = is_signed ? until->i < begins->i : until->u < begins->u,
	     is_more = is_signed ? until->i > begins->i : until->u > begins->u;

	if (p->op[0] == '>' ? is_more : is_less)
		return rs_condition_parser_fail(
			p, at,
			"until %s: it would end before it begins (write a value on the other side of %s)",
			value, p->op);
	return 0;
}

static int clause_take_until(struct rs_condition_parser *p, const char *unit)
{
	char value[64];
	size_t at = rs_condition_parser_take_word(p, value, sizeof value);

	if (!*value)
		return rs_condition_parser_fail(p, at, "'until' needs a value");
	if (p->c->column < 0 || (p->op[0] != '<' && p->op[0] != '>'))
		return rs_condition_parser_fail(p, at, "'until' is for < <= > >= alone");
	if (rs_condition_parser_compare(p, &p->c->goes_on, value, unit, at) < 0)
		return -1;
	return clause_check_until(p, at, value);
}

static bool clause_parse_minute(const char **text, int *minute)
{
	unsigned int h, m;
	int len = 0;

	if (sscanf(*text, "%2u:%2u%n", &h, &m, &len) != 2 || len != 5 || m > 59 || h * 60 + m > 1440)
		return false;
	*text += len;
	*minute = (int)(h * 60 + m);
	return true;
}

static int clause_take_except(struct rs_condition_parser *p, const char *unit)
{
	struct rs_alarm_limits *limits = &p->c->limits;
	struct rs_alarm_silence s;
	char word[40];
	size_t at = rs_condition_parser_take_word(p, word, sizeof word);
	const char *end = word;

	if (limits->nr_silences == RS_ALARM_SILENCES)
		return rs_condition_parser_fail(p, at, "more than %d times to be silent at",
						RS_ALARM_SILENCES);
	if (!clause_parse_minute(&end, &s.from) || *end++ != '-' || !clause_parse_minute(&end, &s.to) || *end)
		return rs_condition_parser_fail(
			p, at, "'except' needs a time of the day (such as 02:00-04:30)");
	limits->silences[limits->nr_silences++] = s;
	return 0;
}

static const struct {
	const char *word;
	int (*take)(struct rs_condition_parser *p, const char *unit);
} clauses[] = {
	{ "for", clause_take_for },
	{ "until", clause_take_until },
	{ "every", clause_take_every },
	{ "except", clause_take_except },
};

static int clause_take(struct rs_condition_parser *p, const char *unit)
{
	char word[40];
	size_t at = rs_condition_parser_take_word(p, word, sizeof word);

	for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
		if (!strcmp(word, clauses[i].word))
			return clauses[i].take(p, unit);
	return rs_condition_parser_fail(
		p, at, "'%s' is none of for TIME, until VALUE, every TIME, except HH:MM-HH:MM", word);
}

int rs_condition_clauses_take(struct rs_condition_parser *p, const char *unit)
{
	for (rs_condition_parser_skip_blanks(p); p->text[p->at]; rs_condition_parser_skip_blanks(p))
		if (clause_take(p, unit) < 0)
			return -1;
	return 0;
}
