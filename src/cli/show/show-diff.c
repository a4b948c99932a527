// SPDX-License-Identifier: GPL-2.0-or-later
/* show-diff - what changed between two sides, as sentences and a table: text or JSON */
#include "cli/show/show-diff.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/out.h"
#include "cli/show/diff-report.h"
#include "cli/show/show-findings.h"
#include "cli/show/show-sides.h"
#include "compare/fail-on.h"
#include "compare/process.h"
#include "compare/process-text.h"
#include "compare/side-align.h"
#include "view/formatter.h"

#define DIFF_ROWS 20u        /* of the table, where -n says nothing else */
#define DIFF_PROCESSES 8u    /* likewise */

static void diff_put_seconds(struct rs_buf *out, uint64_t ns)
{
	rs_buf_printf(out, "%" PRIu64 ".%" PRIu64 " s", ns / 1000000000, ns / 100000000 % 10);
}

/* Behind a blank, which a name may have, too, comes what it runs. */
static void diff_put_pattern(struct rs_buf *out, const char *comm)
{
	struct rs_buf pattern = RS_BUF_INIT;
	size_t len = strcspn(comm, " ");

	rs_buf_add(&pattern, comm, len);
	rs_buf_puts(&pattern, comm[len] ? "*" : "");
	if (pattern.data)
		rs_escape_word(out, pattern.data);
	rs_buf_done(&pattern);
}

static void diff_put_see(struct rs_buf *out, const struct rs_diff *d, const struct rs_process_change *p)
{
	if (!d->pair->b_opt->input || d->pair->b->of_runs)
		return;
	rs_buf_puts(out, "    see: ringside why -c ");
	diff_put_pattern(out, p->comm);
	rs_show_findings_put_source(d->pair->b_opt, out);
	rs_buf_putc(out, '\n');
}

static void diff_put_process(struct rs_buf *out, const struct rs_diff *d,
			     const struct rs_process_change *p)
{
	rs_process_text_put(out, p);
	rs_buf_puts(out, "\n    ");
	rs_process_text_put_evidence(out, p);
	rs_buf_putc(out, '\n');
	diff_put_see(out, d, p);
}

/* "by the second: 3 processes, which make fewer than 20 calls of fsync on a side" */
static void diff_put_lacking(struct rs_buf *out, const char *per, unsigned int nr)
{
	rs_buf_printf(out, "by the second: %u process%s, which made fewer than %u calls of ", nr,
		      nr == 1 ? "" : "es", RS_WORKLOAD_LEAST_CALLS);
	rs_escape_text(out, per);
	rs_buf_puts(out, " on a side\n");
}

static void diff_put_sentences(struct rs_buf *out, const struct rs_diff *d)
{
	unsigned int nr = 0, nr_undetermined = 0, nr_lacking = 0;

	for (size_t i = 0; i < d->processes.nr; i++) {
		const struct rs_process_change *p = &d->processes.at[i];

		nr_undetermined += p->verdict == RS_PROCESS_UNDETERMINED;
		nr_lacking += p->work.lacks_per;
		if (rs_process_has_verdict(p) && nr++ < DIFF_PROCESSES)
			diff_put_process(out, d, p);
	}
	if (!nr)
		rs_buf_printf(out,
			      "no difference found: none of %zu processes takes longer, or less, for its "
			      "work\n",
			      d->processes.nr - nr_undetermined);
	if (nr > DIFF_PROCESSES)
		rs_buf_printf(out, "and %u more\n", nr - DIFF_PROCESSES);
	if (nr_undetermined)
		rs_buf_printf(out,
			      "undetermined: %u process%s (too short a time, or other work than before)\n",
			      nr_undetermined, nr_undetermined == 1 ? "" : "es");
	if (nr_lacking)
		diff_put_lacking(out, d->pair->opt->per, nr_lacking);
}

/* Of two machines each is named. */
static void diff_put_side(struct rs_buf *out, const char *letter, const char *name,
			  const struct rs_side *side, const struct rs_side *other)
{
	rs_buf_printf(out, "%s: ", letter);
	rs_escape_text(out, name);
	if (*side->host && *other->host && strcmp(side->host, other->host)) {
		rs_buf_puts(out, " of ");
		rs_escape_text(out, side->host);
	}
	rs_buf_puts(out, ", ");
	diff_put_seconds(out, side->len_ns);
	if (side->lost_ns) {
		rs_buf_puts(out, ", and ");
		diff_put_seconds(out, side->lost_ns);
		rs_buf_puts(out, " left out, in which events were lost");
	}
	if (side->nr_left_out)
		rs_buf_printf(out, ", without rows for which there was no room (%" PRIu64 " times)",
			      side->nr_left_out);
	rs_buf_putc(out, '\n');
}

