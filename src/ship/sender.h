/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sender.h - delivers batches to a ClickHouse server by HTTP, and waits longer after each failure
 *
 *	sender = rs_sender_new(&config, &err);
 *	rs_sender_deliver(sender, &spool, &err);    // all that can be delivered now
 *	rs_sender_free(sender);
 */
#ifndef RS_SHIP_SENDER_H
#define RS_SHIP_SENDER_H

#include "ship/spool.h"

struct rs_sender;

struct rs_sender_config {
	const char *url;              /* "http://HOST:8123/", "https://HOST:8443/DATABASE" */
	const char *credentials;      /* name of a file: USER:PASSWORD in its first line; NULL: none */
	/* name of a file with the certificates that https trusts; NULL: those of the system */
	const char *authority;
};

struct rs_sender *rs_sender_new(const struct rs_sender_config *config, struct rs_error *err);
void rs_sender_free(struct rs_sender *s); /* NULL is fine */
/* What the user should know before the first batch; NULL: nothing. */
const char *rs_sender_warning(const struct rs_sender *s);
/*
 * Delivers the batches of the spool, the oldest first, and removes them. Returns how many; -1: why not, in
 * err, which is no reason to end: they stay, and the next attempt is made after a time that doubles, up to a
 * minute.
 */
int rs_sender_deliver(struct rs_sender *s, struct rs_spool *spool, struct rs_error *err);

#endif
