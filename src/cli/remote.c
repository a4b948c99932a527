// SPDX-License-Identifier: GPL-2.0-or-later
/* remote - runs a view on another machine */
#include "cli/remote.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "link/host.h"

/* "--host=NAME" is one word, "--host NAME" are two; 0: it is another option. */
static int remote_option_words(const char *word)
{
	static const char *const options[] = { "--host", "--remote" };

	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		size_t len = strlen(options[i]);

		if (!strncmp(word, options[i], len) && (!word[len] || word[len] == '='))
			return word[len] ? 1 : 2;
	}
	return 0;
}

char **rs_remote_words(int argc, char **argv)
{
	char **words = calloc((size_t)argc + 1, sizeof *words);
	int nr = 0;
	bool found = false, is_command = false;

	for (int i = 0; words && i < argc; i++) {
		int skipped = is_command ? 0 : remote_option_words(argv[i]);

		is_command |= !strcmp(argv[i], "--");
		found |= skipped > 0;
		if (skipped)
			i += skipped - 1;
		else
			words[nr++] = argv[i];
	}
	if (found)
		return words;
	free(words);
	return NULL;
}

/* For the shell there: 'it'\''s'. */
static void remote_put_quoted(struct rs_buf *out, const char *word)
{
	rs_buf_puts(out, " '");
	for (; *word; word++) {
		if (*word == '\'')
			rs_buf_puts(out, "'\\'");
		rs_buf_putc(out, *word);
	}
	rs_buf_puts(out, "'");
}

int rs_remote_run(const struct rs_options *opt, char **words, struct rs_error *err)
{
	const struct rs_host host = { opt->host, opt->remote };
	struct rs_buf line = RS_BUF_INIT;
	int status;

	rs_buf_puts(&line, "serve --");
	for (; words && *words; words++)
		remote_put_quoted(&line, *words);
	status = line.failed || !words ? rs_fail(err, "out of memory") : rs_host_run(&host, line.data, err);
	rs_buf_done(&line);
	return status;
}
