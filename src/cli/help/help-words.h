/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help-words.h - how well a word that a user searches for fits a text: its forms, and other words for it */
#ifndef RS_CLI_HELP_HELP_WORDS_H
#define RS_CLI_HELP_HELP_WORDS_H

#include <stdbool.h>

/* "who", "the", "is": says nothing of what is searched for. */
bool rs_help_word_is_filler(const char *word);
/*
 * texts: end with NULL, a name, its summary, then others. Returns 0: the word is in none; else more for a
 * name than for a summary, and more for the word itself than for another that means it.
 */
unsigned int rs_help_word_score(const char *word, const char *const *texts);
/* Is it in the text, as itself or as another word? */
bool rs_help_word_is_in(const char *word, const char *text);

#endif
