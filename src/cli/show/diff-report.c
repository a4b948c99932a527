// SPDX-License-Identifier: GPL-2.0-or-later
/* diff-report - a comparison as reports that other programs show: Markdown of a pull request, JUnit's XML */
#include "cli/show/diff-report.h"

#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "compare/fail-on.h"
#include "compare/process-text.h"

#define REPORT_ROWS 20u /* of a view */
#define REPORT_HEADING \
	"\n| view | key | verdict | rate A | rate B | p50 A | p50 B | p99 A | p99 B |\n" \
	"|---|---|---|--:|--:|--:|--:|--:|--:|\n"

static bool report_is_told(const struct rs_change *ch)
{
	return ch->verdict > RS_CHANGE_UNDETERMINED;
}

static void report_put_duration(struct rs_buf *out, double ns, bool known)
{
	char text[RS_UNIT_TEXT];

	if (known && ns >= 0 && ns < 1e19)
		rs_buf_add(out, text, rs_units_put_duration(text, (uint64_t)ns, RS_UNIT_AUTO, -1));
	else
		rs_buf_putc(out, '-');
}

/* ---- Markdown ---- */

/* What would be markup stands for itself: names are not ours. */
static void report_put_marked(struct rs_buf *out, const char *text)
{
	struct rs_buf shown = RS_BUF_INIT;

	rs_escape_text(&shown, text);
	for (const char *at = shown.data; at && *at; at++) {
		if (*at == '<' || *at == '&')
			rs_buf_puts(out, *at == '<' ? "&lt;" : "&amp;");
		else if (strchr("\\`*_[]|#~>!", *at))
			rs_buf_printf(out, "\\%c", *at);
		else
			rs_buf_putc(out, *at);
	}
	rs_buf_done(&shown);
}

static void report_put_markdown_process(struct rs_buf *out, const struct rs_process_change *p)
{
	struct rs_buf text = RS_BUF_INIT;

	rs_process_text_put(&text, p);
	rs_buf_printf(out, "- **%s** ", rs_process_word(p->verdict));
	report_put_marked(out, text.data ? text.data : "");
	rs_buf_clear(&text);
	rs_process_text_put_evidence(&text, p);
	rs_buf_puts(out, " (");
	report_put_marked(out, text.data ? text.data : "");
	rs_buf_puts(out, ")\n");
	rs_buf_done(&text);
}

static void report_put_markdown_row(struct rs_buf *out, const struct rs_change_list *list,
				    const struct rs_change *ch, struct rs_buf *key)
{
	bool known_a = ch->a && ch->a->nr_points, known_b = ch->b && ch->b->nr_points;

	rs_side_put_text(key, list->view, ch->a ? ch->a : ch->b);
	rs_buf_printf(out, "| %s | ", list->view->ref.view->name);
	report_put_marked(out, key->data ? key->data : "");
	rs_buf_printf(out, " | %s | %.1f | %.1f | ", rs_change_word(ch->verdict), ch->rate_a.value,
		      ch->rate_b.value);
	report_put_duration(out, ch->p50_a.value, known_a);
	rs_buf_puts(out, " | ");
	report_put_duration(out, ch->p50_b.value, known_b);
	rs_buf_puts(out, " | ");
	report_put_duration(out, ch->p99_a.value, known_a);
	rs_buf_puts(out, " | ");
	report_put_duration(out, ch->p99_b.value, known_b);
	rs_buf_puts(out, " |\n");
}

static void report_put_markdown_rows(struct rs_buf *out, const struct rs_diff *d)
{
	struct rs_buf key = RS_BUF_INIT;
	unsigned int nr = 0;

	for (size_t n = 0; n < d->nr_changes; n++)
		for (size_t i = 0; i < d->changes[n].nr && i < REPORT_ROWS; i++) {
			if (!report_is_told(&d->changes[n].at[i]))
				continue;
			if (!nr++)
				rs_buf_puts(out, REPORT_HEADING);
			report_put_markdown_row(out, &d->changes[n], &d->changes[n].at[i], &key);
		}
	rs_buf_done(&key);
}

