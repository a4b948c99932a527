// SPDX-License-Identifier: GPL-2.0-or-later
/* short-args - what tells a process from others of its name, by their command lines */
#include "model/short-args.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

/* How the names of interpreters begin. */
static const char *const interpreters[] = { "python", "perl", "ruby", "node", "java", "sh",   "bash", "dash",
					    "zsh",    "ksh",  "php",  "lua",  "Rscript", "mono", "dotnet" };
/* Options of interpreters that come before the program, and take the next argument. */
static const char *const with_value[] = { "-cp", "-classpath", "--class-path", "--module-path", "-W", "-X",
					  "-r",  "--require",  "-I" };
/* Those behind which the program itself stands. */
static const char *const of_program[] = { "-m", "-jar", "-c", "-e", "--module" };
static const char *const of_text[] = { "-c", "-e" };

static bool short_args_is_one_of(const struct rs_short_args_word *w, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(list[i]) == w->len && !memcmp(list[i], w->at, w->len))
			return true;
	return false;
}

static bool short_args_is_option(const struct rs_short_args_word *w)
{
	return w->len > 1 && w->at[0] == '-';
}

static unsigned int short_args_split(const char *args, struct rs_short_args_word *words)
{
	unsigned int nr = 0;

	for (const char *at = args; *at && nr < RS_SHORT_ARGS_WORDS;) {
		size_t len = strcspn(at, " ");

		if (len)
			words[nr++] = (struct rs_short_args_word){ at, len };
		at += len + (at[len] == ' ');
	}
	return nr;
}

static bool short_args_is_interpreters_name(const char *at, size_t len)
{
	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
		size_t name_len = strlen(interpreters[i]);

		/* "python3.11" */
		if (len >= name_len && !memcmp(at, interpreters[i], name_len) &&
		    strspn(at + name_len, "0123456789.-") >= len - name_len)
			return true;
	}
	return false;
}

static bool short_args_is_interpreter(const struct rs_short_args_word *w)
{
	const char *slash = memrchr(w->at, '/', w->len), *at = slash ? slash + 1 : w->at;

	return short_args_is_interpreters_name(at, w->len - (size_t)(at - w->at));
}

bool rs_short_args_interprets(const char *comm)
{
	return short_args_is_interpreters_name(comm, strlen(comm));
}

/* Sets *first to the first word of an interpreter's program, returns how many it has; 0: there is none. */
static unsigned int short_args_find_program(const struct rs_short_args_word *words, unsigned int nr,
					    unsigned int *first)
{
	if (!nr || !short_args_is_interpreter(&words[0]))
		return 0;
	for (unsigned int i = 1; i < nr; i++) {
		*first = i;
		if (short_args_is_one_of(&words[i], of_program, sizeof of_program / sizeof *of_program))
			return i + 1 < nr ? 2 : 1;
		if (!short_args_is_option(&words[i]))
			return 1;
		i += short_args_is_one_of(&words[i], with_value, sizeof with_value / sizeof *with_value);
	}
	return 0;
}

uint32_t rs_short_args_program(const char *args)
{
	struct rs_short_args_word words[RS_SHORT_ARGS_WORDS];
	unsigned int first = 0, nr = short_args_find_program(words, short_args_split(args, words), &first);
	uint32_t hash = 2166136261u; /* FNV-1a */
	const char *end;

	if (!nr || short_args_is_one_of(&words[first], of_text, sizeof of_text / sizeof *of_text))
		return 0;
	end = words[first + nr - 1].at + words[first + nr - 1].len;
	for (const char *at = words[first].at; at < end; at++)
		hash = (hash ^ (unsigned char)*at) * 16777619u;
	return hash ? hash : 1;
}

void rs_short_args_begin(struct rs_short_args *a, const char *comm, const char *args)
{
	a->comm = comm;
	a->args = args;
	a->nr_words = short_args_split(args, a->words);
	a->program = 0;
	a->nr_program = short_args_find_program(a->words, a->nr_words, &a->program);
	a->is_title = a->nr_words && a->words[0].at[a->words[0].len - 1] == ':';
	a->nr_others = a->nr_same = 0;
	memset(a->nr_having, 0, sizeof a->nr_having);
}

static bool short_args_is_same(const struct rs_short_args_word *a, const struct rs_short_args_word *b)
{
	return a->len == b->len && !memcmp(a->at, b->at, a->len);
}

static bool short_args_has_program(const struct rs_short_args *a, const struct rs_short_args_word *words,
				   unsigned int nr)
{
	unsigned int first = 0;

	if (short_args_find_program(words, nr, &first) != a->nr_program)
		return false;
	for (unsigned int i = 0; i < a->nr_program; i++)
		if (!short_args_is_same(&a->words[a->program + i], &words[first + i]))
			return false;
	return true;
}

void rs_short_args_add_other(struct rs_short_args *a, const char *args)
{
	struct rs_short_args_word words[RS_SHORT_ARGS_WORDS];
	unsigned int nr = args ? short_args_split(args, words) : 0;

	if (args && !strcmp(args, a->args))
		return;
	a->nr_others++;
	if (!nr || !short_args_has_program(a, words, nr))
		return;
	a->nr_same++;
	for (unsigned int i = 1; i < a->nr_words; i++)
		for (unsigned int j = 1; j < nr; j++)
			if (short_args_is_same(&a->words[i], &words[j])) {
				a->nr_having[i]++;
				break;
			}
}

