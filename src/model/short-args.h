/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short-args.h - what tells a process from others of its name: "python3 server.py" of a longer command line
 *
 *	rs_short_args_begin(&a, "python3", "/usr/bin/python3 -u /srv/server.py --port 80");
 *	rs_short_args_add_other(&a, "python3 worker.py");
 *	rs_short_args_text(&a, buf, sizeof buf);        // "python3 server.py"
 *
 * The name, then the program that an interpreter runs: its first argument that is no option, or -m, -jar, -c
 * with what follows it. Where another has the same, the first argument that none of these has, with its
 * option: "python3 server.py --port 80". A process may have set a title instead ("postgres: writer"): that is
 * told as it stands. No allocation; texts are untrusted bytes.
 */
#ifndef RS_MODEL_SHORT_ARGS_H
#define RS_MODEL_SHORT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_SHORT_ARGS_BYTES 48  /* of the text, with its end */
#define RS_SHORT_ARGS_WORDS 64  /* arguments that are looked at */

struct rs_short_args {
	const char *comm, *args;        /* not copied */
	unsigned int nr_words, program, nr_program; /* the words of the program: the first, how many */
	bool is_title;
	struct rs_short_args_word { const char *at; size_t len; } words[RS_SHORT_ARGS_WORDS];
	unsigned int nr_others, nr_same; /* with another command line; of these with the same program */
	unsigned int nr_having[RS_SHORT_ARGS_WORDS]; /* of nr_same, those which have that word, too */
};

void rs_short_args_begin(struct rs_short_args *a, const char *comm, const char *args);
/* args: of another process of that name; NULL: not known, so it may be any. */
void rs_short_args_add_other(struct rs_short_args *a, const char *args);
/*
 * "python3 server.py": of several processes that run one program. NULL: all others run it, too, or it has no
 * name.
 */
const char *rs_short_args_of_program(const struct rs_short_args *a, char *buf, size_t size_bytes);
/* Does a process of that name run another program, as python3 and sh do? */
bool rs_short_args_interprets(const char *comm);
/*
 * The number of the program that a command line of an interpreter names: equal programs have equal numbers.
 * 0: it names none, or has the text of one (-c, -e).
 */
uint32_t rs_short_args_program(const char *args);
/* Returns buf; NULL: all others have the same command line, or nothing tells it from them. */
const char *rs_short_args_text(const struct rs_short_args *a, char *buf, size_t size_bytes);
/*
 * What tells processes of that name from each other in every recording, whoever else is there: the program of
 * an interpreter ("python3 server.py"); of a title up to two words that have no digit ("nginx worker
 * process"), since what follows changes. The name comes first, then a blank. NULL: nothing does.
 */
const char *rs_short_args_lasting(const char *comm, const char *args, char *buf, size_t size_bytes);

#endif
