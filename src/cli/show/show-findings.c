// SPDX-License-Identifier: GPL-2.0-or-later
/* show-findings - the findings of a session, as text or JSON: of `findings`, and at the begin of a summary */
#include "cli/show/show-findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "base/units.h"
#include "model/finding-list.h"
#include "service/op-findings.h"
#include "view/formatter.h"
#include "view/quality-line.h"
#include "why/findings.h"

#define SHOW_FINDINGS_PAGE 5  /* of a summary, where -n says nothing else */
#define SHOW_FINDINGS_MAX_RULES 128

static size_t findings_list_rules(const char *names[SHOW_FINDINGS_MAX_RULES + 1])
{
	size_t nr = 0;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *rule = (*a)->rules;
		     rule && rule->name && nr < SHOW_FINDINGS_MAX_RULES; rule++)
			names[nr++] = rule->name;
	names[nr] = NULL;
	return nr;
}

static int findings_check_names(const char *option, const char *list, struct rs_error *err)
{
	const char *names[SHOW_FINDINGS_MAX_RULES + 1], *near;
	size_t nr = findings_list_rules(names);
	char name[64];

	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
		size_t i = 0;

		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
		while (i < nr && strcmp(names[i], name))
			i++;
		if (i < nr || (!strcmp(option, "fail-on") && !strcmp(name, "any")))
			continue;
		near = rs_nearest(name, names);
		return rs_fail_usage(err, "--%s: no rule is named '%s' (%s%s%s)", option, name,
				     near ? "did you mean '" : "see ringside list rules", near ? near : "",
				     near ? "'?" : "");
	}
	return 0;
}

int rs_show_findings_check(const struct rs_options *opt, struct rs_error *err)
{
	return findings_check_names("silence", opt->silence, err) < 0 ||
			       findings_check_names("fail-on", opt->fail_on, err) < 0 ?
		       -1 :
		       0;
}

/* Of a daemon's window: a range as the user gave it may begin elsewhere once that has moved. */
static void findings_put_time(struct rs_buf *out, const char *option, const struct rs_moment *at)
{
	if (at->kind == RS_MOMENT_CLOCK)
		rs_buf_printf(out, "%s@%" PRIu64 ".%09" PRIu64, option, at->ns / 1000000000,
			      at->ns % 1000000000);
}

void rs_show_findings_put_source(const struct rs_options *opt, struct rs_buf *command)
{
	if (opt->input && !opt->of_window) {
		rs_buf_puts(command, " -i ");
		rs_escape_word(command, opt->input);
	}
	findings_put_time(command, " --from ", &opt->from);
	findings_put_time(command, " --to ", &opt->to);
}

void rs_show_findings_put_command(const struct rs_finding_item *f, const struct rs_options *opt,
				  struct rs_buf *out)
{
	struct rs_buf command = RS_BUF_INIT;

	rs_finding_list_put_command(f, 0, &command);
	rs_show_findings_put_source(opt, &command);
	rs_escape_text(out, command.data);
	rs_buf_done(&command);
}

static void findings_put_text(const struct rs_finding_item *f, const struct rs_options *opt,
			      struct rs_buf *out)
{
	char text[RS_FINDING_TEXT];
	const char *code;

	rs_escape_text(out, rs_finding_list_text(f, text));
	code = rs_finding_list_code(f, text);
	if (code) {
		rs_buf_puts(out, "\n    code: ");
		rs_escape_text(out, code);
		rs_buf_printf(out, ", in %" PRIu64 " of %" PRIu64 " samples", f->code.nr, f->code.nr_samples);
	}
	rs_buf_puts(out, "\n    see: ");
	rs_show_findings_put_command(f, opt, out);
	rs_buf_printf(out, "\n    try: %s (rule %s%s)\n", f->rule->advice, f->rule->name,
		      f->confidence == RS_INFERRED ? "; the culprit is inferred" : "");
}

static void findings_put_none(const struct rs_finding_list *list, struct rs_buf *out)
{
	const char *names[SHOW_FINDINGS_MAX_RULES + 1];
	char duration[RS_UNIT_TEXT];
	size_t len = rs_units_put_duration(duration, list->interval_ns, RS_UNIT_AUTO, -1);

	if (list->interval_ns)
		rs_buf_printf(out, "no findings: none of %zu rules applies to these %.*s\n",
			      findings_list_rules(names), (int)len, duration);
	else
		rs_buf_puts(
			out,
			"no findings: events were lost, or less than 0.1 s was seen, so no rule can judge\n");
}

static void findings_put_meta(struct rs_session *session, struct rs_buf *out)
{
	struct rs_quality quality;
	struct rs_json j;

	rs_session_quality(session, &quality);
	rs_json_init(&j, out);
	rs_json_open(&j, '{');
	rs_json_key(&j, "_meta");
	rs_json_open(&j, '{');
	rs_json_put_str(&j, "view", "findings");
	rs_json_rows_put_quality(&j, &quality);
	rs_json_close(&j, '}');
	rs_json_close(&j, '}');
	rs_buf_putc(out, '\n');
}

static void findings_put_quality(struct rs_session *session, struct rs_buf *out)
{
	struct rs_quality quality;

	rs_session_quality(session, &quality);
	rs_quality_line(out, &quality);
}

static void findings_put_list(const struct rs_finding_list *list, const struct rs_options *opt, uint64_t max,
			      struct rs_buf *out)
{
	const struct rs_finding_item *f;
	struct rs_json j;

	for (size_t i = 0; (!max || i < max) && (f = rs_finding_list_get(list, i)); i++) {
		if (!opt->json) {
			findings_put_text(f, opt, out);
			continue;
		}
		rs_json_init(&j, out);
		rs_op_findings_put(&j, opt->machine, f);
		rs_buf_putc(out, '\n');
	}
}

void rs_show_findings_put_end(struct rs_session *session, const struct rs_options *opt, struct rs_buf *out)
{
	(opt->json ? findings_put_meta : findings_put_quality)(session, out);
}

void rs_show_findings_put(struct rs_session *session, const struct rs_options *opt, bool as_page,
			  struct rs_buf *out)
{
	struct rs_finding_list list;

	if (!rs_finding_list_init(&list)) {
		out->failed = true;
		return;
	}
	rs_findings_collect(session, &list);
	findings_put_list(&list, opt, opt->nr_rows ? opt->nr_rows : as_page ? SHOW_FINDINGS_PAGE : 0, out);
	if (!rs_finding_list_get(&list, 0) && !opt->json)
		findings_put_none(&list, out);
	if (as_page)
		rs_buf_putc(out, '\n');
	else
		rs_show_findings_put_end(session, opt, out);
	rs_finding_list_done(&list);
}

unsigned int rs_show_findings_failed(struct rs_session *session, const struct rs_options *opt)
{
	const struct rs_finding_item *f;
	struct rs_finding_list list;
	unsigned int nr = 0;

	if (!opt->fail_on || !rs_finding_list_init(&list))
		return 0;
	rs_findings_collect(session, &list);
	for (size_t i = 0; (f = rs_finding_list_get(&list, i)); i++)
		nr += rs_comma_list_has(opt->fail_on, "any") ||
		      rs_comma_list_has(opt->fail_on, f->rule->name);
	rs_finding_list_done(&list);
	return nr;
}
