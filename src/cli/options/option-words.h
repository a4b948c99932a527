/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option-words.h - some options of a command line as words again, for another ringside */
#ifndef RS_CLI_OPTIONS_OPTION_WORDS_H
#define RS_CLI_OPTIONS_OPTION_WORDS_H

#include "base/buf.h"

/*
 * Adds the options of these names ("pid,comm") among the words, as "--pid=42", each ended by a NUL, and,
 * where names has COMMAND, "--" and the words of the command. words: of a command line that parses, the
 * command's name first
 */
void rs_option_words_pick(char *const *words, const char *names, struct rs_buf *to);

/* For a shell: " 'it'\''s'" for each of the words. */
void rs_option_words_quote(const struct rs_buf *words, struct rs_buf *out);

#endif
