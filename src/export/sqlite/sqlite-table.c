// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sqlite-table.c - tables of any columns, and rows into them
 *
 * The file is new and nobody else's: one transaction without a journal, and without waiting for the disk.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "export/sqlite/sqlite.h"

#define TABLE_STEPS 10000 /* of SQLite's machine, until it asks whether to go on */

static bool table_is_ok(const struct rs_sqlite *sq)
{
	return sq->db && sq->scene.export.error.status == RS_OK;
}

/* SQLite says "database or disk is full" of a full disk, and "out of memory" likewise. */
static void table_fail(struct rs_sqlite *sq, const char *what)
{
	rs_fail(&sq->scene.export.error, "cannot write the database: %s: %s", what,
		rs_sqlite_calls.sqlite3_errmsg(sq->db));
}

void rs_sqlite_run(struct rs_sqlite *sq, const char *statement)
{
	char first_words[48];

	if (!table_is_ok(sq) ||
	    rs_sqlite_calls.sqlite3_exec(sq->db, statement, NULL, NULL, NULL) == SQLITE_OK)
		return;
	snprintf(first_words, sizeof first_words, "%.*s", (int)strcspn(statement, "(\n"), statement);
	table_fail(sq, first_words);
}

/* Indices of long tables take seconds. */
static int table_is_interrupted(void *arg)
{
	const struct rs_sqlite *sq = arg;

	return sq->interrupted && sq->interrupted();
}

void rs_sqlite_open(struct rs_sqlite *sq, const char *path)
{
	char numbers[80];

	if (rs_sqlite_calls.sqlite3_open_v2(path, &sq->db,
					    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
					    NULL) != SQLITE_OK) {
		rs_fail(&sq->scene.export.error, "cannot write the database '%s': %s", path,
			sq->db ? rs_sqlite_calls.sqlite3_errmsg(sq->db) : "out of memory");
		return;
	}
	rs_sqlite_calls.sqlite3_progress_handler(sq->db, TABLE_STEPS, table_is_interrupted, sq);
	rs_sqlite_run(sq, "PRAGMA journal_mode = OFF");
	rs_sqlite_run(sq, "PRAGMA synchronous = OFF");
	rs_sqlite_run(sq, "PRAGMA locking_mode = EXCLUSIVE");
	/* KiB: what the writer holds, however long the recording */
	rs_sqlite_run(sq, "PRAGMA cache_size = -32768");
	snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 RS_SQLITE_APPLICATION_ID, RS_SQLITE_VERSION);
	rs_sqlite_run(sq, numbers);
	rs_sqlite_run(sq, "BEGIN");
}

void rs_sqlite_close(struct rs_sqlite *sq)
{
	struct rs_sqlite_table *next;

	if (!rs_sqlite_calls.sqlite3_close) /* SQLite is not installed */
		return;
	for (struct rs_sqlite_table *t = sq->tables; t; t = next) {
		next = t->next;
		rs_sqlite_calls.sqlite3_finalize(t->insert);
		free(t);
	}
	sq->tables = NULL;
	rs_sqlite_run(sq, "COMMIT");
	if (rs_sqlite_calls.sqlite3_close(sq->db) != SQLITE_OK && table_is_ok(sq))
		table_fail(sq, "close");
	sq->db = NULL;
	for (size_t i = 0; i < RS_SQLITE_MAX_COLUMNS; i++)
		rs_buf_done(&sq->texts[i]);
}

/* ---- CREATE TABLE ---- */

/* A name as a word: a character that words do not have is '_', so "futex wait" is futex_wait. */
static void table_name(char *to, size_t size_bytes, const char *name)
{
	size_t len = 0;

	for (; name[len] && len < size_bytes - 1; len++)
		to[len] = isalnum((unsigned char)name[len]) ? name[len] : '_';
	to[len] = '\0';
}

/* Keywords are quoted. */
static void table_put_name(struct rs_buf *out, const char *name)
{
	bool quoted = rs_sqlite_calls.sqlite3_keyword_check(name, (int)strlen(name)) ||
		      isdigit((unsigned char)*name);

	rs_buf_printf(out, quoted ? "\"%s\"" : "%s", name);
}

static const char *table_type(const struct rs_column *c)
{
	return c->type == RS_SQLITE_ANY_TYPE ? "" :
	       c->type == RS_TYPE_TEXT       ? " TEXT" :
	       c->type == RS_TYPE_MILLI      ? " REAL" :
					       " INTEGER";
}