/* ---- the table ---- */

enum {
	DIFF_VIEW, DIFF_KEY, DIFF_VERDICT, DIFF_RATE_A, DIFF_RATE_B, DIFF_P50_A, DIFF_P50_B, DIFF_P50_LOW,
	DIFF_P50_HIGH, DIFF_P99_A, DIFF_P99_B, DIFF_P99_LOW, DIFF_P99_HIGH, DIFF_TOTAL_A, DIFF_TOTAL_B,
	DIFF_COST, NR_DIFF_COLUMNS
};

static const struct rs_column diff_columns[] = {
	[DIFF_VIEW] = { "view", "VIEW", RS_TYPE_TEXT, 0, 0, 16, "the view that has the row" },
	[DIFF_KEY] = { "key", "KEY", RS_TYPE_TEXT, 0, 0, 28, "what its row is of, by keys that last" },
	[DIFF_VERDICT] = { "verdict", "VERDICT", RS_TYPE_TEXT, 0, 0, 8,
			   "slower, faster: by the distribution; more, less: by the rate; new, gone; alike; "
			   "undetermined" },
	[DIFF_RATE_A] = { "rate_a", "RATE A", RS_TYPE_MILLI, 0, 0, 9,
			  "how many a second on side A; of commands in each run" },
	[DIFF_RATE_B] = { "rate_b", "RATE B", RS_TYPE_MILLI, 0, 0, 9, "on side B" },
	[DIFF_P50_A] = { "p50_a_ns", "p50 A", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7,
			 "half took at most this" },
	[DIFF_P50_B] = { "p50_b_ns", "p50 B", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7, "on side B" },
	[DIFF_P50_LOW] = { "p50_low_ns", "p50 low", RS_TYPE_DURATION, RS_UNIT_AUTO, RS_COLUMN_SIGNED, 8,
			   "the lower end of the 95 % interval of the change of p50" },
	[DIFF_P50_HIGH] = { "p50_high_ns", "p50 high", RS_TYPE_DURATION, RS_UNIT_AUTO, RS_COLUMN_SIGNED, 8,
			    "the upper end" },
	[DIFF_P99_A] = { "p99_a_ns", "p99 A", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7,
			 "99 % took at most this" },
	[DIFF_P99_B] = { "p99_b_ns", "p99 B", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7, "on side B" },
	[DIFF_P99_LOW] = { "p99_low_ns", "p99 low", RS_TYPE_DURATION, RS_UNIT_AUTO, RS_COLUMN_SIGNED, 8,
			   "the lower end of the 95 % interval of the change of p99" },
	[DIFF_P99_HIGH] = { "p99_high_ns", "p99 high", RS_TYPE_DURATION, RS_UNIT_AUTO, RS_COLUMN_SIGNED, 8,
			    "the upper end" },
	[DIFF_TOTAL_A] = { "total_a_ns", "TIME A", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7,
			   "its time in a second, or run; null of a view that has no latencies" },
	[DIFF_TOTAL_B] = { "total_b_ns", "TIME B", RS_TYPE_DURATION, RS_UNIT_AUTO, 0, 7, "on side B" },
	[DIFF_COST] = { "cost_ns", "COST", RS_TYPE_DURATION, RS_UNIT_AUTO, RS_COLUMN_SIGNED, 8,
			"its change" },
	{ 0 },
};

static const struct rs_view diff_view = {
	.name = "diff",
	.summary = "rows of views on both sides, and whether they differ",
	.kind = RS_VIEW_TABLE,
	.columns = diff_columns,
	.text_columns = "view,key,verdict,rate_a,rate_b,p50_a_ns,p50_b_ns,p99_a_ns,p99_b_ns,"
			"total_a_ns,total_b_ns,cost_ns",
};

static struct rs_value diff_milli(double value, bool known)
{
	return rs_u_if(known && value < 1e15, known && value < 1e15 ? (uint64_t)(value * 1000 + 0.5) : 0);
}

static struct rs_value diff_signed(double value, bool known)
{
	return known && fabs(value) < 9e18 ? rs_i((int64_t)value) : rs_null();
}

static struct rs_value diff_ns(double value, bool known)
{
	return known && value < 1.8e19 ? rs_u((uint64_t)value) : rs_null();
}

