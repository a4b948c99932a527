/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * served.h - an engine over a recording, in a thread, and a client of it over a socketpair
 *
 *	served_begin_client(LINES("1000 cpu0 sys_enter t=10 nr=read", ...));
 *	served_wait_loaded();
 *	served_ask_rows("syscalls", NULL, 10);
 *	ck_assert_uint_eq(served_number("total"), 1);   // of served_answer
 *	served_end_client();
 */
#ifndef TEST_SERVED_H
#define TEST_SERVED_H

#include <check.h>

#include "rpc/client.h"
#include "daemon/serve.h"
#include "raw-client.h"

extern struct rs_source *served_source;
extern struct rs_client *served_client;
extern struct rs_serve_config served_config;
extern cJSON *served_answer;         /* the last one */
extern const char *served_filters;   /* of the session; NULL none */
extern const char *served_analysis;  /* the only one of the session; NULL all */
extern int served_fd;                /* the client's end, where a test speaks for itself */

void served_begin_source(struct rs_source *of, const char *path);
void served_begin(const char *const *lines);
void served_end(void);               /* closes the source */
void served_begin_client(const char *const *lines);
void served_begin_recording(void);   /* of all kinds of events */
void served_end_client(void);

void served_send(int passed_fd);      /* what raw_begin began; the answer is served_answer */
void served_wait_loaded(void);       /* until the file is read to its end */
void served_ask_rows(const char *view, const char *sort, uint64_t limit);
uint64_t served_number(const char *member);

#endif
