/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal.h - entries with fields in systemd's journal, by its native protocol, without its library
 *
 *	rs_journal_open(&j, NULL);
 *	rs_journal_put(&j, "MESSAGE", text);
 *	rs_journal_put(&j, "RINGSIDE_CONDITION", condition);
 *	rs_journal_send(&j);                      // false: there is no journal, or it did not take it
 */
#ifndef RS_DAEMON_JOURNAL_H
#define RS_DAEMON_JOURNAL_H

#include <stdbool.h>

#include "base/buf.h"

struct rs_journal {
	int fd;                      /* -1: there is none */
	struct rs_buf entry;
};

/* path NULL: the usual socket. */
void rs_journal_open(struct rs_journal *j, const char *path);
void rs_journal_close(struct rs_journal *j);
/* Of any bytes. */
void rs_journal_put(struct rs_journal *j, const char *field, const char *value);
/* Ends the entry, whatever becomes of it; waits for nothing. */
bool rs_journal_send(struct rs_journal *j);

#endif