static void diff_set_quantiles(struct rs_value *v, const struct rs_change *ch, bool known_a, bool known_b)
{
	bool both = known_a && known_b;

	v[DIFF_P50_A] = diff_ns(ch->p50_a.value, known_a);
	v[DIFF_P50_B] = diff_ns(ch->p50_b.value, known_b);
	v[DIFF_P50_LOW] = diff_signed(ch->p50.low, both);
	v[DIFF_P50_HIGH] = diff_signed(ch->p50.high, both);
	v[DIFF_P99_A] = diff_ns(ch->p99_a.value, known_a);
	v[DIFF_P99_B] = diff_ns(ch->p99_b.value, known_b);
	v[DIFF_P99_LOW] = diff_signed(ch->p99.low, both);
	v[DIFF_P99_HIGH] = diff_signed(ch->p99.high, both);
}

static void diff_add_row(struct rs_sink *sink, const struct rs_change_list *list, const struct rs_change *ch,
			 struct rs_buf *key)
{
	const struct rs_side_view *view = list->view;
	struct rs_value v[NR_DIFF_COLUMNS];

	rs_side_put_text(key, view, ch->a ? ch->a : ch->b);
	v[DIFF_VIEW] = rs_s(view->ref.view->name);
	v[DIFF_KEY] = rs_s(key->data);
	v[DIFF_VERDICT] = rs_s(rs_change_word(ch->verdict));
	v[DIFF_RATE_A] = diff_milli(ch->rate_a.value, true);
	v[DIFF_RATE_B] = diff_milli(ch->rate_b.value, true);
	diff_set_quantiles(v, ch, view->is_latency && ch->a && ch->a->nr_points,
			   view->is_latency && ch->b && ch->b->nr_points);
	v[DIFF_TOTAL_A] = diff_ns(ch->total_a.value, view->is_latency);
	v[DIFF_TOTAL_B] = diff_ns(ch->total_b.value, view->is_latency);
	v[DIFF_COST] = diff_signed(ch->cost, view->is_latency);
	sink->row(sink, v);
}

static void diff_add_rows(const struct rs_diff *d, const struct rs_change_list *list, struct rs_sink *sink,
			  struct rs_buf *key)
{
	const struct rs_options *opt = d->pair->opt;
	uint64_t most = opt->nr_rows ? opt->nr_rows : opt->json ? UINT64_MAX : DIFF_ROWS;

	for (size_t i = 0; i < list->nr && i < most; i++)
		if (list->at[i].verdict > RS_CHANGE_UNDETERMINED || opt->view || opt->json)
			diff_add_row(sink, list, &list->at[i], key);
}

/* What differs; with --view all rows. View by view: in one order, that of what they cost, units would mix. */
static void diff_put_table(const struct rs_diff *d, struct rs_buf *out, struct rs_error *err)
{
	const struct rs_options *asked = d->pair->opt;
	const struct rs_formatter_options opt = {
		.format = asked->json ? "json" : asked->csv ? "csv" : "text", .columns = asked->columns,
	};
	struct rs_printer *printer = rs_printer_new(&diff_view, &opt, out, err);
	struct rs_buf key = RS_BUF_INIT;

	for (size_t n = 0; printer && n < d->nr_changes; n++)
		diff_add_rows(d, &d->changes[n], rs_printer_sink(printer), &key);
	if (printer)
		rs_printer_finish(printer);
	rs_printer_free(printer);
	rs_buf_done(&key);
}

/* ---- JSON ---- */

static void diff_put_i64(struct rs_json *j, const char *key, double value)
{
	rs_json_key(j, key);
	if (fabs(value) < 9e18)
		rs_json_i64(j, (int64_t)value);
	else
		rs_json_null(j);
}

static void diff_put_json_part(struct rs_json *j, const struct rs_process_part *part)
{
	struct rs_buf server = RS_BUF_INIT;

	rs_json_open(j, '{');
	rs_json_put_str(j, "category", rs_category_row(rs_part_cause(part->part)->category)->name);
	rs_json_put_str(j, "part", rs_part_row(part->part)->name);
	rs_json_put_str(j, "dev", rs_process_text_is_named(part->dev) ? part->dev : NULL);
	rs_json_put_str(j, "type", rs_process_text_is_named(part->type) ? part->type : NULL);
	rs_json_put_str(j, "culprit", rs_process_text_is_named(part->culprit) ? part->culprit : NULL);
	rs_json_put_str(j, "server", rs_process_text_put_server(&server, part) ? server.data : NULL);
	rs_json_put_str(j, "server_process", part->server);
	diff_put_i64(j, "a_ns", part->of_a.value);
	diff_put_i64(j, "b_ns", part->of_b.value);
	diff_put_i64(j, "change_ns", part->change.value);
	diff_put_i64(j, "error_ns", part->change.error);
	rs_json_put_bool(j, "told", part->is_told);
	rs_json_put_bool(j, "counts", part->counts);
	rs_json_close(j, '}');
	rs_buf_done(&server);
}

