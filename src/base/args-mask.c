// SPDX-License-Identifier: GPL-2.0-or-later
/* args-mask - command lines as text, without what looks like a secret */
#include "base/args-mask.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char cut[] = "...";

struct args_out {
	char *text;
	size_t len, size;        /* size: without the end */
	bool is_cut;
};

static void args_out_add(struct args_out *out, const char *bytes, size_t len)
{
	size_t room = out->size - out->len;

	out->is_cut |= len > room;
	len = len < room ? len : room;
	memcpy(out->text + out->len, bytes, len);
	out->len += len;
}

static void args_out_mask(struct args_out *out)
{
	args_out_add(out, RS_ARGS_MASK, strlen(RS_ARGS_MASK));
}

/* ---- names of secrets ---- */

/*
 * A name that has one of these anywhere, or ends in one of those: db-password, PGPASSFILE; authToken,
 * MYSQL_PWD
 */
static const char *const secrets_inside[] = { "passw", "passphrase", "secret", "credential", "authorization",
					      "apikey", "api_key", "api-key", NULL };
static const char *const secrets_at_end[] = { "pass", "pwd", "token", "key", "auth", "bearer", "cookie",
					      NULL };

static bool args_is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool args_names_secret(const char *name, size_t len)
{
	for (const char *const *word = secrets_inside; *word; word++)
		for (size_t at = 0; at + strlen(*word) <= len; at++)
			if (!strncasecmp(name + at, *word, strlen(*word)))
				return true;
	for (const char *const *word = secrets_at_end; *word; word++)
		if (strlen(*word) <= len &&
		    !strncasecmp(name + len - strlen(*word), *word, strlen(*word)))
			return true;
	return false;
}

/* Short options whose argument is a secret. attached: mysql -pX, and not -p X */
static const struct { const char *program, *option; bool attached; } args_options[] = {
	{ "mysql", "-p", true }, { "mysqldump", "-p", true }, { "mysqladmin", "-p", true },
	{ "mariadb", "-p", true }, { "mariadb-dump", "-p", true }, { "sshpass", "-p", true },
	{ "sshpass", "-p", false }, { "redis-cli", "-a", false }, { "curl", "-u", false },
	{ "curl", "--user", false }, { "curl", "-U", false }, { "smbclient", "-U", false },
	{ "ldapsearch", "-w", false },
};

static bool args_has_option(const char *program, size_t program_len, const char *word, size_t len,
			    bool attached)
{
	for (size_t i = 0; i < sizeof args_options / sizeof *args_options; i++) {
		size_t n = strlen(args_options[i].option);

		if (args_options[i].attached == attached &&
		    strlen(args_options[i].program) == program_len &&
		    !memcmp(args_options[i].program, program, program_len) &&
		    (attached ? len > n : len == n) && !memcmp(word, args_options[i].option, n))
			return true;
	}
	return false;
}

/* ---- one word, and the words inside it: sh -c "mysql --password X" ---- */

struct args_masker {
	struct args_out *out;
	const char *program;     /* without its folder */
	size_t program_len;
	bool masks_next;         /* the word before is an option whose argument is a secret */
};

/* Where a secret that begins at `at` ends: with its quote, else with a blank, or one of `ends`. */
static size_t args_end_of_secret(const char *word, size_t len, size_t at, const char *ends)
{
	char quote = at < len && (word[at] == '"' || word[at] == '\'') ? word[at] : '\0';

	if (quote) {
		const char *end = memchr(word + at + 1, quote, len - at - 1);

		return end ? (size_t)(end - word) + 1 : len;
	}
	while (at < len && !isspace((unsigned char)word[at]) && !strchr(ends, word[at]))
		at++;
	return at;
}

/*
 * Of a name and a '=' or ':' at `at`: where the secret behind it begins and ends. Returns false if the name
 * is of no secret.
 */
