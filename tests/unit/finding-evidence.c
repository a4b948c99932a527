// SPDX-License-Identifier: GPL-2.0-or-later
#include "finding-evidence.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/session.h"
#include "finding-variants.h"
#include "view/columns.h"
#include "view/formatter.h"

#define EVIDENCE_MOST 64
#define EVIDENCE_WORD 128

/* What the sentence is about is not in the rows: they are of the machine. */
static const char *const evidence_of_machine[] = { "cpus", "memory", "meminfo", NULL };

/* Lines of a test have no readings of cgroups, meminfo and the like; a wait that goes on has no row of a stream yet. */
static const char *const evidence_may_be_empty[] = { "cgroups", "memory", "meminfo", "reclaim", "signals", NULL };

struct evidence {
	const struct rs_finding_item *f;
	unsigned int nr;             /* of the finding's */
	struct rs_view_ref ref;
	struct rs_query query;
	struct rs_formatter_options options;
	struct rs_printer *printer;
	struct rs_sink sink;         /* of a stream: to all printers of that view, which has one subscriber */
	struct rs_buf rows;
	char command[512], sort[40], by[64];
};

static bool evidence_has(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* The word behind an option of the command, as the shell gives it; "": it has none. */
static void evidence_get_word(const char *command, const char *option, char *word, size_t size_bytes)
{
	const char *at = strstr(command, option);

	*word = '\0';
	if (at)
		snprintf(word, size_bytes, "%.*s", (int)strcspn(at + strlen(option), " "), at + strlen(option));
}

static void evidence_begin(const struct ask *ask, struct evidence *e, const struct rs_finding_item *f, unsigned int nr)
{
	struct rs_buf command = RS_BUF_INIT;
	struct rs_error err = { 0 };
	char *by, *name;

	*e = (struct evidence){ .f = f, .nr = nr, .rows = RS_BUF_INIT };
	rs_finding_list_put_command(f, nr, &command);
	snprintf(e->command, sizeof e->command, "%s", command.data);
	rs_buf_done(&command);
	evidence_get_word(e->command, " -s ", e->sort, sizeof e->sort);
	evidence_get_word(e->command, " --by ", e->by, sizeof e->by);
	if (!rs_requirements_find_view(f->evidence[nr].view, &e->ref, &err))
		ck_abort_msg("%s:%d: %s: %s", ask->file, ask->line, e->command, err.text);
	by = e->by;
	while (*e->by && (name = strsep(&by, ",")))
		e->query.by[e->query.nr_by++] = name;
	/* as the command line does */
	e->options = (struct rs_formatter_options){ .format = "csv", .sort = *e->sort ? e->sort : NULL, .largest_first = true,
						    .where = *f->evidence[nr].where ? f->evidence[nr].where : NULL };
	e->printer = rs_printer_new(e->ref.view, &e->options, &e->rows, &err);
	if (!e->printer)
		ck_abort_msg("%s:%d: %s: %s", ask->file, ask->line, e->command, err.text);
}

/* ---- what the rows say ---- */

/* The next cell of a line of CSV; false at the end of the line. */
static bool evidence_next_cell(const char **at, char *cell)
{
	size_t len = 0;
	bool quoted = **at == '"';

	if (!**at || **at == '\n')
		return false;
	for (*at += quoted; **at && (quoted ? **at != '"' || (*at)[1] == '"' : **at != ',' && **at != '\n'); ++*at) {
		*at += quoted && **at == '"';
		if (len + 1 < EVIDENCE_WORD)
			cell[len++] = **at;
	}
	cell[len] = '\0';
	*at += quoted;
	*at += **at == ',';
	return true;
}

static bool evidence_is_pid(const struct rs_finding_party *party, const char *cell)
{
	for (unsigned int i = 0; i < party->nr_pids; i++)
		if (atoi(cell) == party->pids[i])
			return true;
	return false;
}

/* "a", "a/worker" or "b/20" of "a/worker"; NET_RX of "softirq NET_RX"; a device of "8,0", or of the cause. */
static bool evidence_is_name(const char *names, const char *cell)
{
	const char *at = *cell ? strstr(names, cell) : NULL;
	size_t len = strlen(cell);

	return at && (at == names || strchr(" /", at[-1])) && (!at[len] || strchr(" /),:", at[len]));
}

/* Does a cell of the row name somebody of the sentence? */
static bool evidence_names_party(const struct rs_finding_item *f, const char *row)
{
	char cell[EVIDENCE_WORD], text[RS_FINDING_TEXT];

	rs_finding_list_text(f, text);
	while (evidence_next_cell(&row, cell)) {
		char first[EVIDENCE_WORD];

		snprintf(first, sizeof first, "%.*s", (int)strcspn(cell, "/"), cell);
		if (strspn(cell, "0123456789") == strlen(cell) ? evidence_is_pid(&f->victim, cell) || evidence_is_pid(&f->culprit, cell) :
								 evidence_is_name(text, cell) || evidence_is_name(text, first))
			return true;
	}
	return false;
}

static void evidence_check_order(const struct ask *ask, const struct evidence *e, const char *rows)
{
	char cell[EVIDENCE_WORD] = "";
	unsigned int column = 0;
	double last = 0;

	while (strcmp(e->ref.view->columns[column].name, e->sort) != 0)
		if (!e->ref.view->columns[++column].name)
			ck_abort_msg("%s:%d: %s: sorts by what is no column, or not the largest first", ask->file, ask->line, e->command);
	ck_assert_int_ne(e->ref.view->columns[column].type, RS_TYPE_TEXT); /* see struct rs_evidence */
	for (const char *row = rows; *row; row += strcspn(row, "\n"), row += *row == '\n') {
		const char *at = row;

		for (unsigned int i = 0; i <= column; i++)
			if (!(e->ref.view->columns[i].flags & RS_COLUMN_ON_REQUEST))
				evidence_next_cell(&at, cell);
		if (row != rows && atof(cell) > last)
			ck_abort_msg("%s:%d: %s: the largest rows do not come first:\n%s", ask->file, ask->line, e->command, rows);
		last = atof(cell);
	}
}

static bool evidence_is_of_machine(const struct evidence *e)
{
	return evidence_has(evidence_of_machine, e->ref.view->name) || (!strcmp(e->ref.view->name, "cgroups") && !e->options.where);
}

static void evidence_check(const struct ask *ask, struct evidence *e)
{
	const char *rows;

	rs_printer_finish(e->printer);
	rows = e->rows.data ? strchr(e->rows.data, '\n') : NULL;
	rows = rows ? rows + 1 : "";
	if (!*rows) {
		if (!evidence_has(evidence_may_be_empty, e->ref.view->name) || !e->nr)
			ck_abort_msg("%s:%d: rule %s: %s: no rows", ask->file, ask->line, e->f->rule->name, e->command);
		return;
	}
	if (*e->sort)
		evidence_check_order(ask, e, rows);
	if (!evidence_is_of_machine(e) && !evidence_names_party(e->f, rows))
		ck_abort_msg("%s:%d: rule %s: %s: the first row names nobody of the sentence:\n%s", ask->file, ask->line, e->f->rule->name, e->command, rows);
}

static struct evidence all[EVIDENCE_MOST];
static unsigned int nr_evidence;

static void evidence_put_row(struct rs_sink *sink, const struct rs_value *values)
{
	const struct evidence *e = (const struct evidence *)((char *)sink - offsetof(struct evidence, sink));

	for (unsigned int i = 0; i < nr_evidence; i++)
		if (all[i].ref.view == e->ref.view)
			rs_printer_sink(all[i].printer)->row(rs_printer_sink(all[i].printer), values);
}

static void evidence_subscribe(struct rs_session *s, struct evidence *e)
{
	if (e->ref.view->kind != RS_VIEW_STREAM)
		return;
	for (const struct evidence *earlier = all; earlier < e; earlier++)
		if (earlier->ref.view == e->ref.view)
			return;
	e->sink.row = evidence_put_row;
	ck_assert_int_eq(rs_session_subscribe(s, &e->ref, &e->query, &e->sink), 0);
}

void rs_check_finding_evidence(const struct ask *ask, const char *const *lines, const struct rs_finding_list *list)
{
	const struct rs_finding_item *f;
	struct finding_variant v;

	nr_evidence = 0;
	for (size_t i = 0; (f = rs_finding_list_get(list, i)); i++)
		for (unsigned int j = 0; j < f->nr_evidence; j++) {
			ck_assert_uint_lt(nr_evidence, EVIDENCE_MOST);
			evidence_begin(ask, &all[nr_evidence++], f, j);
		}
	if (!nr_evidence || !rs_finding_variant_open(&v, ask, NULL, lines, 0))
		return;
	for (unsigned int i = 0; i < nr_evidence; i++)
		evidence_subscribe(v.session, &all[i]);
	rs_finding_variant_run(&v);
	for (unsigned int i = 0; i < nr_evidence; i++) {
		struct evidence *e = &all[i];

		if (rs_session_disabled(v.session, e->ref.analysis) && e->nr)
			continue; /* of events that were not recorded: the docs say that it is left out */
		if (e->ref.view->kind != RS_VIEW_STREAM)
			rs_session_rows(v.session, &e->ref, &e->query, rs_printer_sink(e->printer));
		evidence_check(ask, e);
	}
	rs_finding_variant_close(&v);
	for (unsigned int i = 0; i < nr_evidence; i++) {
		rs_printer_free(all[i].printer);
		rs_buf_done(&all[i].rows);
	}
}