/* The name already says ns and bytes. */
static const char *table_note(const struct rs_column *c)
{
	return c->type == RS_TYPE_TIME ? "; trace clock" : "";
}

/* A comment ends with its line. */
static void table_put_comment(struct rs_buf *out, const char *text, const char *note)
{
	rs_buf_puts(out, text ? " -- " : "");
	for (; text && *text; text++)
		rs_buf_putc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	rs_buf_puts(out, note);
	rs_buf_putc(out, '\n');
}

/* Returns true if a column before this one has its name. */
static bool table_has_column(const struct rs_sqlite_layout *l, const struct rs_column *c)
{
	for (const struct rs_column *other = l->columns; other && other->name && other != c; other++)
		if (!rs_sqlite_calls.sqlite3_stricmp(other->name, c->name))
			return true;
	return false;
}

static unsigned int table_put_columns(struct rs_buf *out, const struct rs_sqlite_layout *l,
				      const struct rs_column *columns, bool last)
{
	unsigned int nr = 0;
	char name[64];

	for (const struct rs_column *c = columns; c && c->name; c++, nr++) {
		table_name(name, sizeof name - 1, c->name);
		if (table_has_column(l, c))
			strcat(name, "_");
		rs_buf_putc(out, '\t');
		table_put_name(out, name);
		rs_buf_printf(out, "%s%s%s", table_type(c),
			      l->key && !strcmp(l->key, c->name) ? " PRIMARY KEY" : "",
			      last && !c[1].name ? "" : ",");
		table_put_comment(out, c->help, table_note(c));
	}
	return nr;
}

static void table_prepare(struct rs_sqlite *sq, struct rs_sqlite_table *t, const struct rs_buf *create,
			  bool has_key)
{
	struct rs_buf insert = RS_BUF_INIT;

	rs_sqlite_run(sq, create->data);
	/* a hostile recording may have a task twice: the last one stays */
	rs_buf_printf(&insert, "INSERT %sINTO \"%s\" VALUES (?", has_key ? "OR REPLACE " : "", t->name);
	for (unsigned int i = 1; i < t->nr_columns; i++)
		rs_buf_puts(&insert, ",?");
	rs_buf_putc(&insert, ')');
	if (create->failed || insert.failed)
		rs_fail(&sq->scene.export.error, "cannot write the database: out of memory");
	else if (table_is_ok(sq) &&
		 rs_sqlite_calls.sqlite3_prepare_v3(sq->db, insert.data, -1, SQLITE_PREPARE_PERSISTENT,
						    &t->insert, NULL) != SQLITE_OK)
		table_fail(sq, t->name);
	rs_buf_done(&insert);
}

static bool table_is_taken(const struct rs_sqlite *sq, const char *name)
{
	for (const struct rs_sqlite_table *t = sq->tables; t; t = t->next)
		if (!rs_sqlite_calls.sqlite3_stricmp(t->name, name))
			return true;
	return false;
}

/* A view of an external plugin may have a name that is taken. */
static void table_choose_name(const struct rs_sqlite *sq, struct rs_sqlite_table *t, const char *name)
{
	size_t len;

	table_name(t->name, sizeof t->name - 4, name);
	len = strlen(t->name);
	for (unsigned int i = 2; i < 100 && table_is_taken(sq, t->name); i++)
		snprintf(t->name + len, 4, "_%u", i);
}

struct rs_sqlite_table *rs_sqlite_table_new(struct rs_sqlite *sq, const struct rs_sqlite_layout *l)
{
	struct rs_buf create = RS_BUF_INIT;
	struct rs_sqlite_table *t;
	bool more = l->more_columns && l->more_columns->name;

	if (!table_is_ok(sq))
		return NULL;
	t = calloc(1, sizeof *t);
	if (!t) {
		rs_fail(&sq->scene.export.error, "cannot write the database: out of memory");
		return NULL;
	}
	table_choose_name(sq, t, l->name);
	t->indices = l->indices;
	t->next = sq->tables;
	sq->tables = t;
	rs_buf_puts(&create, "CREATE TABLE ");
	table_put_name(&create, t->name);
	rs_buf_puts(&create, " (");
	table_put_comment(&create, l->help, "");
	t->nr_columns = table_put_columns(&create, l, l->columns, !more);
	if (more)
		t->nr_columns += table_put_columns(&create, l, l->more_columns, true);
	rs_buf_putc(&create, ')');
	table_prepare(sq, t, &create, l->key);
	rs_buf_done(&create);
	return t;
}

