// SPDX-License-Identifier: GPL-2.0-or-later
/* help-rule - explains a finding: how it is found, when it is wrong, what to do */
#include "cli/help/help.h"

#include "engine/plugins.h"
#include "ringside/plugin.h"

#define RULE_COLUMNS 100 /* of a paragraph */

const struct rs_rule *rs_help_rule_find(const char *name)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *r = (*a)->rules; r && r->name; r++)
			if (!strcmp(r->name, name))
				return r;
	return NULL;
}

/* Words of the units that a rule may have; a unit without a row stands as it is. */
static const struct {
	const char *unit, *words;
} help_rule_units[] = {
	{ "/s", "a second" }, { "ms/s", "ms each second" }, { "processes/s", "processes a second" },
};

/* "33.3 %", "80 ms each second". */
static void help_rule_put_least(const struct rs_rule *rule, struct rs_buf *out)
{
	const char *words = rule->unit;

	for (size_t i = 0; i < sizeof help_rule_units / sizeof *help_rule_units; i++)
		if (!strcmp(help_rule_units[i].unit, rule->unit))
			words = help_rule_units[i].words;
	rs_buf_printf(out, "%llu", (unsigned long long)(rule->threshold / 1000));
	if (rule->threshold % 1000 >= 100)
		rs_buf_printf(out, ".%llu", (unsigned long long)(rule->threshold % 1000 / 100));
	rs_buf_printf(out, " %s", words);
}

void rs_help_rule_expand(const struct rs_rule *rule, const char *text, struct rs_buf *out)
{
	static const char slot[] = "{least}";
	const char *at;

	while ((at = strstr(text, slot))) {
		rs_buf_add(out, text, (size_t)(at - text));
		help_rule_put_least(rule, out);
		text = at + sizeof slot - 1;
	}
	rs_buf_puts(out, text);
}

/* Lines of whole words, two columns from the left. */
static void help_rule_put_wrapped(const char *text, struct rs_buf *out)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > RULE_COLUMNS) {
			rs_buf_putc(out, '\n');
			column = 0;
		}
		rs_buf_puts(out, column ? " " : "  ");
		rs_buf_add(out, text, len);
		column += len + (column ? 1 : 2);
		text += len + (text[len] == ' ');
	}
	rs_buf_putc(out, '\n');
}

static void help_rule_put_part(const struct rs_rule *rule, const char *heading, const char *text,
			       struct rs_buf *out)
{
	struct rs_buf expanded = RS_BUF_INIT;

	if (!text)
		return;
	rs_help_rule_expand(rule, text, &expanded);
	rs_buf_printf(out, "\n%s:\n", heading);
	help_rule_put_wrapped(expanded.data, out);
	rs_buf_done(&expanded);
}

/* "ringside offcpu, ringside disks": what shows why. */
static void help_rule_put_views(const struct rs_rule *rule, struct rs_buf *out)
{
	rs_buf_puts(out, "  look at: ");
	for (const struct rs_evidence *e = rule->evidence; e && e->view; e++)
		rs_buf_printf(out, "%sringside %s", e == rule->evidence ? "" : ", ", e->view);
	if (!rule->evidence)
		rs_buf_printf(out, "ringside %s", rule->view);
	rs_buf_putc(out, '\n');
}

void rs_help_rule(const struct rs_rule *rule, struct rs_buf *out)
{
	rs_buf_printf(out, "rule %s: %s\n", rule->name, rule->summary);
	help_rule_put_part(rule, "how it is found", rule->found, out);
	help_rule_put_part(rule, "when it is wrong", rule->wrong, out);
	help_rule_put_part(rule, "what to do", rule->advice, out);
	help_rule_put_views(rule, out);
	rs_buf_printf(out, "  not wanted: --silence %s\n", rule->name);
}