static void report_put_markdown(struct rs_buf *out, const struct rs_diff *d)
{
	unsigned int nr = 0;

	rs_buf_puts(out, "### ringside diff\n\nA: ");
	report_put_marked(out, d->pair->name_a);
	rs_buf_puts(out, ", B: ");
	report_put_marked(out, d->pair->name_b);
	rs_buf_puts(out, "\n\n");
	for (size_t i = 0; i < d->processes.nr; i++)
		if (rs_process_has_verdict(&d->processes.at[i])) {
			report_put_markdown_process(out, &d->processes.at[i]);
			nr++;
		}
	if (!nr)
		rs_buf_puts(out, "No difference found.\n");
	report_put_markdown_rows(out, d);
}

/* ---- JUnit: each process and row is a case, which fails by --fail-on, "slower" if not given ---- */

static const char *report_fail_on(const struct rs_diff *d)
{
	return d->pair->opt->fail_on ? d->pair->opt->fail_on : "slower";
}

static void report_put_case(struct rs_buf *out, const char *class, const char *name, const char *failure,
			    bool is_skipped)
{
	rs_buf_puts(out, "  <testcase classname=\"ringside.");
	rs_escape_xml(out, class);
	rs_buf_puts(out, "\" name=\"");
	rs_escape_xml(out, name);
	if (!failure && !is_skipped) {
		rs_buf_puts(out, "\"/>\n");
		return;
	}
	if (failure) {
		rs_buf_puts(out, "\"><failure message=\"");
		rs_escape_xml(out, failure);
		rs_buf_puts(out, "\"/></testcase>\n");
	} else {
		rs_buf_puts(out, "\"><skipped/></testcase>\n");
	}
}

static unsigned int report_put_junit_processes(struct rs_buf *out, const struct rs_diff *d, unsigned int *nr)
{
	struct rs_buf text = RS_BUF_INIT;
	unsigned int nr_failed = 0;

	for (size_t i = 0; i < d->processes.nr; i++, ++*nr) {
		struct rs_process_change *p = &d->processes.at[i];
		bool fails = rs_fail_on_processes(report_fail_on(d), &(struct rs_process_list){ p, 1, 1 });

		rs_buf_clear(&text);
		rs_process_text_put(&text, p);
		report_put_case(out, "process", p->comm, fails ? text.data : NULL,
				p->verdict == RS_PROCESS_UNDETERMINED);
		nr_failed += fails;
	}
	rs_buf_done(&text);
	return nr_failed;
}

static unsigned int report_put_junit_rows(struct rs_buf *out, const struct rs_diff *d,
					  const struct rs_change_list *list, unsigned int *nr)
{
	struct rs_buf key = RS_BUF_INIT;
	unsigned int nr_failed = 0;

	for (size_t i = 0; i < list->nr; i++, ++*nr) {
		struct rs_change *ch = &list->at[i];
		const struct rs_change_list one = { .view = list->view, .at = ch, .nr = 1 };
		bool fails = rs_fail_on_changes(report_fail_on(d), &one);

		rs_side_put_text(&key, list->view, ch->a ? ch->a : ch->b);
		report_put_case(out, list->view->ref.view->name, key.data ? key.data : "",
				fails ? rs_change_word(ch->verdict) : NULL,
				ch->verdict == RS_CHANGE_UNDETERMINED);
		nr_failed += fails;
	}
	rs_buf_done(&key);
	return nr_failed;
}

static void report_put_junit(struct rs_buf *out, const struct rs_diff *d)
{
	struct rs_buf cases = RS_BUF_INIT;
	unsigned int nr = 0, nr_failed = report_put_junit_processes(&cases, d, &nr);

	for (size_t n = 0; n < d->nr_changes; n++)
		nr_failed += report_put_junit_rows(&cases, d, &d->changes[n], &nr);
	rs_buf_printf(out,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"ringside diff\" "
		      "tests=\"%u\" failures=\"%u\">\n",
		      nr, nr_failed);
	if (cases.failed)
		out->failed = true;
	rs_buf_add(out, cases.data ? cases.data : "", cases.len);
	rs_buf_puts(out, "</testsuite>\n");
	rs_buf_done(&cases);
}

/* ---- which ---- */

static const struct {
	const char *name;
	void (*put)(struct rs_buf *out, const struct rs_diff *d);
} reports[] = {
	{ "markdown", report_put_markdown },
	{ "junit", report_put_junit },
	{ "html", rs_diff_report_put_html },
};

void rs_diff_report_put(struct rs_buf *out, const struct rs_diff *d)
{
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
		if (!strcmp(reports[i].name, d->pair->opt->report))
			reports[i].put(out, d);
}
