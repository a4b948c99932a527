// SPDX-License-Identifier: GPL-2.0-or-later
/* phrase - expands the template of a sentence into typed words, and makes them agree with numbers */
#include "model/phrase.h"

#include <string.h>

void rs_phrase_init(struct rs_phrase *w)
{
	w->nr = 0;
	w->len = 0;
	w->text[0] = '\0';
}

void rs_phrase_add(struct rs_phrase *w, enum rs_slot_kind kind, const char *text, size_t len)
{
	bool is_more = w->nr && kind == RS_SLOT_TEXT && w->at[w->nr - 1].kind == RS_SLOT_TEXT;

	if (len > sizeof w->text - 1 - w->len)
		len = sizeof w->text - 1 - w->len;
	if ((!len && kind != RS_SLOT_CULPRIT) || (!is_more && w->nr == RS_PHRASE_PARTS))
		return;
	if (!is_more)
		w->at[w->nr++] = (struct rs_phrase_part){ .kind = (uint8_t)kind };
	w->at[w->nr - 1].len = (uint16_t)(w->at[w->nr - 1].len + len);
	memcpy(w->text + w->len, text, len);
	w->len += len;
	w->text[w->len] = '\0';
}

void rs_phrase_puts(struct rs_phrase *w, enum rs_slot_kind kind, const char *text)
{
	rs_phrase_add(w, kind, text, strlen(text));
}

bool rs_phrase_have(const struct rs_phrase *w, enum rs_slot_kind kind)
{
	for (unsigned int i = 0; i < w->nr; i++)
		if (w->at[i].kind == kind)
			return true;
	return false;
}

/* ---- templates ---- */

static const struct rs_slot_text *phrase_find(const struct rs_slot_text *slots, const char *name, size_t len)
{
	for (; slots && slots->name; slots++)
		if (!strncmp(slots->name, name, len) && !slots->name[len])
			return slots->text ? slots : NULL;
	return NULL;
}

static size_t phrase_first(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz");
}

/* ~word, ^word, ^slot */
static void phrase_put_agreeing(struct rs_phrase *w, const char *at, size_t len,
			       const struct rs_slot_text *slots)
{
	enum rs_slot_kind kind = *at == '~' ? RS_SLOT_OF_VICTIMS : RS_SLOT_OF_CULPRITS;
	const struct rs_slot_text *slot = phrase_find(slots, at + 1, len - 1);
	size_t first = slot ? phrase_first(slot->text) : 0;

	if (!slot) {
		rs_phrase_add(w, kind, at + 1, len - 1);
		return;
	}
	rs_phrase_add(w, kind, slot->text, first);
	rs_phrase_puts(w, slot->kind, slot->text + first);
}

/* before|slot|behind, slot/else */
static void phrase_put_slot(struct rs_phrase *w, const char *at, size_t len, const struct rs_slot_text *slots)
{
	const char *end = at + len, *bar = memchr(at, '|', len), *name = bar ? bar + 1 : at;
	const char *bar2 = memchr(name, '|', (size_t)(end - name)),
		   *slash = memchr(name, '/', (size_t)(end - name)),
		   *stop = bar2  ? bar2 :
			   slash ? slash :
				   end;
	const struct rs_slot_text *slot = phrase_find(slots, name, (size_t)(stop - name));

	if (!slot && slash)
		rs_phrase_add(w, RS_SLOT_TEXT, slash + 1, (size_t)(end - slash) - 1);
	if (!slot)
		return;
	rs_phrase_add(w, RS_SLOT_TEXT, at, bar ? (size_t)(bar - at) : 0);
	rs_phrase_puts(w, slot->kind, slot->text);
	rs_phrase_add(w, RS_SLOT_TEXT, bar2 ? bar2 + 1 : end, bar2 ? (size_t)(end - bar2) - 1 : 0);
}

void rs_phrase_expand(struct rs_phrase *w, const char *template, const struct rs_slot_text *slots)
{
	for (const char *at = template; at && *at;) {
		size_t len = strcspn(at, "{");

		rs_phrase_add(w, RS_SLOT_TEXT, at, len);
		at += len;
		if (!*at)
			break;
		len = strcspn(++at, "}");
		if (*at == '~' || *at == '^')
			phrase_put_agreeing(w, at, len, slots);
		else if (len == strlen("culprit") && !memcmp(at, "culprit", len))
			rs_phrase_add(w, RS_SLOT_CULPRIT, "", 0);
		else
			phrase_put_slot(w, at, len, slots);
		at += len + (at[len] == '}');
	}
}

/* ---- agreement ---- */

void rs_phrase_put_plural(struct rs_phrase *w, enum rs_slot_kind kind, const char *word, size_t len)
{
	static const char *const words[][2] = { { "it", "they" },           { "its", "their" },
						{ "itself", "themselves" }, { "is", "are" },
						{ "has", "have" },          { "does", "do" } };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i][0]) == len && !strncmp(words[i][0], word, len)) {
			rs_phrase_puts(w, kind, words[i][1]);
			return;
		}
	if (len > 4 && !strncmp(word + len - 4, "ches", 4))
		len -= 2;
	else if (len > 1 && word[len - 1] == 's')
		len--;
	rs_phrase_add(w, kind, word, len);
}

void rs_phrase_settle(struct rs_phrase *w, const struct rs_phrase *from, bool many_victims,
		      bool many_culprits, const char *culprit)
{
	const char *text = from->text;

	for (unsigned int i = 0; i < from->nr; text += from->at[i++].len) {
		enum rs_slot_kind kind = from->at[i].kind;

		if (kind == RS_SLOT_CULPRIT)
			rs_phrase_puts(w, kind, culprit ? culprit : "");
		else if (kind != RS_SLOT_OF_VICTIMS && kind != RS_SLOT_OF_CULPRITS)
			rs_phrase_add(w, kind, text, from->at[i].len);
		else if (kind == RS_SLOT_OF_VICTIMS ? many_victims : many_culprits)
			rs_phrase_put_plural(w, RS_SLOT_TEXT, text, from->at[i].len);
		else
			rs_phrase_add(w, RS_SLOT_TEXT, text, from->at[i].len);
	}
}
