// SPDX-License-Identifier: GPL-2.0-or-later
/* option-words - some options of a command line as words again, for another ringside */
#include "cli/options/option-words.h"

#include <string.h>

#include "base/comma-list.h"
#include "cli/options/options.h"

/* value: NULL: it has none */
static void option_words_put(struct rs_buf *to, const struct rs_option *row, const char *value)
{
	rs_buf_printf(to, "--%s%s%s", row->name, value ? "=" : "", value ? value : "");
	rs_buf_putc(to, '\0');
}

/* attached: the value, if it is part of words[0]. Returns how many words more it has. */
static int option_words_take(const struct rs_option *row, const char *attached, char *const *words,
			     const char *names, struct rs_buf *to)
{
	bool may_stand_alone = row->kind == RS_OPTION_FLAG || row->kind == RS_OPTION_EITHER ||
			       row->kind == RS_OPTION_OPTIONAL;
	bool is_next = !attached && !may_stand_alone && words[1];

	if (rs_comma_list_has(names, row->name))
		option_words_put(to, row, is_next ? words[1] : attached);
	return is_next;
}

static int option_words_take_long(char *const *words, const char *names, struct rs_buf *to)
{
	const char *name = words[0] + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	const struct rs_option *row = rs_option_find(0, name, len);

	return row ? option_words_take(row, equals ? equals + 1 : NULL, words, names, to) : 0;
}

/* "-Qp42" is -Q and -p 42. */
static int option_words_take_letters(char *const *words, const char *names, struct rs_buf *to)
{
	for (const char *letter = words[0] + 1; *letter; letter++) {
		const struct rs_option *row = rs_option_find(*letter, NULL, 0);

		if (!row)
			return 0;
		if (row->kind != RS_OPTION_FLAG)
			return option_words_take(row, letter[1] ? letter + 1 : NULL, words, names, to);
		option_words_take(row, NULL, words, names, to);
	}
	return 0;
}

static void option_words_put_command(char *const *words, struct rs_buf *to)
{
	rs_buf_add(to, "--", sizeof "--");
	for (; *words; words++)
		rs_buf_add(to, *words, strlen(*words) + 1);
}

void rs_option_words_pick(char *const *words, const char *names, struct rs_buf *to)
{
	bool has_command = rs_comma_list_has(names, "COMMAND");

	for (words += *words != NULL; *words; words++) {
		const char *word = *words;
		bool is_bare = word[0] != '-' || !word[1], is_end = !strcmp(word, "--");

		if (has_command && (is_bare || is_end))
			option_words_put_command(words + is_end, to);
		if (is_end || (has_command && is_bare))
			return;
		if (!is_bare)
			words += word[1] == '-' ? option_words_take_long(words, names, to) :
						  option_words_take_letters(words, names, to);
	}
}

/* 'it'\''s' */
void rs_option_words_quote(const struct rs_buf *words, struct rs_buf *out)
{
	for (size_t i = 0; i < words->len; i++) {
		if (!i || !words->data[i - 1])
			rs_buf_puts(out, " '");
		if (!words->data[i])
			rs_buf_puts(out, "'");
		else if (words->data[i] == '\'')
			rs_buf_puts(out, "'\\''");
		else
			rs_buf_putc(out, words->data[i]);
	}
}