/* ---- INSERT ---- */

/* Returns true if it is ASCII, as nearly all. */
static bool table_measure(const char *text, size_t *len)
{
	unsigned char all = 0;
	size_t n = 0;

	for (; text[n]; n++)
		all |= (unsigned char)text[n];
	*len = n;
	return all < 0x80;
}

static void table_put_code(struct rs_buf *out, uint32_t code, const char *bytes, size_t len)
{
	rs_buf_add(out, code == 0xfffd ? "\xef\xbf\xbd" : bytes, code == 0xfffd ? 3 : len);
}

/*
 * SQLite takes any bytes as text, and its readers then differ: they are UTF-8, a byte that is not is U+FFFD.
 */
static int table_bind_text(struct rs_sqlite *sq, sqlite3_stmt *stmt, unsigned int at, const char *text)
{
	struct rs_buf *own = &sq->texts[at];
	uint32_t code;
	size_t len;

	if (table_measure(text, &len))
		return rs_sqlite_calls.sqlite3_bind_text(stmt, (int)at + 1, text, (int)len, SQLITE_STATIC);
	rs_buf_clear(own);
	for (size_t n; (n = rs_escape_utf8_next(text, len, &code)) > 0; text += n, len -= n)
		table_put_code(own, code, text, n);
	if (own->failed)
		return SQLITE_NOMEM;
	return rs_sqlite_calls.sqlite3_bind_text(stmt, (int)at + 1, own->data, (int)own->len, SQLITE_STATIC);
}

static int table_bind(struct rs_sqlite *sq, sqlite3_stmt *stmt, unsigned int at, const struct rs_column *c,
		      struct rs_value value)
{
	if (!value.known)
		return rs_sqlite_calls.sqlite3_bind_null(stmt, (int)at + 1);
	if (c->type == RS_TYPE_TEXT)
		return table_bind_text(sq, stmt, at, value.s);
	if (c->type == RS_TYPE_MILLI)
		return rs_sqlite_calls.sqlite3_bind_double(stmt, (int)at + 1, (double)value.u / 1000);
	if (value.u > INT64_MAX && !(c->flags & RS_COLUMN_SIGNED)) /* SQLite's integers end at 2^63 */
		return rs_sqlite_calls.sqlite3_bind_double(stmt, (int)at + 1, (double)value.u);
	return rs_sqlite_calls.sqlite3_bind_int64(stmt, (int)at + 1, value.i);
}

void rs_sqlite_add(struct rs_sqlite *sq, struct rs_sqlite_table *t, const struct rs_column *columns,
		   const struct rs_value *values, const struct rs_column *more_columns,
		   const struct rs_value *more)
{
	unsigned int at = 0;
	int status = SQLITE_OK;

	if (!t || !table_is_ok(sq))
		return;
	for (unsigned int i = 0; columns && columns[i].name; i++)
		status |= table_bind(sq, t->insert, at++, &columns[i], values[i]);
	for (unsigned int i = 0; more_columns && more_columns[i].name; i++)
		status |= table_bind(sq, t->insert, at++, &more_columns[i], more ? more[i] : rs_null());
	if (status != SQLITE_OK || rs_sqlite_calls.sqlite3_step(t->insert) != SQLITE_DONE)
		table_fail(sq, t->name);
	rs_sqlite_calls.sqlite3_reset(t->insert);
}

/* ---- CREATE INDEX ---- */

static void table_make_index(struct rs_sqlite *sq, const struct rs_sqlite_table *t, const char *columns,
			     int len)
{
	char statement[256];

	snprintf(statement, sizeof statement, "CREATE INDEX \"%s_by_%.*s\" ON \"%s\" (%.*s)", t->name,
		 (int)strcspn(columns, ",;"), columns, t->name, len, columns);
	rs_sqlite_run(sq, statement);
}

void rs_sqlite_make_indices(struct rs_sqlite *sq)
{
	for (const struct rs_sqlite_table *t = sq->tables; t; t = t->next)
		for (const char *at = t->indices; at && *at; at += strcspn(at, ";"), at += *at == ';')
			table_make_index(sq, t, at, (int)strcspn(at, ";"));
}
