// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/daemon-config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAEMON_CONFIG_MAX_BYTES 65536
#define MAX_WORDS 256

static char *daemon_config_read_file(const char *path, bool must, struct rs_error *err)
{
	FILE *f = fopen(path, "re");
	char *text;
	size_t len;

	if (!f && errno == ENOENT && !must)
		return strdup("");
	text = f ? calloc(1, DAEMON_CONFIG_MAX_BYTES + 1) : NULL;
	len = text ? fread(text, 1, DAEMON_CONFIG_MAX_BYTES + 1, f) : 0;
	if (!text || ferror(f) || len > DAEMON_CONFIG_MAX_BYTES) {
		rs_fail(err, "cannot read '%s': %s", path, len > DAEMON_CONFIG_MAX_BYTES ? "larger than 64 KiB" : strerror(errno));
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

/* Blanks at both ends go; what is left begins where it is returned. */
static char *daemon_config_trim(char *line)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return line;
}

/* "max-overhead 5%" or "max-overhead = 5%" to "--max-overhead=5%"; NULL: no memory. */
static char *config_word_of(char *line)
{
	size_t len = strcspn(line, " \t=");
	char *value = line + len, *word;
	bool has_value;

	while (*value == ' ' || *value == '\t')
		value++;
	if (*value == '=')
		value = daemon_config_trim(value + 1);
	has_value = *value != '\0';
	if (asprintf(&word, "--%.*s%s%s", (int)len, line, has_value ? "=" : "", value) < 0)
		return NULL;
	return word;
}

static int daemon_config_truncate(struct rs_daemon_file *f, struct rs_error *err)
{
	size_t nr = 0;
	char *save = NULL;

	f->words = calloc(MAX_WORDS + 2, sizeof *f->words);
	if (!f->words || !(f->words[nr++] = strdup("daemon")))
		return rs_fail(err, "cannot read options: out of memory");
	for (char *line = strtok_r(f->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		line = daemon_config_trim(line);
		if (!*line || *line == '#')
			continue;
		if (nr > MAX_WORDS)
			return rs_fail(err, "cannot read options: more than %d lines", MAX_WORDS);
		f->words[nr] = config_word_of(line);
		if (!f->words[nr++])
			return rs_fail(err, "cannot read options: out of memory");
	}
	return (int)nr;
}

int rs_daemon_config_read(struct rs_daemon_file *f, const char *path, struct rs_error *err)
{
	struct rs_error why = { 0 };
	int nr;

	*f = (struct rs_daemon_file){ 0 };
	f->text = daemon_config_read_file(path ? path : RS_DAEMON_CONFIG, path, err);
	if (!f->text)
		return -1;
	nr = daemon_config_truncate(f, err);
	f->argv = nr > 0 ? calloc((size_t)nr + 1, sizeof *f->argv) : NULL;
	if (!f->argv)
		return rs_fail(err, "cannot read options: out of memory");
	memcpy(f->argv, f->words, (size_t)nr * sizeof *f->argv);
	if (rs_options_parse(&f->opt, "daemon", RS_DAEMON_OPTIONS, nr, f->argv, &why) < 0)
		return rs_fail(err, "'%s': %s", path ? path : RS_DAEMON_CONFIG, why.text);
	if (f->opt.nr_arguments || f->opt.help)
		return rs_fail(err, "'%s': '--' and 'help' are no options of a file", path ? path : RS_DAEMON_CONFIG);
	return 0;
}

void rs_daemon_config_done(struct rs_daemon_file *f)
{
	for (char **word = f->words; word && *word; word++)
		free(*word);
	free(f->words);
	free(f->argv);
	free(f->text);
	*f = (struct rs_daemon_file){ 0 };
}

static void add_texts(const char **to, size_t *nr, const char *const *from, size_t nr_from)
{
	for (size_t i = 0; i < nr_from && *nr < RS_MAX_LIST; i++)
		to[(*nr)++] = from[i];
}

#define PICK(member) (line->member ? line->member : file->member)

struct rs_options rs_daemon_config_merge(const struct rs_options *line, const struct rs_options *file)
{
	struct rs_options both = *line;

	both.socket = PICK(socket);
	both.group = PICK(group);
	both.window = PICK(window);
	both.max_overhead = PICK(max_overhead);
	both.mem = PICK(mem);
	both.log_level = PICK(log_level);
	both.buffer_kib = PICK(buffer_kib);
	both.clock = PICK(clock);
	both.cpus = PICK(cpus);
	both.self = PICK(self);
	add_texts(both.analyses, &both.nr_analyses, file->analyses, file->nr_analyses);
	add_texts(both.events, &both.nr_events, file->events, file->nr_events);
	return both;
}

enum rs_say rs_daemon_config_log_level(const char *name)
{
	static const char *const names[] = {
		[RS_SAY_ERROR] = "error", [RS_SAY_WARNING] = "warning", [RS_SAY_INFO] = "info", [RS_SAY_DEBUG] = "debug",
	};

	for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return (enum rs_say)i;
	return RS_SAY_INFO;
}