/* Returns the word that fewest of the others with its program have; 0: all have all of them. */
static unsigned int short_args_find_word(const struct rs_short_args *a)
{
	unsigned int best = 0;

	for (unsigned int i = 1; i < a->nr_words; i++)
		if (a->nr_having[i] < (best ? a->nr_having[best] : a->nr_same))
			best = i;
	return best;
}

/* ---- the text ---- */

struct short_args_out {
	char *buf;
	size_t size_bytes, len;
};

static void short_args_put_whole(struct short_args_out *out, const struct rs_short_args_word *w)
{
	int put = snprintf(out->buf + out->len, out->size_bytes - out->len, "%s%.*s", out->len ? " " : "",
			   (int)w->len, w->at);

	out->len += put > 0 ? (size_t)put : 0;
	if (out->len >= out->size_bytes)
		out->len = out->size_bytes - 1;
}

/* A path is told by its last component, whatever it is of. */
static void short_args_put(struct short_args_out *out, const struct rs_short_args_word *w)
{
	const char *slash = memrchr(w->at, '/', w->len), *at = slash && slash[1] != ' ' ? slash + 1 : w->at;
	size_t len = w->len - (size_t)(at - w->at);

	short_args_put_whole(out, len ? &(struct rs_short_args_word){ at, len } : w);
}

/* What was cut ends in "...", and not within a character. */
static void short_args_put_end(struct short_args_out *out)
{
	size_t at = 0, next = 0;
	uint32_t code;

	if (out->len < out->size_bytes - 1)
		return;
	while (next + sizeof "..." <= out->size_bytes) {
		at = next;
		next += rs_escape_utf8_next(out->buf + at, out->len - at, &code);
	}
	memcpy(out->buf + at, "...", sizeof "...");
}

/* A script that is run by its own name has that name already. */
static bool short_args_names_program(const struct rs_short_args *a)
{
	const struct rs_short_args_word *w = &a->words[a->program];
	const char *slash = memrchr(w->at, '/', w->len), *at = slash ? slash + 1 : w->at;
	size_t len = w->len - (size_t)(at - w->at), comm_len = strlen(a->comm);

	return a->nr_program == 1 && comm_len <= len && !memcmp(at, a->comm, comm_len);
}

static void short_args_put_program(struct short_args_out *out, const struct rs_short_args *a)
{
	for (unsigned int i = 0; i < a->nr_program && !short_args_names_program(a); i++)
		short_args_put(out, &a->words[a->program + i]);
}

const char *rs_short_args_of_program(const struct rs_short_args *a, char *buf, size_t size_bytes)
{
	struct short_args_out out = { buf, size_bytes, 0 };

	if (!a->nr_program || a->nr_same == a->nr_others || short_args_names_program(a))
		return NULL;
	short_args_put(&out, &(struct rs_short_args_word){ a->comm, strlen(a->comm) });
	short_args_put_program(&out, a);
	short_args_put_end(&out);
	return buf;
}

const char *rs_short_args_text(const struct rs_short_args *a, char *buf, size_t size_bytes)
{
	struct short_args_out out = { buf, size_bytes, 0 };
	unsigned int word = a->nr_same ? short_args_find_word(a) : 0;
	bool in_program = word >= a->program && word < a->program + a->nr_program;

	if (!a->nr_others || a->nr_words < 2 || (a->nr_same == a->nr_others && !word))
		return NULL;
	if (a->is_title) {
		out.len = (size_t)snprintf(buf, size_bytes, "%s", a->args);
		out.len = out.len < size_bytes ? out.len : size_bytes - 1;
		short_args_put_end(&out);
		return buf;
	}
	short_args_put(&out, &(struct rs_short_args_word){ a->comm, strlen(a->comm) });
	short_args_put_program(&out, a);
	if (word && !in_program) {
		if (word > 1 && short_args_is_option(&a->words[word - 1]) &&
		    !short_args_is_option(&a->words[word]))
			short_args_put(&out, &a->words[word - 1]);
		short_args_put(&out, &a->words[word]);
	}
	short_args_put_end(&out);
	return out.len > strlen(a->comm) ? buf : NULL;
}

/* ---- what lasts ---- */

#define SHORT_ARGS_TITLE_WORDS 2u

/* What follows the first word with a digit is of this moment: a peer's port, a pid. "14/main:" is a name. */
static void short_args_put_title(struct short_args_out *out, const struct rs_short_args *a)
{
	unsigned int nr = 0;

	for (unsigned int i = 1; i < a->nr_words && nr < SHORT_ARGS_TITLE_WORDS; i++) {
		const struct rs_short_args_word *w = &a->words[i];
		bool is_name = w->at[w->len - 1] == ':';

		if (!is_name && memchr(w->at, '/', w->len))
			break;
		for (size_t at = 0; !is_name && at < w->len; at++)
			if (w->at[at] >= '0' && w->at[at] <= '9')
				return;
		short_args_put_whole(out, w);
		nr += !is_name;
	}
}

const char *rs_short_args_lasting(const char *comm, const char *args, char *buf, size_t size_bytes)
{
	struct short_args_out out = { buf, size_bytes, 0 };
	struct rs_short_args a;

	rs_short_args_begin(&a, comm, args);
	short_args_put_whole(&out, &(struct rs_short_args_word){ comm, strlen(comm) });
	if (a.is_title)
		short_args_put_title(&out, &a);
	else
		short_args_put_program(&out, &a);
	short_args_put_end(&out);
	return out.len > strlen(comm) ? buf : NULL;
}