static void diff_put_json_process(struct rs_buf *out, const struct rs_process_change *p)
{
	struct rs_json j;

	rs_json_init(&j, out);
	rs_json_open(&j, '{');
	rs_json_put_str(&j, "process", p->comm);
	rs_json_put_str(&j, "verdict", rs_process_word(p->verdict));
	rs_json_put_bool(&j, "root", p->is_root);
	rs_json_put_str(&j, "unit", rs_process_text_unit(p));
	rs_json_put_str(&j, "unit_of", p->work.call ? p->worker : NULL);
	diff_put_i64(&j, "units_a", p->work.all_a);
	diff_put_i64(&j, "units_b", p->work.all_b);
	diff_put_i64(&j, "a_ns", p->of_a.value);
	diff_put_i64(&j, "b_ns", p->of_b.value);
	diff_put_i64(&j, "change_ns", p->change.value);
	diff_put_i64(&j, "low_ns", p->low_ns);
	diff_put_i64(&j, "high_ns", p->high_ns);
	diff_put_i64(&j, "input_ns", p->input_ns);
	rs_json_key(&j, "parts");
	rs_json_open(&j, '[');
	for (size_t i = 0; i < p->nr_parts; i++)
		if (p->parts[i].is_told || rs_process_text_is_told(p, &p->parts[i]))
			diff_put_json_part(&j, &p->parts[i]);
	rs_json_close(&j, ']');
	rs_json_close(&j, '}');
	rs_buf_putc(out, '\n');
}

static void diff_put(const struct rs_diff *d, struct rs_buf *out, struct rs_error *err)
{
	if (d->pair->opt->report) {
		rs_diff_report_put(out, d);
		return;
	}
	if (d->pair->opt->json) {
		for (size_t i = 0; i < d->processes.nr; i++)
			diff_put_json_process(out, &d->processes.at[i]);
	} else if (!d->pair->opt->csv) {
		diff_put_side(out, "A", d->pair->name_a, d->pair->a, d->pair->b);
		diff_put_side(out, "B", d->pair->name_b, d->pair->b, d->pair->a);
		rs_buf_putc(out, '\n');
		diff_put_sentences(out, d);
		rs_buf_putc(out, '\n');
	}
	diff_put_table(d, out, err);
}

static void diff_judge(const struct rs_diff *d, struct rs_error *err)
{
	const char *fail_on = d->pair->opt->fail_on;
	unsigned int nr = rs_fail_on_processes(fail_on, &d->processes), nr_rows = 0;

	for (size_t i = 0; i < d->nr_changes; i++)
		nr_rows += rs_fail_on_changes(fail_on, &d->changes[i]);
	if (err->status != RS_OK || !(nr + nr_rows))
		return;
	rs_fail(err, "--fail-on %.60s: %u process%s and %u row%s", fail_on, nr, nr == 1 ? "" : "es", nr_rows,
		nr_rows == 1 ? "" : "s");
	err->status = RS_CHECK_FAILED;
}

void rs_show_diff(const struct rs_show_pair *pair, struct rs_error *err)
{
	struct rs_diff d = { .pair = pair };
	struct rs_buf out = RS_BUF_INIT;
	bool failed;

	failed = !rs_side_align(pair->a, pair->b);
	rs_process_compare(&d.processes, pair->a, pair->b, pair->opt->per);
	failed |= d.processes.failed;
	for (size_t i = RS_PROCESS_NR_VIEWS; i < pair->a->nr_views; i++) {
		rs_change_compare(&d.changes[d.nr_changes], pair->a, pair->b, i);
		failed |= d.changes[d.nr_changes++].failed;
	}
	if (failed)
		rs_fail(err, "cannot compare: out of memory");
	else
		diff_put(&d, &out, err);
	rs_out_end(&out, err);
	diff_judge(&d, err);
	for (size_t i = 0; i < d.nr_changes; i++)
		rs_change_list_done(&d.changes[i]);
	rs_process_list_done(&d.processes);
}
