// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome-texts - texts that many events share, made once: the head of a track, the label of a span, the keys
 * of its values
 *
 * A few of them make up nearly all of an export.
 */
#include "export/chrome/chrome.h"

#include <stdlib.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/json.h"

void rs_chrome_track_set(struct rs_chrome_track *t, uint32_t pid, uint32_t tid)
{
	static const char before_pid[] = ",\n{\"ph\":\"X\",\"pid\":", before_tid[] = ",\"tid\":",
			  before_ts[] = ",\"ts\":";
	char *p = t->head;

	_Static_assert(sizeof before_pid + sizeof before_tid + sizeof before_ts - 3 + 20 <= sizeof t->head,
		       "two of ten digits");
	memcpy(p, before_pid, sizeof before_pid - 1);
	p = rs_put_digits(p + sizeof before_pid - 1, pid);
	memcpy(p, before_tid, sizeof before_tid - 1);
	p = rs_put_digits(p + sizeof before_tid - 1, tid);
	memcpy(p, before_ts, sizeof before_ts - 1);
	t->len = (uint32_t)(p - t->head) + sizeof before_ts - 1;
	t->pid = pid;
	t->tid = tid;
}

/* ---- kinds of spans ---- */

/* The bytes behind it are copied along: see rs_chrome_piece. */
static bool chrome_texts_store_text(struct rs_chrome_piece *piece, const struct rs_buf *text)
{
	char *copy = calloc(1, text->len > RS_CHROME_PIECE ? text->len : RS_CHROME_PIECE);

	if (!copy || text->failed) {
		free(copy);
		return false;
	}
	memcpy(copy, text->data, text->len);
	*piece = (struct rs_chrome_piece){ copy, text->len };
	return true;
}

static bool chrome_texts_keep_key(struct rs_chrome_piece *piece, const char *name)
{
	struct rs_buf text = RS_BUF_INIT;
	bool kept;

	rs_buf_puts(&text, ",\"");
	rs_escape_json(&text, name);
	rs_buf_puts(&text, "\":");
	kept = chrome_texts_store_text(piece, &text);
	rs_buf_done(&text);
	return kept;
}

void rs_chrome_add_kind(struct rs_chrome *ch, const struct rs_span_kind *kind)
{
	struct rs_chrome_kind *k = calloc(1, sizeof *k);

	if (!k) {
		ch->out->failed = true; /* reported as out of memory */
		return;
	}
	k->kind = kind;
	k->next = ch->kinds;
	ch->kinds = k;
	for (; kind->columns && k->nr_keys < RS_MAX_COLUMNS && kind->columns[k->nr_keys].name; k->nr_keys++)
		if (!chrome_texts_keep_key(&k->keys[k->nr_keys], kind->columns[k->nr_keys].name)) {
			ch->out->failed = true;
			return;
		}
}

void rs_chrome_free_kinds(struct rs_chrome *ch)
{
	struct rs_chrome_kind *next;

	for (struct rs_chrome_kind *k = ch->kinds; k; k = next) {
		next = k->next;
		for (unsigned int i = 0; i < k->nr_keys; i++)
			free((char *)k->keys[i].text);
		free(k);
	}
	ch->kinds = NULL;
	rs_buf_done(&ch->long_label);
}

/* ---- labels of spans ---- */

static const struct rs_chrome_kind *chrome_texts_find_kind(const struct rs_chrome *ch,
							   const struct rs_span_kind *kind)
{
	const struct rs_chrome_kind *k = ch->kinds;

	while (k && k->kind != kind)
		k = k->next;
	return k;
}

/* ,"name":"read","cat":"syscall" : an event without a name makes one reader refuse the whole file */
static void chrome_texts_make_label(struct rs_buf *text, struct rs_ctx *c,
				    const struct rs_span_kind *kind, uint64_t arg)
{
	char buf[64];
	const char *name = kind->label ? kind->label(c, arg, buf, sizeof buf) : NULL;

	rs_buf_clear(text);
	rs_buf_puts(text, ",\"name\":\"");
	rs_escape_json(text, name && *name ? name : kind->name);
	rs_buf_puts(text, "\",\"cat\":\"");
	rs_escape_json(text, kind->name);
	rs_buf_putc(text, '"');
}

const struct rs_chrome_label *rs_chrome_texts_add_label(struct rs_chrome *ch, struct rs_ctx *c,
							    const struct rs_span_kind *kind, uint64_t arg,
							    struct rs_chrome_label *label)
{
	const struct rs_chrome_kind *k = chrome_texts_find_kind(ch, kind);
	struct rs_buf *text = &ch->long_label;

	if (k)
		chrome_texts_make_label(text, c, kind, arg);
	if (!k || text->failed) {
		ch->out->failed = true;
		return NULL;
	}
	if (text->len > sizeof label->own)
		label = &ch->unkept;
	*label = (struct rs_chrome_label){ .kind = k, .arg = arg, .text = { label->own, text->len } };
	if (label == &ch->unkept)
		label->text.text = text->data;
	else
		memcpy(label->own, text->data, text->len);
	return label;
}