static bool args_find_value(const char *word, size_t len, size_t at, size_t *from, size_t *to)
{
	size_t end = at, begin;

	while (end && (word[end - 1] == '"' || word[end - 1] == '\'' || word[end - 1] == ' '))
		end--;
	for (begin = end; begin && args_is_name_char(word[begin - 1]);)
		begin--;
	if (begin == end || !args_names_secret(word + begin, end - begin))
		return false;
	for (*from = at + 1; *from < len && word[*from] == ' ';)
		++*from;
	/* password=X, and a header's line, to their ends: of a part of a word to the next part */
	*to = begin ? args_end_of_secret(word, len, *from, "&;,}\"'") : len;
	return *from < len;
}

/* scheme://user:X@host: at is that of "://" */
static bool args_find_userinfo(const char *word, size_t len, size_t at, size_t *from, size_t *to)
{
	size_t end = at + 3;
	const char *host = NULL, *colon;

	for (; end < len && !isspace((unsigned char)word[end]) && !strchr("/?#\"'", word[end]); end++)
		host = word[end] == '@' ? word + end : host;
	colon = host ? memchr(word + at + 3, ':', (size_t)(host - word) - at - 3) : NULL;
	if (!colon)
		return false;
	*from = (size_t)(colon - word) + 1;
	*to = (size_t)(host - word);
	return true;
}

/* An option, without a value of its own, that ends before `end`, inside a word: its argument comes next. */
static bool args_is_secret_option(const struct args_masker *m, const char *word, size_t begin, size_t end)
{
	size_t name = begin;

	while (name < end && word[name] == '-')
		name++;
	for (size_t at = name; at < end; at++)
		if (!args_is_name_char(word[at]))
			return false;
	return name > begin &&
	       (args_names_secret(word + name, end - name) ||
		args_has_option(m->program, m->program_len, word + begin, end - begin, false));
}

static void args_put_parts(struct args_masker *m, const char *word, size_t len)
{
	size_t part = 0, from, to, done = 0; /* part: where the word inside it began */

	for (size_t at = 0; at < len; at++) {
		bool found = false;

		if (isspace((unsigned char)word[at])) {
			if (args_is_secret_option(m, word, part, at)) {
				from = at + 1;
				to = args_end_of_secret(word, len, from, "");
				found = from < len && word[from] != '-';
			}
			part = at + 1;
		} else if (word[at] == ':' && len - at > 3 && !memcmp(word + at, "://", 3)) {
			found = args_find_userinfo(word, len, at, &from, &to);
		} else if (word[at] == '=' || word[at] == ':') {
			found = args_find_value(word, len, at, &from, &to);
		}
		if (!found)
			continue;
		args_out_add(m->out, word + done, from - done);
		args_out_mask(m->out);
		done = to;
		at = to - (to > at);
	}
	args_out_add(m->out, word + done, len - done);
	m->masks_next = args_is_secret_option(m, word, part, len);
}

static void args_put_word(struct args_masker *m, const char *word, size_t len)
{
	bool masks = m->masks_next;

	m->masks_next = false;
	if (masks && len && *word != '-') {
		args_out_mask(m->out);
	} else if (args_has_option(m->program, m->program_len, word, len, true)) {
		args_out_add(m->out, word, 2);
		args_out_mask(m->out);
	} else {
		args_put_parts(m, word, len);
	}
}

/* ---- all words ---- */

static void args_set_program(struct args_masker *m, const char *word, size_t len)
{
	const char *slash = memrchr(word, '/', len);

	m->program = slash ? slash + 1 : word;
	m->program_len = len - (size_t)(m->program - word);
}

size_t rs_args_mask_put(const char *words, size_t len, bool masks, char *out, size_t size_bytes)
{
	struct args_out to = { .text = out, .size = size_bytes - 1 };
	struct args_masker m = { .out = &to };

	/* a process that writes over its own arguments leaves more NULs behind the last */
	while (len && !words[len - 1])
		len--;
	args_set_program(&m, words, strnlen(words, len));
	for (size_t at = 0, n; at < len; at += n + 1) {
		n = strnlen(words + at, len - at);
		if (at)
			args_out_add(&to, " ", 1);
		if (masks)
			args_put_word(&m, words + at, n);
		else
			args_out_add(&to, words + at, n);
	}
	if (to.is_cut && to.size >= strlen(cut))
		memcpy(out + to.size - strlen(cut), cut, strlen(cut));
	out[to.len] = '\0';
	return to.len;
}
