// SPDX-License-Identifier: GPL-2.0-or-later
/* daemon-file - the daemon's file of options, a line each: "max-overhead 5%", "# nothing" */
#include "cli/daemon-file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAEMON_FILE "/etc/ringside/daemon.conf"
#define DAEMON_FILE_MAX_BYTES 65536
#define DAEMON_FILE_WHEN "--when"

static int daemon_file_read_text(const char *path, bool must, char text[DAEMON_FILE_MAX_BYTES + 2],
				 struct rs_error *err)
{
	FILE *f = fopen(path, "re");
	size_t len = 0;
	int failed = !f && (errno != ENOENT || must);

	if (f) {
		len = fread(text, 1, DAEMON_FILE_MAX_BYTES + 1, f);
		failed = ferror(f) || len > DAEMON_FILE_MAX_BYTES;
	}
	text[len] = '\0';
	if (failed)
		rs_fail(err, "cannot read '%s': %s", path,
			len > DAEMON_FILE_MAX_BYTES ? "larger than 64 KiB" : strerror(errno));
	if (f)
		fclose(f);
	return failed ? -1 : 0;
}

/* Blanks at both ends go; what is left begins where it is returned. */
static char *daemon_file_trim(char *line)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return line;
}

/* "max-overhead 5%" or "max-overhead = 5%" to "--max-overhead=5%". */
static void daemon_file_add_word(struct rs_buf *words, char *line)
{
	size_t len = strcspn(line, " \t=");
	char *value = line + len + strspn(line + len, " \t");

	if (*value == '=')
		value = daemon_file_trim(value + 1);
	rs_buf_printf(words, "--%.*s%s%s", (int)len, line, *value ? "=" : "", value);
	rs_buf_putc(words, '\0');
}

static int daemon_file_split(struct rs_daemon_file *f, char *text)
{
	struct rs_buf words = RS_BUF_INIT;
	unsigned int number = 0, nr = 1;

	f->lines = calloc(strlen(text) + 2, sizeof *f->lines);
	rs_buf_add(&words, "daemon", sizeof "daemon");
	for (char *line = text, *end; f->lines && line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		number++;
		line = daemon_file_trim(line);
		if (!*line || *line == '#')
			continue;
		f->lines[nr++] = number;
		daemon_file_add_word(&words, line);
	}
	f->words = f->lines ? rs_options_words(&words, &f->nr) : NULL;
	f->parsed = f->words ? calloc((size_t)f->nr + 1, sizeof *f->parsed) : NULL;
	rs_buf_done(&words);
	return f->parsed ? 0 : -1;
}

/* The parser puts the words in an order of its own: it has a list of its own. */
static int daemon_file_parse(const struct rs_daemon_file *f, int nr, const char *takes,
			     struct rs_options *opt, struct rs_error *err)
{
	memcpy(f->parsed, f->words, (size_t)nr * sizeof *f->words);
	f->parsed[nr] = NULL;
	return rs_options_parse(opt, "daemon", takes, nr, f->parsed, err);
}

/* Of the first line with which the options are wrong. */
static unsigned int daemon_file_find_line(const struct rs_daemon_file *f, const char *takes)
{
	for (int nr = 2; nr < f->nr; nr++) {
		struct rs_error ignored = { 0 };
		struct rs_options opt;

		if (daemon_file_parse(f, nr, takes, &opt, &ignored) < 0)
			return f->lines[nr - 1];
	}
	return f->lines[f->nr - 1];
}

int rs_daemon_file_read(struct rs_daemon_file *f, const char *path, const char *takes, struct rs_error *err)
{
	char text[DAEMON_FILE_MAX_BYTES + 2];
	struct rs_error why = { 0 };

	*f = (struct rs_daemon_file){ .path = path ? path : DAEMON_FILE };
	if (daemon_file_read_text(f->path, path, text, err) < 0)
		return -1;
	if (daemon_file_split(f, text) < 0)
		return rs_fail(err, "cannot read options: out of memory");
	if (daemon_file_parse(f, f->nr, takes, &f->opt, &why) < 0)
		return rs_fail(err, "'%s': line %u: %s", f->path, daemon_file_find_line(f, takes), why.text);
	if (f->opt.nr_arguments || f->opt.help)
		return rs_fail(err, "'%s': '--' and 'help' are no options of a file", f->path);
	return 0;
}

void rs_daemon_file_done(struct rs_daemon_file *f)
{
	free(f->words);
	free(f->parsed);
	free(f->lines);
}

/* The line of the n-th "when", from 0 on; 0: there is none. */
static unsigned int daemon_file_when_line(const struct rs_daemon_file *f, size_t n)
{
	size_t len = strlen(DAEMON_FILE_WHEN);

	for (int i = 1; i < f->nr; i++)
		if (!strncmp(f->words[i], DAEMON_FILE_WHEN, len) &&
		    (!f->words[i][len] || f->words[i][len] == '=') && n-- == 0)
			return f->lines[i];
	return 0;
}

int rs_daemon_file_conditions(const struct rs_daemon_file *f, const struct rs_options *line,
			      struct rs_when *when, struct rs_error *err)
{
	char what[300];

	for (size_t i = 0; i < line->nr_whens; i++)
		if (rs_when_add(when, "--when", line->whens[i], err) < 0)
			return -1;
	for (size_t i = 0; i < f->opt.nr_whens; i++) {
		snprintf(what, sizeof what, "'%.200s': line %u: when", f->path, daemon_file_when_line(f, i));
		if (rs_when_add(when, what, f->opt.whens[i], err) < 0)
			return -1;
	}
	return 0;
}
