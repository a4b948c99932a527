// SPDX-License-Identifier: GPL-2.0-or-later
/* help-words - how well a word that a user searches for fits a text: its forms,
 * and other words for it */
#include "cli/help/help-words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#define HELP_WORD_BYTES 64

static const char *const fillers[] = { "a",    "an",   "and",  "are",  "at",   "be",   "by",	"do",
				       "does", "for",  "from", "has",  "have", "high", "how",	"i",
				       "in",   "is",   "it",   "my",   "not",  "of",   "on",	"or",
				       "out",  "so",   "the",  "to",   "too",  "what", "which", "who",
				       "why",  "with", "much", "many", "that" };

/* What people say, and what help says for it: any of these, as they stand there. */
static const struct {
	const char *word, *as[5];
} synonyms[] = {
	{ "container", { "control group", "cgroup" } },
	{ "docker", { "control group", "container" } },
	{ "pod", { "control group", "container" } },
	{ "kubernetes", { "control group", "container" } },
	{ "quota", { "throttl" } },
	{ "refuse", { "how it ended", "attempt to connect" } },
	{ "dns", { "no-answer", "answers", "attempt to connect" } },
	{ "timeout", { "time-out", "answer" } },
	{ "load", { "run queue", "run-queue", "wait for a cpu", "waits for a cpu" } },
	{ "spike", { "slow", "took long", "takes long" } },
	{ "stall", { "slow", "stuck", "throttle" } },
	{ "loss", { "lost", "drop", "sent again" } },
	{ "oom", { "memory" } },
	{ "packet", { "segment" } },
	{ "leak", { "grows", "allocates" } },
	{ "hang", { "stuck", "took long" } },
	{ "freeze", { "stuck", "took long" } },
	{ "ram", { "memory" } },
	{ "network", { "tcp", "connection" } },
	{ "storage", { "disk" } },
	{ "ssd", { "disk" } },
	{ "io", { "i/o", "request" } },
	{ "mutex", { "lock" } },
	{ "contention", { "lock" } },
	{ "scheduler", { "run queue", "run-queue", "preempt" } },
	{ "bandwidth", { "rate limit", "bytes" } },
	{ "latency", { "how long", "took long" } },
	{ "set", { "how often they are set" } },
};

bool rs_help_word_is_filler(const char *word)
{
	for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
		if (!strcasecmp(word, fillers[i]))
			return true;
	return false;
}

/* Cuts what makes a form of a word, so that "throttled" is in "throttling", "timers" in "timer". */
static void word_cut_ending(char *word)
{
	static const char *const endings[] = { "ing", "ed", "es", "s", "e" };
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t cut = strlen(endings[i]);

		if (len >= cut + 3 && !strcmp(word + len - cut, endings[i]) &&
		    (strcmp(endings[i], "s") != 0 || word[len - 2] != 's')) {
			word[len - cut] = '\0';
			return;
		}
	}
}

static void word_stem(const char *word, char stem[HELP_WORD_BYTES])
{
	size_t len = 0;

	for (; word[len] && len < HELP_WORD_BYTES - 1; len++)
		stem[len] = (char)tolower((unsigned char)word[len]);
	stem[len] = '\0';
	word_cut_ending(stem);
}

/* Does a word of the text begin so? */
static bool word_begins_in(const char *stem, const char *text)
{
	const char *at = text;

	while ((at = strcasestr(at, stem))) {
		if (at == text || !isalnum((unsigned char)at[-1]))
			return true;
		at++;
	}
	return false;
}

static unsigned int word_score_of(const char *stem, const char *const *texts)
{
	static const unsigned int weights[] = { 4, 2 };

	for (size_t i = 0; texts[i]; i++) {
		bool is_name = !i;

		/* names are put together of words: mmaplock, iosnoop */
		if (is_name ? strcasestr(texts[i], stem) != NULL : word_begins_in(stem, texts[i]))
			return i < sizeof weights / sizeof *weights ? weights[i] : 1;
	}
	return 0;
}

unsigned int rs_help_word_score(const char *word, const char *const *texts)
{
	char stem[HELP_WORD_BYTES], of[HELP_WORD_BYTES];
	unsigned int best, score;

	word_stem(word, stem);
	best = word_score_of(stem, texts);
	best += best > 1 ? best : 0;
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms && !best; i++) {
		word_stem(synonyms[i].word, of);
		if (strcmp(of, stem) != 0)
			continue;
		for (const char *const *as = synonyms[i].as; as < synonyms[i].as + 5 && *as; as++) {
			score = word_score_of(*as, texts);
			best = score > best ? score : best;
		}
	}
	return best;
}

bool rs_help_word_is_in(const char *word, const char *text)
{
	return rs_help_word_score(word, (const char *const[]){ text, NULL });
}
